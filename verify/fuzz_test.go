package verify

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/diff"
)

// Whatever a patch says, nothing outside of the workspace is written, the base
// stays as it is, and a patch that is said to apply leaves each of its paths
// either there or gone.
func FuzzPrepare(f *testing.F) {
	for _, patch := range []string{
		modify("a.txt", "two", "TWO"), add("new/f", "x"), remove("d/f", "f"), add("../canary", "x"), add("link/x", "x"), modify("link", "x", "y"), add(".git/config", "x"),
		"diff --git a/d/f b/e/f\nsimilarity index 100%\nrename from d/f\nrename to e/f\n", "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n",
		"diff --git a/s b/s\nnew file mode 120000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+../../canary\n\\ No newline at end of file\n" + add("s/x", "x"),
	} {
		f.Add(patch)
	}
	outside := f.TempDir()
	dir, scratch := filepath.Join(outside, "base"), filepath.Join(outside, "scratch")
	g, err := New(Options{Environ: os.Environ(), Scratch: scratch})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { g.Close() })
	f.Fuzz(func(t *testing.T, patch string) {
		parsed, err := diff.Parse([]byte(patch))
		if err != nil {
			return
		}
		if !exists(dir) {
			makeTree(t, dir, map[string]string{"a.txt": "one\ntwo\nthree\n", "d/f": "f\n", "link@": outside, "canary": "x"})
			makeTree(t, outside, map[string]string{"canary": "alive\n"})
		}
		before := tree(t, os.DirFS(dir))
		w, applied, err := g.Prepare(t.Context(), testTree(dir), nil, []byte(patch), parsed)
		if err == nil {
			if applied.OK {
				tree(t, w.FS())
			}
			w.Close()
		}
		g.removals.Wait()
		if diff := cmp.Diff(before, tree(t, os.DirFS(dir))); diff != "" {
			t.Fatalf("the base changed (-before +after):\n%s", diff)
		}
		for _, e := range entries(t, outside) {
			if e != "canary" && e != "base" && e != "scratch" {
				t.Fatalf("outside holds %q", e)
			}
		}
		if canary, err := os.ReadFile(filepath.Join(outside, "canary")); string(canary) != "alive\n" {
			t.Fatalf("canary = %q, %v", canary, err)
		}
	})
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names
}
