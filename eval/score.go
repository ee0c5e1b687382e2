package eval

import (
	"slices"

	"github.com/reviewgate/reviewgate/finding"
)

// What a reviewer must reach to be trusted; the figures are the
// specification's.
const (
	MinPrecision     = 0.6 // over all findings
	MinBlockerRecall = 0.9
)

// PrecisionRecall scores m: precision is matched findings over findings, recall
// matched labels over labels. With severities, precision counts findings of
// those and recall labels of those, whatever the other side of a pair says.
func PrecisionRecall(m Matches, severities ...finding.Severity) Score {
	counts := func(s finding.Severity) bool {
		return len(severities) == 0 || slices.Contains(severities, s)
	}
	var s Score
	for _, p := range m.Pairs {
		if counts(p.Finding.Severity) {
			s.Matched++
			s.Findings++
		}
		if counts(p.Label.Severity) {
			s.Hit++
			s.Labels++
		}
	}
	for _, f := range m.UnmatchedFindings {
		if counts(f.Severity) {
			s.Findings++
		}
	}
	for _, l := range m.UnmatchedLabels {
		if counts(l.Severity) {
			s.Labels++
		}
	}
	s.Precision, s.Recall = share(s.Matched, s.Findings), share(s.Hit, s.Labels)
	if sum := s.Precision + s.Recall; sum > 0 {
		s.F1 = 2 * s.Precision * s.Recall / sum
	}
	return s
}

// share is part of whole, 1 when there is nothing to have a part of.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// BlockerRecall is the recall over the labels of severity blocker, 1 when there
// are none.
func BlockerRecall(m Matches) float64 {
	return PrecisionRecall(m, finding.Blocker).Recall
}

// Summarise scores the pooled matches of many changes. A finding only ever
// matches a label of its own change, so each element comes from one Match.
func Summarise(perChange []Matches) Report {
	all := Pool(perChange)
	r := Report{
		Overall:       PrecisionRecall(all),
		BySeverity:    make(map[finding.Severity]Score, len(finding.Severities)),
		BlockerRecall: BlockerRecall(all),
	}
	for _, s := range finding.Severities {
		r.BySeverity[s] = PrecisionRecall(all, s)
	}
	r.Trusted = Trusted(r)
	return r
}

// Trusted reports whether a reviewer with this record may be listened to:
// enough of what it says is true, and it misses next to no blocker.
func Trusted(r Report) bool {
	return r.Overall.Precision >= MinPrecision && r.BlockerRecall >= MinBlockerRecall
}
