package sarif_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
	"github.com/reviewgate/reviewgate/reviewer/sarif"
)

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

// cancels ends the context of a review when a program is to be run.
type cancels struct {
	reviewer.Runner
	cancel context.CancelFunc
}

func (c cancels) Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error) {
	c.cancel()
	return c.Runner.Run(ctx, cmd)
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
