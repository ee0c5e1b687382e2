package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// commands returns the workflow commands after the protected text.
func commands(t testing.TB, run Run) []string {
	t.Helper()
	var b bytes.Buffer
	if err := Annotations(&b, run); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	token := strings.TrimPrefix(lines[0], "::stop-commands::")
	for i, l := range lines {
		if l == "::"+token+"::" {
			return lines[i+1:]
		}
	}
	t.Fatalf("commands are never switched on again:\n%s", b.String())
	return nil
}

func TestAnnotations(t *testing.T) {
	at := func(file string, line, end int, s finding.Severity, message string) Finding {
		return Finding{Finding: finding.Finding{File: file, Line: line, EndLine: end, Severity: s, Category: finding.Correctness, Message: message}}
	}
	for _, tt := range []struct {
		name  string
		entry Entry
		want  string
	}{
		{"a merge without findings has none", Entry{ID: "a", Verdict: policy.Merge}, ""},
		{"a hold is a warning", Entry{ID: "a", Verdict: policy.Hold, Reason: "hold: review failed"}, "::warning title=a%3A hold::hold: review failed"},
		{"a block is an error", Entry{ID: "a", Verdict: policy.Block, Reason: "block: conflict: x"}, "::error title=a%3A block::block: conflict: x"},
		{"a failed check is an error with its reason", Entry{ID: "a", Verdict: policy.Block, Reason: "r", Verify: Verify{Checks: []change.Check{{Name: "go vet", Status: change.Pass}, {Name: "go test", Status: change.Fail, Reason: "exit status 1", Output: "::error::x"}}}},
			"::error title=a%3A block::r\n::error title=a%3A check failed::go test: exit status 1"},
		{"a minor finding is a notice on its lines", Entry{Verdict: policy.Merge, Findings: []Finding{at("a.go", 3, 5, finding.Minor, "Odd.")}}, "::notice file=a.go,line=3,endLine=5,title=minor correctness::Odd."},
		{"heaviest first", Entry{Verdict: policy.Merge, Findings: []Finding{at("a", 1, 0, finding.Minor, "m"), at("b", 2, 0, finding.Major, "M"), at("c", 3, 0, finding.Blocker, "B")}},
			"::error file=c,line=3,endLine=3,title=blocker correctness::B\n::warning file=b,line=2,endLine=2,title=major correctness::M\n::notice file=a,line=1,endLine=1,title=minor correctness::m"},
		{"percent, colon and comma in a property", Entry{Verdict: policy.Merge, Findings: []Finding{at("a:b,c%.go", 1, 0, finding.Minor, "50%: a, b")}}, "::notice file=a%3Ab%2Cc%25.go,line=1,endLine=1,title=minor correctness::50%25: a, b"},
		{"lines in a message", Entry{Verdict: policy.Merge, Findings: []Finding{at("a", 1, 0, finding.Minor, "a\n::error::b")}}, "::notice file=a,line=1,endLine=1,title=minor correctness::a ::error::b"},
		{"a line below one", Entry{Verdict: policy.Merge, Findings: []Finding{at("a", 0, 0, finding.Minor, "m")}}, "::notice file=a,line=1,endLine=1,title=minor correctness::m"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(commands(t, Run{Entries: []Entry{tt.entry}}), "\n"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAnnotationsCountWhatDoesNotFit(t *testing.T) {
	for _, tt := range []struct {
		findings, annotations int
		last                  string
	}{
		{9, 9, "::notice file=f.go,line=9,"},
		{10, 10, "::notice file=f.go,line=10,"},
		{11, 10, "::notice title=Reviewgate::2 more verdicts, checks and findings are in the log of this step."},
		{500, 10, "::notice title=Reviewgate::491 more verdicts, checks and findings are in the log of this step."},
	} {
		e := Entry{Verdict: policy.Merge}
		for i := range tt.findings {
			e.Findings = append(e.Findings, Finding{Finding: finding.Finding{File: "f.go", Line: i + 1, Severity: finding.Minor, Message: fmt.Sprint(i)}})
		}
		got := commands(t, Run{Entries: []Entry{e}})
		if len(got) != tt.annotations || !strings.HasPrefix(got[len(got)-1], tt.last) {
			t.Errorf("%d findings: %d annotations, the last %s", tt.findings, len(got), got[len(got)-1])
		}
	}
}

func TestStepSummaryEndsAtAWholeChange(t *testing.T) {
	run := manyChanges(300, 3)
	for _, tt := range []struct {
		name  string
		limit int
		want  string
	}{
		{"everything fits", maxStepSummary, "## pr-0299: Change something somewhere"},
		{"some changes fit", 64 << 10, "**This summary is cut:** it holds the details of "},
		{"not even the table fits", 4 << 10, "it holds the details of 0 of 300 changes; the full report is REPORT.md."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := stepSummary(&b, run, tt.limit); err != nil {
				t.Fatal(err)
			}
			if b.Len() > tt.limit || !strings.Contains(b.String(), tt.want) {
				t.Errorf("%d bytes of at most %d, ending %q", b.Len(), tt.limit, b.String()[max(0, b.Len()-200):])
			}
		})
	}
}
