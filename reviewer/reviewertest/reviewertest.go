// Package reviewertest holds every kind of reviewer to the contract of
// reviewer.Reviewer with one suite.
//
// Its main function is [Run]. It knows no kind by name: what differs between
// them arrives as a [Kind].
package reviewertest

import (
	"bytes"
	"context"
	"errors"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/rules"
)

// Kind is one kind of reviewer: how to make one that answers, and the ways in
// which one cannot answer.
type Kind struct {
	// New returns a reviewer that answers Task.
	New func(t testing.TB) reviewer.Reviewer
	// Task returns the task to ask it; nil means [Task].
	Task func(t testing.TB) reviewer.Task
	// Failing holds reviewers that cannot answer Task, by what is wrong with
	// them: "prints prose", "answers nothing", "breaks the schema".
	Failing map[string]func(t testing.TB) reviewer.Reviewer
	// Hanging returns a reviewer that does not answer before its context ends,
	// and a channel that is closed when it has been asked. Nil for a kind that
	// waits for nobody.
	Hanging func(t testing.TB) (r reviewer.Reviewer, asked <-chan struct{})
}

// Run tests that kind keeps the contract. It looks for goroutines left behind,
// so the calling test must not be parallel.
func Run(t *testing.T, kind Kind) {
	if kind.Task == nil {
		kind.Task = Task
	}
	before := goleak.IgnoreCurrent()
	t.Run("an answer is valid", kind.answerIsValid)
	t.Run("the task is not modified", kind.taskIsNotModified)
	t.Run("concurrent use", kind.concurrentUse)
	t.Run("a cancelled context is an error", kind.cancelledContext)
	for name, broken := range kind.Failing {
		t.Run(name+" is an error", func(t *testing.T) { kind.failure(t, broken(t)) })
	}
	if kind.Hanging != nil {
		t.Run("a context that ends meanwhile is an error", kind.contextEndsMeanwhile)
	}
	goleak.VerifyNone(t, before)
}

// Task returns a small change to a Go file with a rule that applies to it, its
// trees before and after, and no way to run programs.
func Task(t testing.TB) reviewer.Task {
	t.Helper()
	patch, err := diff.Parse([]byte(patchText))
	if err != nil {
		t.Fatal(err)
	}
	return reviewer.Task{
		Change: change.Change{
			ID: "pr-01", Title: "Parse the limit of a page", Description: "The limit was ignored.",
			Author: "dev-a", Approvals: []string{"dev-b"}, Patch: []byte(patchText),
		},
		Patch: patch,
		Rules: []rules.Rule{{Name: "go", Paths: []string{"**/*.go"}, Source: ".claude/rules/go.md", Body: "Handle every error."}},
		Base:  fstest.MapFS{"page/page.go": {Data: []byte(before)}},
		Tree:  fstest.MapFS{"page/page.go": {Data: []byte(after)}},
	}
}

const (
	before = "package page\n\n// Limit returns the limit of a page.\nfunc Limit(text string) int {\n\treturn 20\n}\n"
	after  = "package page\n\nimport \"strconv\"\n\n// Limit returns the limit of a page.\nfunc Limit(text string) int {\n\tn, _ := strconv.Atoi(text)\n\treturn n\n}\n"

	patchText = `diff --git a/page/page.go b/page/page.go
index 1c7e6f0..f0a1b2c 100644
--- a/page/page.go
+++ b/page/page.go
@@ -1,6 +1,9 @@
 package page
 
+import "strconv"
+
 // Limit returns the limit of a page.
 func Limit(text string) int {
-	return 20
+	n, _ := strconv.Atoi(text)
+	return n
 }
`
)

func (k Kind) answerIsValid(t *testing.T) {
	result, err := k.New(t).Review(t.Context(), k.Task(t))
	if err != nil {
		t.Fatalf("Review() = %v", err)
	}
	valid(t, result)
	if n := utf8.RuneCountInString(strings.TrimSpace(result.Summary)); n < finding.MinSummary {
		t.Errorf("Summary %q has %d characters, want %d or more", result.Summary, n, finding.MinSummary)
	}
}

func (k Kind) taskIsNotModified(t *testing.T) {
	task, same := k.Task(t), k.Task(t)
	if _, err := k.New(t).Review(t.Context(), task); err != nil {
		t.Fatalf("Review() = %v", err)
	}
	unchanged(t, task, same)
}

// unchanged compares what a reviewer could have written to; trees and the
// runner cannot be written to through their interfaces.
func unchanged(t *testing.T, got, want reviewer.Task) {
	t.Helper()
	if !reflect.DeepEqual(got.Change, want.Change) || !bytes.Equal(got.Change.Patch, want.Change.Patch) {
		t.Errorf("Change was modified: %+v, want %+v", got.Change, want.Change)
	}
	if !reflect.DeepEqual(got.Patch, want.Patch) {
		t.Errorf("Patch was modified")
	}
	if !reflect.DeepEqual(got.Rules, want.Rules) {
		t.Errorf("Rules were modified: %+v, want %+v", got.Rules, want.Rules)
	}
	if got.Limits != want.Limits {
		t.Errorf("Limits were modified: %+v, want %+v", got.Limits, want.Limits)
	}
}

func (k Kind) concurrentUse(t *testing.T) {
	const askers = 4
	r, task, same := k.New(t), k.Task(t), k.Task(t)
	results, errs := make([]reviewer.Result, askers), make([]error, askers)
	var asked sync.WaitGroup
	for i := range askers {
		asked.Go(func() { results[i], errs[i] = r.Review(t.Context(), task) })
	}
	asked.Wait()
	for i := range askers {
		if errs[i] != nil {
			t.Errorf("Review() by asker %d = %v", i, errs[i])
		}
		valid(t, results[i])
	}
	unchanged(t, task, same)
}

func (k Kind) cancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := k.New(t).Review(ctx, k.Task(t))
	failed(t, k.Task(t), result, err)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Review() = %v, want an error that wraps context.Canceled", err)
	}
}

func (k Kind) contextEndsMeanwhile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, asked := k.Hanging(t)
	go func() {
		select {
		case <-asked:
			cancel()
		case <-ctx.Done():
		}
	}()
	result, err := r.Review(ctx, k.Task(t))
	failed(t, k.Task(t), result, err)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Review() = %v, want an error that wraps context.Canceled", err)
	}
}

func (k Kind) failure(t *testing.T, broken reviewer.Reviewer) {
	task, same := k.Task(t), k.Task(t)
	result, err := broken.Review(t.Context(), task)
	failed(t, task, result, err)
	unchanged(t, task, same)
}

// failed checks what holds after every failure: an *Error that names the
// change, on one line of bounded length, and a Result that is still valid.
func failed(t *testing.T, task reviewer.Task, result reviewer.Result, err error) {
	t.Helper()
	const longest = 2000 // bytes of an error; empirical: a reader sees it in a table
	var reviewErr *reviewer.Error
	if !errors.As(err, &reviewErr) {
		t.Fatalf("Review() = %v of type %T, want a *reviewer.Error", err, err)
	}
	if reviewErr.Change != task.Change.ID || reviewErr.Reviewer == "" {
		t.Errorf("the error names change %q and reviewer %q, want change %q and a reviewer", reviewErr.Change, reviewErr.Reviewer, task.Change.ID)
	}
	if text := err.Error(); strings.ContainsAny(text, "\n\r\x1b") || len(text) > longest || !utf8.ValidString(text) {
		t.Errorf("the error is not one readable line: %.300q (%d bytes)", text, len(text))
	}
	valid(t, result)
}

// valid checks what holds for every Result, that of a failed review included.
func valid(t *testing.T, result reviewer.Result) {
	t.Helper()
	for i, f := range result.Findings {
		if err := f.Validate(); err != nil {
			t.Errorf("Findings[%d].%v: %+v", i, err, f)
		}
		if !inside(f.File) {
			t.Errorf("Findings[%d].File = %q, want a path relative to the repository root", i, f.File)
		}
	}
	for i, file := range result.FilesClean {
		if !inside(file) {
			t.Errorf("FilesClean[%d] = %q, want a path relative to the repository root", i, file)
		}
	}
	if result.CostUSD < 0 || result.CostUSD != result.CostUSD {
		t.Errorf("CostUSD = %v, want 0 or more", result.CostUSD)
	}
	if result.Turns < 0 {
		t.Errorf("Turns = %d, want 0 or more", result.Turns)
	}
	if !slices.IsSortedFunc(result.Run, func(a, b reviewer.Event) int { return int(a.MS - b.MS) }) {
		t.Errorf("Run is not in the order of time")
	}
}

func inside(file string) bool {
	return file != "" && file != "." && path.Clean(file) == file && !path.IsAbs(file) &&
		file != ".." && !strings.HasPrefix(file, "../") && !strings.Contains(file, `\`)
}
