package finding

// Why Sift drops a finding.
const (
	UntouchedFile = "untouched file"
	LowConfidence = "low confidence"
	Duplicate     = "duplicate"
)

// Dropped is a finding that was taken out, and why.
type Dropped struct {
	Finding
	Reason string `json:"reason"` // UntouchedFile, LowConfidence or Duplicate
}

// Clean is OnlyTouched, then Threshold, then Dedupe, over normalised findings.
// What is left is what a verdict and the metrics see.
func Clean(findings []Finding, changed []string, minConfidence float64) []Finding {
	kept, _ := Sift(findings, changed, minConfidence)
	return kept
}

// Sift is Clean that also returns what it took out, grouped by step, each
// group in input order.
func Sift(findings []Finding, changed []string, minConfidence float64) ([]Finding, []Dropped) {
	kept, dropped := Normalise(findings, changed), []Dropped{}
	step := func(reason string, stays []bool) {
		for i, f := range kept {
			if !stays[i] {
				dropped = append(dropped, Dropped{f, reason})
			}
		}
		kept = keep(kept, stays)
	}
	step(UntouchedFile, touched(kept, changed))
	step(LowConfidence, confident(kept, minConfidence))
	step(Duplicate, distinct(kept))
	return kept, dropped
}

// Count returns how many were dropped for each reason; the map is never nil
// and holds no zero.
func Count(dropped []Dropped) map[string]int {
	counts := map[string]int{}
	for _, d := range dropped {
		counts[d.Reason]++
	}
	return counts
}
