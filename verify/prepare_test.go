package verify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
)

func TestPrepare(t *testing.T) {
	base := map[string]string{"a.txt": "one\ntwo\nthree\n", "d/b.txt": "b\n", "d/c.txt": "c\n", "only/file": "x\n", "prs/pr-01/meta.json": "{}\n",
		"internal/prs/x": "nested\n", ".claude/rules/r.md": "rule\n", "run.sh!": "#!/bin/sh\n", "link@": "d/b.txt", "folder@": "d", ".git/config": "[remote]\n"}
	for _, tt := range []struct {
		name, patch string
		want        map[string]string // what differs from the base, "" when it is gone
		conflicts   []string
	}{
		{name: "the prs folder at the top stays behind, a nested one and .claude come along", patch: add("x", "x"),
			want: map[string]string{"x": "x\n", "internal/prs/x": "nested\n", ".claude/rules/r.md": "rule\n"}},
		{name: "a changed file", patch: modify("a.txt", "two", "TWO"), want: map[string]string{"a.txt": "one\nTWO\nthree\n"}},
		{name: "a patch without prefixes", patch: strings.NewReplacer("a/a.txt", "a.txt", "b/a.txt", "a.txt").Replace(modify("a.txt", "two", "TWO")), want: map[string]string{"a.txt": "one\nTWO\nthree\n"}},
		{name: "a patch without context", patch: "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-two\n+TWO\n", want: map[string]string{"a.txt": "one\nTWO\nthree\n"}},
		{name: "a new file in a new folder", patch: add("new/deep/f", "f"), want: map[string]string{"new/deep/f": "f\n"}},
		{name: "a deleted file", patch: remove("d/c.txt", "c"), want: map[string]string{"d/c.txt": ""}},
		{name: "the last file of a folder takes the folder with it", patch: remove("only/file", "x"), want: map[string]string{"only/file": "", "only": ""}},
		{name: "a rename", patch: "diff --git a/d/c.txt b/e/c.txt\nsimilarity index 100%\nrename from d/c.txt\nrename to e/c.txt\n", want: map[string]string{"d/c.txt": "", "e/c.txt": "c\n"}},
		{name: "a copy", patch: "diff --git a/d/c.txt b/e/c.txt\nsimilarity index 100%\ncopy from d/c.txt\ncopy to e/c.txt\n", want: map[string]string{"e/c.txt": "c\n"}},
		{name: "a mode", patch: "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n", want: map[string]string{"run.sh": "#!/bin/sh\n"}},
		{name: "a link that points elsewhere", patch: "diff --git a/link b/link\nindex 1..2 120000\n--- a/link\n+++ b/link\n@@ -1 +1 @@\n-d/b.txt\n\\ No newline at end of file\n+a.txt\n\\ No newline at end of file\n",
			want: map[string]string{"link": "@a.txt"}},
		{name: "a file becomes a folder", patch: remove("a.txt", "one", "two", "three") + add("a.txt/f", "f"), want: map[string]string{"a.txt": "/", "a.txt/f": "f\n"}},
		{name: "a folder becomes a file", patch: remove("only/file", "x") + add("only", "f"), want: map[string]string{"only": "f\n", "only/file": ""}},
		{name: "a file under prs is new, for prs is not part of the tree", patch: add("prs/pr-01/meta.json", "x"), want: map[string]string{"prs": "/", "prs/pr-01": "/", "prs/pr-01/meta.json": "x\n"}},

		{name: "another content", patch: modify("a.txt", "zwei", "TWO"), conflicts: []string{"a.txt"}},
		{name: "a file that is not there", patch: modify("gone.txt", "two", "TWO"), conflicts: []string{"gone.txt"}},
		{name: "a file that is there already", patch: add("d/b.txt", "b"), conflicts: []string{"d/b.txt"}},
		{name: "each once, in order", patch: modify("d/b.txt", "no", "x") + add("a.txt", "a") + modify("d/b.txt", "no", "x"), conflicts: []string{"d/b.txt", "a.txt"}},
		{name: "a folder where a file should be", patch: add("d", "x"), conflicts: []string{"d"}},
		{name: "a file below a link", patch: modify("folder/b.txt", "b", "x"), conflicts: []string{"folder/b.txt"}},
		{name: "a name that git quotes", patch: strings.ReplaceAll(modify("x", "two", "TWO"), "/x", "/t\\303\\244b\\t"), conflicts: nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, base)
			w, applied := prepare(t, newGate(t, Options{}), testTree(dir), tt.patch)
			if len(tt.want) == 0 {
				if applied.OK || tt.conflicts != nil && !cmp.Equal(applied.Conflicts, tt.conflicts) || applied.Detail == "" {
					t.Errorf("Prepare = %+v, want conflicts %q", applied, tt.conflicts)
				}
			} else if !applied.OK || len(applied.Conflicts) > 0 {
				t.Fatalf("Prepare = %+v, want it to apply", applied)
			}
			want := tree(t, os.DirFS(dir))
			for name := range want {
				if name == "prs" || name == ".git" || strings.HasPrefix(name, "prs/") || strings.HasPrefix(name, ".git/") {
					delete(want, name)
				}
			}
			for name, content := range tt.want {
				if want[name] = content; content == "" {
					delete(want, name)
				}
				for dir := filepath.Dir(name); dir != "." && content != ""; dir = filepath.Dir(dir) {
					want[dir] = "/"
				}
			}
			if diff := cmp.Diff(want, tree(t, w.FS())); diff != "" {
				t.Errorf("FS (-want +got):\n%s", diff)
			}
			// The children of Run see the same tree as the readers of FS.
			if diff := cmp.Diff(want, listed(t, w)); diff != "" {
				t.Errorf("Run (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPrepareTakesTheTreeThatGitKnows(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n"})
	after := fstest.MapFS{"a.txt": {Data: []byte("merged\n")}, "c.txt": {Data: []byte("c\n")}}
	patch := modify("a.txt", "does", "not apply") + remove("b.txt", "x")
	w, applied, err := newGate(t, Options{}).Prepare(t.Context(), testTree(dir), after, []byte(patch), parse(t, patch))
	if err != nil || !applied.OK {
		t.Fatalf("Prepare = %+v, %v", applied, err)
	}
	defer w.Close()
	want := map[string]string{".": "/", "a.txt": "merged\n", "c.txt": "c\n"}
	if diff := cmp.Diff(want, tree(t, w.FS())); diff != "" {
		t.Errorf("FS (-want +got):\n%s", diff)
	}
}

func TestPrepareRefusesPathsOutsideOfTheTree(t *testing.T) {
	for _, path := range []string{"../evil", "/etc/evil", ".git/hooks/pre-commit", "a/.GIT/config", "a/../../evil"} {
		t.Run(path, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, map[string]string{"a.txt": "one\n"})
			g := newGate(t, Options{})
			patch := add(path, "evil")
			w, _, err := g.Prepare(t.Context(), testTree(dir), nil, []byte(patch), parse(t, patch))
			var unsafe *diff.UnsafePathError
			if w != nil || !errors.As(err, &unsafe) {
				t.Fatalf("Prepare error = %v, want a refusal", err)
			}
			if left, _ := filepath.Glob(filepath.Join(g.scratch, "change-*")); len(left) > 0 {
				t.Errorf("wrote %q", left)
			}
		})
	}
}

func TestPrepareTouchesOnlyTheFilesOfThePatch(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "d/c.txt": "c\n"})
	w, _ := prepare(t, newGate(t, Options{}), testTree(dir), modify("a.txt", "two", "TWO"))
	if diff := cmp.Diff(map[string]string{".": "/", "a.txt": "one\nTWO\nthree\n"}, tree(t, os.DirFS(w.patch))); diff != "" {
		t.Errorf("patch layer (-want +got):\n%s", diff)
	}
}

func TestFSFollowsLinksInsideTheTreeOnly(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, map[string]string{"a.txt": "one\ntwo\nthree\n", "in@": "d/up", "d/up@": "../a.txt", "out@": "/etc/passwd", "up@": "../x", "loop@": "loop", "folder@": "d", "d/f": "f\n"})
	w, _ := prepare(t, newGate(t, Options{}), testTree(dir), modify("a.txt", "two", "TWO"))
	for name, want := range map[string]string{"in": "one\nTWO\nthree\n", "folder/f": "f\n", "folder/up": "one\nTWO\nthree\n"} {
		if got, err := fs.ReadFile(w.FS(), name); string(got) != want {
			t.Errorf("ReadFile(%q) = %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"out", "up", "loop"} {
		if got, err := fs.ReadFile(w.FS(), name); err == nil {
			t.Errorf("ReadFile(%q) = %q, want an error", name, got)
		}
	}
}

func TestFSIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, map[string]string{"a.txt": "one\ntwo\nthree\n", "d/gone": "x\n", "d/e/f": "f\n"})
	w, _ := prepare(t, newGate(t, Options{}), testTree(dir), modify("a.txt", "two", "TWO")+remove("d/gone", "x")+add("d/e/new", "n"))
	if err := fstest.TestFS(w.FS(), "a.txt", "d/e/f", "d/e/new"); err != nil {
		t.Error(err)
	}
}

func TestConflictsOfEveryForm(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"error: patch failed: web/src/api.ts:12", "web/src/api.ts"},
		{"error: patch failed: a:b.txt:12", "a:b.txt"},
		{"error: web/src/api.ts: patch does not apply", "web/src/api.ts"},
		{"error: gone.go: No such file or directory", "gone.go"},
		{"error: there.go: already exists in working directory", "there.go"},
		{"error: there.go: already exists in index", "there.go"},
		{"error: x.go: does not exist in index", "x.go"},
		{"error: x.go: does not match index", "x.go"},
		{"error: x.go: wrong type", "x.go"},
		{"error: affected file 'l/x' is beyond a symbolic link", "l/x"},
		{"error: cannot apply binary patch to 'i.png' without full index line", "i.png"},
		{"error: the patch applies to 'i.png' (0123abc), which does not match the current contents.", "i.png"},
		{"error: path old.go has been renamed/deleted", "old.go"},
		{"error: \"t\\303\\244b.txt\": patch does not apply", "täb.txt"},
		{"error: with space.txt: patch does not apply", "with space.txt"},
		{"error: corrupt patch at line 7", ""},
		{"warning: a.txt has type 100755, expected 100644", ""},
		{"Checking patch a.txt...", ""},
	} {
		t.Run(tt.line, func(t *testing.T) {
			want := []string{}
			if tt.want != "" {
				want = append(want, tt.want)
			}
			if diff := cmp.Diff(want, conflicts(tt.line+"\n"+tt.line+"\n")); diff != "" {
				t.Errorf("conflicts(%q) (-want +got):\n%s", tt.line, diff)
			}
		})
	}
}

func newGate(t *testing.T, o Options) *Gate {
	t.Helper()
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Scratch == "" {
		o.Scratch = t.TempDir()
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(o.Scratch); err != nil || len(left) > 0 {
			t.Errorf("left %v behind, %v", left, err)
		}
	})
	return g
}

func prepare(t *testing.T, g *Gate, base Tree, patch string) (*Workspace, change.Applied) {
	t.Helper()
	w, applied, err := g.Prepare(t.Context(), base, nil, []byte(patch), parse(t, patch))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w, applied
}

func parse(t *testing.T, patch string) *diff.Patch {
	t.Helper()
	p, err := diff.Parse([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
