package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/policy"
)

func TestEachRemarkIsMadeOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   Entry
		want remarks
	}{
		{"nothing to say", Entry{Reason: "merge: no blocker"}, remarks{}},
		{"the error of a review that the reason does not tell", Entry{Reason: "hold: review failed", Review: ReviewFailed, Error: "timed out after 20 s"}, remarks{failed: "timed out after 20 s"}},
		{"the error again in a note", Entry{Reason: "hold: review failed", Review: ReviewFailed, Error: "timed out", Notes: []string{"review failed: timed out", "clipped", "clipped"}}, remarks{failed: "timed out", notes: []string{"clipped"}}},
		{"the error in the reason", Entry{Reason: "hold: review failed: timed out", Review: ReviewFailed, Error: "timed out"}, remarks{}},
		{"an unknown check in the reason", Entry{Reason: "hold: verify unknown: node --test: node is not on PATH",
			Verify: Verify{Status: VerifyUnknown, Checks: []change.Check{{Name: "node --test", Status: change.Unknown, Reason: "node is not on PATH"}}}}, remarks{}},
		{"unread files in the reason", Entry{Reason: "hold: not reviewed: a.bin, b.bin", Coverage: Coverage{Unreviewed: []string{"a.bin", "b.bin"}}}, remarks{}},
		{"other unread files than in the reason", Entry{Reason: "hold: not reviewed: a.bin, c.bin", Coverage: Coverage{Unreviewed: []string{"b.bin"}}},
			remarks{unseen: []string{"read by no reviewer: b.bin"}}},
		{"a word that is in the reason by chance", Entry{Reason: "hold: the patch was clipped at 2 MiB", Notes: []string{"clipped", "patch"}}, remarks{notes: []string{"clipped", "patch"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, newRemarks(tt.in), cmp.AllowUnexported(remarks{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAVerifyGateThatDidNotRunSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		name        string
		requirement []policy.Requirement
		want        string
	}{
		{"a patch alone", []policy.Requirement{{Name: "verify", Status: policy.NotApplicable, Detail: "a patch alone: there is no tree to test"}}, "a patch alone: there is no tree to test"},
		{"switched off", []policy.Requirement{{Name: "verify", Status: policy.Overridden, Detail: "switched off for this run"}}, "switched off, nothing was run"},
		{"nobody knows", nil, "nothing was run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := Run{Entries: []Entry{{ID: "a", Verdict: policy.Hold, Reason: "r", Review: Reviewed, Verify: Verify{Status: VerifyNotRun}, Requirements: tt.requirement}}}
			for _, format := range []string{"text", "markdown", "html"} {
				f, _ := FormatNamed(format)
				var b bytes.Buffer
				if err := f.Write(&b, run); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(b.String(), "verify: "+tt.want) {
					t.Errorf("%s does not say %q:\n%s", format, tt.want, b.String())
				}
			}
		})
	}
}

func TestCostIsLeftOutWhereNoModelWasAsked(t *testing.T) {
	for _, tt := range []struct {
		name string
		run  Run
		want string
	}{
		{"nothing paid, no turn", Run{Entries: []Entry{{}}, Totals: Totals{WallMS: 850}}, "took 850 ms"},
		{"paid", Run{Totals: Totals{CostUSD: 0.5, WallMS: 850}}, "cost 0.5000 USD, 0 turns, took 850 ms"},
		{"a model that costs nothing", Run{Totals: Totals{Turns: 1}}, "cost 0.0000 USD, 1 turn, took 0 ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := spent(tt.run); got != tt.want {
				t.Errorf("spent() = %q, want %q", got, tt.want)
			}
		})
	}
}
