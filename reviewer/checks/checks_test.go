package checks

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer"
)

var update = flag.Bool("update", false, "write what the checks say into testdata")

// TestCases runs every testdata/<check>/*.txtar: the tree before the change
// under base/, the tree after it under tree/, and in want what the whole
// reviewer must say. A file that is not repeated under tree/ is deleted, unless
// the comment has the line "keep". Other lines of the comment: "symlink PATH
// TARGET", "binary PATH SIZE", "executable PATH", "no trees" (the patch alone).
// The name of a case begins with catch or leave; one to leave alone has no
// findings. A middle dot stands for nothing: it keeps samples from looking like
// credentials.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(name, "testdata/"), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := said(t, task(t, archive))
			if strings.HasPrefix(filepath.Base(name), "leave") && !strings.HasPrefix(got, "nothing\n") {
				t.Errorf("the case is one to leave alone, but:\n%s", got)
			}
			compareWant(t, name, archive, got)
		})
	}
}

func compareWant(t *testing.T, name string, archive *txtar.Archive, got string) {
	t.Helper()
	for i, f := range archive.Files {
		if f.Name != "want" {
			continue
		}
		if *update {
			archive.Files[i].Data = []byte(got)
			if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
		if d := cmp.Diff(string(f.Data), got); d != "" {
			t.Errorf("%s: what the checks say differs (-want +got):\n%s", name, d)
		}
		return
	}
	if *update {
		archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s has no section want", name)
}

// said runs all checks and writes down findings and notes.
func said(t *testing.T, task reviewer.Task) string {
	t.Helper()
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Review(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if len(result.Findings) == 0 {
		b.WriteString("nothing\n")
	}
	for _, f := range result.Findings {
		if err := f.Validate(); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(&b, "%s:%d %s %s %.2f %s\n\t%s\n", f.File, f.Line, f.Severity, f.Category, f.Confidence, f.Rule, f.Message)
	}
	for _, n := range result.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, u := range result.Unread {
		fmt.Fprintf(&b, "unread: %s\n", u)
	}
	return b.String()
}

// task makes a repository of a case and asks git for the patch.
func task(t *testing.T, archive *txtar.Archive) reviewer.Task {
	t.Helper()
	base, tree := t.TempDir(), t.TempDir()
	for _, f := range archive.Files {
		data := bytes.ReplaceAll(f.Data, []byte("·"), nil)
		if name, ok := strings.CutPrefix(f.Name, "base/"); ok {
			write(t, filepath.Join(base, name), data)
		}
		if name, ok := strings.CutPrefix(f.Name, "tree/"); ok {
			write(t, filepath.Join(tree, name), data)
		}
	}
	trees := true
	for directive := range strings.SplitSeq(string(archive.Comment), "\n") {
		words := strings.Fields(directive)
		switch {
		case directive == "keep":
			keep(t, base, tree)
		case directive == "no trees":
			trees = false
		case len(words) == 3 && words[0] == "symlink":
			place(t, filepath.Join(tree, words[1]))
			if err := os.Symlink(words[2], filepath.Join(tree, words[1])); err != nil {
				t.Fatal(err)
			}
		case len(words) == 3 && words[0] == "binary":
			var size int
			fmt.Sscan(words[2], &size)
			write(t, filepath.Join(tree, words[1]), append([]byte("\x00\x01"), make([]byte, max(0, size-2))...))
		case len(words) == 2 && words[0] == "executable":
			if err := os.Chmod(filepath.Join(tree, words[1]), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	patch := between(t, base, tree)
	parsed, err := diff.Parse(patch)
	if err != nil {
		t.Fatalf("%v in\n%s", err, patch)
	}
	result := reviewer.Task{Change: change.Change{ID: "case", Patch: patch}, Patch: parsed}
	if trees {
		result.Base, result.Tree = os.DirFS(base), os.DirFS(tree)
	}
	return result
}

// keep copies the files of base that tree does not have.
func keep(t *testing.T, base, tree string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(base), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if _, err := os.Lstat(filepath.Join(tree, p)); err == nil {
			return nil
		}
		data, err := os.ReadFile(filepath.Join(base, p))
		write(t, filepath.Join(tree, p), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func place(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	place(t, name)
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// between returns git's patch from one folder to another.
func between(t *testing.T, base, tree string) []byte {
	t.Helper()
	repo := t.TempDir()
	git := func(work string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false", "-c", "core.fileMode=true", "--git-dir", repo, "--work-tree", work}, args...)...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + repo, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, &stderr)
		}
		return out
	}
	git(base, "init", "-q")
	git(base, "add", "-A", "-f")
	before := strings.TrimSpace(string(git(base, "write-tree")))
	git(tree, "add", "-A", "-f")
	return git(tree, "diff", "--cached", "--no-ext-diff", "-M", before)
}
