package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

func TestJUnitPassesOnlyWhatIsKnownToBeGood(t *testing.T) {
	check := func(s change.Status) Entry {
		return Entry{Verdict: policy.Merge, Verify: Verify{Checks: []change.Check{{Name: "go test", Status: s}}}}
	}
	requirement := func(s policy.Status) Entry {
		return Entry{Verdict: policy.Merge, Requirements: []policy.Requirement{{Name: "age", Status: s}}}
	}
	for _, tt := range []struct {
		name                       string
		entry                      Entry
		failures, errored, skipped int
	}{
		{"merge passes", Entry{Verdict: policy.Merge}, 0, 0, 0},
		{"hold fails", Entry{Verdict: policy.Hold}, 1, 0, 0},
		{"block fails", Entry{Verdict: policy.Block}, 1, 0, 0},
		{"no verdict fails", Entry{}, 1, 0, 0},
		{"a check that passes", check(change.Pass), 0, 0, 0},
		{"a red check", check(change.Fail), 1, 0, 0},
		{"an unknown check is an error", check(change.Unknown), 0, 1, 0},
		{"a check without a status is an error", check(""), 0, 1, 0},
		{"a satisfied requirement", requirement(policy.Satisfied), 0, 0, 0},
		{"an overridden requirement", requirement(policy.Overridden), 0, 0, 0},
		{"an unsatisfied requirement fails", requirement(policy.Unsatisfied), 1, 0, 0},
		{"a requirement that could not be established is an error", requirement(policy.Errored), 0, 1, 0},
		{"a requirement that is not applicable is skipped", requirement(policy.NotApplicable), 0, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := JUnit(&b, Run{Entries: []Entry{tt.entry}}); err != nil {
				t.Fatal(err)
			}
			var doc junitSuites
			if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
				t.Fatal(err)
			}
			s := doc.Suites[0]
			if s.Failures != tt.failures || s.Errors != tt.errored || s.Skipped != tt.skipped || doc.Failures != tt.failures || doc.Errors != tt.errored {
				t.Errorf("failures %d, errors %d, skipped %d, want %d, %d, %d", s.Failures, s.Errors, s.Skipped, tt.failures, tt.errored, tt.skipped)
			}
		})
	}
}

// twoOfAKind holds two findings of one fingerprint, a finding without one, and
// one on a range with a suggestion.
func twoOfAKind() Run {
	f := finding.Finding{File: "a.go", Line: 3, Severity: finding.Major, Category: finding.Correctness, Message: "Off by one.", Fingerprint: "f1"}
	g := finding.Finding{File: "b.go", Line: 5, EndLine: 6, Severity: finding.Minor, Category: finding.Style, Rule: "go", Message: "Odd name.", Suggestion: "\tx := 1\n"}
	return Run{Entries: []Entry{{ID: "pr-01", Findings: []Finding{{Finding: g}, {Finding: f}}}, {ID: "pr-02", Findings: []Finding{{Finding: f}}}}}
}

func TestCodeQuality(t *testing.T) {
	var b bytes.Buffer
	if err := CodeQuality(&b, twoOfAKind()); err != nil {
		t.Fatal(err)
	}
	var got []codeQualityIssue
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := []codeQualityIssue{
		{"Off by one.", "reviewgate/correctness", "f1", "major", codeQualityLocation{"a.go", codeQualityLines{Begin: 3}}},
		{"Off by one.", "reviewgate/correctness", "f1-2", "major", codeQualityLocation{"a.go", codeQualityLines{Begin: 3}}},
		{"Odd name.", "reviewgate/style/go", fallbackFingerprint(finding.Finding{File: "b.go", Category: finding.Style, Message: "odd  NAME."}), "minor", codeQualityLocation{"b.go", codeQualityLines{5, 6}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.HasPrefix(b.String(), "\ufeff") {
		t.Error("a byte order mark, which GitLab refuses")
	}
}

func TestRDJSON(t *testing.T) {
	var b bytes.Buffer
	if err := RDJSONL(&b, twoOfAKind()); err != nil {
		t.Fatal(err)
	}
	want := `{"message":"Off by one.","location":{"path":"a.go","range":{"start":{"line":3}}},"severity":"WARNING","source":{"name":"reviewgate","url":"https://github.com/reviewgate/reviewgate"},"code":{"value":"correctness"}}
{"message":"Off by one.","location":{"path":"a.go","range":{"start":{"line":3}}},"severity":"WARNING","source":{"name":"reviewgate","url":"https://github.com/reviewgate/reviewgate"},"code":{"value":"correctness"}}
{"message":"Odd name.","location":{"path":"b.go","range":{"start":{"line":5},"end":{"line":6}}},"severity":"INFO","source":{"name":"reviewgate","url":"https://github.com/reviewgate/reviewgate"},"code":{"value":"style/go"},"suggestions":[{"range":{"start":{"line":5},"end":{"line":6}},"text":"\tx := 1"}]}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAReplacementIsOfferedOnlyWhole(t *testing.T) {
	for _, tt := range []struct {
		name, suggestion string
		line             int
		want             string
		ok               bool
	}{
		{"a plain one", "x := 1\n", 3, "x := 1", true},
		{"none", "", 3, "", false},
		{"on no line", "x", 0, "", false},
		{"with a hidden character", "x\u202e", 3, "", false},
		{"with an escape", "x\x1b", 3, "", false},
		{"too long to show", strings.Repeat("x", maxMessage+1), 3, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := replacement(finding.Finding{Line: tt.line, Suggestion: tt.suggestion})
			if got != tt.want || ok != tt.ok {
				t.Errorf("replacement = %q, %v, want %q, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestAggregateHasTheShapeOfALiveRun(t *testing.T) {
	agrees := 1
	run := Run{KeyAgrees: &agrees, Reviewer: ReviewerInfo{Class: "recorded"}, Entries: []Entry{{ID: "pr-01", Verdict: policy.Merge, Review: Reviewed, Verify: Verify{Status: VerifyPass}, DurationMS: 12}}}
	run.Totals = Total(run.Entries, 20)
	var b bytes.Buffer
	if err := Aggregate(&b, run); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Compact(&got, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	want := `{"reviewer":{"class":"recorded","names":[],"model":null,"max_budget_usd_per_pr":null,"max_turns":null},` +
		`"prs":[{"pr":"pr-01","verdict":"merge","reason":"","review":"reviewed","verify":"pass","blockers":[],"findings":0,"cost_usd":0,"turns":0,"duration_ms":12}],` +
		`"verdicts_agreeing_with_key":1,"totals":{"cost_usd":0,"turns":0,"wall_ms":20,"verdicts":{"block":0,"hold":0,"merge":1},"failed_reviews":0}}`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStoredListsAreNeverNull(t *testing.T) {
	var b bytes.Buffer
	if err := EntryJSON(&b, Entry{Matches: nil}); err != nil {
		t.Fatal(err)
	}
	if err := JSON(&b, Run{Entries: []Entry{{}}}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "null") && !strings.Contains(line, `"model"`) && !strings.Contains(line, `"max_`) && !strings.Contains(line, `"ok"`) {
			t.Errorf("a list is null: %s", line)
		}
	}
}
