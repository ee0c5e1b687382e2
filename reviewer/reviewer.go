// Package reviewer asks somebody what is wrong with a change: a recorded
// answer, any program, an analyzer's report, the built-in deterministic checks,
// and later a model or an agent's command line. All of them stand behind one
// interface, [Reviewer], and pass one conformance test (package reviewertest).
//
// A reviewer reads; it never writes to the tree, and it never decides.
package reviewer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/rules"
)

// Reviewer reviews one change.
type Reviewer interface {
	// Review returns what the reviewer found in task. The Result counts even
	// when the error is not nil: cost and turns of a failed review are real.
	// Every failure, including an answer that breaks the schema, is an *Error
	// that names the change; a cancelled ctx is an *Error that wraps
	// ctx.Err(). No error with no findings means that the change was read and
	// nothing was found, so an implementation that read nothing must fail.
	// Review is safe for concurrent use.
	Review(ctx context.Context, task Task) (Result, error)
}

// Task is one change, ready to be reviewed. Nothing in it may be modified.
type Task struct {
	Change  change.Change
	Patch   *diff.Patch  // Change.Patch, parsed
	Rules   []rules.Rule // every rule of the base; rules.For selects
	Base    fs.FS        // the tree before the patch; nil for a patch alone
	Tree    fs.FS        // the tree after the patch; nil for a patch alone
	Run     Runner       // runs programs in the patched tree; nil when there is none
	RunBase Runner       // runs programs in the tree before the patch; nil when there is none
	Limits  Limits
}

// Runner runs a program inside a tree. Dir is the path of the tree as the program
// sees it; it may exist for the program alone. The program gets the clean
// environment of the runner and, on top of it, Env of its command.
type Runner interface {
	Dir() string
	Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error)
}

// Limits bounds one review. A zero field means the reviewer's own default.
type Limits struct {
	Turns  int           `json:"turns,omitempty"`
	USD    float64       `json:"usd,omitempty"`
	Time   time.Duration `json:"-"` // the whole review, not one call
	Output int           `json:"-"` // bytes of an answer
}

// Result is what a reviewer answered.
type Result struct {
	Findings   []finding.Finding
	Summary    string
	FilesClean []string // files it read and found nothing in, when it says so
	CostUSD    float64
	Turns      int
	SessionID  string
	Run        []Event  // everything that was exchanged, for runs/<change>.jsonl
	Notes      []string // what a reader must know: input clipped, rules skipped
	Unread     []string // what could not be read although it belongs to the change, and why; it holds the change
}

// Event is one message of a review.
type Event struct {
	MS   int64 `json:"ms"`   // milliseconds since the review started
	Data any   `json:"data"` // the message, as JSON
}

// Error says that a review could not be had. It is never a pass.
type Error struct {
	Change   string // id of the change
	Reviewer string // configured name of the reviewer
	Err      error
}

func (e *Error) Error() string {
	return fmt.Sprintf("review of %s by %s: %v", e.Change, e.Reviewer, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Fail returns err as an *Error for task, unless it is one already.
func Fail(task Task, name string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{Change: task.Change.ID, Reviewer: name, Err: err}
}
