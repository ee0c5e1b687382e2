package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pmezard/go-difflib/difflib"

	"github.com/reviewgate/reviewgate/bench/pair"
	"github.com/reviewgate/reviewgate/finding"
)

// crowd makes n findings of one file, one to a line on average, a third of them
// rewordings of another close by.
func crowd(n int) []finding.Finding {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	words := strings.Fields("the file handle request response error value token queue job worker result is not never always closed " +
		"checked returned wrapped logged ignored when reading writing fails so that callers see a stale empty nil wrong one before after loop")
	sentence := func(n int) string {
		picked := make([]string, n)
		for i := range picked {
			picked[i] = words[r.IntN(len(words))]
		}
		return strings.Join(picked, " ")
	}
	var list []finding.Finding
	for i := range n {
		f := finding.Finding{File: "a.go", Line: 1 + r.IntN(n), Severity: finding.Minor, Title: sentence(5), Message: sentence(25)}
		if i > 0 && r.IntN(3) == 0 {
			other := list[r.IntN(len(list))]
			parts := strings.Fields(other.Message)
			parts[r.IntN(len(parts))] = sentence(2)
			f.Title, f.Message, f.Line = other.Title, strings.Join(parts, " "), other.Line+r.IntN(4)
		}
		list = append(list, f)
	}
	return list
}

// mergedByPeer returns the index of the anchor of each finding, with go-difflib's
// ratio on every pair of the window.
func mergedByPeer(list []finding.Finding) []int {
	letters := make([][]string, len(list))
	for i, f := range list {
		letters[i] = strings.Split(f.Title+" "+f.Message, "")
	}
	alike := func(i, j int) bool {
		a, b := letters[i], letters[j]
		if slices.Compare(b, a) < 0 {
			a, b = b, a
		}
		matching := 0
		for _, block := range difflib.NewMatcherWithJunk(a, b, false, nil).GetMatchingBlocks() {
			matching += block.Size
		}
		return 20*matching > 7*(len(a)+len(b))
	}
	anchors := make([]int, len(list))
	for i := range list {
		anchors[i] = i
		for anchor := range i {
			distance := list[i].Line - list[anchor].Line
			if anchors[anchor] == anchor && distance <= 5 && distance >= -5 && alike(anchor, i) {
				anchors[i] = anchor
				break
			}
		}
	}
	return anchors
}

// sameMerge wants the product to keep exactly the findings that are their own
// anchor: the severities of a crowd are equal, so the first of a group stays.
func sameMerge(tb testing.TB, list []finding.Finding) {
	tb.Helper()
	var want, got []int
	for i, anchor := range mergedByPeer(list) {
		if anchor == i {
			want = append(want, list[i].Line)
		}
	}
	for _, f := range finding.Merge(list) {
		got = append(got, f.Line)
	}
	if !slices.Equal(want, got) {
		tb.Fatalf("the peer leaves %d findings, the product %d, or others", len(want), len(got))
	}
	if len(got) == len(list) {
		tb.Fatal("nothing merges: this crowd tests nothing")
	}
}

func BenchmarkMerge(b *testing.B) {
	n := 5_000
	if testing.Short() {
		n = 250
	}
	list := crowd(n)
	sameMerge(b, list)
	pair.Ratio(b, func() { finding.Merge(list) }, func() { mergedByPeer(list) })
}

// BenchmarkMergeGrowth grows the file with its findings: the density stays.
func BenchmarkMergeGrowth(b *testing.B) {
	pair.Slope(b, []int{1, 2, 4, 8}, func(size int) func() {
		list := crowd(1_000 * size)
		return func() { finding.Merge(list) }
	})
}
