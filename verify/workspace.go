package verify

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/reviewgate/reviewgate/proc"
)

// Workspace is one change on a copy of its base. It is safe for concurrent use.
type Workspace struct {
	gate     *Gate
	dir      string // on the machine; holds the layers
	base     baseTree
	paths    []string // that the change touches
	patchSum string
	applied  bool

	patch   string          // folder of the patch layer; "" when nothing was applied
	gone    string          // folder that hides what the patch deleted; "" when nothing was
	goneSet map[string]bool // the same, for copies
	root    *os.Root        // of the patch layer
	fsys    fs.FS

	patched, unpatched *program
}

// baseTree is a base and how it is read: without what is hidden.
type baseTree struct {
	Tree
	fs fs.FS
}

func (g *Gate) newWorkspace(base Tree, paths []string) (*Workspace, error) {
	dir, err := os.MkdirTemp(g.scratch, "change-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // a folder of an overlay shows its own rights
		return nil, err
	}
	gone := map[string]bool{}
	for _, name := range hidden {
		gone[name] = true
	}
	w := &Workspace{gate: g, dir: dir, paths: paths, base: baseTree{Tree: base, fs: &layered{base: base, gone: gone}}}
	w.fsys = w.base.fs
	w.patched = &program{w: w, patched: true}
	w.unpatched = &program{w: w}
	return w, nil
}

// FS returns the tree as it is after the change, to be read in process; before
// it, when the change did not apply. It must not be used after Close.
func (w *Workspace) FS() fs.FS { return w.fsys }

// Applied reports whether the workspace holds the tree after the change.
func (w *Workspace) Applied() bool { return w.applied }

// Dir returns the path of the tree as the programs of Run see it. It may exist
// for them alone.
func (w *Workspace) Dir() string { return w.patched.Dir() }

// Run runs a program in the tree after the change; see Program.Run.
func (w *Workspace) Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error) {
	return w.patched.Run(ctx, cmd)
}

// Runner runs programs in a tree.
type Runner interface {
	// Dir returns the path of the tree as the program sees it.
	Dir() string
	// Run runs cmd with the tree as its working directory, or the folder of the
	// tree that cmd.Dir names. cmd.Env is added to the environment of the gate's
	// checks. What the program writes is thrown away.
	Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error)
}

// BaseRunner returns what runs programs in the tree before the change.
func (w *Workspace) BaseRunner() Runner { return w.unpatched }

// Close removes what the workspace made. No program of it may be running.
func (w *Workspace) Close() error {
	w.patched.release()
	w.unpatched.release()
	if w.root != nil {
		if err := w.root.Close(); err != nil {
			return fmt.Errorf("close the patched tree: %w", err)
		}
	}
	w.gate.discard(w.dir)
	return nil
}

// program runs programs in one of the two trees of a workspace.
type program struct {
	w       *Workspace
	patched bool

	mu   sync.Mutex
	copy *treeCopy // of Dir, on machines where the copy is seen where it is

	running sync.Mutex // held while copy is used
}

// Dir returns the path of the tree as the program sees it.
func (p *program) Dir() string {
	if at := p.w.gate.place("tree"); at != "" {
		return at
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.copy == nil {
		p.copy = p.w.gate.copies.take()
	}
	return p.copy.dir
}

func (p *program) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.copy != nil {
		p.w.gate.copies.give(p.copy)
		p.copy = nil
	}
}

// layers returns the folders that make the tree, the uppermost first.
func (p *program) layers(folder string) []string {
	var layers []string
	if p.patched && p.w.patch != "" {
		layers = append(layers, p.w.patch)
		if p.w.gone != "" {
			layers = append(layers, p.w.gone)
		}
	}
	return append(layers, filepath.Join(p.w.gate.scratch, "hidden"), folder)
}
