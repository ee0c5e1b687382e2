package bench

import (
	"slices"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewgate/reviewgate/bench/corpus"
	"github.com/reviewgate/reviewgate/bench/pair"
	"github.com/reviewgate/reviewgate/glob"
)

// ownMatches compiles the patterns and returns for each path which ones match it.
func ownMatches(tb testing.TB, patterns, paths []string) [][]int {
	compiled := make([]glob.Pattern, len(patterns))
	for i, text := range patterns {
		p, err := glob.Compile(text)
		if err != nil {
			tb.Fatal(err)
		}
		compiled[i] = p
	}
	matcher := glob.NewSet(compiled...).Matcher()
	matches := make([][]int, len(paths))
	for i, path := range paths {
		matches[i] = slices.Clone(matcher.Match(path))
	}
	return matches
}

func doublestarMatches(tb testing.TB, patterns, paths []string) [][]int {
	matches := make([][]int, len(paths))
	for i, path := range paths {
		for id, pattern := range patterns {
			ok, err := doublestar.Match(pattern, path)
			if err != nil {
				tb.Fatal(err)
			}
			if ok {
				matches[i] = append(matches[i], id)
			}
		}
	}
	return matches
}

func sameMatches(tb testing.TB, peer, product [][]int, patterns, paths []string) {
	tb.Helper()
	hits := 0
	for i, path := range paths {
		if !slices.Equal(peer[i], product[i]) {
			tb.Fatalf("path %q: peer %v, product %v of the patterns %q", path, peer[i], product[i], patterns)
		}
		hits += len(peer[i])
	}
	if hits < len(paths) {
		tb.Fatalf("%d matches on %d paths: this corpus tests nothing", hits, len(paths))
	}
}

func BenchmarkGlobs(b *testing.B) {
	rules, files := 1_000, 10_000
	if testing.Short() {
		rules, files = 100, 1_000
	}
	patterns, paths := corpus.Patterns(1, rules), corpus.Paths(corpus.New(2), files)
	sameMatches(b, doublestarMatches(b, patterns, paths), ownMatches(b, patterns, paths), patterns, paths)
	pair.Ratio(b, func() { ownMatches(b, patterns, paths) }, func() { doublestarMatches(b, patterns, paths) })
}

// BenchmarkGlobsGrowth grows the paths; the number of rules stays.
func BenchmarkGlobsGrowth(b *testing.B) {
	patterns := corpus.Patterns(1, 200)
	pair.Slope(b, []int{1, 2, 4, 8}, func(size int) func() {
		paths := corpus.Paths(corpus.New(3), 2_500*size)
		return func() { ownMatches(b, patterns, paths) }
	})
}

// TestMatchersAgree holds the small corpus against the peer.
func TestMatchersAgree(t *testing.T) {
	patterns, paths := corpus.Patterns(4, 200), corpus.Paths(corpus.New(5), 500)
	sameMatches(t, doublestarMatches(t, patterns, paths), ownMatches(t, patterns, paths), patterns, paths)
}
