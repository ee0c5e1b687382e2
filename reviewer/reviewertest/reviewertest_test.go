package reviewertest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
)

// double is a reviewer that keeps the contract.
type double struct {
	err   error
	hangs chan struct{} // closed when asked; then it waits for its context
}

func (d double) Review(ctx context.Context, task reviewer.Task) (reviewer.Result, error) {
	if err := ctx.Err(); err != nil {
		return reviewer.Result{}, reviewer.Fail(task, "double", err)
	}
	if d.hangs != nil {
		close(d.hangs)
		<-ctx.Done()
		return reviewer.Result{CostUSD: 0.01}, reviewer.Fail(task, "double", ctx.Err())
	}
	if d.err != nil {
		return reviewer.Result{CostUSD: 0.01}, reviewer.Fail(task, "double", d.err)
	}
	return reviewer.Result{
		Findings: []finding.Finding{{
			File: "page/page.go", Line: 7, Severity: finding.Major, Category: finding.ErrorHandling,
			Message: "the error of Atoi is dropped, so a bad limit is 0", Confidence: 0.9, Rule: "go",
		}},
		Summary: "Parses the limit; an error is dropped.",
		CostUSD: 0.02, Turns: 1,
	}, nil
}

func kind(wrap func(reviewer.Reviewer) reviewer.Reviewer) reviewertest.Kind {
	return reviewertest.Kind{
		New: func(testing.TB) reviewer.Reviewer { return wrap(double{}) },
		Failing: map[string]func(testing.TB) reviewer.Reviewer{
			"no answer": func(testing.TB) reviewer.Reviewer { return wrap(double{err: errors.New("no answer")}) },
		},
		Hanging: func(testing.TB) (reviewer.Reviewer, <-chan struct{}) {
			asked := make(chan struct{})
			return wrap(double{hangs: asked}), asked
		},
	}
}

func TestReviewersThatWrapOthers(t *testing.T) {
	for name, wrap := range map[string]func(reviewer.Reviewer) reviewer.Reviewer{
		"the double alone": func(r reviewer.Reviewer) reviewer.Reviewer { return r },
		"retry":            reviewer.Retry,
		"panel": func(r reviewer.Reviewer) reviewer.Reviewer {
			return reviewer.Panel{{Name: "first", Reviewer: r}, {Name: "second", Reviewer: double{}}}
		},
		"panel of retries": func(r reviewer.Reviewer) reviewer.Reviewer {
			return reviewer.Panel{{Name: "first", Reviewer: reviewer.Retry(r)}}
		},
	} {
		t.Run(name, func(t *testing.T) { reviewertest.Run(t, kind(wrap)) })
	}
}
