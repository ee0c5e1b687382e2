package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewgate/reviewgate/finding"
)

// matches makes pairs of (finding, label) severities and leftovers.
func matches(pairs [][2]finding.Severity, findings, labels []finding.Severity) Matches {
	m := Pool(nil)
	for _, p := range pairs {
		m.Pairs = append(m.Pairs, Pair{Finding: finding.Finding{Severity: p[0]}, Label: Label{Severity: p[1]}})
	}
	for _, s := range findings {
		m.UnmatchedFindings = append(m.UnmatchedFindings, finding.Finding{Severity: s})
	}
	for _, s := range labels {
		m.UnmatchedLabels = append(m.UnmatchedLabels, Label{Severity: s})
	}
	return m
}

const blk, maj, min1 = finding.Blocker, finding.Major, finding.Minor

var close = cmpopts.EquateApprox(0, 1e-12)

func TestPrecisionRecall(t *testing.T) {
	type severities = []finding.Severity
	type pairs = [][2]finding.Severity
	for _, tt := range []struct {
		name string
		m    Matches
		only severities
		want Score
	}{
		{"precision is matched findings over findings, recall matched labels over labels",
			matches(pairs{{blk, blk}, {maj, maj}}, severities{maj, min1}, severities{min1}), nil,
			Score{Precision: 2. / 4, Recall: 2. / 3, F1: 4. / 7, Matched: 2, Hit: 2, Findings: 4, Labels: 3}},
		{"no findings means precision 1", matches(nil, nil, severities{maj}), nil, Score{Precision: 1, Recall: 0, F1: 0, Labels: 1}},
		{"no labels means recall 1", matches(nil, severities{maj}, nil), nil, Score{Precision: 0, Recall: 1, F1: 0, Findings: 1}},
		{"neither means both are 1", matches(nil, nil, nil), nil, Score{Precision: 1, Recall: 1, F1: 1}},
		{"f1 is 0 when both are 0", matches(nil, severities{maj}, severities{maj}), nil, Score{Findings: 1, Labels: 1}},
		{"with severity, precision counts findings of it and recall labels of it",
			matches(pairs{{blk, maj}, {maj, blk}, {blk, blk}}, severities{blk, min1}, severities{blk, min1}), severities{blk},
			Score{Precision: 2. / 3, Recall: 2. / 3, F1: 2. / 3, Matched: 2, Hit: 2, Findings: 3, Labels: 3}},
		{"a blocker found as minor counts for the label and not for the findings of blocker",
			matches(pairs{{min1, blk}}, nil, nil), severities{blk}, Score{Precision: 1, Recall: 1, F1: 1, Hit: 1, Labels: 1}},
		{"several severities are any of them",
			matches(pairs{{blk, blk}, {min1, min1}}, severities{maj}, nil), severities{blk, maj},
			Score{Precision: .5, Recall: 1, F1: 2. / 3, Matched: 1, Hit: 1, Findings: 2, Labels: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, PrecisionRecall(tt.m, tt.only...), close); diff != "" {
				t.Errorf("PrecisionRecall (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBlockerRecall(t *testing.T) {
	type severities = []finding.Severity
	type pairs = [][2]finding.Severity
	for _, tt := range []struct {
		name string
		m    Matches
		want float64
	}{
		{"recall over blocker labels, whatever the finding says", matches(pairs{{min1, blk}}, nil, severities{blk, maj}), 0.5},
		{"no blocker label means 1", matches(nil, severities{blk}, severities{maj}), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := BlockerRecall(tt.m); got != tt.want {
				t.Errorf("BlockerRecall = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSummarise(t *testing.T) {
	type severities = []finding.Severity
	type pairs = [][2]finding.Severity
	got := Summarise([]Matches{
		matches(pairs{{blk, blk}}, severities{min1}, nil),
		matches(pairs{{maj, maj}, {maj, maj}}, nil, severities{min1}),
	})
	want := Report{
		Overall: Score{Precision: .75, Recall: .75, F1: .75, Matched: 3, Hit: 3, Findings: 4, Labels: 4},
		BySeverity: map[finding.Severity]Score{
			blk:  {Precision: 1, Recall: 1, F1: 1, Matched: 1, Hit: 1, Findings: 1, Labels: 1},
			maj:  {Precision: 1, Recall: 1, F1: 1, Matched: 2, Hit: 2, Findings: 2, Labels: 2},
			min1: {Findings: 1, Labels: 1},
		},
		BlockerRecall: 1,
		Trusted:       true,
	}
	if diff := cmp.Diff(want, got, close); diff != "" {
		t.Errorf("Summarise pools, it does not average (-want +got):\n%s", diff)
	}
}

func TestTrusted(t *testing.T) {
	for _, tt := range []struct {
		name              string
		precision, recall float64
		want              bool
	}{
		{"precision 0.6 and blocker recall 0.9 are enough", 0.6, 0.9, true},
		{"6 of 10 and 9 of 10 are these figures", 6. / 10, 9. / 10, true},
		{"the recorded reviewer after clean", 11. / 16, 1, true},
		{"the recorded reviewer unfiltered", 12. / 26, 1, false},
		{"precision a little lower", 0.5999, 1, false},
		{"blocker recall a little lower", 1, 0.8999, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Report{Overall: Score{Precision: tt.precision}, BlockerRecall: tt.recall}
			if got := Trusted(r); got != tt.want {
				t.Errorf("Trusted(precision %v, blocker recall %v) = %v, want %v", tt.precision, tt.recall, got, tt.want)
			}
		})
	}
}

func TestCurve(t *testing.T) {
	sample := Sample{
		Changed: []string{"x.go"},
		Labels:  []Label{l(1, "x.go", finding.Security, 1, 1), l(2, "x.go", finding.Style, 30, 30)},
		Findings: []finding.Finding{
			f("right", "x.go", 1, finding.Security, 0.9),
			f("right and unsure", "x.go", 30, finding.Style, 0.55),
			f("wrong", "x.go", 60, finding.Style, 0.6),
			f("untouched", "y.go", 1, finding.Style, 1),
		},
	}
	points := Curve([]Sample{sample})
	if got, want := len(points), 21; got != want {
		t.Fatalf("Curve has %d points, want %d", got, want)
	}
	for _, tt := range []struct {
		name string
		at   int
		want Point
	}{
		{"at 0 everything on touched files counts", 0, Point{0, 2. / 3, 1}},
		{"at 0.55 a confidence of 0.55 still counts", 11, Point{0.55, 2. / 3, 1}},
		{"at 0.6 a confidence of 0.6 still counts", 12, Point{0.6, 1. / 2, 1. / 2}},
		{"at 0.65 the wrong one is gone", 13, Point{0.65, 1, 1. / 2}},
		{"at 1 nothing is left, which is no error", 20, Point{1, 1, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, points[tt.at]); diff != "" {
				t.Errorf("Curve[%d] (-want +got):\n%s", tt.at, diff)
			}
		})
	}
}
