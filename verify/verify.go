// Package verify is the verify gate: it applies a change to a copy of the base,
// runs the project's own tests there, and says pass, fail or unknown for each.
// Unknown is never a pass: a tool that is missing, a run in which no test ran and
// dependencies that are not installed are said as what they are.
//
// Its main type is [Gate]. Tests are untrusted code: they see the patched tree,
// the machine's tools and nothing else, write to layers that are thrown away, and
// have no network unless it is switched on.
package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/store"
)

// DefaultTimeout is how long one check may take.
const DefaultTimeout = 300 * time.Second

// DefaultParallel is how many checks of a change run at once.
const DefaultParallel = 2

// Options says how a Gate tests. Only Environ is needed to find any tool.
type Options struct {
	Checks      []Spec        // what to run; nil means what the tree is, see Detect
	Timeout     time.Duration // of each check; 0 means DefaultTimeout
	Sandbox     proc.Mode     // zero is auto
	Network     bool          // tests reach the network
	CompareBase bool          // a check that failed is run on the base too
	Warm        bool          // many changes to one base follow: each check is run on the base first, so that they share what it compiles
	Cache       *store.Cache  // of results; nil remembers nothing
	Scratch     string        // folder for layers and copies, on a real disk; "" is the system's temporary folder
	Environ     []string      // the gate's own environment, which tests see cleaned
	PassEnv     []string      // names of variables that tests see besides; see proc.CleanEnv
	Borrow      []Borrowed    // installed dependencies of the user's checkout; see FindBorrowed
	Limits      proc.Limits   // of one check; zero means proc.DefaultLimits
	Parallel    int           // checks at once; 0 means DefaultParallel
	MaxOutput   int           // bytes of output kept of a check; 0 means DefaultMaxOutput
	Means       proc.Means    // how the sandbox is made; "" is the strongest that the machine offers
}

// DefaultMaxOutput is how many bytes of a check's output are kept.
const DefaultMaxOutput = 256 << 10

// Gate applies changes and tests them. It is safe for concurrent use: changes
// that are tested at once do not see each other.
type Gate struct {
	opt     Options
	support proc.Support
	scratch string
	slots   chan struct{} // one per check that may run
	copies  *copies
	tools   toolbox

	mu       sync.Mutex
	copying  bool                // folders cannot be composed after all
	warm     map[string][]string // layers that tests of a base wrote, by cache, the latest first
	removals sync.WaitGroup
	bases    map[string]*baseResult
	starting map[string]bool // packages of other modules, by their versions: whether they may start programs
}

// New returns a gate. With proc.Required it is an error, proc.ErrUnwalled, when
// the machine has no walls. The caller closes the gate.
func New(o Options) (*Gate, error) {
	o = withDefaults(o)
	support, err := probe(o)
	if err != nil {
		return nil, err
	}
	if o.Scratch != "" {
		if err := os.MkdirAll(o.Scratch, 0o755); err != nil {
			return nil, fmt.Errorf("scratch folder: %w", err)
		}
	}
	scratch, err := os.MkdirTemp(o.Scratch, "reviewgate-")
	if err != nil {
		return nil, fmt.Errorf("scratch folder: %w", err)
	}
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return nil, fmt.Errorf("scratch folder: %w", err)
	}
	g := &Gate{opt: o, support: support, scratch: scratch, slots: make(chan struct{}, o.Parallel), warm: map[string][]string{}, bases: map[string]*baseResult{}, starting: map[string]bool{}}
	g.copies = &copies{dir: filepath.Join(scratch, "copies")}
	g.tools = toolbox{environ: o.Environ, scratch: scratch}
	g.copying = !support.Overlays
	if err := g.makePlaces(); err != nil {
		return nil, errors.Join(fmt.Errorf("scratch folder: %w", err), proc.RemoveAll(scratch))
	}
	return g, nil
}

func withDefaults(o Options) Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Parallel <= 0 {
		o.Parallel = DefaultParallel
	}
	if o.MaxOutput <= 0 {
		o.MaxOutput = DefaultMaxOutput
	}
	if o.Limits == (proc.Limits{}) {
		o.Limits = proc.DefaultLimits()
	}
	if o.Sandbox == "" {
		o.Sandbox = proc.Auto
	}
	return o
}

// probe finds out what the machine offers, and refuses when more is required.
func probe(o Options) (proc.Support, error) {
	support, err := proc.Probe(context.Background(), o.Means)
	if err != nil {
		return proc.Support{}, fmt.Errorf("verify: %w", err)
	}
	if o.Sandbox == proc.Required && !proc.Walled(support.Layers, o.Network) {
		return proc.Support{}, fmt.Errorf("verify: %w", proc.ErrUnwalled)
	}
	return support, nil
}

// Sandbox returns what the gate found the machine to offer.
func (g *Gate) Sandbox() proc.Support { return g.support }

// layers returns the layers that hold around the gate's programs.
func (g *Gate) layers() []string {
	if g.opt.Sandbox == proc.Off {
		return nil
	}
	return g.support.Layers
}

// Close removes everything that the gate made. Its workspaces must be closed.
func (g *Gate) Close() error {
	g.removals.Wait()
	if err := proc.RemoveAll(g.scratch); err != nil {
		return fmt.Errorf("remove the scratch folder: %w", err)
	}
	return nil
}

// discard removes a folder that is of no use any more, in its own time: deleting
// the traces of a test run can take longer than the run.
func (g *Gate) discard(dir string) {
	g.removals.Go(func() { proc.RemoveAll(dir) }) // what is left goes with the scratch folder
}
