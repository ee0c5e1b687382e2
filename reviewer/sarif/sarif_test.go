package sarif_test

import (
	"context"
	"encoding/json"
	"fmt"
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
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
	"github.com/reviewgate/reviewgate/reviewer/sarif"
)

// problem is one line of a report in a test.
type problem struct {
	rule, file string
	line, end  int
	message    string
	level      string
}

// report writes problems as SARIF.
func report(problems ...problem) string {
	type object = map[string]any
	results := []any{}
	for _, p := range problems {
		level := p.level
		if level == "" {
			level = "error"
		}
		region := object{}
		if p.line > 0 {
			region["startLine"] = p.line
		}
		if p.end > 0 {
			region["endLine"] = p.end
		}
		results = append(results, object{
			"ruleId": p.rule, "level": level, "message": object{"text": p.message},
			"locations": []any{object{"physicalLocation": object{"artifactLocation": object{"uri": p.file}, "region": region}}},
		})
	}
	data, err := json.Marshal(object{"version": "2.1.0", "runs": []any{object{"tool": object{"driver": object{"name": "lint"}}, "results": results}}})
	if err != nil {
		panic(err) // maps of texts and numbers can always be written
	}
	return string(data)
}

func newReviewer(t testing.TB, opts sarif.Options) *sarif.Reviewer {
	t.Helper()
	opts.Name = "lint"
	opts.Environ = os.Environ()
	r, err := sarif.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fromFile is a reviewer that reads text from a file.
func fromFile(t testing.TB, text string, opts sarif.Options) *sarif.Reviewer {
	t.Helper()
	opts.File = filepath.Join(t.TempDir(), "report")
	if err := os.WriteFile(opts.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return newReviewer(t, opts)
}

// shell is a reviewer that runs a shell script as the analyzer.
func shell(t testing.TB, script string, opts sarif.Options) *sarif.Reviewer {
	t.Helper()
	opts.Command = []string{"sh", "-c", script}
	return newReviewer(t, opts)
}

// shopTask is a change of three files: a.go gets two lines after the second,
// moved.go was old.go and loses a line, new.go is new.
func shopTask(t testing.TB) reviewer.Task {
	t.Helper()
	const patch = `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -2,2 +2,4 @@
 two
+new1
+new2
 three
diff --git a/old.go b/moved.go
similarity index 80%
rename from old.go
rename to moved.go
--- a/old.go
+++ b/moved.go
@@ -1,3 +1,2 @@
-gone
 m1
 m2
diff --git a/new.go b/new.go
new file mode 100644
--- /dev/null
+++ b/new.go
@@ -0,0 +1,2 @@
+n1
+n2
`
	parsed, err := diff.Parse([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	base := fstest.MapFS{"a.go": text("one\ntwo\nthree\nfour\n"), "old.go": text("gone\nm1\nm2\n"), "same.go": text("s1\n")}
	tree := fstest.MapFS{"a.go": text("one\ntwo\nnew1\nnew2\nthree\nfour\n"), "moved.go": text("m1\nm2\n"), "new.go": text("n1\nn2\n"), "same.go": text("s1\n")}
	return reviewer.Task{
		Change: change.Change{ID: "pr-02", Patch: []byte(patch)}, Patch: parsed, Base: base, Tree: tree,
		Run: reviewertest.NewFolder(t, tree), RunBase: reviewertest.NewFolder(t, base),
	}
}

// brief is a finding as the tests below look at it.
func brief(findings []finding.Finding) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Message))
	}
	return list
}

func TestOnlyChangedLinesCount(t *testing.T) {
	for _, tt := range []struct {
		name    string
		problem problem
		want    []string
	}{
		{"on an inserted line", problem{file: "a.go", line: 3, message: "inserted line"}, []string{"a.go:3 inserted line"}},
		{"on a line beside it", problem{file: "a.go", line: 2, message: "a line of old"}, []string{}},
		{"on a line below that only moved", problem{file: "a.go", line: 5, message: "a line of old"}, []string{}},
		{"spanning an inserted line is reported there", problem{file: "a.go", line: 1, end: 6, message: "a long span"}, []string{"a.go:3 a long span"}},
		{"spanning none", problem{file: "a.go", line: 5, end: 6, message: "a span of old"}, []string{}},
		{"in a new file", problem{file: "new.go", line: 2, message: "in a new file"}, []string{"new.go:2 in a new file"}},
		{"about a new file", problem{file: "new.go", message: "about the file"}, []string{"new.go:1 about the file"}},
		{"about a file that was there", problem{file: "a.go", message: "about the file"}, []string{}},
		{"in a renamed file, on a line of old", problem{file: "moved.go", line: 1, message: "a line of old"}, []string{}},
		{"in a file that the change leaves alone", problem{file: "same.go", line: 1, message: "somewhere else"}, []string{}},
		{"outside", problem{file: "/etc/passwd", line: 1, message: "somewhere else"}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fromFile(t, report(tt.problem), sarif.Options{}).Review(t.Context(), shopTask(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, brief(got.Findings)); diff != "" {
				t.Errorf("Findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestComparedWithTheBase(t *testing.T) {
	for _, tt := range []struct {
		name       string
		base, head []problem
		want       []string
	}{
		{"new, on a line that was not changed", nil, []problem{{rule: "R", file: "a.go", line: 1, message: "unused now"}}, []string{"a.go:1 unused now"}},
		{
			"old, where the lines have moved",
			[]problem{{rule: "R", file: "a.go", line: 3, message: "old problem"}, {rule: "R", file: "old.go", line: 2, message: "old problem"}},
			[]problem{{rule: "R", file: "a.go", line: 5, message: "old problem"}, {rule: "R", file: "moved.go", line: 1, message: "old problem"}},
			[]string{},
		},
		{
			"old, though its message counts differently now",
			[]problem{{rule: "R", file: "a.go", line: 1, message: "4 lines are too many"}}, []problem{{rule: "R", file: "a.go", line: 1, message: "6 lines are too many"}}, []string{},
		},
		{
			"another rule on the same line is new",
			[]problem{{rule: "R", file: "a.go", line: 1, message: "old problem"}}, []problem{{rule: "S", file: "a.go", line: 1, message: "old problem"}}, []string{"a.go:1 old problem"},
		},
		{
			"a second one of the same on the same line is new",
			[]problem{{rule: "R", file: "a.go", line: 1, message: "old problem"}},
			[]problem{{rule: "R", file: "a.go", line: 1, message: "old problem"}, {rule: "R", file: "a.go", line: 1, message: "second problem"}},
			[]string{"a.go:1 second problem"},
		},
		{
			"the same on a line of another text is new",
			[]problem{{rule: "R", file: "old.go", line: 1, message: "old problem"}}, []problem{{rule: "R", file: "moved.go", line: 1, message: "old problem"}}, []string{"moved.go:1 old problem"},
		},
		{
			"about a file, renamed", []problem{{rule: "R", file: "old.go", message: "about the file"}}, []problem{{rule: "R", file: "moved.go", message: "about the file"}}, []string{},
		},
		{
			"about a file, since now", nil, []problem{{rule: "R", file: "a.go", message: "about the file"}}, []string{"a.go:1 about the file"},
		},
		{
			"in a new file", []problem{{rule: "R", file: "same.go", line: 1, message: "in a new file"}}, []problem{{rule: "R", file: "new.go", line: 1, message: "in a new file"}}, []string{"new.go:1 in a new file"},
		},
		{
			"in a file that the change leaves alone", nil, []problem{{rule: "R", file: "same.go", line: 1, message: "elsewhere"}}, []string{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			task := shopTask(t)
			for dir, problems := range map[string][]problem{task.RunBase.Dir(): tt.base, task.Run.Dir(): tt.head} {
				if err := os.WriteFile(filepath.Join(dir, "out"), []byte(report(problems...)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := shell(t, "cat out", sarif.Options{Base: true}).Review(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, brief(got.Findings)); diff != "" {
				t.Errorf("Findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCodeThatWasMovedInsideAFile(t *testing.T) {
	const patch = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n-  bad()\n one\n two\n+\tbad()\n"
	parsed, err := diff.Parse([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) fstest.MapFS { return fstest.MapFS{"a.go": {Data: []byte(s)}} }
	base, tree := text("  bad()\none\ntwo\n"), text("one\ntwo\n\tbad()\n")
	task := reviewer.Task{
		Change: change.Change{ID: "pr-03"}, Patch: parsed, Base: base, Tree: tree,
		Run: reviewertest.NewFolder(t, tree), RunBase: reviewertest.NewFolder(t, base),
	}
	script := `printf '[{"filePath":"a.go","messages":[{"ruleId":"R","severity":2,"message":"do not call bad","line":%d}]}]' "$(grep -n bad a.go | cut -d: -f1)"; exit 1`
	got, err := shell(t, script, sarif.Options{Base: true}).Review(t.Context(), task)
	if err != nil || len(got.Findings) > 0 {
		t.Errorf("Review() = %v, %v, want nothing: the line was moved", brief(got.Findings), err)
	}
}

func TestABaseThatCannotBeAnalysedLeavesChangedLines(t *testing.T) {
	problems := report(problem{rule: "R", file: "a.go", line: 1, message: "a line of old"}, problem{rule: "R", file: "a.go", line: 3, message: "inserted line"})
	for _, tt := range []struct {
		name string
		base string
		note string
	}{
		{"it fails", "", "only changed lines were looked at, because the base could not be analysed: the report of sh: empty: the analyzer has to write its report even when it finds nothing"},
		{"there is none", "none", "only changed lines were looked at, because the base could not be analysed: there is no tree of the base to run the analyzer in"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			task := shopTask(t)
			if tt.base == "none" {
				task.RunBase = nil
			}
			if err := os.WriteFile(filepath.Join(task.Run.Dir(), "out"), []byte(problems), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := shell(t, "[ ! -f out ] || cat out", sarif.Options{Base: true}).Review(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"a.go:3 inserted line"}, brief(got.Findings)); diff != "" {
				t.Errorf("Findings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{tt.note}, got.Notes); diff != "" {
				t.Errorf("Notes (-want +got):\n%s", diff)
			}
		})
	}
}

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

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
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

func TestACommandNeedsATree(t *testing.T) {
	_, err := shell(t, "echo '[]'", sarif.Options{}).Review(t.Context(), reviewertest.Task(t))
	want := "review of pr-01 by lint: there is no patched tree to run the analyzer in: give it a repository, or a report by file"
	if errorText(err) != want {
		t.Errorf("Review() = %v, want %s", err, want)
	}
}

// cancels ends the context of a review when a program is to be run.
type cancels struct {
	reviewer.Runner
	cancel context.CancelFunc
}

func (c cancels) Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error) {
	c.cancel()
	return c.Runner.Run(ctx, cmd)
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

func TestACancelledReviewDoesNotFallBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	task := shopTask(t)
	task.RunBase = cancels{task.RunBase, cancel}
	_, err := shell(t, "echo '[]'", sarif.Options{Base: true}).Review(ctx, task)
	if want := "review of pr-02 by lint: context canceled"; errorText(err) != want {
		t.Errorf("Review() = %v, want %s", err, want)
	}
}
