package report

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

func TestTextPrintsOneLinePerChangeThenItsFindings(t *testing.T) {
	secret := Finding{Finding: finding.Finding{File: "web/src/api.ts", Line: 3, Severity: finding.Blocker, Category: finding.SecretInCode, Message: "A token\nin the code.", Reviewer: "house"}}
	for _, tt := range []struct {
		name string
		in   Entry
		want string
	}{
		{"a change to merge", Entry{ID: "pr-02", Verdict: policy.Merge, Reason: "merge: no blocker, no major finding", Review: Reviewed, Verify: Verify{Status: VerifyPass}},
			"pr-02 merge verify: pass blockers: none reason: merge: no blocker, no major finding\n"},
		{"blockers, heaviest first", Entry{ID: "pr-05", Verdict: policy.Block, Reason: "block: conflict: a.go", Review: Skipped, Verify: Verify{Status: VerifyConflict}, Blockers: []blocker.Blocker{{Kind: blocker.Conflict}, {Kind: blocker.UnreviewedAge}}},
			"pr-05 block verify: conflict blockers: conflict, unreviewed-age reason: block: conflict: a.go\n"},
		{"its cleaned findings, each on a line", Entry{ID: "pr-01", Verdict: policy.Block, Reason: "block", Review: Reviewed, Verify: Verify{Status: VerifyPass}, Findings: []Finding{secret}, Reviewers: []string{"house"}},
			"pr-01 block verify: pass blockers: none reason: block\n  web/src/api.ts:3 blocker secret-in-code A token in the code.\n"},
		{"the reviewer when there are several", Entry{ID: "pr-01", Verdict: policy.Block, Reason: "block", Review: Reviewed, Verify: Verify{Status: VerifyPass}, Findings: []Finding{secret}, Reviewers: []string{"house", "opus"}},
			"pr-01 block verify: pass blockers: none reason: block\n  web/src/api.ts:3 blocker secret-in-code A token in the code. (house)\n"},
		{"the verify-gate note", Entry{ID: "a", Verdict: policy.Block, Reason: "r", Review: Reviewed, Verify: Verify{Status: VerifyFail}, VerifyNote: "the verify gate failed (go test)"},
			"a block verify: fail blockers: none reason: r\n  verify gate: the verify gate failed (go test)\n"},
		{"a failed review", Entry{ID: "a", Verdict: policy.Hold, Reason: "hold: review failed", Review: ReviewFailed, Error: "timed out", Verify: Verify{Status: VerifyPass}},
			"a hold verify: pass blockers: none reason: hold: review failed\n  review failed: timed out\n"},
		{"what nobody looked at", Entry{ID: "a", Verdict: policy.Hold, Reason: "r", Review: Reviewed, Coverage: Coverage{Unreviewed: []string{"x.bin", "y.bin"}}, Notes: []string{"clipped"},
			Verify: Verify{Status: VerifyUnknown, Checks: []change.Check{{Name: "node --test", Status: change.Unknown, Reason: "node is not on PATH"}}}},
			"a hold verify: unknown blockers: none reason: r\n  not looked at: read by no reviewer: x.bin, y.bin\n  not looked at: node --test: node is not on PATH\n  note: clipped\n"},
		{"a failed check with its reason and the end of its output", Entry{ID: "a", Verdict: policy.Block, Reason: "r", Review: Reviewed,
			Verify: Verify{Status: VerifyFail, Checks: []change.Check{{Name: "go vet", Status: change.Pass, Output: "fine"}, {Name: "go test", Status: change.Fail, Reason: "exit status 1", Output: "--- FAIL: TestX\r\n\n    x.go:3: \x1b[31m::error::no\nFAIL\n"}}}},
			"a block verify: fail blockers: none reason: r\n  failed: go test: exit status 1\n    | --- FAIL: TestX\n    |\n    |     x.go:3: \\x1b[31m::error::no\n    | FAIL\n"},
		{"how many findings clean left out, and why", Entry{ID: "a", Verdict: policy.Merge, Reason: "r", Review: Reviewed, Verify: Verify{Status: VerifyPass}, Dropped: map[string]int{"low confidence": 1, "duplicate": 3, "untouched file": 0}},
			"a merge verify: pass blockers: none reason: r\n  left out: 3 duplicate, 1 low confidence\n"},
		{"escapes are made visible", Entry{ID: "a\x1b[2J", Verdict: policy.Hold, Reason: "r\npr-09 merge", Review: Reviewed, Verify: Verify{Status: VerifyPass}},
			"a\\x1b[2J hold verify: pass blockers: none reason: r pr-09 merge\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Text(&b, tt.in, Palette{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTextAsksThePaletteForColours(t *testing.T) {
	p := Palette{
		Verdict:  func(v policy.Verdict, s string) string { return "<" + s + ">" },
		Severity: func(v finding.Severity, s string) string { return "{" + s + "}" },
		Strong:   func(s string) string { return "*" + s + "*" },
		Faint:    func(s string) string { return "(" + s + ")" },
	}
	e := Entry{ID: "a", Verdict: policy.Hold, Reason: "r", Review: Reviewed, Verify: Verify{Status: VerifyPass}, Notes: []string{"n"},
		Findings: []Finding{{Finding: finding.Finding{File: "f", Line: 1, Severity: finding.Minor, Category: finding.Style, Message: "m"}}}}
	var b bytes.Buffer
	if err := Text(&b, e, p); err != nil {
		t.Fatal(err)
	}
	if err := Summary(&b, Run{Entries: []Entry{e}, Totals: Totals{CostUSD: 0.7, Turns: 38, WallMS: 112_000}}, "out/REPORT.md", p); err != nil {
		t.Fatal(err)
	}
	want := "*a* <hold> verify: pass blockers: none reason: r\n  f:1 {minor} style m\n  (note:) n\n*1 change*: 0 block, 1 hold, 0 merge\n(cost 0.7000 USD, 38 turns, took 1 min 52 s)\nreport: out/REPORT.md\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTotal(t *testing.T) {
	got := Total([]Entry{{Verdict: policy.Merge, CostUSD: 0.25, Turns: 3}, {Verdict: policy.Hold, Review: ReviewFailed, CostUSD: 0.5}}, 900)
	want := Totals{CostUSD: 0.75, Turns: 3, WallMS: 900, Verdicts: map[policy.Verdict]int{policy.Merge: 1, policy.Hold: 1, policy.Block: 0}, FailedReviews: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
