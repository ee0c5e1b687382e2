package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/git"
)

// Prepare applies a change to a copy of the base, of which only the files that
// the change touches are copied. after is the tree after the change where git
// knows it already: then it is taken from there and nothing is applied; nil
// otherwise. parsed is patch, parsed.
//
// A patch without files leaves the base as it is. One that does not apply is no
// error: Applied says so and names the files, and the workspace holds the base as
// it was. An error means that it could not be found out, or that the patch names
// a path outside of the tree, in which case nothing was written at all. The
// caller closes the workspace.
func (g *Gate) Prepare(ctx context.Context, base Tree, after fs.FS, patch []byte, parsed *diff.Patch) (*Workspace, change.Applied, error) {
	if err := parsed.Unsafe(); err != nil {
		return nil, change.Applied{}, fmt.Errorf("refuse the patch: %w", err)
	}
	w, err := g.newWorkspace(base, parsed.ChangedPaths())
	if err != nil {
		return nil, change.Applied{}, fmt.Errorf("prepare the patched tree: %w", err)
	}
	sum := sha256.Sum256(patch)
	w.patchSum = hex.EncodeToString(sum[:])
	applied, err := w.apply(ctx, after, patch, parsed)
	if err != nil {
		w.Close()
		return nil, change.Applied{}, fmt.Errorf("prepare the patched tree: %w", err)
	}
	w.applied = applied.OK
	return w, applied, nil
}

// apply makes the patch layer of w.
func (w *Workspace) apply(ctx context.Context, after fs.FS, patch []byte, parsed *diff.Patch) (change.Applied, error) {
	layer, err := newPatchLayer(filepath.Join(w.dir, "patch"), w.base.fs)
	if err != nil {
		return change.Applied{}, err
	}
	defer layer.root.Close()
	from := after
	if after == nil {
		from = w.base.fs
	}
	if err := layer.fill(from, w.paths); err != nil {
		return change.Applied{}, err
	}
	if after == nil && len(parsed.Files) > 0 {
		refused, err := applyPatch(ctx, layer.dir, patch, parsed)
		if err != nil || !refused.OK {
			return refused, err
		}
	}
	gone, err := layer.gone(w.paths)
	if err != nil {
		return change.Applied{}, err
	}
	changed, err := layer.changed(parsed, gone)
	if err != nil {
		return change.Applied{}, err
	}
	if !changed && len(parsed.Files) > 0 {
		return change.Applied{}, errors.New("the patch left the tree as it was: git apply did not recognise its paths")
	}
	return change.Applied{OK: true, Conflicts: []string{}}, w.take(layer, gone)
}

// applyPatch applies patch to the files in dir. A refusal is no error.
func applyPatch(ctx context.Context, dir string, patch []byte, parsed *diff.Patch) (change.Applied, error) {
	strip, err := parsed.Strip()
	if err != nil {
		return change.Applied{}, err
	}
	err = git.Apply(ctx, dir, patch, git.ApplyOptions{Strip: strip, ZeroContext: parsed.ZeroContext()})
	var refusal *git.Error
	switch {
	case err == nil:
		return change.Applied{OK: true}, nil
	case !errors.As(err, &refusal), failedToWrite(refusal.Stderr):
		return change.Applied{}, err
	}
	return change.Applied{Conflicts: conflicts(refusal.Stderr), Detail: detail(refusal)}, nil
}

// maxDetail bounds how many lines of git's a conflict is explained with.
const maxDetail = 10

func detail(refusal *git.Error) string {
	lines := refusal.Lines()
	return strings.Join(lines[:min(len(lines), maxDetail)], "\n")
}

// take makes layer, without the paths of the base that are gone, the tree of w.
func (w *Workspace) take(layer *patchLayer, gone map[string]bool) error {
	w.patch = layer.dir
	if len(gone) > 0 && w.gate.composes() {
		w.gone = filepath.Join(w.dir, "gone")
		if err := os.Mkdir(w.gone, 0o755); err != nil {
			return err
		}
		if whiteOut(w.gone, gone) != nil {
			w.gate.giveUpComposing() // a copy can do without
		}
	}
	root, err := os.OpenRoot(layer.dir)
	if err != nil {
		return err
	}
	w.root = root
	w.goneSet = gone
	w.fsys = &layered{base: w.base.fs, patch: root.FS(), gone: gone}
	return nil
}
