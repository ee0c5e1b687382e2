package sarif

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// touchedFiles are what the change of these tests touches.
var touchedFiles = []string{"a.go", "web/src/api.ts"}

func readAll(text string, format Format) (*report, error) {
	tree := fstest.MapFS{"a.go": {}, "web/src/api.ts": {}, "other.go": {}}
	r := &report{locate: newLocator(touchedFiles, tree)}
	return r, read(strings.NewReader(text), format, r)
}

// seen is what a reader took out of a report.
type seen struct {
	Results []result
	Notes   []string
	Seen    int
	Outside int
	Ignored int
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       seen
	}{
		{
			"SARIF: what a rule says where the result is silent",
			`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"lint","rules":[
				{"id":"R1","shortDescription":{"text":"never do this"},"defaultConfiguration":{"level":"error","rank":70},"properties":{"tags":["security"]}}]}},
			  "results":[{"ruleId":"R1","message":{"text":"done at [line 3](1)"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":3,"endLine":4}}}],"properties":{"tags":["x"]}}]}]}`,
			seen{Results: []result{{tool: "lint", rule: "R1", path: "a.go", line: 3, end: 4, level: "error", message: "done at line 3", tags: []string{"security", "x"}, rank: 0.7}}, Seen: 1},
		},
		{
			"SARIF: level, rank and index of the result win; a missing level is a warning",
			`{"runs":[{"tool":{"driver":{"name":"lint","rules":[{"id":"R1"},{"id":"R2","defaultConfiguration":{"level":"error"}}]}},"results":[
				{"ruleIndex":1,"level":"note","rank":5,"message":{"text":"m1"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":1}}}]},
				{"rule":{"id":"R1/7"},"rank":-1,"message":{"text":"m2"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":2}}}]}]}]}`,
			seen{Results: []result{
				{tool: "lint", rule: "R2", path: "a.go", line: 1, level: "note", message: "m1", rank: 0.05},
				{tool: "lint", rule: "R1", path: "a.go", line: 2, level: "warning", message: "m2", rank: -1},
			}, Seen: 2},
		},
		{
			"SARIF: keys in any order, rules of an extension, messages by id, places by index, a chain of bases",
			`{"runs":[{"results":[{"ruleId":"X9","rule":{"index":0,"toolComponent":{"index":0}},"message":{"id":"found","arguments":["two","three"]},
				"locations":[{"physicalLocation":{"artifactLocation":{"index":0},"region":{"startLine":9}}}]}],
			  "artifacts":[{"location":{"uri":"api.ts","uriBaseId":"SUB"}}],
			  "originalUriBaseIds":{"SUB":{"uri":"web/src/","uriBaseId":"ROOT"},"ROOT":{"description":{"text":"the root"}}},
			  "tool":{"extensions":[{"name":"pack","rules":[{"id":"X9","messageStrings":{"found":{"text":"{{found}} {1} after {0}"}}}]}],"driver":{"name":"lint"}}}]}`,
			seen{Results: []result{{tool: "lint", rule: "X9", path: "web/src/api.ts", line: 9, level: "warning", message: "{found} three after two", rank: -1}}, Seen: 1},
		},
		{
			"SARIF: one result at several places, some of them not of this change",
			`{"runs":[{"tool":{"driver":{"name":"lint"}},"results":[{"message":{"text":"twice"},"locations":[
				{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":1}}},
				{"physicalLocation":{"artifactLocation":{"uri":"other.go"},"region":{"startLine":1}}},
				{"physicalLocation":{"artifactLocation":{"uri":"web/src/api.ts"}}}]}]}]}`,
			seen{Results: []result{
				{tool: "lint", path: "a.go", line: 1, level: "warning", message: "twice", rank: -1},
				{tool: "lint", path: "web/src/api.ts", level: "warning", message: "twice", rank: -1},
			}, Seen: 1},
		},
		{
			"SARIF: what the tool takes back is not a result; a suppression under review does not count",
			`{"runs":[{"tool":{"driver":{"name":"lint"}},"results":[
				{"kind":"pass","message":{"text":"fine"}}, {"baselineState":"absent","message":{"text":"gone"}},
				{"suppressions":[{"kind":"inSource"}],"message":{"text":"nolint"}},
				{"suppressions":[{"status":"underReview"}],"message":{"text":"kept"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"}}}]}]}]}`,
			seen{Results: []result{{tool: "lint", path: "a.go", level: "warning", message: "kept", rank: -1}}, Seen: 4, Ignored: 3},
		},
		{
			"SARIF: no results is an answer; errors of the tool itself are told",
			`{"runs":[{"tool":{"driver":{"name":"lint"}},"invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[{"level":"error","message":{"text":"a rule crashed"}},{"level":"note","message":{"text":"fine"}}]}],"results":[]}]}`,
			seen{Notes: []string{"the analyzer reports an error of its own: a rule crashed"}},
		},
		{
			"SARIF: a tool that could not read one file looked at the others",
			`{"runs":[{"tool":{"driver":{"name":"lint"}},"results":[],"invocations":[{"executionSuccessful":false,"toolConfigurationNotifications":[
				{"level":"error","message":{"text":"Parsing error"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":2}}}]},
				{"level":"error","message":{"text":"Parsing error"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"other.go"}}}]}]}]}]}`,
			seen{
				Results: []result{{tool: "lint", path: "a.go", line: 2, level: "error", message: "Parsing error", rank: -1, fatal: true}}, Seen: 2,
				Notes: []string{"the analyzer could not read other.go, which the change does not touch: Parsing error"},
			},
		},
		{
			"SARIF: a result without a place cannot be told",
			`{"runs":[{"tool":{"driver":{"name":"lint"}},"results":[{"message":{"text":"somewhere"}}]}]}`,
			seen{Notes: []string{"left out, no path: "}, Seen: 1, Outside: 1},
		},
		{
			"SARIF: a circle of bases ends",
			`{"runs":[{"tool":{"driver":{"name":"lint"}},"originalUriBaseIds":{"A":{"uriBaseId":"B"},"B":{"uriBaseId":"A"}},"results":[{"message":{"text":"x"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go","uriBaseId":"A"}}}]}]}]}`,
			seen{Notes: []string{"left out, no path: "}, Seen: 1, Outside: 1},
		},
		{
			"Checkstyle",
			`<?xml version="1.0" encoding="UTF-8"?><checkstyle version="8.0"><file name="a.go">
			  <error line="3" column="1" severity="error" message="a &amp; b" source="lint.R1"/>
			  <error line="4" severity="ignore" message="no"/><error severity="info" message="whole file"/></file><file name="other.go"/></checkstyle>`,
			seen{Results: []result{
				{rule: "lint.R1", path: "a.go", line: 3, level: "error", message: "a & b", rank: -1},
				{path: "a.go", level: "info", message: "whole file", rank: -1},
			}, Seen: 3, Ignored: 1},
		},
		{
			"Checkstyle: a file that it could not read",
			`<checkstyle><file name="a.go"><exception>stack</exception></file></checkstyle>`,
			seen{Results: []result{{path: "a.go", level: "error", message: "the analyzer could not read this file", fatal: true, rank: -1}}, Seen: 1},
		},
		{
			"Checkstyle in ISO 8859-1",
			"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><checkstyle><file name=\"a.go\"><error line=\"1\" severity=\"error\" message=\"Gr\xfc\xdfe\"/></file></checkstyle>",
			seen{Results: []result{{path: "a.go", line: 1, level: "error", message: "Grüße", rank: -1}}, Seen: 1},
		},
		{
			"rdjson: source and severity of the whole where a diagnostic is silent",
			`{"diagnostics":[{"message":"m1","location":{"path":"a.go","range":{"start":{"line":3,"column":1},"end":{"line":5}}},"code":{"value":"R1","url":"https://x"}},
			  {"message":"m2","location":{"path":"a.go"},"severity":"ERROR","source":{"name":"own"}},{"message":"m3","location":{"path":"a.go"},"severity":3}],
			  "source":{"name":"lint"},"severity":"WARNING"}`,
			seen{Results: []result{
				{tool: "lint", rule: "R1", path: "a.go", line: 3, end: 5, level: "warning", message: "m1", rank: -1},
				{tool: "own", path: "a.go", level: "error", message: "m2", rank: -1},
				{tool: "lint", path: "a.go", level: "info", message: "m3", rank: -1},
			}, Seen: 3},
		},
		{
			"rdjson, one diagnostic per line",
			"{\"message\":\"m1\",\"location\":{\"path\":\"a.go\",\"range\":{\"start\":{\"line\":3}}},\"severity\":\"INFO\"}\n\n{\"message\":\"m2\",\"location\":{\"path\":\"other.go\"}}\n",
			seen{Results: []result{{path: "a.go", line: 3, level: "info", message: "m1", rank: -1}}, Seen: 2},
		},
		{
			"golangci-lint: codes in messages, ranges, and the count for people after the document",
			"{\"Issues\":[{\"FromLinter\":\"staticcheck\",\"Text\":\"SA4006: never used\",\"Severity\":\"\",\"Pos\":{\"Filename\":\"a.go\",\"Line\":3}},{\"FromLinter\":\"revive\",\"Text\":\"empty-block: twins\",\"Severity\":\"warning\",\"LineRange\":{\"From\":5,\"To\":9},\"Pos\":{\"Filename\":\"a.go\",\"Line\":5}}],\"Report\":{\"Warnings\":[{\"Tag\":\"runner\",\"Text\":\"slow\"}]}}\n2 issues:\n* revive: 1\n* staticcheck: 1\n",
			seen{Results: []result{
				{tool: "golangci-lint", rule: "staticcheck/SA4006", path: "a.go", line: 3, level: "error", message: "SA4006: never used", rank: -1},
				{tool: "golangci-lint", rule: "revive/empty-block", path: "a.go", line: 5, end: 9, level: "warning", message: "empty-block: twins", rank: -1},
			}, Seen: 2, Notes: []string{"golangci-lint warns: runner slow"}},
		},
		{
			"golangci-lint: nothing found, and code elsewhere that does not compile",
			`{"Issues":[{"FromLinter":"typecheck","Text":"undefined: x","Pos":{"Filename":"other.go","Line":3}}]}`,
			seen{Seen: 1, Notes: []string{"the analyzer could not read other.go, which the change does not touch: undefined: x"}},
		},
		{
			"eslint: severities, syntax errors, files it was told to ignore, and what was suppressed",
			`[{"filePath":"web/src/api.ts","messages":[{"ruleId":"eqeqeq","severity":2,"message":"use ===","line":3,"endLine":3},{"ruleId":"curly","severity":1,"message":"braces","line":4},
			   {"ruleId":null,"fatal":true,"severity":2,"message":"Parsing error","line":9}],"suppressedMessages":[{"ruleId":"no-var"}]},
			  {"filePath":"a.go","messages":[{"ruleId":null,"severity":1,"message":"File ignored because of a matching ignore pattern."}]}]`,
			seen{Results: []result{
				{tool: "eslint", rule: "eqeqeq", path: "web/src/api.ts", line: 3, end: 3, level: "error", message: "use ===", rank: -1},
				{tool: "eslint", rule: "curly", path: "web/src/api.ts", line: 4, level: "warning", message: "braces", rank: -1},
				{tool: "eslint", path: "web/src/api.ts", line: 9, level: "error", message: "Parsing error", rank: -1, fatal: true},
			}, Seen: 3, Ignored: 2, Notes: []string{"eslint: a.go: File ignored because of a matching ignore pattern."}},
		},
		{"eslint: nothing to look at", `[]`, seen{}},
		{
			"staticcheck, one problem per line",
			"{\"code\":\"SA4006\",\"severity\":\"error\",\"location\":{\"file\":\"a.go\",\"line\":3,\"column\":2},\"end\":{\"line\":3},\"message\":\"never used\"}\n{\"code\":\"compile\",\"severity\":\"error\",\"location\":{\"file\":\"a.go\",\"line\":9},\"end\":{},\"message\":\"undefined: x\"}\n",
			seen{Results: []result{
				{tool: "staticcheck", rule: "SA4006", path: "a.go", line: 3, end: 3, level: "error", message: "never used", rank: -1},
				{tool: "staticcheck", rule: "compile", path: "a.go", line: 9, level: "error", message: "undefined: x", rank: -1, fatal: true},
			}, Seen: 2},
		},
		{"a byte order mark", "\ufeff[]", seen{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := readAll(tt.text, Auto)
			if err != nil {
				t.Fatalf("read() = %v", err)
			}
			got := seen{r.results, r.notes, r.seen, r.outside, r.ignored}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(result{})); diff != "" {
				t.Errorf("read() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		format Format
		text   string
		want   string
	}{
		{"nothing", Auto, "", "empty: the analyzer has to write its report even when it finds nothing"},
		{"white space", SARIF, " \n\t", "empty: the analyzer has to write its report even when it finds nothing"},
		{"prose", Auto, "panic: no config\nstack\n", `not a report but text that begins with "panic: no config"`},
		{"prose where JSON is set", SARIF, "> eslint .\n", "not JSON at byte 1: invalid character '>' looking for beginning of value"},
		{"prose where XML is set", Checkstyle, "no config", "line 1: text before the document"},
		{"UTF-16", Auto, "\xff\xfe{\x00", "written as UTF-16: write it as UTF-8"},
		{"JSON of nobody", Auto, `{"ok":true,"data":[]}`, "a JSON object with the keys ok, data is of no format that is known here (set format)"},
		{"a broken object", Auto, `{"ok" true}`, "not JSON at byte 6: expected colon after object key"},
		{"SARIF cut short", Auto, `{"runs":[{"results":[{"ruleId":"R`, "ends in the middle of the document"},
		{"SARIF of nobody", Auto, `{"version":"2.1.0","runs":[]}`, "runs is missing or empty: no analyzer ran"},
		{"SARIF of a tool that did not look", Auto, `{"runs":[{"tool":{"driver":{"name":"lint"}},"results":null}]}`, "runs[0]: results is missing: the analyzer did not look"},
		{"SARIF of a tool that failed", Auto, `{"runs":[{"invocations":[{"executionSuccessful":false,"toolExecutionNotifications":[{"message":{"text":"out of memory"}}]}],"results":[]}]}`, "runs[0].invocations: the analyzer says that it failed: out of memory"},
		{"SARIF with results in another file", Auto, `{"runs":[{"externalPropertyFileReferences":{"results":[{"location":{"uri":"r.json"}}]},"results":[]}]}`, "runs[0].externalPropertyFileReferences: the results are in other files, which are not read here"},
		{"SARIF of another version", Auto, `{"$schema":"","version":"1.0.0","runs":[]}`, `version: "1.0.0" is not read here, only 2.1.0`},
		{"SARIF with a list where none belongs", Auto, `{"runs":[{"results":[{"message":{"text":[]}}]}]}`, "message.text is a JSON array, which does not belong there"},
		{"SARIF with runs that are no list", SARIF, `{"runs":{}}`, "runs: is not an array"},
		{"SARIF and more", Auto, `{"runs":[{"results":[]}]} and 3 more`, "text follows the report: and 3 more"},
		{"Checkstyle cut short", Auto, `<checkstyle><file name="a.go">`, "ends in the middle of the document"},
		{"Checkstyle with a broken tag", Auto, "<checkstyle>\n</file>", "line 2: not XML: element <checkstyle> closed by </file>"},
		{"another XML", Auto, "<testsuites/>", "line 1: <testsuites> is not <checkstyle>"},
		{"Checkstyle twice", Auto, "<checkstyle/><checkstyle/>", "line 1: a second document begins with <checkstyle>"},
		{"Checkstyle and prose", Auto, "<checkstyle/>\nDone.", "line 2: text follows the report: Done."},
		{"Checkstyle with a line that is none", Auto, `<checkstyle><file><error line="x"/></file></checkstyle>`, `line 1: line "x" is not a number`},
		{"Checkstyle in an encoding of its own", Auto, `<?xml version="1.0" encoding="utf-7"?><checkstyle/>`, `xml: opening charset "utf-7": encoding "utf-7" is not read here: write UTF-8`},
		{"Checkstyle with an entity of its own", Auto, `<!DOCTYPE c [<!ENTITY a "aaaa">]><checkstyle><file name="&a;"/></checkstyle>`, "line 1: not XML: invalid character entity &a;"},
		{"rdjson of nothing", RDJSON, `{"source":{"name":"x"}}`, "diagnostics is missing: not a report in rdjson (one diagnostic per line is rdjsonl)"},
		{"rdjsonl of nothing", RDJSONL, `{"source":{"name":"x"}}`, "line 1: message and location are missing: not a diagnostic"},
		{"rdjson cut short", Auto, `{"diagnostics":[{"message":"m"`, "ends in the middle of the document"},
		{"rdjson, one line cut short", Auto, "{\"message\":\"m\",\"location\":{\"path\":\"a\"}}\n{\"message\"", "line 2: not JSON at byte 10: unexpected end of JSON input"},
		{"golangci-lint says that it failed", Auto, `{"Issues":[],"Report":{"Error":"context deadline exceeded"}}`, "Report: golangci-lint says that it failed: context deadline exceeded"},
		{"golangci-lint and prose", Auto, "{\"Issues\":null}\nlevel=error msg=oops", "text follows the report: level=error msg=oops"},
		{"not golangci-lint", GolangCILint, `{"Report":{}}`, "the key Issues is missing: not a report of golangci-lint"},
		{"eslint without messages", Auto, `[{"filePath":"a"}]`, "[0]: filePath or messages is missing: not a report of eslint"},
		{"eslint and prose", Auto, "[]\n1 problem", "text follows the report: 1 problem"},
		{"null", ESLint, "null", "null: not a report of eslint"},
		{"staticcheck of code that does not compile", Auto, `{"code":"compile","severity":"error","location":{"file":"","line":0},"end":{},"message":"# shop\nsyntax error"}`, "the analyzer could not read the code: # shop syntax error"},
		{"not staticcheck", Staticcheck, `{"message":"x"}`, "line 1: code or location is missing: not a report of staticcheck"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readAll(tt.text, tt.format)
			if err == nil || err.Error() != tt.want {
				t.Errorf("read() = %v\nwant     %s", err, tt.want)
			}
		})
	}
}

func TestReadRefusesMoreThanItsBounds(t *testing.T) {
	t.Run("results", func(t *testing.T) {
		text := `[{"filePath":"other.go","messages":[` + strings.Repeat(`{"line":1},`, MaxResults) + `{"line":1}]}]`
		_, err := readAll(text, Auto)
		if want := "more than 100000 results: analyse fewer folders at once, or leave noisy rules out"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read() = %v, want %s", err, want)
		}
	})
	for format, start := range map[Format]string{SARIF: `{"runs":[{"properties":{"a":"`, Checkstyle: `<checkstyle a="`, RDJSONL: `{"message":"`} {
		t.Run("bytes of "+string(format), func(t *testing.T) {
			const most = 1 << 20 // MaxBytes takes seconds
			long := append([]byte(start), bytes.Repeat([]byte("x"), most)...)
			err := read(&bounded{bytes.NewReader(long), most}, format, &report{locate: newLocator(nil, nil)})
			if err == nil || !strings.Contains(err.Error(), "64 MiB") {
				t.Errorf("read() = %v, want an error about 64 MiB", err)
			}
		})
	}
}
