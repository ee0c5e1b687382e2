package corpus

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// RepoVariable names a real repository to measure on instead of a made one.
const RepoVariable = "REVIEWGATE_BENCH_REPO"

// Repo makes a git repository with the given number of files, about 4 KB each, in
// a folder that is not there yet, and commits it. The benchmarks use 350, 5,000
// and 30,000 files.
func Repo(dir string, seed uint64, files int) error {
	r := New(seed)
	var body bytes.Buffer
	for _, path := range append(Paths(r, files-1), "go.mod") {
		body.Reset()
		if path == "go.mod" {
			body.WriteString("module example.com/made\n\ngo 1.26\n")
		} else {
			for size := 1000 + r.IntN(6000); body.Len() < size; {
				fmt.Fprintln(&body, Line(r))
			}
		}
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, body.Bytes(), 0o644); err != nil {
			return err
		}
	}
	for _, args := range []string{"init -q -b main", "add -A", "commit -q -m made"} {
		if err := git(dir, strings.Fields(args)...); err != nil {
			return err
		}
	}
	return nil
}

// git runs git without the settings of whoever measures.
func git(dir string, args ...string) error {
	cmd := exec.Command("git", append([]string{"-c", "gc.auto=0", "-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
