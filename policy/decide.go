package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/finding"
)

// mergeReason is the reason of a change that nothing speaks against; the words
// are the specification's.
const mergeReason = "merge: no blocker, no major finding"

// blocking lists the repository signals that block a change; every other one
// holds it.
var blocking = []blocker.Kind{blocker.Conflict, blocker.VerifyFailed, blocker.StaleMigration}

// Decide weighs all of the evidence. Block comes before hold, and within both a
// repository signal before a finding: the reason is the heaviest deciding
// blocker with its detail, else the first deciding finding, else the failed
// review, else a check that is unknown, else files that nobody read, else what
// remains unknown. Only when none of these is there is the verdict Merge.
//
// Nothing that is added to the evidence as bad news makes the verdict more
// permissive.
func Decide(e Evidence) Decision {
	blockers := e.blockers()
	verdict, reason := Judge(e.Findings, blockers, e.Reviewed)
	if verdict == Merge {
		if doubt := e.doubt(); doubt != "" {
			verdict, reason = Hold, "hold: "+doubt
		}
	}
	return Decision{Verdict: verdict, Reason: oneLine(reason), Requirements: requirements(e, blockers)}
}

// Judge is the specification's verdict over findings, blockers (heaviest first)
// and whether the change was reviewed, with the reason. It knows nothing of
// checks that are unknown: Decide does.
func Judge(findings []finding.Finding, blockers []blocker.Blocker, reviewed bool) (Verdict, string) {
	for _, b := range blockers {
		if slices.Contains(blocking, b.Kind) {
			return Block, fmt.Sprintf("block: %s: %s", b.Kind, b.Detail)
		}
	}
	if f, ok := first(findings, finding.Blocker); ok {
		return Block, fmt.Sprintf("block: blocker finding %s at %s:%d", f.Category, f.File, f.Line)
	}
	if len(blockers) > 0 {
		return Hold, fmt.Sprintf("hold: %s: %s", blockers[0].Kind, blockers[0].Detail)
	}
	if f, ok := first(findings, finding.Major); ok {
		return Hold, fmt.Sprintf("hold: major finding %s at %s:%d", f.Category, f.File, f.Line)
	}
	if !reviewed {
		return Hold, "hold: review failed"
	}
	return Merge, mergeReason
}

// first returns the first finding that weighs as much as s. An unknown severity
// weighs as Major.
func first(findings []finding.Finding, s finding.Severity) (finding.Finding, bool) {
	i := slices.IndexFunc(findings, func(f finding.Finding) bool { return f.Severity.Rank() == s.Rank() })
	if i < 0 {
		return finding.Finding{}, false
	}
	return findings[i], true
}

// doubt says what keeps a change from merging though nothing bad was found, ""
// when everything was established.
func (e Evidence) doubt() string {
	if e.Applied == nil && !e.PatchAlone {
		return "applies unknown: nobody tried to apply the patch"
	}
	if checks := e.unknownChecks(); len(checks) > 0 {
		return "verify unknown: " + strings.Join(checks, "; ")
	}
	if len(e.Unreviewed) > 0 {
		return "not reviewed: " + some(e.Unreviewed)
	}
	if len(e.Unknown) > 0 {
		return fmt.Sprintf("%s unknown: %s", e.Unknown[0].What, e.Unknown[0].Why)
	}
	return ""
}

// some joins the first few of names and says how many there are besides.
func some(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// oneLine makes a blank of each control character, so that a file name or a
// tool's words cannot break out of the line they stand in.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}
