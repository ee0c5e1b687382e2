package eval

import (
	"cmp"
	"slices"

	"github.com/reviewgate/reviewgate/finding"
)

// MatchDistance is how many lines before the start or after the end of a label
// a finding may stand and still hit it; the figure is the specification's.
const MatchDistance = 3

// Match pairs the findings of one change with its labels. A finding hits a
// label of its file and category when its line lies in [Start - MatchDistance,
// End + MatchDistance]; severity plays no part. Findings are taken by
// confidence, highest first and ties in input order, and each takes the first
// label it hits that is still free, so that one label has one finding and one
// finding one label. No list of the answer is nil.
func Match(findings []finding.Finding, labels []Label) Matches {
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(findings[b].Confidence, findings[a].Confidence)
	})
	taker := make(map[int]int, len(labels)) // of a label
	matched := make([]bool, len(findings))
	for _, f := range order {
		for l, label := range labels {
			if _, taken := taker[l]; !taken && hits(findings[f], label) {
				taker[l], matched[f] = f, true
				break
			}
		}
	}
	m := Pool(nil)
	for l, label := range labels {
		if f, ok := taker[l]; ok {
			m.Pairs = append(m.Pairs, Pair{label, findings[f]})
		} else {
			m.UnmatchedLabels = append(m.UnmatchedLabels, label)
		}
	}
	for i, f := range findings {
		if !matched[i] {
			m.UnmatchedFindings = append(m.UnmatchedFindings, f)
		}
	}
	return m
}

func hits(f finding.Finding, l Label) bool {
	return f.File == l.File && f.Category == l.Category &&
		l.Start-f.Line <= MatchDistance && f.Line-l.End <= MatchDistance
}

// Pool puts the matches of several changes together, in order. No list of the
// answer is nil.
func Pool(perChange []Matches) Matches {
	all := Matches{Pairs: []Pair{}, UnmatchedFindings: []finding.Finding{}, UnmatchedLabels: []Label{}}
	for _, m := range perChange {
		all.Pairs = append(all.Pairs, m.Pairs...)
		all.UnmatchedFindings = append(all.UnmatchedFindings, m.UnmatchedFindings...)
		all.UnmatchedLabels = append(all.UnmatchedLabels, m.UnmatchedLabels...)
	}
	return all
}
