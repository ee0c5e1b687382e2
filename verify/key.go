package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/proc"
)

// keyVersion is part of every key: it changes when the same output would be
// judged otherwise.
const keyVersion = 2

// key names a run by everything that decides how it ends: the tree, the command,
// the tools and how the run is confined. It is "" when nothing is remembered.
func (g *Gate) key(ctx context.Context, p *program, spec Spec) (string, error) {
	if g.opt.Cache == nil {
		return "", nil
	}
	id, err := p.w.base.ID(ctx)
	if err != nil {
		return "", err
	}
	if p.patched {
		id += " " + p.w.patchSum
	}
	tools, err := g.toolIDs(ctx, spec)
	if err != nil {
		return "", err
	}
	parts := map[string]any{
		"version": keyVersion, "system": runtime.GOOS + "/" + runtime.GOARCH, "tree": id, "spec": spec, "timeout": g.timeout(spec), "tools": tools,
		"env": proc.CleanEnv(g.opt.Environ, g.opt.PassEnv...), "network": g.opt.Network, "sandbox": g.opt.Sandbox, "layers": g.support.Layers,
		"limits": g.opt.Limits, "borrowed": p.borrowedIDs(),
	}
	data, err := json.Marshal(parts) // keys come sorted
	if err != nil {
		return "", fmt.Errorf("name the run of %s: %w", spec.Name, err)
	}
	sum := sha256.Sum256(data)
	return "verify " + hex.EncodeToString(sum[:]), nil
}

// remembered is what is kept of a run.
type remembered struct {
	Check  change.Check  `json:"check"`
	Took   time.Duration `json:"took"`
	Layers []string      `json:"layers"`
}

// remembered returns the result of an equal run. Anything but pass and fail is
// asked again.
func (g *Gate) remembered(key string) (result, bool) {
	if key == "" {
		return result{}, false
	}
	data, ok := g.opt.Cache.Get(key)
	var kept remembered
	if !ok || json.Unmarshal(data, &kept) != nil || kept.Check.Status != change.Pass && kept.Check.Status != change.Fail {
		return result{}, false
	}
	kept.Check.Duration, kept.Check.Cached = kept.Took, true
	return result{check: kept.Check, layers: kept.Layers}, true
}

// remember keeps the result of a run. One that cannot be kept is run again.
func (g *Gate) remember(key string, r result) {
	if key == "" {
		return
	}
	if data, err := json.Marshal(remembered{Check: r.check, Took: r.check.Duration, Layers: r.layers}); err == nil {
		g.opt.Cache.Put(key, data)
	}
}

// toolIDs identifies the programs that a check starts: a binary by its file, a
// script, which may stand for one of many versions, by what it says of itself.
func (g *Gate) toolIDs(ctx context.Context, spec Spec) ([]string, error) {
	names := []string{}
	for _, run := range append([][]string{spec.Run}, spec.Or...) {
		if len(run) > 0 {
			names = append(names, run[0])
		}
	}
	names = append(names, implied[spec.Kind]...)
	slices.Sort(names)
	var ids []string
	for _, name := range slices.Compact(names) {
		id, err := g.toolID(ctx, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// implied are the programs that a runner starts without naming them.
var implied = map[Kind][]string{
	Go: {"cc", "gcc"}, Script: {"node"}, Pytest: {"python3"}, Cargo: {"rustc", "cc"}, Maven: {"java"}, Gradle: {"java"}, RSpec: {"ruby"}, Rake: {"ruby"},
	PHPUnit: {"php"}, CTest: {"cmake", "cc", "c++", "make"},
}

func (g *Gate) toolID(ctx context.Context, name string) (string, error) {
	file, err := proc.LookPath(name, g.opt.Environ, "/")
	if err != nil {
		return name + " missing", nil
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return name + " missing", nil
	}
	info, err := os.Stat(real)
	if err != nil {
		return name + " missing", nil
	}
	id := fmt.Sprintf("%s %s %d %d", name, real, info.Size(), info.ModTime().UnixNano())
	if shebang(real) == "" {
		return id, nil
	}
	said, err := proc.Run(ctx, proc.Cmd{Args: []string{file, "--version"}, Env: g.opt.Environ, Dir: g.scratch, Timeout: time.Minute})
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return id, nil
	}
	return id + " " + strings.TrimSpace(string(said.Stdout)+string(said.Stderr)), nil
}

// borrowedIDs identifies what is borrowed, and whether the tree of p gets it: where
// it really lies, the files that say what belongs in it, and the entries of which
// a package manager rewrites one whenever it changes something.
func (p *program) borrowedIDs() []string {
	used := p.borrowed()
	var ids []string
	for _, b := range p.w.gate.opt.Borrow {
		real, err := filepath.EvalSymlinks(b.Host)
		if err != nil {
			real = "missing"
		}
		ids = append(ids, fmt.Sprintf("%s %s %t", b.Path, real, slices.Contains(used, b)))
		for _, file := range described(b) {
			ids = append(ids, b.Path+" "+filepath.Base(file)+" "+fileSum(file))
		}
		for _, entry := range stamped(b.Host) {
			if info, err := os.Stat(entry); err == nil {
				ids = append(ids, fmt.Sprintf("%s %s %d %d", b.Path, entry, info.Size(), info.ModTime().UnixNano()))
			}
		}
	}
	return ids
}

// stamped returns the entries of an installed folder that change with it.
func stamped(host string) []string {
	entries := []string{host}
	for _, name := range []string{".package-lock.json", ".yarn-integrity", ".modules.yaml", "pyvenv.cfg", "composer/installed.json"} {
		entries = append(entries, filepath.Join(host, name))
	}
	for _, pattern := range []string{"lib/python*/site-packages", "ruby/*/specifications"} {
		found, err := fs.Glob(os.DirFS(host), pattern) // the folder's own name is no pattern
		if err != nil {
			continue // only a malformed pattern is an error
		}
		for _, name := range found {
			entries = append(entries, filepath.Join(host, filepath.FromSlash(name)))
		}
	}
	return entries
}

// fileSum returns the digest of a file, or that there is none.
func fileSum(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return "missing"
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "unreadable"
	}
	return hex.EncodeToString(sum.Sum(nil))
}
