package finding

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// crowd makes n findings of one file as reviewers write them: a handful of
// issues in ever other words, on n/5 lines, one in three a rewording of the one
// before.
func crowd(n int) []Finding {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	words := strings.Fields("the file handle request response error value token queue job worker result is not never always closed " +
		"checked returned wrapped logged ignored when reading writing fails so that callers see a stale empty nil wrong one before after loop")
	sentence := func(n int) string {
		var s []string
		for range n {
			s = append(s, words[r.IntN(len(words))])
		}
		return strings.Join(s, " ")
	}
	var list []Finding
	for i := range n {
		f := Finding{File: "a.go", Line: 1 + r.IntN(n/5+1), Severity: Minor, Title: sentence(5), Message: sentence(25)}
		if i > 0 && r.IntN(3) == 0 {
			before := list[r.IntN(len(list))]
			parts := strings.Fields(before.Message)
			parts[r.IntN(len(parts))] = sentence(2)
			f.Title, f.Message, f.Line = before.Title, strings.Join(parts, " "), before.Line+r.IntN(4)
		}
		list = append(list, f)
	}
	return list
}

// BenchmarkMerge is Merge at a fixed density, in steps of two: the growth is the
// point. The ratio to the oracle is measured in package bench.
func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{625, 1250, 2500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := crowd(n)
			for b.Loop() {
				Merge(in)
			}
		})
	}
}
