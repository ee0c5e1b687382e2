package main

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readmeCommand finds the command lines of a README: in shell blocks, and in
// backquotes in tables and text.
var (
	shellBlock    = regexp.MustCompile("(?s)```sh\n(.*?)```")
	inlineCommand = regexp.MustCompile("`(reviewgate [^`]*)`")
)

// placeholders stand in a README for what the reader has.
var placeholders = map[string]string{
	"REV": "HEAD", "A..B": "HEAD~1..HEAD", "FILE": "change.diff", "DIR": "man", "bash|zsh|fish": "bash", "develop": "main",
}

func TestEveryCommandOfTheReadmeWorks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	repo := readmeRepository(t)
	seen := map[string]bool{}
	for _, line := range readmeCommands(string(text)) {
		if seen[line] {
			continue
		}
		seen[line] = true
		t.Run(line, func(t *testing.T) {
			words := strings.Fields(line)
			for i, word := range words {
				words[i] = cmp.Or(placeholders[word], word)
			}
			switch words[0] {
			case "script/demo", "script/test": // .ci/run runs both
				if _, err := os.Stat(filepath.Join("..", "..", words[0])); err != nil {
					t.Error(err)
				}
			case "cd":
			case "go":
				if line != "go install github.com/reviewgate/reviewgate/cmd/reviewgate@latest" {
					t.Errorf("the README installs something else: %s", line)
				}
			case "reviewgate":
				runReadmeCommand(t, repo, words[1:])
			default:
				t.Errorf("nobody tests %q: say here how", line)
			}
		})
	}
	if len(seen) < 10 {
		t.Errorf("found only %d commands in the README: has its form changed?", len(seen))
	}
}

// runReadmeCommand runs one command and accepts every exit code that is an
// answer.
func runReadmeCommand(t *testing.T, repo string, args []string) {
	t.Helper()
	home := t.TempDir()
	env := append(os.Environ(), "HOME="+home, "REVIEWGATE_CACHE_DIR="+sharedCache, "GOCACHE="+goEnv["GOCACHE"], "GOMODCACHE="+goEnv["GOMODCACHE"])
	if args[0] == "init" { // writes into the working directory
		return
	}
	t.Chdir(repo)
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), env, strings.NewReader(""), &stdout, &stderr, args)
	if code != exitMerge && code != exitHold && code != exitBlock {
		t.Errorf("reviewgate %s exits with %d:\n%s", strings.Join(args, " "), code, stderr.String())
	}
	if stdout.Len() == 0 && args[0] != "man" {
		t.Errorf("reviewgate %s prints nothing", strings.Join(args, " "))
	}
}

func readmeCommands(text string) []string {
	var lines []string
	for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
		joined := strings.ReplaceAll(block[1], "\\\n", " ")
		for line := range strings.Lines(joined) {
			line, _, _ = strings.Cut(line, "#")
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				lines = append(lines, line)
			}
		}
	}
	for _, m := range inlineCommand.FindAllStringSubmatch(text, -1) {
		lines = append(lines, m[1])
	}
	return lines
}

// readmeRepository returns a checkout that has all that the README's commands
// name: a branch with a commit, an uncommitted change, a patch, a folder of
// changes, and the fixture.
func readmeRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=dev-a", "-c", "user.email=dev-a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	const patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
	write("a.txt", "one\n")
	write("AGENTS.md", "Write short sentences.\n")
	write("change.diff", patch)
	write("prs/pr-01/patch.diff", patch)
	write("prs/pr-01/meta.json", `{"id": "pr-01", "title": "two", "description": "", "approvals": [], "created_at": "2026-10-01T00:00:00Z"}`)
	git("init", "-q", "-b", "main")
	git("add", "a.txt")
	git("commit", "-qm", "one")
	git("checkout", "-qb", "feature")
	write("b.txt", "new\n")
	git("add", "b.txt")
	git("commit", "-qm", "two")
	write("b.txt", "newer\n")
	git("add", "b.txt")
	fixtures, err := filepath.Abs(filepath.Join("..", "..", "fixtures"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(fixtures, filepath.Join(dir, "fixtures")); err != nil {
		t.Fatal(err)
	}
	return dir
}
