package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// baseResult is the outcome of one check on one base, found out once for all
// changes to it.
type baseResult struct {
	mu   sync.Mutex
	done bool // result is known
	warm bool // it was run in this process
	result
}

// onBase runs a check on the base of w, unless that was done already.
func (g *Gate) onBase(ctx context.Context, w *Workspace, spec Spec) result {
	known, err := g.baseResult(ctx, w, spec)
	if err != nil {
		return result{err: err}
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if !known.done {
		known.result = g.once(ctx, w.unpatched, spec)
		known.done = known.result.err == nil
	}
	return known.result
}

// baseResult returns the place for what is known of a check on the base of w.
func (g *Gate) baseResult(ctx context.Context, w *Workspace, spec Spec) (*baseResult, error) {
	id, err := w.base.ID(ctx)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("name the run of %s: %w", spec.Name, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := id + " " + string(data)
	if g.bases[key] == nil {
		g.bases[key] = &baseResult{}
	}
	return g.bases[key], nil
}

// warmUp runs a check on the base of w once, before the first change to it that
// really has to be run: what it compiles is then there for all of them.
func (g *Gate) warmUp(ctx context.Context, w *Workspace, spec Spec) error {
	known, err := g.baseResult(ctx, w, spec)
	if err != nil {
		return err
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.warm {
		return nil
	}
	key, err := g.key(ctx, w.unpatched, spec)
	if err != nil {
		return err
	}
	known.result = g.runInTurn(ctx, w.unpatched, spec, key)
	known.done = known.result.err == nil
	known.warm = known.done
	return known.result.err
}
