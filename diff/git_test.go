package diff

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// repo is a real git repository.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T) repo {
	t.Helper()
	r := repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r repo) git(args ...string) []byte {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (r repo) try(args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return append(out, stderr.Bytes()...), err
	}
	return out, nil
}

func (r repo) write(path, content string) {
	r.t.Helper()
	full := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r repo) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
}

func numbered(n int, word string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", word, i)
	}
	return b.String()
}

// nasty are names that git quotes, that look like parts of a patch, or that are
// hard to split.
var nasty = []string{
	"plain.go", "with space.go", "two  spaces.go", " leading", "trailing ", "tab\there.go", "quote\".go", "back\\slash.go",
	"new\nline.go", "ümläut.go", "日本.go", "a/b/c.go", "b/b/a", "x b/x", "a/x b/x", "-dash", "--- a", "+++ b", "dev/null", "\x01\x7f", "bad\xffutf8",
	"i/w", "carriage\r", "deep/er/and/deeper/still", "name => other", "{a => b}/c", "1/2", "and and and",
}

// history makes a repository with one commit of every kind of change, on names
// that are hard to read.
func history(t *testing.T) repo {
	r := newRepo(t)
	for i, name := range nasty {
		r.write(name, numbered(20+i, "line "+strconv.Itoa(i)))
	}
	r.write("binary", "\x00\x01\x02"+numbered(50, "b"))
	r.write("gone/empty", "")
	r.write("crlf.txt", "one\r\ntwo\r\nthree\r\n")
	r.write("nonl.txt", "one\ntwo")
	r.commit("start")
	for i, name := range nasty {
		body := numbered(20+i, "line "+strconv.Itoa(i))
		if i%3 == 0 {
			body = "new first\n" + strings.Replace(body, " 7\n", " seven\n\n-- \n--- a/fake\n+++ b/fake\n@@ -1 +1 @@\ndiff --git a/f b/f\n", 1)
		}
		switch i % 4 {
		case 0, 1:
			r.write(name, body+"\nlast")
		case 2:
			r.git("rm", "-q", "--", ":(literal)"+name)
			r.write("moved/"+name, body)
		case 3:
			r.git("rm", "-q", "--", ":(literal)"+name)
			r.write("copy/"+name, numbered(4, "new"))
		}
	}
	r.write("binary", "\x00\x01\x03"+numbered(70, "c"))
	r.write("new binary", "\x00\xff")
	r.write("new empty", "")
	r.git("rm", "-q", "gone/empty")
	r.write("crlf.txt", "one\r\n\r\n2\r\nthree\r\n")
	r.write("nonl.txt", "one\ntwo\nthree")
	r.commit("changes")
	if err := os.Chmod(filepath.Join(r.dir, "plain.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(r.dir, "nonl.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("plain.go", filepath.Join(r.dir, "nonl.txt")); err != nil {
		t.Fatal(err)
	}
	r.commit("mode and type")
	r.commit("nothing")
	r.git("update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub module")
	r.git("commit", "-q", "-m", "submodule")
	r.git("update-index", "--add", "--cacheinfo", "160000,2222222222222222222222222222222222222222,sub module")
	r.git("commit", "-q", "-m", "submodule bump\n\ndiff --git a/no b/no\nis a line of this message")
	return r
}

// nameStatus is what git itself lists as changed, both paths of renames and
// copies, each once.
func (r repo) nameStatus(args ...string) []string {
	fields := strings.Split(strings.TrimSuffix(string(r.git(append(append([]string{"diff"}, args...), "--name-status", "-z")...)), "\x00"), "\x00")
	var paths []string
	seen := map[string]bool{}
	for i := 0; i < len(fields) && fields[i] != ""; {
		n := 1
		if strings.ContainsAny(fields[i][:1], "RC") {
			n = 2
		}
		for _, path := range fields[i+1 : i+1+n] {
			if !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
		i += 1 + n
	}
	return paths
}

// numstat is what git itself counts: added, deleted and the path after.
func (r repo) numstat(args ...string) []string {
	fields := strings.Split(strings.TrimSuffix(string(r.git(append(append([]string{"diff"}, args...), "--numstat", "-z")...)), "\x00"), "\x00")
	var counts []string
	for i := 0; i < len(fields) && fields[i] != ""; i++ {
		parts := strings.SplitN(fields[i], "\t", 3)
		path := parts[2]
		if path == "" {
			path = fields[i+2]
			i += 2
		}
		counts = append(counts, fmt.Sprintf("%s %s %s", parts[0], parts[1], path))
	}
	return counts
}

func counted(p *Patch) []string {
	var counts []string
	for _, f := range p.Files {
		if f.Binary {
			counts = append(counts, "- - "+f.Path())
		} else {
			counts = append(counts, fmt.Sprintf("%d %d %s", f.Added, f.Deleted, f.Path()))
		}
	}
	return counts
}

// options are ways to ask git for the same changes.
var options = [][]string{
	{}, {"--no-prefix"}, {"-M", "-C", "--find-copies-harder"}, {"--no-renames"}, {"-M10%"}, {"-B", "-M"}, {"--binary"}, {"--full-index"},
	{"--src-prefix=i/", "--dst-prefix=w/"}, {"--src-prefix=before/", "--dst-prefix=now it is/"}, {"--src-prefix=x/y/", "--dst-prefix=x/z/"},
	{"-U0"}, {"-U100"}, {"-R"}, {"-R", "--no-prefix", "--binary"}, {"-D"}, {"--function-context"}, {"--patch-with-raw"}, {"--stat", "--summary", "-p"},
	{"-c", "core.quotePath=false"}, {"-c", "diff.suppressBlankEmpty=true"}, {"-c", "diff.mnemonicPrefix=true"}, {"-c", "diff.noprefix=true"},
	{"--patience", "--inter-hunk-context=4"}, {"--output-indicator-context= "},
}

func TestParseAgreesWithGit(t *testing.T) {
	r := history(t)
	commits := strings.Fields(string(r.git("rev-list", "--reverse", "HEAD")))
	for i := 1; i < len(commits); i++ {
		for _, option := range options {
			t.Run(fmt.Sprintf("commit %d %q", i, option), func(t *testing.T) {
				config, option := option, []string(nil)
				for j := 0; j < len(config); j++ {
					if config[j] == "-c" {
						j++
						continue
					}
					option = append(option, config[j])
				}
				args := append(append([]string{}, option...), commits[i-1], commits[i])
				var set []string
				if len(config) > 0 && config[0] == "-c" {
					set = config[:2]
				}
				patch := r.git(append(append(set, "diff", "-p"), args...)...)
				compare(t, r, patch, args)
			})
		}
	}
}

// compare parses the patch and holds it against what git lists for the same
// arguments.
func compare(t *testing.T, r repo, patch []byte, args []string) {
	t.Helper()
	var list []string
	for _, arg := range args {
		if arg != "-p" && arg != "--stat" && arg != "--summary" && arg != "--patch-with-raw" && arg != "-D" {
			list = append(list, arg)
		}
	}
	want := r.nameStatus(list...)
	p, err := Parse(patch)
	if len(want) == 0 {
		if err == nil {
			t.Errorf("Parse of an empty patch = %q, want an error", p.ChangedPaths())
		}
		return
	}
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, patch)
	}
	if d := cmp.Diff(want, p.ChangedPaths()); d != "" {
		t.Errorf("changed paths (-git +parsed):\n%s", d)
	}
	if strings.Contains(strings.Join(args, " "), "-D") {
		return // the content of deleted files is not in the patch
	}
	if d := cmp.Diff(r.numstat(list...), counted(p)); d != "" {
		t.Errorf("counts (-git +parsed):\n%s", d)
	}
}

func TestParseReadsSeriesAndLogs(t *testing.T) {
	r := history(t)
	first := strings.TrimSpace(string(r.git("rev-list", "--max-parents=0", "HEAD")))
	var want []string
	commits := strings.Fields(string(r.git("rev-list", "--reverse", "HEAD")))
	seen := map[string]bool{}
	for i := 1; i < len(commits); i++ {
		for _, path := range r.nameStatus("-M", commits[i-1], commits[i]) {
			if !seen[path] {
				seen[path] = true
				want = append(want, path)
			}
		}
	}
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"format-patch", []string{"format-patch", "--stdout", "-M", first + "..HEAD"}},
		{"format-patch with a base", []string{"format-patch", "--stdout", "-M", "--base=" + first, "--attach", first + "..HEAD"}},
		{"format-patch without a signature", []string{"format-patch", "--stdout", "-M", "--no-signature", "--no-stat", first + "..HEAD"}},
		{"log -p", []string{"log", "-p", "-M", "--reverse", first + "..HEAD"}},
		{"log -p --stat", []string{"log", "-p", "-M", "--stat", "--reverse", first + "..HEAD"}},
		{"log -p --oneline", []string{"log", "-p", "-M", "--oneline", "--reverse", first + "..HEAD"}},
		{"log -p in a format of its own", []string{"log", "-p", "-M", "--format=%H%n%B", "--reverse", first + "..HEAD"}},
		{"show of each", append([]string{"show", "-M"}, commits[1:]...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse(r.git(tt.args...))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, p.ChangedPaths()); d != "" {
				t.Errorf("changed paths (-git +parsed):\n%s", d)
			}
		})
	}
}

func TestParseReadsMerges(t *testing.T) {
	r := newRepo(t)
	base := numbered(30, "line")
	for _, name := range []string{"x.txt", "with space.txt", "ümläut.txt", "b/deep.txt"} {
		r.write(name, base)
	}
	r.write("bin", "\x00base")
	r.commit("base")
	edit := func(word string) {
		for _, name := range []string{"x.txt", "with space.txt", "ümläut.txt", "b/deep.txt"} {
			r.write(name, strings.Replace(strings.Replace(base, "line 10\n", word+" 10\n\n", 1), "line 29\n", word+" 29", 1))
		}
		r.write("bin", "\x00"+word)
		r.write("new "+word, word+"\n")
		r.commit(word)
	}
	for _, branch := range []string{"ours", "theirs", "third"} {
		r.git("checkout", "-q", "-b", branch, "main")
		edit(branch)
	}
	r.git("checkout", "-q", "ours")
	if out, err := r.try("merge", "theirs"); err == nil {
		t.Fatalf("merge did not conflict: %s", out)
	}
	conflicted := r.git("diff")
	edit("merged")
	merge := strings.TrimSpace(string(r.git("rev-parse", "HEAD")))
	octopus := strings.TrimSpace(string(r.git("commit-tree", "-p", merge+"^1", "-p", "theirs", "-p", "third", "-m", "octopus", merge+"^{tree}")))
	want := []string{"b/deep.txt", "bin", "with space.txt", "x.txt", "ümläut.txt"}
	all := []string{"b/deep.txt", "bin", "new merged", "with space.txt", "x.txt", "ümläut.txt"}
	for _, tt := range []struct {
		name  string
		patch []byte
		want  []string
	}{
		{"an unfinished merge", conflicted, want},
		{"show", r.git("show", merge), all},
		{"show -c", r.git("show", "-c", merge), all},
		{"all paths", r.git("show", "-c", "--combined-all-paths", merge), all},
		{"octopus", r.git("show", octopus), all},
		{"octopus in blank lines without space", r.git("-c", "diff.suppressBlankEmpty=true", "show", octopus), all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse(tt.patch)
			if err != nil {
				t.Fatalf("%v\n%s", err, tt.patch)
			}
			if d := cmp.Diff(tt.want, p.ChangedPaths()); d != "" {
				t.Errorf("changed paths (-want +got):\n%s", d)
			}
		})
	}
}

// TestParseNoticesWhereverAPatchIsCut cuts a patch of git at every byte: only
// where a hunk or a file ends can it still be read.
func TestParseNoticesWhereverAPatchIsCut(t *testing.T) {
	r := history(t)
	for _, args := range [][]string{{"diff", "HEAD~5", "HEAD~4"}, {"diff", "-M", "--binary", "HEAD~4", "HEAD~3"}, {"diff", "HEAD~1", "HEAD"}} {
		patch := r.git(args...)
		for cut := range len(patch) {
			if _, err := Parse(patch[:cut]); err == nil && !isBoundary(patch[:cut], patch[cut:]) {
				t.Fatalf("cut before %.60q: no error", patch[cut:])
			}
		}
	}
}

// isBoundary reports whether what was read before a cut is a patch of its own: a
// file with all its hunks so far, or a deletion as git diff -D writes it.
func isBoundary(read, rest []byte) bool {
	for _, start := range []string{"diff --git ", "@@ -", "\\ No newline"} {
		if bytes.HasPrefix(bytes.TrimPrefix(rest, []byte{'\n'}), []byte(start)) {
			return true
		}
	}
	last := read[bytes.LastIndexByte(read, '\n')+1:]
	return bytes.HasPrefix(last, []byte("\\ ")) || bytes.HasSuffix(read, []byte("..0000000\n"))
}
