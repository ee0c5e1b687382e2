package policy

import (
	"slices"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
)

// Evidence is everything a decision rests on. Its zero value is a change of
// which nothing is known, and that is held.
type Evidence struct {
	Change       change.Change
	Findings     []finding.Finding    // the clean list
	Blockers     []blocker.Blocker    // see blocker.Detect
	Reviewed     bool                 // somebody read the change and answered
	ReviewError  string               // why not, when Reviewed is false
	Applied      *change.Applied      // nil: nobody tried
	Verification *change.Verification // nil: nothing ran
	VerifyOff    bool                 // the checks were switched off, by who runs the gate and never by the change
	PatchAlone   bool                 // there is no tree: what needs one is not applicable
	Unreviewed   []string             // changed files that nobody could read
	Unknown      []Unknown            // anything else that could not be established
}

// Unknown is one thing that could not be established. It holds a change.
type Unknown struct {
	What string // "migrations", "rules"
	Why  string
}

// blockers returns the blockers of e, heaviest first, with the two that its own
// Applied and Verification show, should the caller have left them out.
func (e Evidence) blockers() []blocker.Blocker {
	all := slices.Clone(e.Blockers)
	for _, b := range blocker.Detect(blocker.Evidence{Applied: e.Applied, Verification: e.Verification}) {
		if _, has := kindOf(all, b.Kind); !has {
			all = append(all, b)
		}
	}
	slices.SortStableFunc(all, func(a, b blocker.Blocker) int { return b.Weight - a.Weight })
	return all
}

// kindOf returns the blocker of a kind among blockers, and whether there is one.
func kindOf(blockers []blocker.Blocker, kind blocker.Kind) (blocker.Blocker, bool) {
	i := slices.IndexFunc(blockers, func(b blocker.Blocker) bool { return b.Kind == kind })
	if i < 0 {
		return blocker.Blocker{}, false
	}
	return blockers[i], true
}

// unknownChecks says of each check that neither passed nor failed why that is:
// "node --test: node is not on PATH". It returns one sentence when nothing ran
// at all although it should have, and nothing when no check was due.
func (e Evidence) unknownChecks() []string {
	if e.VerifyOff || e.PatchAlone || conflicts(e.Applied) {
		return nil
	}
	if e.Verification == nil || len(e.Verification.Checks) == 0 {
		return []string{"no check ran"}
	}
	var unknown []string
	for _, c := range e.Verification.Checks {
		if c.Status == change.Pass || c.Status == change.Fail {
			continue
		}
		why := c.Reason
		if why == "" {
			why = "no outcome"
		}
		unknown = append(unknown, c.Name+": "+why)
	}
	return unknown
}

// conflicts reports whether a patch was tried and did not apply.
func conflicts(a *change.Applied) bool { return a != nil && !a.OK }
