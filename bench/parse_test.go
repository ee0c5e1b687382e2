package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/bench/corpus"
	"github.com/reviewgate/reviewgate/bench/pair"
	"github.com/reviewgate/reviewgate/diff"
)

// largePatch is the one of goal 5: 80 MB over 25,000 files, a tenth of it in
// quick runs.
func largePatch() []byte {
	if testing.Short() {
		return corpus.Patch(5, 2_500, 8_000_000)
	}
	return corpus.Patch(5, 25_000, 80_000_000)
}

func BenchmarkParse(b *testing.B) {
	patch := largePatch()
	own := func() {
		if _, err := diff.Parse(patch); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("git", func(b *testing.B) {
		git := numstat(b, patch)
		sameLines(b, git(), ownCounts(b, patch))
		pair.Ratio(b, own, func() { git() })
	})
	b.Run("go-gitdiff", func(b *testing.B) {
		sameLines(b, gitdiffCounts(b, patch), ownCounts(b, patch))
		pair.Ratio(b, own, func() {
			if _, _, err := gitdiff.Parse(bytes.NewReader(patch)); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("heap", func(b *testing.B) {
		for b.Loop() {
			own()
		}
		pair.Allocated(b, "B/patchB", len(patch), own)
	})
}

func BenchmarkParseGrowth(b *testing.B) {
	pair.Slope(b, []int{1, 2, 4, 8}, func(size int) func() {
		patch := corpus.Patch(6, 1_250*size, 4_000_000*size)
		return func() {
			if _, err := diff.Parse(patch); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestParsersAgree holds the small corpus against both peers.
func TestParsersAgree(t *testing.T) {
	patch := corpus.Patch(7, 300, 600_000)
	own := ownCounts(t, patch)
	sameLines(t, numstat(t, patch)(), own)
	sameLines(t, gitdiffCounts(t, patch), own)
}

// numstat returns a run of git apply --numstat over the patch, in a folder of its
// own that belongs to no repository.
func numstat(tb testing.TB, patch []byte) func() []string {
	dir := tb.TempDir()
	file := filepath.Join(dir, "p.diff")
	if err := os.WriteFile(file, patch, 0o644); err != nil {
		tb.Fatal(err)
	}
	return func() []string {
		cmd := exec.Command("git", "apply", "--numstat", "p.diff")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, err := cmd.Output()
		if err != nil {
			tb.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(strings.ReplaceAll(string(out), "\t", " ")), "\n")
	}
}

func count(binary bool, added, deleted int64, path string) string {
	if binary {
		return "- - " + path
	}
	return fmt.Sprintf("%d %d %s", added, deleted, path)
}

func ownCounts(tb testing.TB, patch []byte) []string {
	p, err := diff.Parse(patch)
	if err != nil {
		tb.Fatal(err)
	}
	var counts []string
	for _, f := range p.Files {
		counts = append(counts, count(f.Binary, int64(f.Added), int64(f.Deleted), f.Path()))
	}
	return counts
}

func gitdiffCounts(tb testing.TB, patch []byte) []string {
	files, _, err := gitdiff.Parse(bytes.NewReader(patch))
	if err != nil {
		tb.Fatal(err)
	}
	var counts []string
	for _, f := range files {
		var added, deleted int64
		for _, fragment := range f.TextFragments {
			added, deleted = added+fragment.LinesAdded, deleted+fragment.LinesDeleted
		}
		path := f.NewName
		if path == "" {
			path = f.OldName
		}
		counts = append(counts, count(f.IsBinary, added, deleted, path))
	}
	return counts
}

// sameLines fails when the peer's answer is not the product's: a difference ends
// the benchmark before anything is measured.
func sameLines(tb testing.TB, peer, product []string) {
	tb.Helper()
	if len(peer) == len(product) {
		for i := range peer {
			if peer[i] != product[i] {
				tb.Fatalf("answer %d: peer %q, product %q", i, peer[i], product[i])
			}
		}
		return
	}
	tb.Fatalf("%d and %d answers (-peer +product):\n%.2000s", len(peer), len(product), cmp.Diff(peer[:min(50, len(peer))], product[:min(50, len(product))]))
}
