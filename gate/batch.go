package gate

import (
	"context"
	"errors"
	"sync"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/rules"
	"github.com/reviewgate/reviewgate/source"
)

// Batch is many changes against one base.
type Batch struct {
	Base    source.Tree
	Changes []change.Change
	Jobs    int           // changes at once; at least 1
	Keep    *RunDir       // where evidence is kept and found again; nil keeps nothing
	Digest  string        // of everything the evidence depends on besides the change: reviewers, settings, versions
	Done    func(Outcome) // called once per change, in the order of Changes, never twice at a time; may be nil
}

// RunAll takes every change of b through the gate, several at once. The rules
// are loaded once, from the base, so no change can write the rules it is judged
// by. The outcomes come in the order of b.Changes.
//
// When ctx is cancelled or a change cannot be judged at all, no further change
// is started, those under way are stopped, and the outcomes of the finished
// ones come back beside the error; b.Keep holds them.
func (g *Gate) RunAll(ctx context.Context, b Batch) ([]Outcome, error) {
	specified, err := g.Rules(b.Base)
	if err != nil {
		return nil, err
	}
	candidates, err := g.readAll(b, specified)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := newOrder(len(candidates), b.Done)
	var workers sync.WaitGroup
	next := make(chan int)
	for range min(max(b.Jobs, 1), max(len(candidates), 1)) {
		workers.Go(func() {
			for i := range next {
				outcome, err := g.one(ctx, b, candidates[i])
				if err != nil {
					cancel(err)
					continue
				}
				queue.put(i, outcome)
			}
		})
	}
	feed(ctx, next, len(candidates))
	workers.Wait()
	return queue.finished(), context.Cause(ctx)
}

// readAll reads every change before the first is judged, so that a broken one
// is told at once and not after an hour of tests.
func (g *Gate) readAll(b Batch, specified []rules.Rule) ([]*candidate, error) {
	var candidates []*candidate
	var broken []error
	for _, ch := range b.Changes {
		c, err := g.read(source.Change{Change: ch, Base: b.Base}, specified)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		candidates = append(candidates, c)
	}
	return candidates, errors.Join(broken...)
}

// one takes one change through the gate, or through its last step only when an
// earlier run left the evidence.
func (g *Gate) one(ctx context.Context, b Batch, c *candidate) (Outcome, error) {
	key, err := c.key(ctx, b.Digest)
	if err != nil {
		return Outcome{}, err
	}
	if ev, ok := b.Keep.find(c.ID, key); ok {
		g.tell(c.ID, StageDone)
		outcome := g.outcome(c, ev, nil)
		outcome.key, outcome.Kept = key, true
		return outcome, b.Keep.saveRecord(outcome)
	}
	ev, events, err := g.gather(ctx, c)
	if err != nil {
		return Outcome{}, err
	}
	outcome := g.outcome(c, ev, events)
	outcome.key = key
	g.tell(c.ID, StageDone)
	return outcome, b.Keep.Save(outcome, g.Now())
}

// feed hands out the numbers below n until ctx is done.
func feed(ctx context.Context, next chan<- int, n int) {
	defer close(next)
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			return
		}
	}
}

// order collects outcomes as they come and passes them on in order.
type order struct {
	mu       sync.Mutex
	outcomes []*Outcome
	told     int // outcomes passed on to done
	done     func(Outcome)
}

func newOrder(n int, done func(Outcome)) *order {
	return &order{outcomes: make([]*Outcome, n), done: done}
}

func (o *order) put(i int, outcome Outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.outcomes[i] = &outcome
	for ; o.told < len(o.outcomes) && o.outcomes[o.told] != nil; o.told++ {
		if o.done != nil {
			o.done(*o.outcomes[o.told])
		}
	}
}

func (o *order) finished() []Outcome {
	var all []Outcome
	for _, outcome := range o.outcomes {
		if outcome != nil {
			all = append(all, *outcome)
		}
	}
	return all
}
