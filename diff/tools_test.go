package diff

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseReadsDiffOfTwoFolders compares two releases with the diff command and
// with git, none of them in a repository.
func TestParseReadsDiffOfTwoFolders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/src/x.c": "one\ntwo\n", "b/src/x.c": "one\n2\n",
		"a/with space.c": "one\n", "b/with space.c": "two\n",
		"a/gone.c": "one\n", "b/new.c": "one\ntwo\n",
		"a/bin and more": "\x00a", "b/bin and more": "\x00b",
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		command string
		want    []string
	}{
		{"diff -ruN a b", []string{"M bin and more binary +0 -0", "D gone.c +0 -1", "A new.c +2 -0", "M src/x.c +1 -1", "M with space.c +1 -1"}},
		{"git diff --no-index --no-prefix --no-renames a b", []string{"M bin and more binary +0 -0", "D a/gone.c 100644.. +0 -1", "A b/new.c ..100644 +2 -0", "M src/x.c +1 -1", "M with space.c +1 -1"}},
		{"git diff --no-index a/src/x.c b/with\\ space.c", []string{"R a/src/x.c => b/with space.c +0 -1"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			args := strings.Fields(strings.ReplaceAll(tt.command, `\ `, "\x00"))
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "\x00", " ")
			}
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
			patch, err := cmd.Output()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Fatalf("%s: %v, want exit 1", tt.command, err)
			}
			p, err := Parse(patch)
			if err != nil {
				t.Fatalf("%v\n%s", err, patch)
			}
			if d := cmp.Diff(tt.want, list(p)); d != "" {
				t.Errorf("Parse (-want +got):\n%s\n%s", d, patch)
			}
		})
	}
}

// TestParseReadsSubmodules asks git for a submodule that moves, in each form.
func TestParseReadsSubmodules(t *testing.T) {
	lib := newRepo(t)
	lib.write("x", "one\n")
	lib.commit("one")
	r := newRepo(t)
	r.git("submodule", "--quiet", "add", lib.dir, "third party/lib")
	r.commit("add lib")
	inner := repo{t, filepath.Join(r.dir, "third party/lib")}
	inner.write("x", "one\ntwo\n")
	inner.commit("two")
	for _, tt := range []struct {
		form string
		want []string
	}{
		{"short", []string{"M third party/lib +1 -1"}},
		{"log", []string{"M third party/lib +0 -0"}},
		{"diff", []string{"M third party/lib +0 -0", "M third party/lib/x +1 -0"}},
	} {
		t.Run(tt.form, func(t *testing.T) {
			patch := r.git("diff", "--submodule="+tt.form)
			p, err := Parse(patch)
			if err != nil {
				t.Fatalf("%v\n%s", err, patch)
			}
			if d := cmp.Diff(tt.want, list(p)); d != "" || !p.Files[0].Submodule() {
				t.Errorf("Parse (-want +got):\n%s\n%s", d, patch)
			}
		})
	}
}
