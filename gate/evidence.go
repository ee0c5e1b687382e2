package gate

import (
	"context"
	"fmt"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/verify"
)

// Evidence is what was found out about one change, before anything is judged.
// It is stored, so that a threshold or a date can change without asking again.
type Evidence struct {
	Applied      *change.Applied      `json:"applied"` // nil for a patch alone
	Verification *change.Verification `json:"verification"`
	Answer       *Answer              `json:"answer"` // nil when the patch did not apply
	Stages       map[string]int64     `json:"stages"` // milliseconds
	DurationMS   int64                `json:"duration_ms"`
}

// Answer is what the reviewer said, or why it said nothing.
type Answer struct {
	Findings   []finding.Finding `json:"findings"` // raw, before clean
	Summary    string            `json:"summary"`
	FilesClean []string          `json:"files_clean,omitempty"`
	CostUSD    float64           `json:"cost_usd"`
	Turns      int               `json:"turns"`
	SessionID  string            `json:"session_id,omitempty"`
	Notes      []string          `json:"notes,omitempty"`
	Unread     []string          `json:"unread,omitempty"` // see reviewer.Result
	Error      string            `json:"error,omitempty"`  // of a failed review
}

// gather applies, tests and reviews a change.
func (g *Gate) gather(ctx context.Context, c *candidate) (ev Evidence, events []reviewer.Event, err error) {
	began := g.Now()
	ev.Stages = map[string]int64{}
	defer func() { ev.DurationMS = g.Now().Sub(began).Milliseconds() }()

	g.tell(c.ID, StageApply)
	tree, applied, err := g.apply(ctx, c)
	if err != nil {
		return ev, nil, fmt.Errorf("%s: %w", c.ID, err)
	}
	if tree != nil {
		defer func() {
			if cerr := tree.Close(); err == nil && cerr != nil {
				err = fmt.Errorf("%s: %w", c.ID, cerr)
			}
		}()
	}
	ev.Applied = applied
	ev.Stages["apply"] = g.Now().Sub(began).Milliseconds()
	if applied != nil && !applied.OK {
		return ev, nil, nil
	}
	events, err = g.examine(ctx, c, tree, &ev)
	return ev, events, err
}

// apply prepares the patched tree. Both results are nil for a patch alone.
func (g *Gate) apply(ctx context.Context, c *candidate) (*verify.Workspace, *change.Applied, error) {
	switch {
	case c.Base == nil:
		return nil, nil, nil
	case len(c.Conflicts) > 0:
		return nil, &change.Applied{Conflicts: c.Conflicts, Detail: "git cannot merge it into the base"}, nil
	}
	tree, applied, err := g.Verify.Prepare(ctx, c.Base, c.After, c.Patch, c.patch)
	return tree, &applied, err
}

// examine tests and reviews the patched tree side by side.
func (g *Gate) examine(ctx context.Context, c *candidate, tree *verify.Workspace, ev *Evidence) ([]reviewer.Event, error) {
	type tested struct {
		checks *change.Verification
		took   int64
		err    error
	}
	tests := make(chan tested, 1)
	asking, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		var t tested
		if tree != nil && g.RunTests {
			g.tell(c.ID, StageVerify)
			began := g.Now()
			t.checks, t.err = g.Verify.Check(ctx, tree)
			t.took = g.Now().Sub(began).Milliseconds()
			if t.err != nil {
				stop() // there will be no verdict: the reviewer need not go on
			}
		}
		tests <- t
	}()
	began := g.Now()
	answer, events := g.ask(asking, c, tree)
	ev.Answer, ev.Stages["review"] = answer, g.Now().Sub(began).Milliseconds()
	t := <-tests
	if t.err != nil {
		return events, fmt.Errorf("%s: %w", c.ID, t.err)
	}
	if t.checks != nil {
		ev.Verification, ev.Stages["verify"] = t.checks, t.took
	}
	return events, ctx.Err()
}

// ask has the change reviewed. A failed review is an answer too.
func (g *Gate) ask(ctx context.Context, c *candidate, tree *verify.Workspace) (*Answer, []reviewer.Event) {
	g.tell(c.ID, StageReview)
	task := reviewer.Task{Change: c.Change.Change, Patch: c.patch, Rules: c.rules}
	if tree != nil {
		task.Base, task.Tree, task.Run, task.RunBase = c.Base, tree.FS(), tree, tree.BaseRunner()
	}
	result, err := g.Reviewer.Review(ctx, task)
	answer := &Answer{
		Findings: result.Findings, Summary: result.Summary, FilesClean: result.FilesClean,
		CostUSD: result.CostUSD, Turns: result.Turns, SessionID: result.SessionID, Notes: result.Notes, Unread: result.Unread,
	}
	if err != nil {
		answer.Error = err.Error() // what the members of a panel that answered found still counts
	}
	return answer, result.Run
}
