// Package recorded is the reviewer that answers from a file: the same answers
// every time, for demonstrations, tests, and reviews that happened elsewhere.
//
// Its main type is [Reviewer].
package recorded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// Reviewer gives recorded answers. It costs nothing and exchanges nothing. It is
// safe for concurrent use.
type Reviewer struct {
	name    string
	answers *Answers
}

// New returns a Reviewer called name that gives the answers of a file.
func New(name string, answers *Answers) *Reviewer {
	return &Reviewer{name, answers}
}

// Open reads the answers in file, which [Parse] describes.
func Open(file string) (*Answers, error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist: name the file with the recorded answers", file)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return Parse(file, data)
}

// Review returns the recorded answer for task, or an error when there is none:
// nobody looked at this change.
func (r *Reviewer) Review(ctx context.Context, task reviewer.Task) (reviewer.Result, error) {
	if err := ctx.Err(); err != nil {
		return reviewer.Result{}, reviewer.Fail(task, r.name, err)
	}
	answer, ok := r.answers.ByID[task.Change.ID]
	if !ok {
		return reviewer.Result{}, reviewer.Fail(task, r.name, fmt.Errorf("%s has no answer for %s: add one, or ask another reviewer", r.answers.Name, task.Change.ID))
	}
	return reviewer.Result{
		Findings:   slices.Clone(answer.Findings),
		Summary:    answer.Summary,
		FilesClean: slices.Clone(answer.FilesClean),
	}, nil
}

// Answers is a file of recorded answers.
type Answers struct {
	Name string                      // of the file, for errors
	IDs  []string                    // the changes it answers for, in the order of the file
	ByID map[string]finding.Document // by id of a change
}
