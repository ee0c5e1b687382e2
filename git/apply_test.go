package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// modify is a patch that changes the second line of path.
func modify(path string) string {
	return "diff --git a/" + path + " b/" + path + "\n--- a/" + path + "\n+++ b/" + path +
		"\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
}

// create is a patch that adds path with one line.
func create(path string) string {
	return "diff --git a/" + path + " b/" + path + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + path +
		"\n@@ -0,0 +1 @@\n+new\n"
}

func TestApply(t *testing.T) {
	const bump = "diff --git a/sub b/sub\nindex 1111111111111111111111111111111111111111..2222222222222222222222222222222222222222 160000\n" +
		"--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1111111111111111111111111111111111111111\n+Subproject commit 2222222222222222222222222222222222222222\n"
	for _, tt := range []struct {
		name, patch string
		files       map[string]string // in the folder besides f
		want        map[string]string // nil: as it was
		errors      []string          // git's error: lines
	}{
		{name: "a modification", patch: modify("f"), want: map[string]string{"f": "one\nthree\n"}},
		{name: "a new file in a new folder", patch: create("a/b/c"), want: map[string]string{"f": "one\ntwo\n", "a/b/c": "new\n"}},
		{name: "context that is not there", patch: strings.ReplaceAll(modify("f"), "two", "2"),
			errors: []string{"error: patch failed: f:1", "error: f: patch does not apply"}},
		{name: "the check writes nothing when one file of two refuses", patch: create("a") + modify("g"),
			errors: []string{"error: g: No such file or directory"}},
		{name: "a file that exists already", patch: create("f"), errors: []string{"error: f: already exists in working directory"}},
		{name: "a path that leaves the folder", patch: create("../x"), errors: []string{"error: invalid path '../x'"}},
		{name: "a path inside .git", patch: create(".git/hooks/x"), errors: []string{"error: invalid path '.git/hooks/x'"}},
		{name: "an empty patch", patch: "", errors: []string{"error: No valid patches in input (allow with \"--allow-empty\")"}},
		{name: "line ends stay as they are whatever the attributes say", patch: modify("f"),
			files: map[string]string{".gitattributes": "* text eol=crlf\n"},
			want:  map[string]string{"f": "one\nthree\n", ".gitattributes": "* text eol=crlf\n"}},
		{name: "a folder with a repository inside is a plain folder", patch: modify("f"),
			files: map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[apply]\nwhitespace = error-all\n"},
			want:  map[string]string{"f": "one\nthree\n", ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[apply]\nwhitespace = error-all\n"}},
		{name: "white space errors do not refuse", patch: strings.ReplaceAll(modify("f"), "three", "three \t "),
			want: map[string]string{"f": "one\nthree \t \n"}},
		{name: "a submodule bump over the empty folder of the submodule", patch: bump,
			files: map[string]string{"sub/": ""}, want: map[string]string{"f": "one\ntwo\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			outer := t.TempDir() // a repository around the folder must not be found
			initRepo(t, outer)
			dir := filepath.Join(outer, "copy")
			write(t, dir, map[string]string{"f": "one\ntwo\n"})
			write(t, dir, tt.files)
			want := tt.want
			if want == nil {
				want = map[string]string{"f": "one\ntwo\n"}
			}
			err := Apply(t.Context(), dir, []byte(tt.patch), ApplyOptions{Strip: 1})
			if diff := cmp.Diff(tt.errors, errorLines(t, err)); diff != "" {
				t.Errorf("Apply: error lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
				t.Errorf("Apply: files (-want +got):\n%s", diff)
			}
			if entries, _ := os.ReadDir(outer); len(entries) != 2 {
				t.Errorf("Apply left %v beside the folder", entries)
			}
		})
	}
}

func TestApplyDoesNotFollowASymlink(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "ln")); err != nil {
		t.Fatal(err)
	}
	err := Apply(t.Context(), dir, []byte(create("ln/x")), ApplyOptions{Strip: 1})
	want := []string{"error: affected file 'ln/x' is beyond a symbolic link"}
	if diff := cmp.Diff(want, errorLines(t, err)); diff != "" {
		t.Errorf("Apply: error lines (-want +got):\n%s", diff)
	}
	if got := contents(t, outside); len(got) != 0 {
		t.Errorf("Apply wrote %v outside the folder", got)
	}
}

func TestApplyStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Apply(ctx, t.TempDir(), []byte(create("a")), ApplyOptions{Strip: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("Apply with a cancelled context: %v, want context.Canceled", err)
	}
}

// errorLines returns the "error:" lines of an [*Error]; nil for no error.
func errorLines(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error is %T (%v), want *git.Error", err, err)
	}
	return refused.Lines()
}

// write makes files below dir; a name that ends in / is a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		parent := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			parent = path
		}
		if err := os.MkdirAll(parent, 0o755); err != nil {
			t.Fatal(err)
		}
		if parent == path {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns every file below dir, a symlink as "-> target".
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.Type() == fs.ModeSymlink {
			target, err := os.Readlink(path)
			files[name] = "-> " + target
			return err
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// initRepo makes an empty repository on branch main in dir.
func initRepo(t *testing.T, dir string) {
	t.Helper()
	sh(t, dir, "git init -q -b main .")
}

// sh runs a script in dir with a pinned author, pinned dates and no
// configuration of the machine, and returns its trimmed output.
func sh(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", script, err, out)
	}
	return strings.TrimSpace(string(out))
}
