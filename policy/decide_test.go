package policy

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
)

func found(s finding.Severity, c finding.Category, file string, line int) finding.Finding {
	return finding.Finding{File: file, Line: line, Severity: s, Category: c, Message: "Ten or more.", Confidence: 0.9}
}

func signalOf(kind blocker.Kind, detail string) blocker.Blocker {
	return blocker.Blocker{Kind: kind, Weight: blocker.Weights[kind], Detail: detail}
}

// good is a change that nothing speaks against.
func good() Evidence {
	return Evidence{
		Change:       change.Change{CreatedAt: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), Approvals: []string{"dev-a"}},
		Reviewed:     true,
		Applied:      &change.Applied{OK: true},
		Verification: checks(change.Pass, change.Pass),
	}
}

func but(edit func(*Evidence)) Evidence {
	e := good()
	edit(&e)
	return e
}

func TestDecide(t *testing.T) {
	token := found(finding.Blocker, finding.SecretInCode, "web/src/api.ts", 3)
	bug := found(finding.Major, finding.Correctness, "a.go", 7)
	name := found(finding.Minor, finding.Style, "a.go", 9)
	conflict := signalOf(blocker.Conflict, "web/x.ts")
	red := signalOf(blocker.VerifyFailed, "go test")
	stale := signalOf(blocker.StaleMigration, "migrations/0007_b.sql reuses the number of 0007_a.sql")
	approvals := signalOf(blocker.MissingSecondApproval, "proto/a.proto needs 2 approvals, has 1")
	age := signalOf(blocker.UnreviewedAge, "no approval since 2026-10-02T23:59:59Z, 14 days")

	for _, tt := range []struct {
		name    string
		e       Evidence
		verdict Verdict
		reason  string
	}{
		{"nothing speaks against it", good(), Merge, "merge: no blocker, no major finding"},
		{"minor findings do not hold", but(func(e *Evidence) { e.Findings = []finding.Finding{name} }), Merge, "merge: no blocker, no major finding"},

		// block
		{"a blocker finding blocks", but(func(e *Evidence) { e.Findings = []finding.Finding{token} }), Block, "block: blocker finding secret-in-code at web/src/api.ts:3"},
		{"a conflict blocks", but(func(e *Evidence) { e.Blockers = []blocker.Blocker{conflict} }), Block, "block: conflict: web/x.ts"},
		{"verify-failed blocks", but(func(e *Evidence) { e.Blockers = []blocker.Blocker{red} }), Block, "block: verify-failed: go test"},
		{"stale-migration blocks", but(func(e *Evidence) { e.Blockers = []blocker.Blocker{stale} }), Block,
			"block: stale-migration: migrations/0007_b.sql reuses the number of 0007_a.sql"},
		{"the heaviest deciding blocker is the reason", but(func(e *Evidence) { e.Blockers = []blocker.Blocker{stale, conflict, red} }), Block, "block: conflict: web/x.ts"},
		{"a blocking signal comes before a blocker finding", but(func(e *Evidence) { e.Blockers, e.Findings = []blocker.Blocker{stale}, []finding.Finding{token} }), Block,
			"block: stale-migration: migrations/0007_b.sql reuses the number of 0007_a.sql"},
		{"a holding signal decides nothing beside a blocker finding", but(func(e *Evidence) {
			e.Blockers, e.Findings = []blocker.Blocker{approvals, age}, []finding.Finding{token}
		}), Block,
			"block: blocker finding secret-in-code at web/src/api.ts:3"},
		{"the first deciding finding, not the first finding", but(func(e *Evidence) {
			e.Findings = []finding.Finding{name, bug, found(finding.Blocker, finding.Security, "b.go", 1), token}
		}), Block, "block: blocker finding security at b.go:1"},
		{"a conflict that only Applied shows", but(func(e *Evidence) { e.Applied = &change.Applied{Conflicts: []string{"go.mod"}} }), Block, "block: conflict: go.mod"},
		{"a red check that only Verification shows", but(func(e *Evidence) { e.Verification = checks(change.Pass, change.Fail) }), Block, "block: verify-failed: node --test"},
		{"a red check beside one that is unknown", but(func(e *Evidence) { e.Verification = checks(change.Fail, change.Unknown) }), Block, "block: verify-failed: go test"},
		{"a failed review does not soften a block", but(func(e *Evidence) { e.Blockers, e.Reviewed = []blocker.Blocker{red}, false }), Block, "block: verify-failed: go test"},

		// hold
		{"a major finding holds", but(func(e *Evidence) { e.Findings = []finding.Finding{name, bug} }), Hold, "hold: major finding correctness at a.go:7"},
		{"an unknown severity holds like a major one", but(func(e *Evidence) { e.Findings = []finding.Finding{found("odd", finding.Style, "a.go", 1)} }), Hold, "hold: major finding style at a.go:1"},
		{"missing-second-approval holds", but(func(e *Evidence) { e.Blockers = []blocker.Blocker{approvals} }), Hold,
			"hold: missing-second-approval: proto/a.proto needs 2 approvals, has 1"},
		{"unreviewed-age holds", but(func(e *Evidence) { e.Blockers = []blocker.Blocker{age} }), Hold, "hold: unreviewed-age: no approval since 2026-10-02T23:59:59Z, 14 days"},
		{"the heaviest holding signal comes before a major finding", but(func(e *Evidence) { e.Blockers, e.Findings = []blocker.Blocker{age, approvals}, []finding.Finding{bug} }), Hold,
			"hold: missing-second-approval: proto/a.proto needs 2 approvals, has 1"},
		{"a signal of an unknown kind holds", but(func(e *Evidence) {
			e.Blockers = []blocker.Blocker{{Kind: "freeze", Weight: 50, Detail: "until Monday"}}
		}), Hold, "hold: freeze: until Monday"},
		{"a failed review holds", but(func(e *Evidence) { e.Reviewed, e.ReviewError = false, "timed out" }), Hold, "hold: review failed"},
		{"a major finding comes before the failed review", but(func(e *Evidence) { e.Reviewed, e.Findings = false, []finding.Finding{bug} }), Hold, "hold: major finding correctness at a.go:7"},

		// unknown
		{"a check that could not run holds", but(func(e *Evidence) {
			e.Verification = checks(change.Pass, change.Unknown)
			e.Verification.Checks[1].Reason = "node is not on PATH"
		}), Hold, "hold: verify unknown: node --test: node is not on PATH"},
		{"every unknown check is named", but(func(e *Evidence) { e.Verification = checks(change.Unknown, change.Unknown) }), Hold,
			"hold: verify unknown: go test: why go test; node --test: why node --test"},
		{"a check without an outcome is unknown", but(func(e *Evidence) { e.Verification = &change.Verification{Checks: []change.Check{{Name: "go test"}}} }), Hold,
			"hold: verify unknown: go test: no outcome"},
		{"no check ran", but(func(e *Evidence) { e.Verification = checks() }), Hold, "hold: verify unknown: no check ran"},
		{"no verification at all", but(func(e *Evidence) { e.Verification = nil }), Hold, "hold: verify unknown: no check ran"},
		{"verify that was switched off does not hold", but(func(e *Evidence) { e.Verification, e.VerifyOff = nil, true }), Merge, "merge: no blocker, no major finding"},
		{"verify that was switched off does not hide a red check", but(func(e *Evidence) { e.Verification, e.VerifyOff = checks(change.Fail), true }), Block, "block: verify-failed: go test"},
		{"a failed review comes before an unknown check", but(func(e *Evidence) { e.Reviewed, e.Verification = false, nil }), Hold, "hold: review failed"},
		{"nobody tried to apply the patch", but(func(e *Evidence) { e.Applied = nil }), Hold, "hold: applies unknown: nobody tried to apply the patch"},
		{"files that nobody read hold", but(func(e *Evidence) { e.Unreviewed = []string{"a.go", "b.go"} }), Hold, "hold: not reviewed: a.go, b.go"},
		{"many of them are counted", but(func(e *Evidence) { e.Unreviewed = []string{"a", "b", "c", "d", "e"} }), Hold, "hold: not reviewed: a, b, c and 2 more"},
		{"an unknown check comes before unread files", but(func(e *Evidence) { e.Unreviewed, e.Verification = []string{"a.go"}, nil }), Hold, "hold: verify unknown: no check ran"},
		{"anything else unknown holds", but(func(e *Evidence) { e.Unknown = []Unknown{{"rules", "the base has 2,000"}} }), Hold, "hold: rules unknown: the base has 2,000"},
		{"nothing known at all holds", Evidence{}, Hold, "hold: review failed"},

		// a patch alone, a local branch
		{"a patch alone needs no tree", Evidence{PatchAlone: true, Reviewed: true}, Merge, "merge: no blocker, no major finding"},
		{"a patch alone needs a review", Evidence{PatchAlone: true}, Hold, "hold: review failed"},

		{"a file name cannot break the line", but(func(e *Evidence) {
			e.Findings = []finding.Finding{found(finding.Blocker, finding.Style, "a\nmerge: ok\x1b[2K", 1)}
		}), Block,
			"block: blocker finding style at a merge: ok [2K:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Decide(tt.e)
			if got.Verdict != tt.verdict || got.Reason != tt.reason {
				t.Errorf("Decide = %s, %q\nwant %s, %q", got.Verdict, got.Reason, tt.verdict, tt.reason)
			}
		})
	}
}

func TestJudgeIsTheSpecifiedVerdict(t *testing.T) {
	for _, tt := range []struct {
		name     string
		findings []finding.Finding
		blockers []blocker.Blocker
		reviewed bool
		want     Verdict
		reason   string
	}{
		{"nothing", nil, nil, true, Merge, "merge: no blocker, no major finding"},
		{"not reviewed", nil, nil, false, Hold, "hold: review failed"},
		{"a blocker finding", []finding.Finding{found(finding.Blocker, finding.SecretInCode, "web/src/api.ts", 3)}, nil, true, Block,
			"block: blocker finding secret-in-code at web/src/api.ts:3"},
		{"a major finding", []finding.Finding{found(finding.Major, finding.Testing, "a.go", 1)}, nil, true, Hold, "hold: major finding testing at a.go:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, reason := Judge(tt.findings, tt.blockers, tt.reviewed); got != tt.want || reason != tt.reason {
				t.Errorf("Judge = %s, %q, want %s, %q", got, reason, tt.want, tt.reason)
			}
		})
	}
}

func TestRequirements(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    Evidence
		want []Requirement
	}{
		{"a good change satisfies all eight", good(), []Requirement{
			{"applies", Satisfied, "the patch applies to the base"},
			{"verify", Satisfied, "go test, node --test passed"},
			{"review", Satisfied, "the change was reviewed"},
			{"migrations", Satisfied, "no new migration has a wrong number"},
			{"approvals", Satisfied, "nothing guarded is touched, or two people approved"},
			{"age", Satisfied, "approved, or open for 14 days at most"},
			{"findings", Satisfied, "0 blocker, 0 major, 0 minor"},
			{"coverage", Satisfied, "every changed file was reviewed"},
		}},
		{"nothing is known", Evidence{Unknown: []Unknown{{"rules", "cannot be read"}}}, []Requirement{
			{"applies", Errored, "nobody tried to apply the patch"},
			{"verify", Errored, "no check ran"},
			{"review", Errored, "nobody reviewed the change"},
			{"migrations", Satisfied, "no new migration has a wrong number"},
			{"approvals", Satisfied, "nothing guarded is touched, or two people approved"},
			{"age", NotApplicable, "nobody knows since when it is open"},
			{"findings", Errored, "without a review nobody knows"},
			{"coverage", Errored, "without a review no file was read"},
			{"rules", Errored, "cannot be read"},
		}},
		{"a conflict", Evidence{Applied: &change.Applied{Conflicts: []string{"a.go"}}, Change: good().Change}, []Requirement{
			{"applies", Unsatisfied, "a.go"},
			{"verify", NotApplicable, "not run: the patch does not apply"},
			{"review", NotApplicable, "not asked: the patch does not apply"},
			{"migrations", Satisfied, "no new migration has a wrong number"},
			{"approvals", Satisfied, "nothing guarded is touched, or two people approved"},
			{"age", Satisfied, "approved, or open for 14 days at most"},
			{"findings", NotApplicable, "not reviewed: the patch does not apply"},
			{"coverage", NotApplicable, "not reviewed: the patch does not apply"},
		}},
		{"everything is bad", Evidence{
			Change: good().Change, Applied: &change.Applied{OK: true}, Verification: checks(change.Fail, change.Pass), ReviewError: "exit status 1",
			Findings:   []finding.Finding{found(finding.Blocker, finding.Style, "a.go", 1), found(finding.Minor, finding.Style, "a.go", 9)},
			Unreviewed: []string{"b.go"},
			Blockers: []blocker.Blocker{
				signalOf(blocker.StaleMigration, "0007"), signalOf(blocker.MissingSecondApproval, "one"), signalOf(blocker.UnreviewedAge, "old"), {Kind: "freeze", Detail: "until\nMonday"},
			},
		}, []Requirement{
			{"applies", Satisfied, "the patch applies to the base"},
			{"verify", Unsatisfied, "go test"},
			{"review", Errored, "exit status 1"},
			{"migrations", Unsatisfied, "0007"},
			{"approvals", Unsatisfied, "one"},
			{"age", Unsatisfied, "old"},
			{"findings", Unsatisfied, "1 blocker, 0 major, 1 minor"},
			{"coverage", Unsatisfied, "not reviewed: b.go"},
			{"freeze", Unsatisfied, "until Monday"},
		}},
		{"a local branch with verify switched off", Evidence{Change: change.Change{Local: true}, Applied: &change.Applied{OK: true}, VerifyOff: true, Reviewed: true}, []Requirement{
			{"applies", Satisfied, "the patch applies to the base"},
			{"verify", Overridden, "switched off for this run"},
			{"review", Satisfied, "the change was reviewed"},
			{"migrations", Satisfied, "no new migration has a wrong number"},
			{"approvals", NotApplicable, "a local branch has no approvals"},
			{"age", NotApplicable, "a local branch does not wait for approval"},
			{"findings", Satisfied, "0 blocker, 0 major, 0 minor"},
			{"coverage", Satisfied, "every changed file was reviewed"},
		}},
		{"a patch alone", Evidence{PatchAlone: true, Reviewed: true}, []Requirement{
			{"applies", NotApplicable, "a patch alone: there is no tree to apply it to"},
			{"verify", NotApplicable, "a patch alone: there is no tree to test"},
			{"review", Satisfied, "the change was reviewed"},
			{"migrations", NotApplicable, "a patch alone: there are no numbers to compare with"},
			{"approvals", Satisfied, "nothing guarded is touched, or two people approved"},
			{"age", NotApplicable, "nobody knows since when it is open"},
			{"findings", Satisfied, "0 blocker, 0 major, 0 minor"},
			{"coverage", Satisfied, "every changed file was reviewed"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Decide(tt.e).Requirements); diff != "" {
				t.Errorf("requirements (-want +got):\n%s", diff)
			}
		})
	}
}
