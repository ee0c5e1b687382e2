package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/finding"
)

// maxBars is how many rows a chart draws; its table has them all.
const maxBars = 40

// bars is a chart of horizontal stacked bars with its table.
type bars struct {
	Caption string // of the table
	Legend  []legend
	Rows    []barRow
	More    string // how many rows are in the table only
	Columns []string
	Table   [][]string
}

type legend struct{ Class, Text string }

type barRow struct {
	Label, Text string // Text says the parts in words: colour is never the only signal
	Of          string // anchor of the change, "" when the row is none
	Total       int
	Parts       []bar
}

// bar is one rectangle; X and W are percentages of the width.
type bar struct{ Class, X, W string }

// part is a piece of a stacked bar.
type part struct {
	Class string
	Size  int
}

// scaled lays parts side by side on a scale from 0 to full.
func scaled(full int, parts []part) []bar {
	percent := func(n int) string { return strconv.FormatFloat(100*float64(n)/float64(full), 'f', 2, 64) }
	var out []bar
	at := 0
	for _, p := range parts {
		if p.Size > 0 {
			out = append(out, bar{p.Class, percent(at), percent(p.Size)})
		}
		at += p.Size
	}
	return out
}

// rankingBars draws what holds each change back, heaviest change first; changes
// that nothing holds back are in the table only.
func rankingBars(run Run, anchors []string) *bars {
	if len(run.Ranking) == 0 {
		return nil
	}
	at := map[string]string{}
	for i, e := range run.Entries {
		at[e.ID] = anchors[i]
	}
	chart := &bars{Caption: "Blocker ranking", Columns: []string{"Change"}}
	for _, k := range blocker.Kinds {
		chart.Legend = append(chart.Legend, legend{string(k), fmt.Sprintf("%s %d", k, blocker.Weights[k])})
		chart.Columns = append(chart.Columns, string(k))
	}
	chart.Columns = append(chart.Columns, "score")
	full := 1
	for _, r := range run.Ranking {
		full = max(full, r.Score)
	}
	free, more := 0, 0
	for _, r := range run.Ranking {
		chart.Table = append(chart.Table, rankingCells(r))
		switch {
		case r.Score == 0:
			free++
		case len(chart.Rows) == maxBars:
			more++
		default:
			chart.Rows = append(chart.Rows, rankingRow(r, at[r.ID], full))
		}
	}
	var words []string
	if more > 0 {
		words = append(words, count(more, "more change")+" in the table.")
	}
	if free > 0 {
		words = append(words, fmt.Sprintf("No signal against %s.", count(free, "change")))
	}
	chart.More = strings.Join(words, " ")
	return chart
}

func rankingRow(r blocker.Ranked, anchor string, full int) barRow {
	row := barRow{Label: oneLine(r.ID), Of: anchor, Total: r.Score}
	var parts []part
	var words []string
	for _, k := range r.Kinds {
		parts = append(parts, part{kindClass(k), blocker.Weights[k]})
		words = append(words, oneLine(string(k)))
	}
	row.Parts, row.Text = scaled(full, parts), strings.Join(words, ", ")
	return row
}

func rankingCells(r blocker.Ranked) []string {
	cells := []string{oneLine(r.ID)}
	for _, k := range blocker.Kinds {
		cells = append(cells, choose(slices.Contains(r.Kinds, k), strconv.Itoa(blocker.Weights[k]), "0"))
	}
	return append(cells, strconv.Itoa(r.Score))
}

func kindClass(k blocker.Kind) string {
	if slices.Contains(blocker.Kinds, k) {
		return string(k)
	}
	return "other"
}

// tally counts findings by a key and, below it, by severity.
type tally map[string]map[finding.Severity]int

func countFindings(entries []Entry, key func(finding.Finding) string) tally {
	t := tally{}
	for _, e := range entries {
		for _, f := range e.Findings {
			k := key(f.Finding)
			if t[k] == nil {
				t[k] = map[finding.Severity]int{}
			}
			t[k][f.Severity]++
		}
	}
	return t
}

func (t tally) total(key string) int {
	n := 0
	for _, c := range t[key] {
		n += c
	}
	return n
}

// severityBars draws how many findings there are of each severity; nil when
// there are none.
func severityBars(entries []Entry) *bars {
	t := countFindings(entries, func(f finding.Finding) string { return string(f.Severity) })
	chart := t.bars("Findings by severity", stringsOf(finding.Severities))
	if chart == nil {
		return nil
	}
	for i := range chart.Rows {
		chart.Rows[i].Text = "" // the label says it
	}
	chart.Legend = nil
	return chart
}

// categoryBars draws how many findings there are of each category, the most
// frequent first.
func categoryBars(entries []Entry) *bars {
	t := countFindings(entries, func(f finding.Finding) string { return string(f.Category) })
	found := slices.DeleteFunc(stringsOf(finding.Categories), func(c string) bool { return t.total(c) == 0 })
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(t.total(b), t.total(a)) })
	return t.bars("Findings by category", found)
}

func (t tally) bars(caption string, keys []string) *bars {
	chart := &bars{Caption: caption, Columns: append(append([]string{""}, stringsOf(finding.Severities)...), "all")}
	full := 0
	for _, s := range finding.Severities {
		chart.Legend = append(chart.Legend, legend{string(s), string(s)})
	}
	for _, k := range keys {
		full = max(full, t.total(k))
	}
	if full == 0 {
		return nil
	}
	for _, k := range keys {
		row, cells := barRow{Label: k, Total: t.total(k)}, []string{k}
		var parts []part
		for _, s := range finding.Severities {
			n := t[k][s]
			parts = append(parts, part{string(s), n})
			cells = append(cells, strconv.Itoa(n))
		}
		row.Parts, row.Text = scaled(full, parts), severityWords(t[k])
		chart.Rows = append(chart.Rows, row)
		chart.Table = append(chart.Table, append(cells, strconv.Itoa(row.Total)))
	}
	return chart
}

// severityWords says how many of each severity: "2 blocker, 1 minor".
func severityWords(n map[finding.Severity]int) string {
	var out []string
	for _, s := range finding.Severities {
		if n[s] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	return strings.Join(out, ", ")
}

func stringsOf[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
