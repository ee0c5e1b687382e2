package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/reviewgate/reviewgate/eval"
)

// Total adds up entries; wallMS is the wall time of the whole run, which is
// less than the sum of its changes when several run at once.
func Total(entries []Entry, wallMS int64) Totals {
	t := Totals{WallMS: wallMS, Verdicts: countVerdicts(entries)}
	for _, e := range entries {
		t.CostUSD += e.CostUSD
		t.Turns += e.Turns
		if e.Review == ReviewFailed {
			t.FailedReviews++
		}
	}
	return t
}

// filled returns r with every nil list and map empty, so that its JSON holds []
// and {} and never null. Entries are copied, r is not changed.
func (r Run) filled() Run {
	entries := make([]Entry, len(r.Entries))
	for i, e := range r.Entries {
		entries[i] = e.filled()
	}
	r.Entries = entries
	r.Ranking = slices.Clone(orEmpty(r.Ranking))
	for i := range r.Ranking {
		r.Ranking[i].Kinds = orEmpty(r.Ranking[i].Kinds)
	}
	r.Notes = orEmpty(r.Notes)
	r.Reviewer.Names = orEmpty(r.Reviewer.Names)
	if r.Totals.Verdicts == nil {
		r.Totals.Verdicts = countVerdicts(entries)
	}
	return r
}

func (e Entry) filled() Entry {
	e.Approvals, e.Notes, e.Rules, e.Reviewers = orEmpty(e.Approvals), orEmpty(e.Notes), orEmpty(e.Rules), orEmpty(e.Reviewers)
	e.Requirements, e.Blockers, e.Findings, e.Files = orEmpty(e.Requirements), orEmpty(e.Blockers), orEmpty(e.Findings), orEmpty(e.Files)
	e.Verify.Checks, e.Verify.Sandbox = orEmpty(e.Verify.Checks), orEmpty(e.Verify.Sandbox)
	e.Verify.Applied.Conflicts = orEmpty(e.Verify.Applied.Conflicts)
	e.Coverage.Unreviewed = orEmpty(e.Coverage.Unreviewed)
	if e.Dropped == nil {
		e.Dropped = map[string]int{}
	}
	if e.Stages == nil {
		e.Stages = map[string]int64{}
	}
	if m := e.Matches; m != nil {
		e.Matches = &eval.Matches{
			Pairs:             orEmpty(m.Pairs),
			UnmatchedFindings: orEmpty(m.UnmatchedFindings),
			UnmatchedLabels:   orEmpty(m.UnmatchedLabels),
		}
	}
	return e
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
