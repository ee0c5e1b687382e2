package eval

import "github.com/reviewgate/reviewgate/finding"

// Sample is one change for Curve: what the reviewer said, uncleaned, and what
// is true of the change.
type Sample struct {
	Findings []finding.Finding
	Changed  []string // changed paths, see finding.Clean
	Labels   []Label
}

// curveSteps is how many steps of confidence lie between 0 and 1.
const curveSteps = 20

// Curve scores the cleaned findings of all samples together at each confidence
// threshold 0, 0.05, … 1: what a higher threshold would gain in precision and
// cost in recall.
func Curve(samples []Sample) []Point {
	points := make([]Point, 0, curveSteps+1)
	perChange := make([]Matches, len(samples))
	for step := range curveSteps + 1 {
		threshold := float64(step) / curveSteps
		for i, s := range samples {
			perChange[i] = Match(finding.Clean(s.Findings, s.Changed, threshold), s.Labels)
		}
		score := PrecisionRecall(Pool(perChange))
		points = append(points, Point{Threshold: threshold, Precision: score.Precision, Recall: score.Recall})
	}
	return points
}
