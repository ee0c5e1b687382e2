package sarif_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
	"github.com/reviewgate/reviewgate/reviewer/sarif"
)

func TestFindingsOfAResult(t *testing.T) {
	for _, tt := range []struct {
		name    string
		problem problem
		opts    sarif.Options
		want    finding.Finding
	}{
		{
			"an error is major, a message that is too short gets its rule",
			problem{rule: "no-bad", line: 3, end: 4, message: "bad"}, sarif.Options{},
			finding.Finding{Line: 3, EndLine: 4, Severity: finding.Major, Category: finding.Correctness, Message: "no-bad: bad", Confidence: 0.8, Rule: "no-bad"},
		},
		{
			"a warning is minor", problem{rule: "R1", line: 3, level: "warning", message: "the loop never ends"}, sarif.Options{},
			finding.Finding{Line: 3, Severity: finding.Minor, Category: finding.BestPractices, Message: "the loop never ends", Confidence: 0.8, Rule: "R1"},
		},
		{
			"a note is minor", problem{rule: "R1", line: 3, level: "note", message: "the loop never ends"}, sarif.Options{Confidence: 0.5},
			finding.Finding{Line: 3, Severity: finding.Minor, Category: finding.BestPractices, Message: "the loop never ends", Confidence: 0.5, Rule: "R1"},
		},
		{
			"an unknown word is major", problem{rule: "R1", line: 3, level: "weird", message: "the loop never ends"}, sarif.Options{},
			finding.Finding{Line: 3, Severity: finding.Major, Category: finding.Correctness, Message: "the loop never ends", Confidence: 0.8, Rule: "R1"},
		},
		{
			"a level is configured to block", problem{rule: "R1", line: 3, message: "the loop never ends"},
			sarif.Options{Severity: map[string]finding.Severity{"error": finding.Blocker}},
			finding.Finding{Line: 3, Severity: finding.Blocker, Category: finding.Correctness, Message: "the loop never ends", Confidence: 0.8, Rule: "R1"},
		},
		{
			"a rule goes before its beginning, and that before its level", problem{rule: "sec/R1", line: 3, message: "the loop never ends"},
			sarif.Options{
				Severity: map[string]finding.Severity{"error": finding.Blocker, "sec/*": finding.Minor, "s*": finding.Blocker},
				Category: map[string]finding.Category{"sec/R1": finding.Performance, "sec/*": finding.Security},
			},
			finding.Finding{Line: 3, Severity: finding.Minor, Category: finding.Performance, Message: "the loop never ends", Confidence: 0.8, Rule: "sec/R1"},
		},
		{
			"no rule and no message", problem{line: 3}, sarif.Options{},
			finding.Finding{Line: 3, Severity: finding.Major, Category: finding.Correctness, Message: "reported without a message", Confidence: 0.8},
		},
		{
			"a message without end is cut", problem{line: 3, message: strings.Repeat("é", 5000)}, sarif.Options{},
			finding.Finding{Line: 3, Severity: finding.Major, Category: finding.Correctness, Message: strings.Repeat("é", 1000) + "…", Confidence: 0.8},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.problem.file, tt.want.File = "a.go", "a.go"
			got, err := fromFile(t, report(tt.problem), tt.opts).Review(t.Context(), shopTask(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]finding.Finding{tt.want}, got.Findings); diff != "" {
				t.Errorf("Findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheHeaviestComeFirst(t *testing.T) {
	got, err := fromFile(t, report(
		problem{file: "a.go", line: 3, level: "note", message: "a minor one"}, problem{file: "a.go", line: 4, message: "a major one"}, problem{file: "new.go", line: 1, level: "warning", message: "another minor one"},
	), sarif.Options{}).Review(t.Context(), shopTask(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a.go:4 a major one", "a.go:3 a minor one", "new.go:1 another minor one"}
	if diff := cmp.Diff(want, brief(got.Findings)); diff != "" {
		t.Errorf("Findings (-want +got):\n%s", diff)
	}
}

func TestWhatIsSaidOfAReport(t *testing.T) {
	got, err := fromFile(t, report(
		problem{rule: "R", file: "a.go", line: 3, message: "inserted line"}, problem{rule: "R", file: "a.go", message: "about the file"}, problem{rule: "R", file: "../x.go", message: "elsewhere"},
	), sarif.Options{}).Review(t.Context(), shopTask(t))
	if err != nil {
		t.Fatal(err)
	}
	if want := "lint reported 3 results, 1 of them on lines that this change writes."; got.Summary != want {
		t.Errorf("Summary = %q, want %q", got.Summary, want)
	}
	want := []string{
		"left out, outside the repository: ../x.go",
		"1 result about whole files that were there before: left out",
		"1 of 3 results in no file of the repository that can be told",
	}
	if diff := cmp.Diff(want, got.Notes); diff != "" {
		t.Errorf("Notes (-want +got):\n%s", diff)
	}
}

func TestPathsOfARun(t *testing.T) {
	for _, tt := range []struct{ name, script, dir string }{
		{"absolute in the tree", `printf '[{"filePath":"%s/sub/x.go","messages":[{"message":"the loop never ends","line":1}]}]' "$PWD"`, ""},
		{"relative to the folder that it ran in", `printf '[{"filePath":"x.go","messages":[{"message":"the loop never ends","line":1}]}]'`, "sub"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const patch = "diff --git a/sub/x.go b/sub/x.go\nnew file mode 100644\n--- /dev/null\n+++ b/sub/x.go\n@@ -0,0 +1,1 @@\n+x\n"
			parsed, err := diff.Parse([]byte(patch))
			if err != nil {
				t.Fatal(err)
			}
			tree := fstest.MapFS{"sub/x.go": {Data: []byte("x\n")}, "x.go": {Data: []byte("x\n")}}
			task := reviewer.Task{Change: change.Change{ID: "pr-04"}, Patch: parsed, Tree: tree, Run: reviewertest.NewFolder(t, tree)}
			got, err := shell(t, tt.script, sarif.Options{Dir: tt.dir}).Review(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"sub/x.go:1 the loop never ends"}, brief(got.Findings)); diff != "" {
				t.Errorf("Findings (-want +got):\n%s\nnotes: %q", diff, got.Notes)
			}
		})
	}
}

func TestExitCodes(t *testing.T) {
	one := `printf '[{"filePath":"a.go","messages":[{"message":"the loop never ends","line":3}]}]'; `
	for _, tt := range []struct {
		name, script string
		format       sarif.Format
		findings     int
		notes        []string
		wantErr      string
	}{
		{"0 and nothing found", "echo '[]'", "", 0, nil, ""},
		{"1 and something found", one + "exit 1", "", 1, nil, ""},
		{"2 and something found is told", one + "echo oops >&2; exit 2", "", 1, []string{"sh exited with status 2: oops"}, ""},
		{"1 and nothing found is a failure", "echo '[]'; echo no config >&2; exit 1", "", 0, nil, "sh exited with status 1 and reported nothing: no config"},
		{"2 and prose", "echo 'Oops! Something went wrong'; exit 2", "", 0, nil, `sh exited with status 2; its report: not a report but text that begins with "Oops! Something went wrong"`},
		{"0 and prose", "echo fine", "", 0, nil, `the report of sh: not a report but text that begins with "fine"`},
		{"0 and nothing printed", "true", "", 0, nil, "the report of sh: empty: the analyzer has to write its report even when it finds nothing"},
		{"0 and nothing printed where one line is one problem", "true", sarif.RDJSONL, 0, nil, ""},
		{"1 and nothing printed where one line is one problem", "exit 1", sarif.RDJSONL, 0, nil, "sh exited with status 1; its report: empty: the analyzer has to write its report even when it finds nothing"},
		{"killed", "kill -9 $$", "", 0, nil, "sh was killed; its report: empty: the analyzer has to write its report even when it finds nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := shell(t, tt.script, sarif.Options{Format: tt.format}).Review(t.Context(), shopTask(t))
			if text := strings.TrimPrefix(errorText(err), "review of pr-02 by lint: "); text != tt.wantErr {
				t.Errorf("Review() = %s\nwant      %s", text, tt.wantErr)
			}
			if len(got.Findings) != tt.findings {
				t.Errorf("Review() = %d findings, want %d", len(got.Findings), tt.findings)
			}
			if diff := cmp.Diff(tt.notes, got.Notes); diff != "" {
				t.Errorf("Notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReportsThatDoNotCount(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		opts sarif.Options
		want string
	}{
		{"no such file", sarif.Options{File: filepath.Join(dir, "none")}, "none does not exist: run the analyzer before the gate"},
		{"a folder", sarif.Options{File: dir}, "is not a file"},
		{"a pipe", sarif.Options{File: fifo}, "pipe is not a file"},
		{"a file that the change writes", sarif.Options{File: "./a.go"}, "./a.go is written by the change itself: have the analyzer write its report where no change can"},
		{"an analyzer that the change writes", sarif.Options{Command: []string{"./a.go"}}, "the change touches a.go, and ./a.go is what would judge it"},
		{"an analyzer that is not installed", sarif.Options{Command: []string{"reviewgate-has-no-such-program"}}, "reviewgate-has-no-such-program is not on PATH: install it, or correct command"},
		{"an analyzer that does not end", sarif.Options{Command: []string{"sh", "-c", "exec cat pipe"}, Timeout: 50 * time.Millisecond}, "sh did not end within 50ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			task := shopTask(t)
			if err := syscall.Mkfifo(filepath.Join(task.Run.Dir(), "pipe"), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := newReviewer(t, tt.opts).Review(t.Context(), task)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Review() = %v\nwant one with %s", err, tt.want)
			}
		})
	}
}

func TestAChangeOfTheAnalyzersSettingsIsAFinding(t *testing.T) {
	const patch = "diff --git a/web/.eslintrc.json b/web/.eslintrc.json\n--- a/web/.eslintrc.json\n+++ b/web/.eslintrc.json\n@@ -1,1 +1,1 @@\n-{}\n+{\"rules\":{\"no-eval\":0}}\n"
	parsed, err := diff.Parse([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	task := reviewer.Task{Change: change.Change{ID: "pr-05"}, Patch: parsed}
	got, err := fromFile(t, "[]", sarif.Options{Format: sarif.ESLint}).Review(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"web/.eslintrc.json:1 This change edits web/.eslintrc.json, which decides what lint reports about it. Read the edit before trusting that nothing else was reported."}
	if diff := cmp.Diff(want, brief(got.Findings)); diff != "" {
		t.Errorf("Findings (-want +got):\n%s", diff)
	}
}

func TestAReportAboutOtherCodeDoesNotCount(t *testing.T) {
	r := fromFile(t, report(problem{file: "/builds/other/src/x.go", line: 1, message: "the loop never ends"}), sarif.Options{Root: "/builds/shop"})
	_, err := r.Review(t.Context(), shopTask(t))
	want := "none of 1 result is in a file of the repository (left out, outside the repository: /builds/other/src/x.go): say where the paths begin"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("Review() = %v\nwant one that ends in %s", err, want)
	}
}

func TestACommandNeedsATree(t *testing.T) {
	_, err := shell(t, "echo '[]'", sarif.Options{}).Review(t.Context(), reviewertest.Task(t))
	want := "review of pr-01 by lint: there is no patched tree to run the analyzer in: give it a repository, or a report by file"
	if errorText(err) != want {
		t.Errorf("Review() = %v, want %s", err, want)
	}
}

func TestConformance(t *testing.T) {
	const one = `[{"filePath":"page/page.go","messages":[{"ruleId":"errcheck","severity":2,"message":"the error is dropped","line":7}]}]`
	kind := reviewertest.Kind{
		New: func(t testing.TB) reviewer.Reviewer { return fromFile(t, one, sarif.Options{}) },
		Failing: map[string]func(testing.TB) reviewer.Reviewer{
			"prose":           func(t testing.TB) reviewer.Reviewer { return fromFile(t, "All good.\n", sarif.Options{}) },
			"an empty report": func(t testing.TB) reviewer.Reviewer { return fromFile(t, "", sarif.Options{}) },
			"half a report":   func(t testing.TB) reviewer.Reviewer { return fromFile(t, one[:60], sarif.Options{}) },
			"a wild report":   func(t testing.TB) reviewer.Reviewer { return fromFile(t, "\x1b[2J{\xff\n\n", sarif.Options{}) },
			"a command alone": func(t testing.TB) reviewer.Reviewer { return shell(t, "echo '[]'", sarif.Options{}) },
		},
	}
	t.Run("file", func(t *testing.T) { reviewertest.Run(t, kind) })

	kind.Task = func(t testing.TB) reviewer.Task {
		task := reviewertest.Task(t)
		task.Run, task.RunBase = reviewertest.NewFolder(t, task.Tree), reviewertest.NewFolder(t, task.Base)
		return task
	}
	kind.New = func(t testing.TB) reviewer.Reviewer { return shell(t, "echo '"+one+"'", sarif.Options{Base: true}) }
	kind.Failing = map[string]func(testing.TB) reviewer.Reviewer{
		"exit 1 and no report": func(t testing.TB) reviewer.Reviewer { return shell(t, "echo no >&2; exit 1", sarif.Options{}) },
	}
	kind.Hanging = func(t testing.TB) (reviewer.Reviewer, <-chan struct{}) {
		fifo := filepath.Join(t.TempDir(), "runs")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		runs := make(chan struct{})
		go func() {
			defer close(runs)
			if f, err := os.Open(fifo); err == nil {
				f.Close()
			}
		}()
		return shell(t, ": > "+fifo+"; tail -f /dev/null", sarif.Options{}), runs
	}
	t.Run("command", func(t *testing.T) { reviewertest.Run(t, kind) })
}
