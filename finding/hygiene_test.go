package finding

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// list builds findings from words like "a.go:3 style 0.9", named by position.
func list(t *testing.T, specs ...string) []Finding {
	t.Helper()
	findings := []Finding{}
	for _, spec := range specs {
		words := strings.Fields(spec)
		file, number, _ := strings.Cut(words[0], ":")
		line, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		confidence, err := strconv.ParseFloat(words[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, Finding{
			File: file, Line: line, Severity: Minor, Category: Category(words[1]), Message: spec, Confidence: confidence,
		})
	}
	return findings
}

// specs is the inverse of list: the messages, which name each finding.
func specs(findings []Finding) []string {
	out := []string{}
	for _, f := range findings {
		out = append(out, f.Message)
	}
	return out
}

func TestOnlyTouched(t *testing.T) {
	for _, tt := range []struct {
		name    string
		in      []string
		changed []string
		want    []string
	}{
		{"a finding on a file the patch does not touch is dropped",
			[]string{"a.go:1 style 1", "old.go:1 security 1", "b.go:2 style 0.1"}, []string{"b.go", "a.go"},
			[]string{"a.go:1 style 1", "b.go:2 style 0.1"}},
		{"nothing touched, nothing kept", []string{"a.go:1 style 1"}, nil, []string{}},
		{"a path is a whole path", []string{"web/a.go:1 style 1", "A.go:1 style 1"}, []string{"a.go"}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := specs(OnlyTouched(list(t, tt.in...), tt.changed))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("OnlyTouched(%q, %q) (-want +got):\n%s", tt.in, tt.changed, diff)
			}
		})
	}
}

func TestThreshold(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []string
		min  float64
		want []string
	}{
		{"confidence equal to the threshold stays", []string{"a.go:1 style 0.6", "a.go:9 style 0.59"}, 0.6, []string{"a.go:1 style 0.6"}},
		{"a threshold of 0 keeps everything", []string{"a.go:1 style 0", "a.go:9 style 1"}, 0, []string{"a.go:1 style 0", "a.go:9 style 1"}},
		{"a confidence that is no number stays", []string{"a.go:1 style NaN"}, 0.6, []string{"a.go:1 style NaN"}},
		{"severity plays no part", []string{"a.go:1 security 0.3"}, 0.6, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := specs(Threshold(list(t, tt.in...), tt.min))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Threshold(%q, %v) (-want +got):\n%s", tt.in, tt.min, diff)
			}
		})
	}
}

func TestDedupe(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in, want []string
	}{
		{"same file, category and line: the most confident stays",
			[]string{"a.go:3 style 0.7", "a.go:3 style 0.9", "a.go:3 style 0.8"}, []string{"a.go:3 style 0.9"}},
		{"two lines apart are one issue", []string{"a.go:3 style 0.9", "a.go:5 style 0.7"}, []string{"a.go:3 style 0.9"}},
		{"two lines before are one issue", []string{"a.go:3 style 0.7", "a.go:5 style 0.9"}, []string{"a.go:5 style 0.9"}},
		{"three lines apart are two", []string{"a.go:3 style 0.9", "a.go:6 style 0.7"}, []string{"a.go:3 style 0.9", "a.go:6 style 0.7"}},
		{"different categories on one line are never merged: a hard-coded token that is also badly named is two findings",
			[]string{"a.go:3 secret-in-code 0.9", "a.go:3 style 0.7"}, []string{"a.go:3 secret-in-code 0.9", "a.go:3 style 0.7"}},
		{"different files are never merged", []string{"a.go:3 style 0.9", "b.go:3 style 0.7"}, []string{"a.go:3 style 0.9", "b.go:3 style 0.7"}},
		{"ties go to the first", []string{"a.go:4 style 0.70", "a.go:3 style 0.7"}, []string{"a.go:4 style 0.70"}},
		{"only a kept finding drops others: no chain from 3 over 5 to 7",
			[]string{"a.go:3 style 0.9", "a.go:5 style 0.8", "a.go:7 style 0.7"}, []string{"a.go:3 style 0.9", "a.go:7 style 0.7"}},
		{"the middle one drops both sides",
			[]string{"a.go:3 style 0.8", "a.go:5 style 0.9", "a.go:7 style 0.7"}, []string{"a.go:5 style 0.9"}},
		{"output is in input order, not by confidence",
			[]string{"b.go:1 style 0.6", "a.go:1 style 0.9", "c.go:1 style 0.7"}, []string{"b.go:1 style 0.6", "a.go:1 style 0.9", "c.go:1 style 0.7"}},
		{"a confidence that is no number outweighs the rest", []string{"a.go:1 style 1", "a.go:2 style NaN"}, []string{"a.go:2 style NaN"}},
		{"nothing", nil, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := specs(Dedupe(list(t, tt.in...)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Dedupe(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

// findings draws a small, crowded list, so that rules collide.
func findings(t *rapid.T) []Finding {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Finding {
		return Finding{
			File:       rapid.SampledFrom([]string{"a.go", "b.go", "./a.go"}).Draw(t, "file"),
			Line:       rapid.IntRange(1, 12).Draw(t, "line"),
			Severity:   rapid.SampledFrom(Severities).Draw(t, "severity"),
			Category:   rapid.SampledFrom(Categories[:3]).Draw(t, "category"),
			Message:    rapid.StringN(10, 12, -1).Draw(t, "message"),
			Confidence: rapid.SampledFrom([]float64{0, 0.3, 0.6, 0.9, 1, math.NaN()}).Draw(t, "confidence"),
		}
	}), 0, 30).Draw(t, "findings")
}

func TestDedupeLeavesOneOfEachIssue(t *testing.T) {
	near := func(a, b Finding) bool {
		return a.File == b.File && a.Category == b.Category && a.Line-b.Line <= 2 && b.Line-a.Line <= 2
	}
	rapid.Check(t, func(t *rapid.T) {
		in := findings(t)
		out := Dedupe(in)
		for i, a := range out {
			for _, b := range out[i+1:] {
				if near(a, b) {
					t.Fatalf("%v and %v are one issue", a, b)
				}
			}
		}
		for _, f := range in {
			if !slices.ContainsFunc(out, func(k Finding) bool { return near(f, k) && weight(k.Confidence) >= weight(f.Confidence) }) {
				t.Fatalf("%v was dropped and nothing at least as confident near it was kept: %v", f, out)
			}
		}
		if diff := cmp.Diff(out, Dedupe(out), cmp.Comparer(sameNumber)); diff != "" {
			t.Fatalf("Dedupe twice differs (-once +twice):\n%s", diff)
		}
	})
}

func sameNumber(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestHygieneReturnsNewSlices(t *testing.T) {
	in := list(t, "./a.go:1 style 0.9", "a.go:9 style 0.9")
	before := slices.Clone(in)
	for _, out := range [][]Finding{
		Normalise(in, []string{"a.go"}), OnlyTouched(in, []string{"a.go"}), Threshold(in, 0), Dedupe(in),
		Clean(in, []string{"a.go"}, 0), Stamp(in, func(string, int) string { return "" }), Merge(in),
	} {
		if len(out) > 0 {
			out[0].Message = "changed"
		}
		if diff := cmp.Diff(before, in); diff != "" {
			t.Fatalf("the input changed (-before +after):\n%s", diff)
		}
	}
}
