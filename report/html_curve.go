package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
)

// measure is the reviewer against the labels.
type measure struct {
	Trusted bool
	Words   string
	Key     string
	Rows    []scoreRow
	Curve   *curve
}

type scoreRow struct {
	Name, Precision, Recall, F1 string
	Matched, Findings, Labels   int
}

// curve is the line chart of precision and recall; coordinates are those of its
// 420 × 250 view box.
type curve struct {
	Description string
	Grid        []gridLine
	Mark        *curveMark
	Lines       []curveLine
	Points      []pointRow
}

type gridLine struct{ X1, Y1, X2, Y2, TX, TY, Anchor, Text string }

type curveMark struct{ X, Anchor, Text string }

type curveLine struct {
	Class, Name, Points, LX, LY string
	Dots                        []curveDot
}

type curveDot struct {
	X, Y   string
	Square bool
}

type pointRow struct{ Threshold, Precision, Recall string }

// The plot's area within the view box.
const (
	plotLeft, plotRight = 36.0, 330.0
	plotTop, plotBottom = 16.0, 206.0
)

func newMeasure(run Run) *measure {
	if run.Metrics == nil {
		return nil
	}
	m := &measure{Trusted: run.Metrics.Trusted, Words: trustWords(*run.Metrics), Curve: newCurve(run.Curve, run.Threshold)}
	add := func(name string, s eval.Score) {
		m.Rows = append(m.Rows, scoreRow{name, ratio(s.Precision), ratio(s.Recall), ratio(s.F1), s.Matched, s.Findings, s.Labels})
	}
	add("overall", run.Metrics.Overall)
	for _, s := range finding.Severities {
		add(string(s), run.Metrics.BySeverity[s])
	}
	if run.KeyAgrees != nil {
		m.Key = fmt.Sprintf("%d of %d verdicts agree with the key.", *run.KeyAgrees, len(run.Entries))
	}
	return m
}

// newCurve draws points, in order of threshold; nil for fewer than two.
func newCurve(points []eval.Point, threshold float64) *curve {
	if len(points) < 2 {
		return nil
	}
	c := &curve{Mark: &curveMark{X: plotX(threshold), Anchor: choose(threshold > 0.5, "end", "start"), Text: ratio(threshold)}}
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		label := strconv.FormatFloat(v, 'f', -1, 64)
		c.Grid = append(c.Grid, gridLine{pixel(plotLeft), plotY(v), pixel(plotRight), plotY(v), pixel(plotLeft - 6), pixel(yOf(v) + 4), "end", label})
		c.Grid = append(c.Grid, gridLine{plotX(v), pixel(plotBottom), plotX(v), pixel(plotBottom + 4), plotX(v), pixel(plotBottom + 18), "middle", label})
	}
	precision, recall := curveLine{Class: "precision", Name: "precision"}, curveLine{Class: "recall", Name: "recall"}
	for _, p := range points {
		precision.add(p.Threshold, p.Precision, false)
		recall.add(p.Threshold, p.Recall, true)
		c.Points = append(c.Points, pointRow{ratio(p.Threshold), ratio(p.Precision), ratio(p.Recall)})
	}
	last := points[len(points)-1]
	precisionY, recallY := apart(yOf(last.Precision), yOf(last.Recall))
	precision.label(last.Threshold, precisionY)
	recall.label(last.Threshold, recallY)
	c.Lines = []curveLine{precision, recall}
	now := nearest(points, threshold)
	c.Description = fmt.Sprintf("From threshold %s to %s, precision goes from %s to %s and recall from %s to %s. At the current threshold %s precision is %s and recall %s.",
		ratio(points[0].Threshold), ratio(last.Threshold), ratio(points[0].Precision), ratio(last.Precision), ratio(points[0].Recall), ratio(last.Recall),
		ratio(threshold), ratio(now.Precision), ratio(now.Recall))
	return c
}

func (l *curveLine) add(threshold, value float64, square bool) {
	l.Points = strings.TrimSpace(l.Points + " " + plotX(threshold) + "," + plotY(value))
	dot := curveDot{X: plotX(threshold), Y: plotY(value), Square: square}
	if square {
		dot.X, dot.Y = pixel(xOf(threshold)-3), pixel(yOf(value)-3)
	}
	l.Dots = append(l.Dots, dot)
}

func (l *curveLine) label(threshold, y float64) {
	l.LX, l.LY = pixel(xOf(threshold)+9), pixel(y+4)
}

// apart moves two labels away from each other until both can be read.
func apart(a, b float64) (float64, float64) {
	const gap = 15
	if d := a - b; d >= gap || d <= -gap {
		return a, b
	}
	middle := min(max((a+b)/2, plotTop+gap/2), plotBottom-gap/2)
	if a <= b {
		return middle - gap/2, middle + gap/2
	}
	return middle + gap/2, middle - gap/2
}

// nearest returns the point whose threshold is closest to t.
func nearest(points []eval.Point, t float64) eval.Point {
	best := points[0]
	for _, p := range points {
		if (p.Threshold-t)*(p.Threshold-t) < (best.Threshold-t)*(best.Threshold-t) {
			best = p
		}
	}
	return best
}

func xOf(v float64) float64 { return plotLeft + (plotRight-plotLeft)*min(max(v, 0), 1) }
func yOf(v float64) float64 { return plotBottom - (plotBottom-plotTop)*min(max(v, 0), 1) }

func plotX(v float64) string { return pixel(xOf(v)) }
func plotY(v float64) string { return pixel(yOf(v)) }

func pixel(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
