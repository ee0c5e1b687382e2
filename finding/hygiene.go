package finding

import (
	"cmp"
	"math"
	"slices"
)

// DefaultMinConfidence is the threshold of the specification: below it a
// finding is noise more often than not.
const DefaultMinConfidence = 0.6

// DedupeDistance is how many lines apart two reports of one issue may be; the
// figure is the specification's.
const DedupeDistance = 2

// OnlyTouched keeps the findings on files of changed: reviewers report issues
// that were there before, which they were told to ignore. Paths are compared
// as they are; see Normalise.
func OnlyTouched(findings []Finding, changed []string) []Finding {
	return keep(findings, touched(findings, changed))
}

// Threshold keeps the findings with a confidence of minConfidence or more, and
// those whose confidence is not a number.
func Threshold(findings []Finding, minConfidence float64) []Finding {
	return keep(findings, confident(findings, minConfidence))
}

// Dedupe keeps the most confident of each group of findings that report one
// issue: same file, same category, at most DedupeDistance lines apart.
// Findings are taken by confidence, ties in input order, and one near an
// already kept one is dropped. Findings of different categories are never one
// issue, even on one line.
func Dedupe(findings []Finding) []Finding {
	return keep(findings, distinct(findings))
}

// touched, confident and distinct say for each finding whether it stays.

func touched(findings []Finding, changed []string) []bool {
	known := set(changed)
	stays := make([]bool, len(findings))
	for i, f := range findings {
		stays[i] = known[f.File]
	}
	return stays
}

func confident(findings []Finding, minConfidence float64) []bool {
	stays := make([]bool, len(findings))
	for i, f := range findings {
		stays[i] = !(f.Confidence < minConfidence) // also true for NaN
	}
	return stays
}

func distinct(findings []Finding) []bool {
	type spot struct {
		file     string
		category Category
		line     int
	}
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(weight(findings[b].Confidence), weight(findings[a].Confidence))
	})
	stays := make([]bool, len(findings))
	kept := make(map[spot]bool, len(findings))
	for _, i := range order {
		f := findings[i]
		stays[i] = true
		for d := -DedupeDistance; d <= DedupeDistance && stays[i]; d++ {
			stays[i] = !kept[spot{f.File, f.Category, f.Line + d}]
		}
		if stays[i] {
			kept[spot{f.File, f.Category, f.Line}] = true
		}
	}
	return stays
}

// weight orders confidences with an unknown one on top.
func weight(confidence float64) float64 {
	if math.IsNaN(confidence) {
		return math.Inf(1)
	}
	return confidence
}

// keep returns a new slice of the findings that stay, in input order.
func keep(findings []Finding, stays []bool) []Finding {
	kept := make([]Finding, 0, len(findings))
	for i, f := range findings {
		if stays[i] {
			kept = append(kept, f)
		}
	}
	return kept
}
