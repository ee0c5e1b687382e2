package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/reviewgate/reviewgate/finding"
)

// f is a finding named by its message.
func f(name, file string, line int, category finding.Category, confidence float64) finding.Finding {
	return finding.Finding{Message: name, File: file, Line: line, Category: category, Severity: finding.Major, Confidence: confidence}
}

// l is a label named by the row of its file.
func l(row int, file string, category finding.Category, start, end int) Label {
	return Label{At: row, File: file, Category: category, Severity: finding.Major, Start: start, End: end}
}

// names is what Match said, by the names of findings and the rows of labels.
type names struct {
	Pairs    map[int]string
	Order    []int // of the labels in Pairs
	Findings []string
	Labels   []int
}

func named(m Matches) names {
	n := names{Pairs: map[int]string{}}
	for _, p := range m.Pairs {
		n.Pairs[p.Label.At] = p.Finding.Message
		n.Order = append(n.Order, p.Label.At)
	}
	for _, x := range m.UnmatchedFindings {
		n.Findings = append(n.Findings, x.Message)
	}
	for _, x := range m.UnmatchedLabels {
		n.Labels = append(n.Labels, x.At)
	}
	return n
}

func TestMatch(t *testing.T) {
	const sec, sty = finding.Security, finding.Style
	for _, tt := range []struct {
		name     string
		findings []finding.Finding
		labels   []Label
		want     names
	}{
		{"a finding inside the label", []finding.Finding{f("a", "x.go", 11, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{1: "a"}, Order: []int{1}}},
		{"three lines before the start", []finding.Finding{f("a", "x.go", 7, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{1: "a"}, Order: []int{1}}},
		{"four lines before the start is a miss", []finding.Finding{f("a", "x.go", 6, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{}, Findings: []string{"a"}, Labels: []int{1}}},
		{"three lines after the end", []finding.Finding{f("a", "x.go", 15, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{1: "a"}, Order: []int{1}}},
		{"four lines after the end is a miss", []finding.Finding{f("a", "x.go", 16, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{}, Findings: []string{"a"}, Labels: []int{1}}},
		{"another file is a miss", []finding.Finding{f("a", "y.go", 11, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{}, Findings: []string{"a"}, Labels: []int{1}}},
		{"another category is a miss", []finding.Finding{f("a", "x.go", 11, sty, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{}, Findings: []string{"a"}, Labels: []int{1}}},
		{"severity plays no part", []finding.Finding{{Message: "a", File: "x.go", Line: 11, Category: sec, Severity: finding.Minor}}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{1: "a"}, Order: []int{1}}},
		{"the most confident finding takes the label", []finding.Finding{f("a", "x.go", 10, sec, .7), f("b", "x.go", 12, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{1: "b"}, Order: []int{1}, Findings: []string{"a"}}},
		{"equal confidence: the first in input order", []finding.Finding{f("a", "x.go", 10, sec, .9), f("b", "x.go", 12, sec, .9)}, []Label{l(1, "x.go", sec, 10, 12)},
			names{Pairs: map[int]string{1: "a"}, Order: []int{1}, Findings: []string{"b"}}},
		{"a finding takes the first label it hits, in label order", []finding.Finding{f("a", "x.go", 12, sec, .9)},
			[]Label{l(1, "x.go", sec, 10, 10), l(2, "x.go", sec, 12, 12)},
			names{Pairs: map[int]string{1: "a"}, Order: []int{1}, Labels: []int{2}}},
		{"one label, one finding, and one finding, one label", []finding.Finding{f("a", "x.go", 12, sec, .8), f("b", "x.go", 12, sec, .9)},
			[]Label{l(1, "x.go", sec, 12, 12), l(2, "x.go", sec, 13, 13)},
			names{Pairs: map[int]string{1: "b", 2: "a"}, Order: []int{1, 2}}},
		{"greedy, so a label can stay free that another order would have filled",
			[]finding.Finding{f("a", "x.go", 10, sec, .9), f("b", "x.go", 6, sec, .8)},
			[]Label{l(1, "x.go", sec, 9, 9), l(2, "x.go", sec, 12, 12)},
			names{Pairs: map[int]string{1: "a"}, Order: []int{1}, Findings: []string{"b"}, Labels: []int{2}}},
		{"pairs follow label order, the rest keeps input order",
			[]finding.Finding{f("c", "q.go", 1, sec, .1), f("b", "y.go", 1, sec, .9), f("a", "x.go", 1, sec, .8), f("d", "p.go", 1, sec, 1)},
			[]Label{l(5, "w.go", sec, 1, 1), l(1, "x.go", sec, 1, 1), l(2, "y.go", sec, 1, 1), l(4, "v.go", sec, 1, 1)},
			names{Pairs: map[int]string{1: "a", 2: "b"}, Order: []int{1, 2}, Findings: []string{"c", "d"}, Labels: []int{5, 4}}},
		{"nothing with nothing", nil, nil, names{Pairs: map[int]string{}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, named(Match(tt.findings, tt.labels))); diff != "" {
				t.Errorf("Match (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMatchListsAreNeverNil(t *testing.T) {
	want := Matches{Pairs: []Pair{}, UnmatchedFindings: []finding.Finding{}, UnmatchedLabels: []Label{}}
	if diff := cmp.Diff(want, Match(nil, nil)); diff != "" {
		t.Errorf("Match(nil, nil) (-want +got):\n%s", diff)
	}
}

func TestMatchAccountsForEverything(t *testing.T) {
	files, categories := []string{"x.go", "y.go"}, finding.Categories[:2]
	rapid.Check(t, func(t *rapid.T) {
		findings := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) finding.Finding {
			return f("", rapid.SampledFrom(files).Draw(t, "file"), rapid.IntRange(1, 20).Draw(t, "line"),
				rapid.SampledFrom(categories).Draw(t, "category"), rapid.Float64Range(0, 1).Draw(t, "confidence"))
		}), 0, 15).Draw(t, "findings")
		labels := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Label {
			start := rapid.IntRange(1, 20).Draw(t, "start")
			return l(0, rapid.SampledFrom(files).Draw(t, "file"), rapid.SampledFrom(categories).Draw(t, "category"), start, start+rapid.IntRange(0, 3).Draw(t, "more"))
		}), 0, 15).Draw(t, "labels")
		m := Match(findings, labels)
		if len(m.Pairs)+len(m.UnmatchedFindings) != len(findings) || len(m.Pairs)+len(m.UnmatchedLabels) != len(labels) {
			t.Fatalf("%d pairs, %d and %d left over, of %d findings and %d labels",
				len(m.Pairs), len(m.UnmatchedFindings), len(m.UnmatchedLabels), len(findings), len(labels))
		}
		for _, p := range m.Pairs {
			if !hits(p.Finding, p.Label) {
				t.Fatalf("%v does not hit %v", p.Finding, p.Label)
			}
		}
		for _, free := range m.UnmatchedLabels {
			for _, left := range m.UnmatchedFindings {
				if hits(left, free) {
					t.Fatalf("%v hits %v and both were left over", left, free)
				}
			}
		}
	})
}
