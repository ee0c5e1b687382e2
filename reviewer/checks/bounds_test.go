package checks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/checks/secret"
)

// adding returns the task of adding one file, without trees.
func adding(t testing.TB, name, text string) reviewer.Task {
	t.Helper()
	patch, err := diff.Parse(rewrite(name, "", text))
	if err != nil {
		t.Fatal(err)
	}
	return reviewer.Task{Change: change.Change{ID: "added"}, Patch: patch}
}

func answer(t testing.TB, task reviewer.Task) reviewer.Result {
	t.Helper()
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Review(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestASecretNeverAppearsInAnAnswer(t *testing.T) {
	corpus, err := os.ReadFile("secret/testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	scanner := &secret.Scanner{}
	for line := range strings.Lines(string(corpus)) {
		fields := strings.SplitN(strings.TrimSpace(line), " | ", 3)
		if len(fields) != 3 || !strings.HasPrefix(line, "+") {
			continue
		}
		text := strings.NewReplacer("·", "", `\n`, "\n").Replace(fields[2])
		result := answer(t, adding(t, fields[1], text))
		hits, err := scanner.Scan(t.Context(), fields[1], []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprint(result)
		for _, h := range hits {
			if part := h.Secret[:min(len(h.Secret), 12)]; strings.Contains(said, part) && !strings.HasPrefix(part, "-----BEGIN") {
				t.Errorf("the answer to %q shows the secret: %s", text, said)
			}
		}
	}
}

func TestFindingsAreCapped(t *testing.T) {
	result := answer(t, adding(t, "src/a.js", strings.Repeat("debugger\n", 50)+"<<<<<<< HEAD\n"))
	var leftovers, last int
	for i, f := range result.Findings {
		if f.Rule == "checks/debug-leftover" {
			leftovers++
			if strings.Contains(f.Message, "30 more findings of this kind in 1 file") {
				last = i + 1
			}
		}
	}
	if leftovers != maxFindings+1 || last == 0 {
		t.Errorf("%d findings of debug-leftover, want %d and one that says how many more:\n%+v", leftovers, maxFindings, result.Findings)
	}
}

func TestWhatWeighsMoreIsNotLeftOut(t *testing.T) {
	out := &sink{check: debugCheck}
	for i := range maxFindings + 5 {
		out.reportAs("minor", "a", i+1, 1, "one of many light findings")
	}
	out.reportAs("blocker", "b", 1, 1, "the one that counts")
	r := &report{order: map[string]int{}}
	r.add(out)
	blockers := 0
	for _, f := range r.sorted() {
		if f.Severity == "blocker" && f.File == "b" {
			blockers++
		}
	}
	if blockers == 0 {
		t.Error("the blocker was left out in favour of lighter findings")
	}
}

func TestAPatchAloneSaysWhatWasNotChecked(t *testing.T) {
	result := answer(t, adding(t, "a.proto", "syntax = \"proto3\";\n"))
	notes := strings.Join(result.Notes, "\n")
	for _, id := range []string{"checks/proto", "checks/openapi", "checks/migration-number", "checks/lock-file", "checks/untested"} {
		if !strings.Contains(notes, id) {
			t.Errorf("Notes = %q, want %s among what was not run", notes, id)
		}
	}
}

func TestAFileThatIsTooLargeIsSaid(t *testing.T) {
	task := adding(t, ".github/workflows/ci.yml", "on: push\n")
	task.Base = fstest.MapFS{}
	task.Tree = fstest.MapFS{".github/workflows/ci.yml": {Data: make([]byte, maxFile+1)}}
	if unread := strings.Join(answer(t, task).Unread, "\n"); !strings.Contains(unread, "checks/workflow: .github/workflows/ci.yml could not be read (too large to be read)") {
		t.Errorf("Unread = %q, want the file that is too large", unread)
	}
}

func TestALongLineIsSaid(t *testing.T) {
	result := answer(t, adding(t, "a.js", "x = \""+strings.Repeat("a ", maxLine)+"\"\n"))
	if notes := strings.Join(result.Notes, "\n"); !strings.Contains(notes, "a.js: read for secrets only: 1 added line longer than 16 KiB") {
		t.Errorf("Notes = %q, want the line that is too long", notes)
	}
}

func TestAPanicIsContainedAndSaid(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.checks = []check{{Info: Info{ID: "checks/broken"}, run: func(context.Context, *subject, *sink) { panic("index\nout of range") }}, conflictCheck}
	result, err := r.Review(t.Context(), adding(t, "a.go", "<<<<<<< HEAD\n"))
	if err != nil {
		t.Fatal(err)
	}
	if unread := strings.Join(result.Unread, "\n"); !strings.Contains(unread, "checks/broken: stopped by a fault of its own (index out of range)") {
		t.Errorf("Unread = %q, want the check that failed", unread)
	}
	if len(result.Findings) != 1 {
		t.Errorf("Findings = %+v, want that of the other check", result.Findings)
	}
}

func TestTheTimeLimitIsAnError(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	task := adding(t, "a.go", "package a\n")
	task.Limits.Time = time.Nanosecond
	_, err = r.Review(t.Context(), task)
	var failed *reviewer.Error
	if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &failed) {
		t.Errorf("Review() = %v, want a *reviewer.Error that wraps context.DeadlineExceeded", err)
	}
}

func TestOnlyTheBaseSaysWhatIsGenerated(t *testing.T) {
	const focused = "test.only(\"a\", () => {})\n"
	excuse := fstest.MapFS{".gitattributes": {Data: []byte("*.test.ts linguist-generated=true\n/kept/** -linguist-generated\n")}}
	task := adding(t, "web/a.test.ts", focused)
	task.Base, task.Tree = fstest.MapFS{}, excuse
	if result := answer(t, task); len(result.Findings) != 1 {
		t.Errorf("a change excuses its own file: %+v", result.Findings)
	}
	task.Base = excuse
	if result := answer(t, task); len(result.Findings) != 0 {
		t.Errorf("the base says that the file is generated, yet: %+v", result.Findings)
	}
}

func TestASymlinkInATreeIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir() + "/package.json"
	if err := os.WriteFile(outside, []byte(`{"dependencies": {"a": "1"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, dir+"/package.json"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := read(os.DirFS(dir), "package.json"); ok || err != nil {
		t.Errorf("read() through a symlink = %v, %v, want nothing", ok, err)
	}
}

func TestOfASeriesOnlyWhatIsLeftCounts(t *testing.T) {
	first, second := rewrite("a.js", "", "debugger\n"), rewrite("a.js", "debugger\n", "run()\n")
	patch, err := diff.Parse(append(first, second...))
	if err != nil {
		t.Fatal(err)
	}
	task := reviewer.Task{Change: change.Change{ID: "series"}, Patch: patch, Base: fstest.MapFS{}, Tree: fstest.MapFS{"a.js": {Data: []byte("run()\n")}}}
	if result := answer(t, task); len(result.Findings) != 0 {
		t.Errorf("a line that a later patch of the series takes out is reported: %+v", result.Findings)
	}
}

func TestALargeDataFileIsNotTakenForAnInterface(t *testing.T) {
	patch, err := diff.Parse(rewrite("data.json", "{}\n", "[]\n"))
	if err != nil {
		t.Fatal(err)
	}
	large := fstest.MapFS{"data.json": {Data: make([]byte, maxFile+1)}}
	task := reviewer.Task{Change: change.Change{ID: "data"}, Patch: patch, Base: large, Tree: large}
	if result := answer(t, task); len(result.Unread) > 0 {
		t.Errorf("Unread = %q, want nothing: no check reads data", result.Unread)
	}
}
