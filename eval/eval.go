// Package eval measures a reviewer against labels: which finding hits which
// label, precision and recall over all and by severity, and whether that is
// enough to trust it.
//
// Its main types are [Label], [Matches] and [Report].
package eval

import "github.com/reviewgate/reviewgate/finding"

// Label is one planted or agreed issue of a change: what a perfect reviewer
// would report.
type Label struct {
	File     string           `json:"file" yaml:"file"`
	Category finding.Category `json:"category" yaml:"category"`
	Severity finding.Severity `json:"severity" yaml:"severity"`
	Start    int              `json:"start" yaml:"start"` // first line, in the new version
	End      int              `json:"end" yaml:"end"`     // last line, inclusive
	At       int              `json:"-" yaml:"-"`         // line of the labels file it stands on; 0 when made in code
}

// Pair is a label and the finding that took it.
type Pair struct {
	Label   Label           `json:"label"`
	Finding finding.Finding `json:"finding"`
}

// Matches is the outcome of matching the findings of one change, or of several
// pooled, with their labels.
type Matches struct {
	Pairs             []Pair            `json:"pairs"`              // in label order
	UnmatchedFindings []finding.Finding `json:"unmatched_findings"` // in input order
	UnmatchedLabels   []Label           `json:"unmatched_labels"`   // in input order
}

// Score is precision, recall and their harmonic mean, each from 0 to 1, with
// the counts they come from.
type Score struct {
	Precision float64 `json:"precision"` // 1 when there are no findings
	Recall    float64 `json:"recall"`    // 1 when there are no labels
	F1        float64 `json:"f1"`        // 0 when both are 0
	Matched   int     `json:"matched"`   // findings that hit a label
	Hit       int     `json:"hit"`       // labels that were hit; Matched differs only for one severity
	Findings  int     `json:"findings"`
	Labels    int     `json:"labels"`
}

// Report is the measure of a reviewer over many changes.
type Report struct {
	Overall       Score                      `json:"overall"`
	BySeverity    map[finding.Severity]Score `json:"by_severity"` // blocker, major and minor, always all three
	BlockerRecall float64                    `json:"blocker_recall"`
	Trusted       bool                       `json:"trusted"` // see Trusted
}

// Point is the score of a reviewer at one confidence threshold.
type Point struct {
	Threshold float64 `json:"threshold"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}
