package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// sarifSchema is the JSON schema of SARIF 2.1.0 as SchemaStore publishes it.
func sarifSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func writeSARIF(t testing.TB, run Run) (sarifLog, []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := SARIF(&b, run); err != nil {
		t.Fatal(err)
	}
	var doc sarifLog
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc, b.Bytes()
}

func TestSARIFSatisfiesTheOfficialSchema(t *testing.T) {
	schema := sarifSchema(t)
	for _, tt := range []struct {
		name string
		run  Run
	}{
		{"the stored run", storedRun(t)},
		{"no change at all", Run{}},
		{"one change without anything", Run{Entries: []Entry{{ID: "a"}}}},
		{"more changes than a service accepts runs", Run{Entries: make([]Entry, 30)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, data := writeSARIF(t, tt.run)
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSARIFLevel(t *testing.T) {
	for _, tt := range []struct {
		name     string
		severity finding.Severity
		verdict  policy.Verdict
		want     string
	}{
		{"a blocker finding of a blocked change is an error", finding.Blocker, policy.Block, "error"},
		{"a blocker finding that was overridden fails no check of the forge", finding.Blocker, policy.Merge, "warning"},
		{"a major finding is a warning", finding.Major, policy.Hold, "warning"},
		{"a major finding of a blocked change is a warning", finding.Major, policy.Block, "warning"},
		{"a minor finding is a note", finding.Minor, policy.Block, "note"},
		{"an unknown severity is never lighter than a warning", "odd", policy.Merge, "warning"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sarifLevel(tt.severity, tt.verdict); got != tt.want {
				t.Errorf("sarifLevel(%q, %q) = %q, want %q", tt.severity, tt.verdict, got, tt.want)
			}
		})
	}
}

func TestSARIFURIsAreRelativeAndEncoded(t *testing.T) {
	for _, tt := range []struct {
		name, path, want string
		ok               bool
	}{
		{"a plain path", "web/src/api.ts", "web/src/api.ts", true},
		{"spaces and percent signs", "a b/100%.go", "a%20b/100%25.go", true},
		{"a colon is no scheme", "c:x/y", "c%3Ax/y", true},
		{"letters beyond ASCII", "Grüße.go", "Gr%C3%BC%C3%9Fe.go", true},
		{"question marks and hashes", "a?b#c", "a%3Fb%23c", true},
		{"a backslash is a character of the name", `a\b`, "a%5Cb", true},
		{"a leading ./", "./a.go", "a.go", true},
		{"two dots inside a name", "a..b", "a..b", true},
		{"a path out of the repository", "../secret", "", false},
		{"a path out of the repository in the middle", "a/../../x", "", false},
		{"an absolute path", "/etc/passwd", "", false},
		{"no path", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := relativeURI(tt.path)
			if got != tt.want || ok != tt.ok {
				t.Errorf("relativeURI(%q) = %q, %v, want %q, %v", tt.path, got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestSARIFSaysWhatIsMissing(t *testing.T) {
	run := Run{Incomplete: true, Entries: []Entry{{ID: "a", Review: ReviewFailed, Error: "timed out", Findings: []Finding{
		{Finding: finding.Finding{File: "../x", Line: 1, Severity: finding.Minor, Category: finding.Style, Message: "outside"}}}}}}
	doc, _ := writeSARIF(t, run)
	invocation := doc.Runs[0].Invocations[0]
	if invocation.Successful {
		t.Error("executionSuccessful is true after a failed review")
	}
	var got []string
	for _, n := range invocation.Notifications {
		got = append(got, n.Descriptor.ID+": "+n.Message.Text)
	}
	want := fmt.Sprint([]string{"run-interrupted: The run was interrupted: changes are missing.", "review-failed: The review of a failed: timed out",
		"findings-left-out: 1 finding left out: outside the repository, or beyond the limit of 25000 results."})
	if fmt.Sprint(got) != want {
		t.Errorf("notifications:\n got %s\nwant %s", got, want)
	}
}

func TestSARIFKeepsTheHeaviestResultsWithinTheLimit(t *testing.T) {
	var e Entry
	for i := range maxSARIFResults + 5 {
		e.Findings = append(e.Findings, Finding{Finding: finding.Finding{File: "a.go", Line: i + 1, Severity: finding.Minor, Category: finding.Style, Message: "minor thing"}})
	}
	e.Findings[len(e.Findings)-1].Severity = finding.Blocker
	doc, _ := writeSARIF(t, Run{Entries: []Entry{e}})
	results := doc.Runs[0].Results
	if len(results) != maxSARIFResults || results[0].Properties["severity"] != "blocker" {
		t.Errorf("%d results, the first of severity %v", len(results), results[0].Properties["severity"])
	}
	seen := map[string]bool{}
	for _, r := range results {
		if key := r.Fingerprints["primaryLocationLineHash"]; seen[key] {
			t.Fatalf("fingerprint %s twice", key)
		} else {
			seen[key] = true
		}
	}
}

func TestSARIFRunsStayBelowTheLimit(t *testing.T) {
	for _, tt := range []struct{ changes, want int }{{1, 1}, {20, 20}, {21, 1}, {300, 1}} {
		doc, _ := writeSARIF(t, Run{Entries: make([]Entry, tt.changes)})
		if len(doc.Runs) != tt.want {
			t.Errorf("%d changes make %d runs, want %d", tt.changes, len(doc.Runs), tt.want)
		}
	}
}
