// Package gate reviews one change end to end, and many changes at once: it
// applies the patch to a copy, tests the copy, has it reviewed, cleans the
// findings, finds the blockers, and decides.
//
// Its main type is [Gate]. It joins the packages below it; what each step means
// is theirs, and how the result looks is package report's.
package gate

import (
	"context"
	"io/fs"
	"time"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/report"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/rules"
	"github.com/reviewgate/reviewgate/source"
	"github.com/reviewgate/reviewgate/verify"
)

// Gate reviews changes. It is safe for concurrent use.
type Gate struct {
	Reviewer      reviewer.Reviewer
	Names         []string         // of the reviewers behind Reviewer, in order asked
	Verify        *verify.Gate     // prepares the patched tree and tests it
	RunTests      bool             // without, the patch is only applied
	MinConfidence float64          // see finding.Clean
	ForeignRules  bool             // read AGENTS.md and the like besides .claude/rules
	AsOf          time.Time        // the moment that ages are measured at
	Now           func() time.Time // for durations only
	Progress      func(Event)      // told about every stage, from several goroutines; may be nil
}

// Event says that a change entered a stage.
type Event struct {
	ID    string
	Stage Stage
}

// Stage is a step on the way of one change.
type Stage string

// The stages, in order; verify and review run side by side.
const (
	StageApply  Stage = "apply"
	StageVerify Stage = "verify"
	StageReview Stage = "review"
	StageDone   Stage = "done"
)

func (g *Gate) tell(id string, s Stage) {
	if g.Progress != nil {
		g.Progress(Event{id, s})
	}
}

// Review takes one change through the gate. Specified are the rules of the
// base, see rules.Load. An error means that nothing could be said about the
// change at all (a patch that cannot be read or must not be applied, a full
// disk, a cancelled ctx); everything else, a failed review included, is an
// answer.
func (g *Gate) Review(ctx context.Context, src source.Change, specified []rules.Rule) (Outcome, error) {
	c, err := g.read(src, specified)
	if err != nil {
		return Outcome{}, err
	}
	evidence, events, err := g.gather(ctx, c)
	if err != nil {
		return Outcome{}, err
	}
	return g.outcome(c, evidence, events), nil
}

// Outcome is what came of one change: the entry, what it was decided on, and
// the review's own stream.
type Outcome struct {
	Entry    report.Entry
	Evidence Evidence
	Events   []reviewer.Event
	Kept     bool // the evidence is an earlier run's

	key     string // what the evidence depends on, see candidate.key; "" for a single review
	clean   []finding.Finding
	changed []string
}

func (g *Gate) outcome(c *candidate, ev Evidence, events []reviewer.Event) Outcome {
	entry, clean := g.decide(c, ev)
	return Outcome{Entry: entry, Evidence: ev, Events: events, clean: clean, changed: c.changed}
}

// Rules reads the rules that a change against base is judged by; a nil base
// has none.
func (g *Gate) Rules(base fs.FS) ([]rules.Rule, error) {
	if base == nil {
		return nil, nil
	}
	return rules.Load(base)
}
