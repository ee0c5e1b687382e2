package finding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const summary = `"Two findings, both in the client."`

// one returns a document with one finding that has the given keys besides, or
// in place of, valid ones.
func one(key, value string) string {
	keys := map[string]string{
		"file": `"web/src/api.ts"`, "line": `3`, "severity": `"blocker"`, "category": `"secret-in-code"`,
		"message": `"A token is written into the code."`, "confidence": `0.97`,
	}
	keys[key] = value
	var pairs []string
	for k, v := range keys {
		if v != "" {
			pairs = append(pairs, fmt.Sprintf("%q: %s", k, v))
		}
	}
	return `{"findings": [{` + strings.Join(pairs, ", ") + `}], "summary": ` + summary + `}`
}

func token() Finding {
	return Finding{
		File: "web/src/api.ts", Line: 3, Severity: Blocker, Category: SecretInCode,
		Message: "A token is written into the code.", Confidence: 0.97,
	}
}

func with(change func(*Finding)) Finding {
	f := token()
	change(&f)
	return f
}

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       Finding
	}{
		{"a finding of the schema", one("", ""), token()},
		{"rule is optional", one("rule", `"no-secrets"`), with(func(f *Finding) { f.Rule = "no-secrets" })},
		{"title, suggestion and end_line of the review schema",
			strings.Replace(one("title", `"Hard-coded token"`), `"line"`, `"suggestion": "x", "end_line": 4, "line"`, 1),
			with(func(f *Finding) { f.Title, f.Suggestion, f.EndLine = "Hard-coded token", "x", 4 })},
		{"an optional key may be null", one("rule", `null`), token()},
		{"critical of quality-and-coverage is blocker", one("severity", `"critical"`), token()},
		{"CRITICAL of review-loop is blocker", one("severity", `"CRITICAL"`), token()},
		{"warning is major", one("severity", `"warning"`), with(func(f *Finding) { f.Severity = Major })},
		{"HIGH is major", one("severity", `"HIGH"`), with(func(f *Finding) { f.Severity = Major })},
		{"suggestion is minor", one("severity", `"suggestion"`), with(func(f *Finding) { f.Severity = Minor })},
		{"nit of push-gate is minor", one("severity", `"nit"`), with(func(f *Finding) { f.Severity = Minor })},
		{"LOW is minor", one("severity", `"LOW"`), with(func(f *Finding) { f.Severity = Minor })},
		{"naming is style", one("category", `"naming"`), with(func(f *Finding) { f.Category = Style })},
		{"best_practices is best-practices", one("category", `"best_practices"`), with(func(f *Finding) { f.Category = BestPractices })},
		{"reliability is best-practices", one("category", `"reliability"`), with(func(f *Finding) { f.Category = BestPractices })},
		{"error_handling is error-handling", one("category", `"error_handling"`), with(func(f *Finding) { f.Category = ErrorHandling })},
		{"a confidence of 1 as an integer", one("confidence", `1`), with(func(f *Finding) { f.Confidence = 1 })},
		{"a confidence of 0", one("confidence", `0`), with(func(f *Finding) { f.Confidence = 0 })},
		{"a line written as 3.0 is an integer", one("line", `3.0`), token()},
		{"the display id of quality-and-coverage is let through", one("id", `"cr-001"`), token()},
		{"a display id may be a number", one("id", `1`), token()},
		{"the keys that the gate adds are let through", one("reviewer", `"house"`), with(func(f *Finding) { f.Reviewer = "house" })},
		{"a byte order mark is ignored", "\ufeff" + one("", ""), token()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.data))
			want := Document{Findings: []Finding{tt.want}, Summary: strings.Trim(summary, `"`)}
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("Decode(%s): error %v (-want +got):\n%s", tt.data, err, diff)
			}
		})
	}
}

func TestDecodeForms(t *testing.T) {
	const item = `{"file": "a.go", "line": 1, "severity": "minor", "category": "style", "message": "Ten or more.", "confidence": 1}`
	f := Finding{File: "a.go", Line: 1, Severity: Minor, Category: Style, Message: "Ten or more.", Confidence: 1}
	for _, tt := range []struct {
		name, data string
		want       Document
	}{
		{"the findings schema", `{"findings": [` + item + `], "summary": "Twenty characters ok."}`,
			Document{Findings: []Finding{f}, Summary: "Twenty characters ok."}},
		{"the review schema", `{"findings": [], "summary": "Twenty characters ok.", "files_clean": ["b.go"]}`,
			Document{Findings: []Finding{}, Summary: "Twenty characters ok.", FilesClean: []string{"b.go"}}},
		{"findings.json of quality-and-coverage has no summary", `{"findings": [` + item + `], "files_clean": ["b.go", "c.go"]}`,
			Document{Findings: []Finding{f}, FilesClean: []string{"b.go", "c.go"}}},
		{"files_clean may be null", `{"findings": [], "summary": "Twenty characters ok.", "files_clean": null}`,
			Document{Findings: []Finding{}, Summary: "Twenty characters ok."}},
		{"a bare array", `[` + item + `]`, Document{Findings: []Finding{f}}},
		{"an empty bare array", `[]`, Document{Findings: []Finding{}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.data))
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("Decode(%s): error %v (-want +got):\n%s", tt.data, err, diff)
			}
		})
	}
}

func TestDecodeNamesThePlace(t *testing.T) {
	const dozen = "security, secret-in-code, correctness, error-handling, performance, architecture, " +
		"contract-break, migration-number-collision, testing, best-practices, documentation, style"
	deep := strings.Repeat("[", 17) + strings.Repeat("]", 17)
	valid := `{"file": "a.go", "line": 1, "severity": "minor", "category": "style", "message": "Ten or more.", "confidence": 1}`
	for _, tt := range []struct{ name, data, want string }{
		{"nothing", "", "empty: a JSON document with findings and a summary is needed"},
		{"blanks", " \n", "empty: a JSON document with findings and a summary is needed"},
		{"prose", "I looked at it.", "line 1, byte 1: not JSON: invalid character 'I' looking for beginning of value"},
		{"JSON in a fence", "```json\n{}\n```", "line 1, byte 1: not JSON: invalid character '`' looking for beginning of value"},
		{"JSON that breaks off", "{\"findings\": [],\n\"summary\":", "line 2, byte 27: not JSON: unexpected end of JSON input"},
		{"prose after the document", one("", "") + "\nDone!", "line 2, byte 224: not JSON: invalid character 'D' after top-level value"},
		{"not UTF-8", "{\n\"summary\": \"\xff\"}", "line 2, byte 15: not UTF-8"},
		{"a string", `"no findings"`, "neither an object with findings and a summary nor an array of findings"},
		{"null", `null`, "neither an object with findings and a summary nor an array of findings"},
		{"no findings", `{"summary": ` + summary + `}`, "findings: is missing"},
		{"no summary", `{"findings": []}`, "summary: is missing"},
		{"a short summary", `{"findings": [], "summary": "fine"}`, "summary: 4 characters are too few, at least 20 are needed"},
		{"findings that are no array", `{"findings": {}, "summary": ` + summary + `}`, "findings: is an object, not an array"},
		{"a finding that is no object", `{"findings": ["x"], "summary": ` + summary + `}`, "findings[0]: is a string, not an object"},
		{"a key outside the schema", `{"findings": [], "verdict": "merge", "summary": ` + summary + `}`, "verdict: is not a key of the schema"},
		{"a finding's key outside the schema", one("serverity", `"minor"`), "findings[0].serverity: is not a key of the schema"},
		{"a severity of no scale", one("severity", `"catastrophic"`), `findings[0].severity: "catastrophic" is not one of blocker, major, minor`},
		{"a category outside the twelve", one("category", `"typos"`), `findings[0].category: "typos" is not one of ` + dozen},
		{"no file", one("file", ""), "findings[0].file: is missing"},
		{"no line", one("line", ""), "findings[0].line: is missing"},
		{"no severity", one("severity", ""), "findings[0].severity: is missing"},
		{"no category", one("category", ""), "findings[0].category: is missing"},
		{"no message", one("message", ""), "findings[0].message: is missing"},
		{"no confidence", one("confidence", ""), "findings[0].confidence: is missing"},
		{"line 0", one("line", "0"), "findings[0].line: 0 is less than 1"},
		{"a line of text", one("line", `"3"`), "findings[0].line: is a string, not an integer"},
		{"half a line", one("line", `3.5`), "findings[0].line: is a number, not an integer"},
		{"a line beyond any file", one("line", `9999999999`), "findings[0].line: 9.999999999e+09 is more than any file has lines"},
		{"a number that overflows", one("line", `1e1000000000`), `findings[0].line: "1e1000000000" is out of range`},
		{"a short message", one("message", `"too short"`), "findings[0].message: 9 characters are too few, at least 10 are needed"},
		{"characters count, not bytes", one("message", `"ä ö ü ß é"`), "findings[0].message: 9 characters are too few, at least 10 are needed"},
		{"a confidence in percent", one("confidence", "97"), "findings[0].confidence: 97 is more than 1"},
		{"a negative confidence", one("confidence", "-0.5"), "findings[0].confidence: -0.5 is less than 0"},
		{"the first of several", `[` + valid + `, {"file": 1}, {}]`, "findings[1].category: is missing (and 11 more)"},
		{"a key written twice", `{"findings": [` + valid + `], "summary": ` + summary + `, "findings": []}`, "findings: is written twice"},
		{"deep nesting", deep, strings.Repeat("[0]", 16) + ": nested more than 16 deep"},
		{"too many findings", `[` + strings.Repeat(`{},`, 10_000) + `{}]`, "findings: 10001 are more than the 10000 a document may have"},
		{"too many values", `[` + strings.Repeat(`0,`, 500_000) + `0]`, "more than 500000 values in one document"},
		{"too many bytes", strings.Repeat(" ", 16<<20+1), "16777217 bytes are more than the 16 MiB a document may have"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.data))
			if err == nil || err.Error() != tt.want {
				t.Errorf("Decode(%.200s) = %v, error\n\t%v, want\n\t%s", tt.data, got, err, tt.want)
			}
		})
	}
}

func TestDecodeAcceptsAsManyFindingsAsItSays(t *testing.T) {
	const item = `{"file": "a.go", "line": 1, "severity": "minor", "category": "style", "message": "Ten or more.", "confidence": 1},`
	all := strings.Repeat(item, MaxFindings)
	got, err := Decode([]byte("[" + strings.TrimSuffix(all, ",") + "]"))
	if err != nil || len(got.Findings) != MaxFindings {
		t.Errorf("Decode of %d findings = %d, error %v", MaxFindings, len(got.Findings), err)
	}
}

func TestEncode(t *testing.T) {
	for _, tt := range []struct {
		name string
		doc  Document
		want string
	}{
		{"findings are a list, never null", Document{Summary: "Nothing to say about it."},
			"{\n  \"findings\": [],\n  \"summary\": \"Nothing to say about it.\"\n}\n"},
		{"a missing summary is said to be missing", Document{},
			"{\n  \"findings\": [],\n  \"summary\": \"No summary was given.\"\n}\n"},
		{"angle brackets stay readable", Document{Summary: "Use <T> & nothing else.", FilesClean: []string{"a.go"}},
			"{\n  \"findings\": [],\n  \"summary\": \"Use <T> & nothing else.\",\n  \"files_clean\": [\n    \"a.go\"\n  ]\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Encode(tt.doc)
			if string(got) != tt.want || err != nil {
				t.Errorf("Encode = %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestEncodeRefusesWhatDecodeWouldRefuse(t *testing.T) {
	for _, tt := range []struct {
		name string
		doc  Document
		want string
	}{
		{"a short summary", Document{Summary: "fine"}, "summary: 4 characters are too few, at least 20 are needed"},
		{"a finding outside the enums", Document{Findings: []Finding{token(), {Line: 1, Severity: "nit"}}},
			`findings[1].severity: "nit" is not one of blocker, major, minor`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Encode(tt.doc); err == nil || err.Error() != tt.want {
				t.Errorf("Encode = %s, error %v, want %s", got, err, tt.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(one("", "")))
	f.Add([]byte(`[{"file": "a.go", "line": 1e3, "severity": "HIGH", "category": "naming", "message": "0123456789", "confidence": 1}]`))
	f.Add([]byte(`{"findings": [], "files_clean": ["a"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Decode(data)
		if err != nil {
			return
		}
		encoded, err := Encode(doc)
		if err != nil {
			t.Fatalf("Encode(Decode(%q)): %v", data, err)
		}
		again, err := Decode(encoded)
		doc.Summary = again.Summary // "" becomes a sentence
		if diff := cmp.Diff(doc, again); diff != "" || err != nil {
			t.Fatalf("Decode(Encode(Decode(%q))): %v\n%s", data, err, diff)
		}
	})
}
