package external_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/external"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
)

func newReviewer(t testing.TB, command ...string) *external.Reviewer {
	t.Helper()
	return withOptions(t, external.Options{Command: command})
}

func withOptions(t testing.TB, opts external.Options) *external.Reviewer {
	t.Helper()
	opts.Name = "house"
	if opts.Environ == nil {
		// A program with the race detector in it would wait a second before it ends.
		opts.Environ, opts.Pass = append(os.Environ(), "GORACE=atexit_sleep_ms=0"), []string{"GORACE"}
	}
	r, err := external.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// hanging returns a program that never answers and a channel that is closed
// when it runs.
func hanging(t testing.TB) (reviewer.Reviewer, <-chan struct{}) {
	t.Helper()
	fifo := filepath.Join(t.TempDir(), "runs")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	runs := make(chan struct{})
	go func() {
		defer close(runs)
		if f, err := os.Open(fifo); err == nil { // returns when the program opens it too
			f.Close()
		}
	}()
	return newReviewer(t, doubleCommand("hang", fifo)...), runs
}

func TestConformance(t *testing.T) {
	command := func(behaviour string, args ...string) func(testing.TB) reviewer.Reviewer {
		return func(t testing.TB) reviewer.Reviewer { return newReviewer(t, doubleCommand(behaviour, args...)...) }
	}
	kind := reviewertest.Kind{
		New:     command("answer"),
		Hanging: hanging,
		Failing: map[string]func(testing.TB) reviewer.Reviewer{
			"exit 3":                 command("fail", "no key\n"),
			"an answer with status":  command("answer and fail"),
			"prose":                  command("print", "I looked at it and\nit is fine.\n"),
			"prose around an answer": command("print", "Here you are:\n"+goodAnswer),
			"an empty answer":        command("print", ""),
			"white space":            command("print", " \n\n"),
			"an empty object":        command("print", "{}"),
			"broken JSON":            command("print", goodAnswer[:len(goodAnswer)/2]),
			"two documents":          command("print", goodAnswer+goodAnswer),
			"a broken schema":        command("print", strings.Replace(goodAnswer, "0.9", "1.9", 1)),
			"a negative cost":        command("print", strings.Replace(goodAnswer, "0.25", "-1", 1)),
			"invalid UTF-8":          command("print", strings.Replace(goodAnswer, "Atoi", "\xff", 1)),
			"control characters":     command("print", "\x1b[2J\x1b]0;pass\x07 approved"),
			"a flood":                command("flood", "67108864"),
			"a deep document":        command("print", strings.Repeat("[", 20_000)),
			"no such program": func(t testing.TB) reviewer.Reviewer {
				return newReviewer(t, "reviewgate-has-no-such-program")
			},
		},
	}
	t.Run("a patch alone", func(t *testing.T) { reviewertest.Run(t, kind) })
	kind.Task = taskInTree
	t.Run("in a tree", func(t *testing.T) { reviewertest.Run(t, kind) })
}

func taskInTree(t testing.TB) reviewer.Task {
	task := reviewertest.Task(t)
	task.Run = reviewertest.NewFolder(t, task.Tree)
	return task
}

func TestReview(t *testing.T) {
	got, err := newReviewer(t, doubleCommand("answer")...).Review(t.Context(), reviewertest.Task(t))
	if err != nil {
		t.Fatal(err)
	}
	got.Run = nil
	want := reviewer.Result{
		Findings: []finding.Finding{{
			File: "page/page.go", Line: 7, Severity: finding.Major, Category: finding.ErrorHandling,
			Message: "the error of Atoi is dropped", Confidence: 0.9, Rule: "go",
		}},
		Summary: "Parses the limit; the error of Atoi is dropped.",
		CostUSD: 0.25, Turns: 3, SessionID: "s-1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Review() (-want +got):\n%s", diff)
	}
}

func TestReviewErrors(t *testing.T) {
	program := os.Args[0]
	for _, tt := range []struct {
		name    string
		command []string
		cost    float64
		want    string
	}{
		{"exit status", doubleCommand("fail", "cannot reach the model\ngoroutine 1\n"), 0, program + ` exited with status 3 and said "cannot reach the model goroutine 1": an answer counts only with status 0`},
		{"an answer with a status is no answer, and costs", doubleCommand("answer and fail"), 0.25, program + " exited with status 2"},
		{"prose", doubleCommand("print", "I looked at it and\nit is fine.\n"), 0, program + ` printed "I looked at it and", which is no findings document: line 1, byte 1: not JSON: invalid character 'I' looking for beginning of value; only that document may be printed`},
		{"empty", doubleCommand("print", ""), 0, program + " printed nothing: it has to print a findings document, even when it finds nothing"},
		{"a broken schema costs", doubleCommand("print", strings.Replace(goodAnswer, `"major"`, `"grave"`, 1)), 0.25, `which is no findings document: findings[0].severity: "grave" is not one of blocker, major, minor; only that document may be printed`},
		{"a cost that is no number", doubleCommand("print", strings.Replace(goodAnswer, "0.25", `"much"`, 1)), 0, "cost_usd: is a JSON string, which does not belong there"},
		{"turns twice", doubleCommand("print", strings.Replace(goodAnswer, `"turns": 3`, `"turns": 3, "turns": 4`, 1)), 0.25, "turns: is written twice"},
		{"a key of a finding twice", doubleCommand("print", strings.Replace(goodAnswer, `"findings"`, `"findings": [], "findings"`, 1)), 0.25, "findings: is written twice"},
		{"invalid UTF-8", doubleCommand("print", strings.Replace(goodAnswer, "Atoi", "\xff", 1)), 0, "line 3, byte"},
		{"a flood", doubleCommand("flood", "268435456"), 0, program + " printed more than 16 MiB, or more than 4 MiB on standard error: only the answer may be printed"},
		{"no such program", []string{"reviewgate-has-no-such-program"}, 0, "reviewgate-has-no-such-program is not on PATH: install it, or correct command"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := newReviewer(t, tt.command...).Review(t.Context(), reviewertest.Task(t))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Review() = %v\nwant one with %s", err, tt.want)
			}
			if got.CostUSD != tt.cost || len(got.Findings) > 0 {
				t.Errorf("Review() cost %v with %d findings, want %v and none", got.CostUSD, len(got.Findings), tt.cost)
			}
		})
	}
}

func TestAProgramThatDoesNotAnswerInTime(t *testing.T) {
	t.Run("its own limit", func(t *testing.T) {
		r := withOptions(t, external.Options{Command: doubleCommand("hang", os.DevNull), Timeout: 50 * time.Millisecond})
		_, err := r.Review(t.Context(), reviewertest.Task(t))
		if err == nil || !strings.Contains(err.Error(), "did not end within 50ms: raise timeout, or find out what it waits for") {
			t.Errorf("Review() = %v, want an error about the time", err)
		}
	})
	t.Run("the limit of the task", func(t *testing.T) {
		task := reviewertest.Task(t)
		task.Limits.Time = 50 * time.Millisecond
		_, err := newReviewer(t, doubleCommand("hang", os.DevNull)...).Review(t.Context(), task)
		if err == nil || !strings.Contains(err.Error(), "did not end within 50ms") {
			t.Errorf("Review() = %v, want an error about the time", err)
		}
	})
}

func TestAnAnswerCountsThoughAChildIsLeftBehind(t *testing.T) {
	got, err := newReviewer(t, doubleCommand("leave a child behind")...).Review(t.Context(), reviewertest.Task(t))
	if err != nil || len(got.Findings) != 1 {
		t.Errorf("Review() = %d findings, %v, want one", len(got.Findings), err)
	}
}

func TestAProgramNeedNotReadItsInput(t *testing.T) {
	task := reviewertest.Task(t)
	task.Change.Description = strings.Repeat("more than a pipe holds ", 1<<16)
	if _, err := newReviewer(t, doubleCommand("answer without reading")...).Review(t.Context(), task); err != nil {
		t.Errorf("Review() = %v, want an answer", err)
	}
}

func TestTheTaskIsOneDocument(t *testing.T) {
	task := taskInTree(t)
	task.Limits = reviewer.Limits{Turns: 20, USD: 0.4, Time: 90 * time.Second}
	task.Rules[0].Paths = []string{"**/*.go"}
	r := withOptions(t, external.Options{Command: doubleCommand("echo", filepath.Join(task.Run.Dir(), "page/page.go")), Nonce: func() string { return "NONCE" }})
	result, err := r.Review(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if file := result.Findings[0].File; file != "page/page.go" {
		t.Errorf("File = %q, want the path below the tree", file)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(result.Findings[0].Message), &got); err != nil {
		t.Fatalf("the document is not JSON: %v", err)
	}
	if _, ok := got["schema"].(map[string]any)["properties"]; !ok {
		t.Error("schema is not a schema")
	}
	delete(got, "schema")
	want := map[string]any{
		"version": 1.0,
		"prompt":  reviewer.Prompt(task, "NONCE"),
		"tree":    task.Run.Dir(),
		"change": map[string]any{
			"id": "pr-01", "title": "Parse the limit of a page", "description": "The limit was ignored.",
			"author": "dev-a", "approvals": []any{"dev-b"},
		},
		"patch":  string(task.Change.Patch),
		"files":  []any{"page/page.go"},
		"rules":  []any{map[string]any{"name": "go", "paths": []any{"**/*.go"}, "source": ".claude/rules/go.md", "body": "Handle every error."}},
		"limits": map[string]any{"turns": 20.0, "usd": 0.4, "seconds": 90.0, "bytes": 16777216.0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the task (-want +got):\n%s", diff)
	}
}

func TestAPatchThatIsNotUTF8IsGivenAsItIsToo(t *testing.T) {
	task := reviewertest.Task(t)
	task.Change.Patch = []byte(strings.Replace(string(task.Change.Patch), "Limit", "Lim\xefit", 1))
	result, err := newReviewer(t, doubleCommand("echo", "a")...).Review(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tree  string
		Patch string
		Raw   []byte `json:"patch_base64"`
	}
	if err := json.Unmarshal([]byte(result.Findings[0].Message), &got); err != nil {
		t.Fatal(err)
	}
	if string(got.Raw) != string(task.Change.Patch) || got.Patch != strings.ToValidUTF8(string(task.Change.Patch), "\ufffd") || got.Tree != "" {
		t.Errorf("patch %q, patch_base64 %q, tree %q", got.Patch, got.Raw, got.Tree)
	}
}

func TestTheEnvironmentIsClean(t *testing.T) {
	t.Setenv("OTHER_TOKEN", "hush-another")
	environ := append(os.Environ(), "MODEL_KEY=hush-model-key", "SHORT=abc")
	for name, task := range map[string]reviewer.Task{"a patch alone": reviewertest.Task(t), "in a tree": taskInTree(t)} {
		t.Run(name, func(t *testing.T) {
			r := withOptions(t, external.Options{Command: doubleCommand("environment"), Environ: environ, Pass: []string{"MODEL_KEY", "SHORT"}})
			result, err := r.Review(t.Context(), task)
			if err == nil {
				t.Fatal("Review() = nil, want what the program said")
			}
			stored, jsonErr := json.Marshal(result.Run)
			if jsonErr != nil {
				t.Fatal(jsonErr)
			}
			text := err.Error() + string(stored)
			if strings.Contains(text, "hush") || strings.Contains(text, "OTHER_TOKEN") {
				t.Errorf("a secret shows in %s", text)
			}
			if !strings.Contains(text, "MODEL_KEY=[MODEL_KEY]") || !strings.Contains(text, "SHORT=abc") {
				t.Errorf("a variable that was passed is missing in %s", text)
			}
		})
	}
}

func TestAChangeCannotJudgeItself(t *testing.T) {
	for _, tt := range []struct {
		name    string
		command []string
		want    string
	}{
		{"the program", []string{"./page/page.go"}, "the change touches page/page.go, and ./page/page.go is what would judge it"},
		{"a file beside the program", []string{"page/reviewer"}, "the change touches page/page.go, and page/reviewer is what would judge it"},
		{"a script on the command line", []string{"sh", "page/page.go"}, "the change touches page/page.go, and page/page.go is what would judge it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newReviewer(t, tt.command...).Review(t.Context(), taskInTree(t))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Review() = %v\nwant one with %s", err, tt.want)
			}
		})
	}
}

func TestAProgramOfTheRepositoryThatTheChangeLeavesAloneRuns(t *testing.T) {
	task := reviewertest.Task(t)
	folder := reviewertest.NewFolder(t, task.Tree)
	script := "#!/bin/sh\ncat >/dev/null\necho '{\"findings\": [], \"summary\": \"Nothing was found here.\"}'\n"
	if err := os.MkdirAll(filepath.Join(folder.Dir(), "tools"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder.Dir(), "tools/review"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	task.Run = folder
	if _, err := newReviewer(t, "./tools/review", "page").Review(t.Context(), task); err != nil {
		t.Errorf("Review() = %v, want an answer", err)
	}
}

func TestNewErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		opts external.Options
		want string
	}{
		{"no name", external.Options{Command: []string{"x"}}, "name is missing"},
		{"no command", external.Options{Name: "house"}, "command is missing"},
		{"an empty command", external.Options{Name: "house", Command: []string{""}}, "command is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := external.New(tt.opts); err == nil || err.Error() != tt.want {
				t.Errorf("New() = %v, want %s", err, tt.want)
			}
		})
	}
}
