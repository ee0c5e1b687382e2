package bench

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/reviewgate/reviewgate/bench/corpus"
	"github.com/reviewgate/reviewgate/bench/pair"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/source"
	"github.com/reviewgate/reviewgate/verify"
)

// treePatch changes one file of every made repository and adds another.
const treePatch = "diff --git a/go.mod b/go.mod\n--- a/go.mod\n+++ b/go.mod\n@@ -1,3 +1,3 @@\n-module example.com/made\n+module example.com/changed\n \n go 1.26\n" +
	"diff --git a/added/by/patch b/added/by/patch\nnew file mode 100644\n--- /dev/null\n+++ b/added/by/patch\n@@ -0,0 +1 @@\n+hello\n"

// patchedTree is the product: it makes the patched tree and runs a program in it.
type patchedTree struct {
	gate    *verify.Gate
	scratch string
	base    source.Tree
	patch   []byte
	parsed  *diff.Patch
}

func newPatchedTree(b *testing.B, repo string) *patchedTree {
	b.Helper()
	scratch := b.TempDir()
	gate, err := verify.New(verify.Options{Environ: os.Environ(), Scratch: scratch})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { gate.Close() })
	parsed, err := diff.Parse([]byte(treePatch))
	if err != nil {
		b.Fatal(err)
	}
	return &patchedTree{gate: gate, scratch: scratch, base: source.Folder(repo, ""), patch: []byte(treePatch), parsed: parsed}
}

// run makes the tree, runs a program in it and lets go of it. It returns what the
// program printed.
func (p *patchedTree) run(b *testing.B, args ...string) []byte {
	output, w := p.open(b, args...)
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return output
}

// open is run without letting go.
func (p *patchedTree) open(b *testing.B, args ...string) ([]byte, *verify.Workspace) {
	w, applied, err := p.gate.Prepare(b.Context(), p.base, nil, p.patch, p.parsed)
	if err != nil || !applied.OK {
		b.Fatal(applied, err)
	}
	got, err := w.Run(b.Context(), proc.Cmd{Args: args, MaxStdout: 64 << 20})
	if err != nil || got.ExitCode != 0 {
		b.Fatalf("%+v, %v", got, err)
	}
	return got.Stdout, w
}

// copyTree is the peer: cp -r of everything but .git, and git apply.
func copyTree(b *testing.B, repo, to string, args ...string) []byte {
	if err := os.Mkdir(to, 0o755); err != nil {
		b.Fatal(err)
	}
	entries, err := os.ReadDir(repo)
	if err != nil {
		b.Fatal(err)
	}
	cp := []string{"-r"}
	for _, e := range entries {
		if e.Name() != ".git" {
			cp = append(cp, filepath.Join(repo, e.Name()))
		}
	}
	command(b, "", nil, "cp", append(cp, to)...)
	command(b, to, []byte(treePatch), "git", "apply", "-")
	return command(b, to, nil, args[0], args[1:]...)
}

func command(b *testing.B, dir string, stdin []byte, name string, args ...string) []byte {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return out
}

// sums is a program that prints a hash of every file, so that two trees can be
// compared.
var sums = []string{"sh", "-c", "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum"}

func made(b *testing.B, files int) string {
	b.Helper()
	if real := os.Getenv(corpus.RepoVariable); real != "" && files > 1_000 {
		return real
	}
	dir := filepath.Join(b.TempDir(), "repo")
	if err := corpus.Repo(dir, 1, files); err != nil {
		b.Fatal(err)
	}
	return dir
}

func size(b *testing.B, dir string) (bytes int64) {
	b.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // what a run left is being removed meanwhile
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return bytes
}

// BenchmarkPatchedTree makes a tree that a program can run in, against a copy.
func BenchmarkPatchedTree(b *testing.B) {
	files := 30_000
	if testing.Short() {
		files = 1_000
	}
	repo, copies := made(b, files), b.TempDir()
	own := newPatchedTree(b, repo)
	want := copyTree(b, repo, filepath.Join(copies, "equal"), sums...)
	got, w := own.open(b, sums...)
	disk := size(b, own.scratch)
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		b.Fatalf("the trees differ: %d and %d bytes of hashes", len(want), len(got))
	}
	b.Run("time", func(b *testing.B) {
		n := 0
		pair.Ratio(b, func() { own.run(b, "true") }, func() {
			n++
			copyTree(b, repo, filepath.Join(copies, fmt.Sprint(b.N, "-", n)), "true")
		})
	})
	b.Run("disk", func(b *testing.B) {
		for b.Loop() {
		}
		b.ReportMetric(float64(disk)/float64(size(b, filepath.Join(copies, "equal"))), "ratio")
	})
}

// BenchmarkPatchedTreeGrowth makes the same change to a large and to a small tree.
func BenchmarkPatchedTreeGrowth(b *testing.B) {
	large, small := 57_000, 350
	if testing.Short() {
		large = 3_000
	}
	big, little := newPatchedTree(b, made(b, large)), newPatchedTree(b, made(b, small))
	pair.Ratio(b, func() { big.run(b, "true") }, func() { little.run(b, "true") })
}
