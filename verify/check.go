package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/proc"
)

// Check runs the checks of the change in w and says how each ended. A change that
// did not apply is not tested, least of all on the unpatched copy: the answer is
// nil then, without an error. An error means that nothing can be said about any
// check: ctx ended, or the sandbox that is required cannot be had.
func (g *Gate) Check(ctx context.Context, w *Workspace) (*change.Verification, error) {
	if !w.applied {
		return nil, nil
	}
	began := time.Now()
	specs, lost := g.specs(w)
	results := make([]result, len(specs))
	var running sync.WaitGroup
	for i, spec := range specs {
		running.Go(func() { results[i] = g.check(ctx, w, spec) })
	}
	running.Wait()
	v := &change.Verification{Checks: []change.Check{}, Detected: detected(specs)}
	for _, r := range results {
		if r.err != nil {
			return nil, fmt.Errorf("verify: %w", r.err)
		}
		v.Checks = append(v.Checks, r.check)
	}
	v.Checks = append(v.Checks, lost...)
	v.Sandbox = commonLayers(results)
	v.DurationMS = time.Since(began).Milliseconds()
	return v, nil
}

// result is one check with the layers that held while it ran.
type result struct {
	check  change.Check
	layers []string
	err    error
}

// specs returns what to run, and a check for everything that the base would have
// been tested with and that the change took away: nothing is known of it.
func (g *Gate) specs(w *Workspace) (specs []Spec, lost []change.Check) {
	if g.opt.Checks != nil {
		return g.opt.Checks, nil
	}
	specs = Detect(w.fsys, w.paths)
	for _, was := range Detect(w.base.fs, w.paths) {
		if slices.ContainsFunc(specs, func(s Spec) bool { return s.Dir == was.Dir && language(s.Kind) == language(was.Kind) }) {
			continue
		}
		if _, err := fs.Stat(w.fsys, path.Clean(was.Dir)); err != nil {
			continue // the whole project is gone
		}
		reason := fmt.Sprintf("the base is tested with it; the change leaves nothing to run (see %s)", was.From)
		lost = append(lost, change.Check{Name: was.Name, Status: change.Unknown, Reason: reason, Command: was.Run})
	}
	return specs, lost
}

// language groups the kinds that test the same code: a change may replace one by
// the other.
func language(k Kind) Kind {
	switch k {
	case Script:
		return Node
	case Gradle:
		return Maven
	case Rake:
		return RSpec
	}
	return k
}

// detected lists what the checks were chosen from.
func detected(specs []Spec) []string {
	var from []string
	for _, s := range specs {
		if s.From != "" && !slices.Contains(from, s.From) {
			from = append(from, s.From)
		}
	}
	return from
}

// commonLayers returns the layers that held in every run.
func commonLayers(results []result) []string {
	common := []string{}
	for i, r := range results {
		if i == 0 {
			common = append(common, r.layers...)
			continue
		}
		common = slices.DeleteFunc(common, func(l string) bool { return !slices.Contains(r.layers, l) })
	}
	return common
}

// check runs one check on the tree after the change, and, when it failed and that
// is wanted, on the base.
func (g *Gate) check(ctx context.Context, w *Workspace, spec Spec) result {
	r := g.once(ctx, w.patched, spec)
	if r.err != nil || r.check.Status != change.Fail || !g.opt.CompareBase {
		return r
	}
	before := g.onBase(ctx, w, spec)
	if before.err != nil {
		return before
	}
	if before.check.Status == change.Fail {
		r.check.AlsoRedOnBase = true
		r.check.Reason += ", also red on the base"
	}
	return r
}

// once runs one check in one tree, or returns what an equal run returned.
func (g *Gate) once(ctx context.Context, p *program, spec Spec) result {
	if spec.Kind == "" {
		spec.Kind = kindOf(spec.Run)
	}
	spec.Dir = strings.Trim(path.Clean("/"+spec.Dir), "/")
	if spec.Dir != "" && !fs.ValidPath(spec.Dir) {
		return result{check: unknown(spec, fmt.Sprintf("%q is no folder of the tree", spec.Dir))}
	}
	if reason := p.denied(spec); reason != "" {
		return result{check: unknown(spec, reason), layers: g.layers()}
	}
	key, err := g.key(ctx, p, spec)
	if err != nil {
		return result{err: err}
	}
	if r, ok := g.remembered(key); ok {
		return r
	}
	if p.patched && g.opt.Warm {
		if err := g.warmUp(ctx, p.w, spec); err != nil {
			return result{err: err}
		}
	}
	return g.runInTurn(ctx, p, spec, key)
}

// runInTurn runs one check when its turn comes, and remembers the result under
// key.
func (g *Gate) runInTurn(ctx context.Context, p *program, spec Spec, key string) result {
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	case <-ctx.Done():
		return result{err: ctx.Err()}
	}
	r, certain := g.run(ctx, p, spec)
	if r.err == nil && certain {
		g.remember(key, r)
	}
	return r
}

// run runs one check. certain is false for an outcome that another run over the
// same tree could change: a missing tool, a deadline, a limit.
func (g *Gate) run(ctx context.Context, p *program, spec Spec) (r result, certain bool) {
	run, ended, tree, err := g.runFirst(ctx, p, spec)
	if err == nil {
		ended, err = g.runUncached(ctx, p, spec, run, ended)
	}
	var missing *proc.NotFoundError
	switch {
	case errors.As(err, &missing):
		c := unknown(spec, tool(spec)+" is not on PATH")
		c.NoTool = true
		return result{check: c, layers: ended.Sandbox}, false
	case ctx.Err() != nil:
		return result{err: ctx.Err()}, false
	case errors.Is(err, proc.ErrUnwalled):
		return result{err: err}, false
	case err != nil:
		return result{check: unknown(spec, "could not be run: "+err.Error()), layers: ended.Sandbox}, false
	}
	c := change.Check{Name: spec.Name, Command: run, Duration: ended.Duration, DurationMS: ended.Duration.Milliseconds(), Output: readable(ended.Stdout, tree)}
	switch {
	case ended.TimedOut:
		c.Status, c.Reason = change.Fail, fmt.Sprintf("timed out after %s", g.timeout(spec))
		return result{check: c, layers: ended.Sandbox}, false
	case ended.Limit != "":
		c.Status, c.Reason = change.Fail, "stopped: it used "+ended.Limit
		return result{check: c, layers: ended.Sandbox}, false
	}
	o := judge(p.ending(spec, ended, c.Output))
	c.Status, c.Reason, c.NoTool = o.status, o.reason, o.noTool
	if c.Status == change.Unknown {
		c.Reason += p.hint(spec)
	}
	return result{check: c, layers: ended.Sandbox}, c.Status != change.Unknown
}

// runFirst runs the first of the spec's commands whose program is there.
func (g *Gate) runFirst(ctx context.Context, p *program, spec Spec) (run []string, ended proc.Result, tree string, err error) {
	for _, run = range append([][]string{spec.Run}, spec.Or...) {
		run = g.offline(spec.Kind, run)
		ended, tree, err = p.runApart(ctx, func(tree string) []string { return p.pythonEnv(spec, tree) }, proc.Cmd{Args: run, Dir: spec.Dir, Timeout: g.timeout(spec), Merge: true, MaxStdout: g.opt.MaxOutput})
		var missing *proc.NotFoundError
		if !errors.As(err, &missing) && !moduleMissing(spec.Kind, ended) {
			return run, ended, tree, err
		}
	}
	return run, ended, tree, err
}

// moduleMissing reports whether python was found but not what it was to run.
func moduleMissing(kind Kind, ended proc.Result) bool {
	return kind == Pytest && ended.ExitCode == 1 && judge(ending{kind: kind, exit: 1, output: string(ended.Stdout)}).noTool
}

// offline tells a tool that there is no network, where it has no variable for it.
func (g *Gate) offline(kind Kind, run []string) []string {
	if g.opt.Network {
		return run
	}
	switch kind {
	case Maven:
		return append(slices.Clone(run), "--offline")
	case Gradle:
		return append(slices.Clone(run), "--offline")
	}
	return run
}

func (g *Gate) timeout(spec Spec) time.Duration {
	if spec.Timeout > 0 {
		return spec.Timeout
	}
	return g.opt.Timeout
}

func (p *program) ending(spec Spec, ended proc.Result, output string) ending {
	return ending{
		kind: spec.Kind, exit: ended.ExitCode, output: output,
		installed: p.installs(p.tree(), spec),
		local:     func(name string) bool { return p.w.hasModule(spec.Dir, name) },
		lacks:     func(module string) bool { return p.lacksModule(path.Clean(spec.Dir), module) },
	}
}

// tree returns the tree of p as it is read in process.
func (p *program) tree() fs.FS {
	if p.patched {
		return p.w.fsys
	}
	return p.w.base.fs
}

// hint says more about a side that could not be established, where the tree does.
func (p *program) hint(spec Spec) string {
	if spec.Kind != Node && spec.Kind != Script {
		return ""
	}
	found, _ := findTypeScriptTests(p.tree(), path.Clean(spec.Dir))
	if found {
		return "; the tests are .ts files, which node finds from 22.18 on"
	}
	return ""
}

// tool names the program of a spec as people know it.
func tool(spec Spec) string {
	for _, run := range append([][]string{spec.Run}, spec.Or...) {
		if len(run) > 0 && !strings.Contains(run[0], "/") {
			return run[0]
		}
	}
	return spec.Name
}

func unknown(spec Spec, reason string) change.Check {
	return change.Check{Name: spec.Name, Status: change.Unknown, Reason: reason, Command: spec.Run}
}

// readable returns output as text, with the paths of the tree relative to it.
func readable(output []byte, tree string) string {
	text := strings.ToValidUTF8(string(output), "\uFFFD")
	if tree == "" {
		return text
	}
	return strings.ReplaceAll(text, tree+"/", "")
}
