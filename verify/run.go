package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/reviewgate/reviewgate/proc"
)

// inside is where programs find what is made for them, on machines that can show
// a folder at another place: one name for all changes, so that caches which
// remember the name of a folder can be shared.
const inside = "/reviewgate"

// Run runs cmd in the tree of p.
func (p *program) Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error) {
	result, _, err := p.runIn(ctx, nil, cmd, p.Dir())
	return result, err
}

// runApart is Run for a program that nobody told where its tree is: where trees
// are copied it gets one of its own, so that several can run at once. It returns
// the path of the tree as the program saw it, which env, unless it is nil, makes
// more of the environment from.
func (p *program) runApart(ctx context.Context, env func(tree string) []string, cmd proc.Cmd) (proc.Result, string, error) {
	return p.runIn(ctx, env, cmd, "")
}

// runIn runs cmd with the tree at the path dir, "" for any.
func (p *program) runIn(ctx context.Context, env func(tree string) []string, cmd proc.Cmd, dir string) (proc.Result, string, error) {
	composed := p.w.gate.composes()
	result, tree, err := p.run(ctx, env, cmd, dir)
	var compose *proc.ComposeError
	if errors.As(err, &compose) && composed {
		p.w.gate.giveUpComposing()
		if dir != "" {
			dir = p.Dir()
		}
		return p.run(ctx, env, cmd, dir)
	}
	return result, tree, err
}

func (p *program) run(ctx context.Context, env func(tree string) []string, cmd proc.Cmd, dir string) (proc.Result, string, error) {
	g := p.w.gate
	failed := proc.Result{ExitCode: -1}
	r, err := g.newRun()
	if err != nil {
		return failed, "", fmt.Errorf("run %s: %w", name(cmd), err)
	}
	defer g.discard(r.dir)
	done, err := p.show(ctx, r, dir)
	if err != nil {
		return failed, "", fmt.Errorf("run %s: show the tree: %w", name(cmd), err)
	}
	defer done()
	if err := g.equip(ctx, r, cmd); err != nil {
		return failed, "", fmt.Errorf("run %s: %w", name(cmd), err)
	}
	if !filepath.IsAbs(cmd.Dir) {
		cmd.Dir = filepath.Join(r.tree, cmd.Dir)
	}
	if env != nil {
		cmd.Env = slices.Concat(cmd.Env, env(r.tree))
	}
	cmd.Env = r.environ(cmd.Env)
	cmd.Network = cmd.Network || g.opt.Network
	cmd.Sandbox = &r.sandbox
	result, err := proc.Run(ctx, cmd)
	if !p.patched && err == nil {
		g.keepWarm(r)
	}
	return result, r.tree, err
}

func name(cmd proc.Cmd) string {
	if len(cmd.Args) == 0 {
		return "nothing"
	}
	return cmd.Args[0]
}

// oneRun is what is made for one program: folders to write to, its file tree and
// its environment.
type oneRun struct {
	dir     string // on the machine, thrown away after the run
	tree    string // as the program sees it
	sandbox proc.Sandbox
	env     map[string]string
	caches  map[string]string // upper folders of the caches that a base's run may leave to others
}

func (g *Gate) newRun() (*oneRun, error) {
	dir, err := os.MkdirTemp(g.scratch, "run-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	r := &oneRun{dir: dir, env: map[string]string{}, caches: map[string]string{}}
	r.sandbox = proc.Sandbox{Mode: g.opt.Sandbox, Limits: g.opt.Limits, Scratch: dir, Means: g.opt.Means}
	home, err := r.private(g, "home", "HOME")
	if err != nil {
		return nil, err
	}
	r.env["XDG_CACHE_HOME"] = filepath.Join(home, ".cache")
	return r, r.temporary(g)
}

// folder makes a folder of this run.
func (r *oneRun) folder(names ...string) (string, error) {
	dir := filepath.Join(append([]string{r.dir}, names...)...)
	return dir, os.MkdirAll(dir, 0o755)
}

// private makes an empty folder that the program may write to, shows it at its
// place and names it in a variable of the environment, unless that is "". It
// returns the path as the program sees it.
func (r *oneRun) private(g *Gate, name, variable string) (string, error) {
	dir, err := r.folder("private", name)
	if err != nil {
		return "", err
	}
	at := r.bindPrivate(g, name, dir)
	if variable != "" {
		r.env[variable] = at
	}
	return at, nil
}

// bindPrivate shows a folder of the run at its place.
func (r *oneRun) bindPrivate(g *Gate, name, dir string) string {
	at := dir
	if g.relocates() {
		at = filepath.Join(inside, name)
	}
	r.sandbox.Binds = append(r.sandbox.Binds, proc.Bind{Host: dir, At: at, Write: true})
	return at
}

// temporary gives the program a temporary folder on disk: builds put into it
// what would fill a machine's memory.
func (r *oneRun) temporary(g *Gate) error {
	dir, err := r.folder("tmp")
	if err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o1777|os.ModeSticky); err != nil {
		return err
	}
	if g.relocates() {
		r.sandbox.Binds = append(r.sandbox.Binds, proc.Bind{Host: dir, At: "/tmp", Write: true})
		return nil
	}
	r.sandbox.Binds = append(r.sandbox.Binds, proc.Bind{Host: dir, At: dir, Write: true})
	r.env["TMPDIR"] = dir
	return nil
}

// compose shows layers, the uppermost first, as one folder at the path at, with
// what the program writes kept apart. It returns the folder with the writes.
func (r *oneRun) compose(name, at string, layers []string) (string, error) {
	upper, err := r.folder("layers", name, "upper")
	if err != nil {
		return "", err
	}
	work, err := r.folder("layers", name, "work")
	if err != nil {
		return "", err
	}
	r.sandbox.Overlays = append(r.sandbox.Overlays, proc.Overlay{At: at, Layers: layers, Upper: upper, Work: work})
	return upper, nil
}

// show shows the program its tree, at the path dir unless that is "". The caller
// calls done after the run.
func (p *program) show(ctx context.Context, r *oneRun, dir string) (done func(), err error) {
	g := p.w.gate
	folder, err := p.w.base.Folder(ctx)
	if err != nil {
		return nil, err
	}
	r.tree = g.place("tree")
	if g.composes() {
		if _, err := r.compose("tree", r.tree, p.layers(folder)); err != nil {
			return nil, err
		}
		for _, b := range p.borrowed() {
			if _, err := r.compose("borrowed/"+b.Path, filepath.Join(r.tree, filepath.FromSlash(b.Path)), []string{b.Host}); err != nil {
				return nil, err
			}
		}
		return func() {}, nil
	}
	c, done := p.someCopy(dir)
	if r.tree == "" {
		r.tree = c.dir
	}
	if err := c.fill(ctx, p, folder, p.borrowed()); err != nil {
		done()
		return nil, err
	}
	r.sandbox.Binds = append(r.sandbox.Binds, proc.Bind{Host: c.dir, At: r.tree, Write: true})
	return done, nil
}

// someCopy returns a copy for one run: any one, or the one that is at the path
// dir when programs see it where it is.
func (p *program) someCopy(dir string) (c *treeCopy, done func()) {
	if dir != "" && !p.w.gate.relocates() {
		p.running.Lock()
		return p.copy, p.running.Unlock
	}
	c = p.w.gate.copies.take()
	return c, func() { p.w.gate.copies.give(c) }
}

// relocates reports whether programs can see a folder at another place than
// where it is.
func (g *Gate) relocates() bool {
	return g.opt.Sandbox != proc.Off && (g.support.Means == proc.Namespaces || g.support.Means == proc.Bubblewrap)
}

// composes reports whether folders are composed rather than copied.
func (g *Gate) composes() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.copying
}

// giveUpComposing makes the gate copy from now on.
func (g *Gate) giveUpComposing() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.copying = true
}

// place returns where programs see the thing called name: the same path for
// every change, "" when that cannot be had.
func (g *Gate) place(name string) string {
	switch {
	case g.relocates():
		return filepath.Join(inside, name)
	case g.composes():
		return filepath.Join(g.scratch, "at", name)
	}
	return ""
}

// makePlaces makes the folders that every change shares.
func (g *Gate) makePlaces() error {
	hiding := filepath.Join(g.scratch, "hidden")
	for _, dir := range []string{hiding, g.copies.dir, filepath.Join(g.scratch, "at", "tree")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	gone := map[string]bool{}
	for _, name := range hidden {
		gone[name] = true
	}
	if err := whiteOut(hiding, gone); err != nil {
		g.copying = true
	}
	return nil
}
