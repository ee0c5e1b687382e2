package source

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/git"
)

// sh runs a script in dir with a pinned author, pinned dates and no
// configuration of the machine, and returns its trimmed output. In it, c TEXT
// makes a commit of everything a minute after the last one.
func sh(t *testing.T, dir, script string) string {
	t.Helper()
	const helpers = `
n=0; c() { n=$((n+1)); export GIT_AUTHOR_DATE="2026-01-02T03:0$n:00Z" GIT_COMMITTER_DATE="2026-01-02T03:0$n:00Z"; git add -A; git commit -q --allow-empty -m "$1"; }
repo() { git init -q -b main "$1"; cd "$1"; }
`
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", helpers+script)
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

// openRepo opens a repository and closes it with the test.
func openRepo(t *testing.T, dir string, environ ...string) *git.Repo {
	t.Helper()
	environ = append(append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull), environ...)
	repo, err := git.Open(t.Context(), dir, git.Options{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return repo
}

// write makes files below dir.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns every file of a tree, a symlink as "-> target". A nil tree
// is nil.
func contents(t *testing.T, tree fs.FS) map[string]string {
	t.Helper()
	if tree == nil {
		return nil
	}
	files := map[string]string{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if d.Type() == fs.ModeSymlink {
			target, err := fs.ReadLink(tree, name)
			files[name] = "-> " + target
			return err
		}
		text, err := fs.ReadFile(tree, name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
