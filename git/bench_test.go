package git

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// benchRepo makes a repository of n files of about 2 KB in folders of 50, with
// twenty of them changed and five untracked.
func benchRepo(b *testing.B, n int) *Repo {
	b.Helper()
	dir := b.TempDir()
	text := make([]byte, 0, 4096)
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("d%d/e%d/f%d.go", i/2500, i/50, i))
		if i%50 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		text = text[:0]
		for line := range 60 {
			text = fmt.Appendf(text, "line %d of file %d says %x\n", line, i, i*line*7919)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	script := `git init -q -b main .; git add -A; git commit -qm 1; sleep 1.1; git update-index --refresh
		for f in $(git ls-files | awk 'NR % ` + fmt.Sprint(n/20) + ` == 1'); do echo changed >>$f; done; for i in 1 2 3 4 5; do echo new >d0/new$i; done`
	cmd := exec.CommandContext(b.Context(), "sh", "-ec", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	r, err := Open(b.Context(), dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	return r
}

// BenchmarkDirtyTree is the tree id of a dirty copy against git status, in turn
// in one run. The goal is a ratio of 1.25.
func BenchmarkDirtyTree(b *testing.B) {
	for _, n := range []int{350, 5000, 30000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := benchRepo(b, n)
			var ratios []float64
			for b.Loop() {
				peer := timed(b, func() error { return exec.Command("git", "-C", r.Work, "status", "--porcelain").Run() })
				own := timed(b, func() error { _, err := r.DirtyTree(b.Context()); return err })
				ratios = append(ratios, own/peer)
			}
			b.ReportMetric(median(ratios), "ratio")
		})
	}
}

// BenchmarkExport is a tree written to a folder against git checkout-index with
// an index that was read before.
func BenchmarkExport(b *testing.B) {
	r := benchRepo(b, 5000)
	var ratios []float64
	out := b.TempDir()
	i := 0
	for b.Loop() {
		i++
		peer := timed(b, func() error {
			return exec.Command("sh", "-ec", fmt.Sprintf("cd %s; export GIT_INDEX_FILE=%s/index%d; git read-tree HEAD; git checkout-index -a --prefix=%s/peer%d/", r.Work, out, i, out, i)).Run()
		})
		own := timed(b, func() error { return r.Export(b.Context(), "HEAD", fmt.Sprintf("%s/own%d", out, i)) })
		ratios = append(ratios, own/peer)
	}
	b.ReportMetric(median(ratios), "ratio")
}

// BenchmarkReadFile is one file of a tree through the one git process.
func BenchmarkReadFile(b *testing.B) {
	r := benchRepo(b, 350)
	tree, err := r.Tree(b.Context(), "HEAD")
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		i = (i + 1) % 350
		if _, err := tree.ReadFile(fmt.Sprintf("d0/e%d/f%d.go", i/50, i)); err != nil {
			b.Fatal(err)
		}
	}
}

func timed(b *testing.B, f func() error) float64 {
	b.Helper()
	start := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start).Seconds()
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
