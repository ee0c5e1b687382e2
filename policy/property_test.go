package policy

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
)

// statuses includes two that no check should have.
var statuses = []change.Status{change.Pass, change.Pass, change.Fail, change.Unknown, "", "odd"}

// evidence draws a change of which anything may be good, bad or unknown.
func evidence(t *rapid.T) Evidence {
	var e Evidence
	e.Change.Local = rapid.Bool().Draw(t, "local")
	if rapid.Bool().Draw(t, "dated") {
		e.Change.CreatedAt = time.Unix(1_790_000_000, 0)
	}
	e.Findings = rapid.SliceOfN(rapid.Custom(drawFinding), 0, 3).Draw(t, "findings")
	e.Blockers = rapid.SliceOfN(rapid.Custom(drawBlocker), 0, 3).Draw(t, "blockers")
	e.Reviewed = rapid.Bool().Draw(t, "reviewed")
	if rapid.Bool().Draw(t, "tried") {
		e.Applied = &change.Applied{OK: rapid.Bool().Draw(t, "applied")}
	}
	if rapid.Bool().Draw(t, "verified") {
		e.Verification = checks(rapid.SliceOfN(rapid.SampledFrom(statuses), 0, 3).Draw(t, "statuses")...)
	}
	e.VerifyOff = rapid.Bool().Draw(t, "verify off")
	e.PatchAlone = rapid.Bool().Draw(t, "patch alone")
	e.Unreviewed = rapid.SliceOfN(rapid.Just("a.go"), 0, 1).Draw(t, "unreviewed")
	e.Unknown = rapid.SliceOfN(rapid.Just(Unknown{"rules", "unreadable"}), 0, 1).Draw(t, "unknown")
	return e
}

func drawFinding(t *rapid.T) finding.Finding {
	severity := rapid.SampledFrom([]finding.Severity{finding.Minor, finding.Minor, finding.Major, finding.Blocker, "odd"}).Draw(t, "severity")
	return found(severity, finding.Style, "a.go", 1)
}

func drawBlocker(t *rapid.T) blocker.Blocker {
	return signalOf(rapid.SampledFrom(append([]blocker.Kind{"freeze"}, blocker.Kinds...)).Draw(t, "kind"), "detail")
}

// clear reports whether nothing in e failed and nothing is unknown, written
// down independently of Decide.
func clear(e Evidence) bool {
	tested := e.VerifyOff || e.PatchAlone || e.Verification != nil && len(e.Verification.Checks) > 0
	if e.Verification != nil {
		for _, c := range e.Verification.Checks {
			excused := e.VerifyOff || e.PatchAlone
			tested = tested && (c.Status == change.Pass || excused && c.Status != change.Fail)
		}
	}
	applied := e.Applied == nil && e.PatchAlone || e.Applied != nil && e.Applied.OK
	harmless := !slices.ContainsFunc(e.Findings, func(f finding.Finding) bool { return f.Severity != finding.Minor })
	return tested && applied && harmless && len(e.Blockers) == 0 && e.Reviewed && len(e.Unreviewed) == 0 && len(e.Unknown) == 0
}

func TestNothingFailedOrUnknownEverMerges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := evidence(t)
		if d := Decide(e); (d.Verdict == Merge) != clear(e) {
			t.Fatalf("Decide(%+v) = %s, %q, and clear is %v", e, d.Verdict, d.Reason, clear(e))
		}
	})
}

func TestRequirementsAgreeWithTheVerdict(t *testing.T) {
	passes := []Status{Satisfied, Overridden, NotApplicable}
	rapid.Check(t, func(t *rapid.T) {
		d := Decide(evidence(t))
		all := !slices.ContainsFunc(d.Requirements, func(r Requirement) bool { return !slices.Contains(passes, r.Status) })
		if all != (d.Verdict == Merge) {
			t.Fatalf("verdict %s with requirements %+v", d.Verdict, d.Requirements)
		}
	})
}

// worse lists the ways to add bad news to a change.
var worse = map[string]func(*Evidence){
	"a minor finding": func(e *Evidence) {
		e.Findings = append(slices.Clone(e.Findings), found(finding.Minor, finding.Style, "z.go", 1))
	},
	"a major finding": func(e *Evidence) {
		e.Findings = append(slices.Clone(e.Findings), found(finding.Major, finding.Style, "z.go", 1))
	},
	"a blocker finding": func(e *Evidence) {
		e.Findings = append(slices.Clone(e.Findings), found(finding.Blocker, finding.Style, "z.go", 1))
	},
	"a finding with no name": func(e *Evidence) { e.Findings = append(slices.Clone(e.Findings), finding.Finding{}) },
	"a holding signal": func(e *Evidence) {
		e.Blockers = append(slices.Clone(e.Blockers), signalOf(blocker.UnreviewedAge, "old"))
	},
	"a blocking signal": func(e *Evidence) {
		e.Blockers = append(slices.Clone(e.Blockers), signalOf(blocker.StaleMigration, "0007"))
	},
	"the review fails":     func(e *Evidence) { e.Reviewed = false },
	"the patch conflicts":  func(e *Evidence) { e.Applied = &change.Applied{} },
	"a check fails":        func(e *Evidence) { e.Verification = more(e.Verification, change.Fail) },
	"a check is unknown":   func(e *Evidence) { e.Verification = more(e.Verification, change.Unknown) },
	"a file is not read":   func(e *Evidence) { e.Unreviewed = append(slices.Clone(e.Unreviewed), "z.go") },
	"something is unknown": func(e *Evidence) { e.Unknown = append(slices.Clone(e.Unknown), Unknown{"base", "gone"}) },
	"verify is asked for":  func(e *Evidence) { e.VerifyOff = false },
}

func more(v *change.Verification, s change.Status) *change.Verification {
	added := checks(s)
	if v != nil {
		added.Checks = append(added.Checks, v.Checks...)
	}
	return added
}

func TestBadNewsNeverMakesAVerdictMorePermissive(t *testing.T) {
	for news, add := range worse {
		t.Run(news, rapid.MakeCheck(func(t *rapid.T) {
			e := evidence(t)
			before := Decide(e)
			add(&e)
			if after := Decide(e); before.Verdict.Worse(after.Verdict) {
				t.Fatalf("%s (%s) became %s (%s)", before.Verdict, before.Reason, after.Verdict, after.Reason)
			}
		}))
	}
}
