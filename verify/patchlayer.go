package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/reviewgate/reviewgate/diff"
)

// patchLayer is a folder with the files that a change touches, and nothing else:
// first as they are on the base, then as the change leaves them. Every path is
// confined to it.
type patchLayer struct {
	dir  string
	root *os.Root
	base fs.FS // as the patch sees it: without what is hidden
}

func newPatchLayer(dir string, base fs.FS) (*patchLayer, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &patchLayer{dir: dir, root: root, base: base}, nil
}

// fill copies from tree what stands at the paths: the files themselves, and
// whatever stands in the way of one, for git has to see it to refuse.
func (l *patchLayer) fill(tree fs.FS, paths []string) error {
	for _, p := range paths {
		at, info, err := deepest(tree, p)
		if err != nil {
			return fmt.Errorf("read %s: %w", p, err)
		}
		if info == nil || at != p && info.IsDir() {
			continue // nothing there yet
		}
		if err := l.copy(tree, at, info); err != nil {
			return fmt.Errorf("copy %s: %w", at, err)
		}
	}
	return nil
}

// deepest returns the deepest part of p that exists in tree and is not reached
// through a link; info is nil when not even its first segment does.
func deepest(tree fs.FS, p string) (at string, info fs.FileInfo, err error) {
	for i, c := range p + "/" {
		if c != '/' {
			continue
		}
		found, err := fs.Lstat(tree, p[:i])
		if errors.Is(err, fs.ErrNotExist) {
			return at, info, nil
		}
		if err != nil {
			return "", nil, err
		}
		at, info = p[:i], found
		if !info.IsDir() {
			return at, info, nil
		}
	}
	return at, info, nil
}

func (l *patchLayer) copy(tree fs.FS, at string, info fs.FileInfo) error {
	if err := l.root.MkdirAll(path.Dir(at), 0o755); err != nil {
		return err
	}
	switch {
	case info.IsDir():
		return l.copyFolder(tree, at)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := fs.ReadLink(tree, at)
		if err != nil {
			return err
		}
		if err := l.root.Symlink(target, at); !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	case !info.Mode().IsRegular():
		return fmt.Errorf("is neither a file nor a link but %s", info.Mode().Type())
	}
	return l.copyFile(tree, at, info)
}

// copyFolder stands for a folder where the patch names a file: a submodule, or
// what makes git refuse. One entry is enough for that.
func (l *patchLayer) copyFolder(tree fs.FS, at string) error {
	if err := l.root.MkdirAll(at, 0o755); err != nil {
		return err
	}
	entries, err := fs.ReadDir(tree, at)
	if err != nil || len(entries) == 0 {
		return err
	}
	f, err := l.root.OpenFile(path.Join(at, entries[0].Name()), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

func (l *patchLayer) copyFile(tree fs.FS, at string, info fs.FileInfo) error {
	in, err := tree.Open(at)
	if err != nil {
		return err
	}
	defer in.Close()
	mode := fs.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	out, err := l.root.OpenFile(at, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// gone returns the paths of the base that the change deleted: those that it
// touches and that are not in the layer. A folder that is left without an entry
// is gone as a whole, as git leaves it.
func (l *patchLayer) gone(paths []string) (map[string]bool, error) {
	gone := map[string]bool{}
	for _, p := range paths {
		if _, err := l.root.Lstat(p); err == nil {
			continue
		}
		if info, err := fs.Lstat(l.base, p); err == nil && !info.IsDir() {
			gone[p] = true
		}
	}
	after := &layered{base: l.base, patch: l.root.FS(), gone: gone}
	for _, p := range paths {
		if !gone[p] {
			continue
		}
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if info, err := after.Lstat(dir); err != nil || !info.IsDir() {
				break // it became a file, or went with a folder above it
			}
			entries, err := after.ReadDir(dir)
			if err != nil {
				return nil, err
			}
			if len(entries) > 0 {
				break
			}
			gone[dir] = true
		}
	}
	return gone, nil
}

// changed reports whether the layer differs from the base at one of the paths of
// patch, as it must after a patch was applied.
func (l *patchLayer) changed(patch *diff.Patch, gone map[string]bool) (bool, error) {
	if len(gone) > 0 {
		return true, nil
	}
	for _, f := range patch.Files {
		if f.OldMode == submodule || f.NewMode == submodule {
			return true, nil // a bump leaves no trace in a folder
		}
	}
	return differs(l.base, l.root.FS(), patch.ChangedPaths())
}

// submodule is the mode of an entry that stands for a commit of another
// repository.
const submodule = "160000"

// differs reports whether two trees differ at one of the paths.
func differs(a, b fs.FS, paths []string) (bool, error) {
	return containsFunc(paths, func(p string) (bool, error) {
		infoA, errA := fs.Lstat(a, p)
		infoB, errB := fs.Lstat(b, p)
		switch {
		case errA != nil || errB != nil:
			return (errA == nil) != (errB == nil), nil
		case infoA.Mode().Type() != infoB.Mode().Type(), infoA.Mode()&0o100 != infoB.Mode()&0o100:
			return true, nil
		case infoA.Mode()&fs.ModeSymlink != 0:
			linkA, errA := fs.ReadLink(a, p)
			linkB, errB := fs.ReadLink(b, p)
			return linkA != linkB, errors.Join(errA, errB)
		case infoA.IsDir():
			return false, nil
		case infoA.Size() != infoB.Size():
			return true, nil
		}
		return contentDiffers(a, b, p)
	})
}

func contentDiffers(a, b fs.FS, p string) (bool, error) {
	fileA, err := a.Open(p)
	if err != nil {
		return false, err
	}
	defer fileA.Close()
	fileB, err := b.Open(p)
	if err != nil {
		return false, err
	}
	defer fileB.Close()
	bufA, bufB := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		nA, errA := io.ReadFull(fileA, bufA)
		nB, errB := io.ReadFull(fileB, bufB)
		if !bytes.Equal(bufA[:nA], bufB[:nB]) {
			return true, nil
		}
		if errA != nil || errB != nil {
			return false, errors.Join(ignoreEnd(errA), ignoreEnd(errB))
		}
	}
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func containsFunc(paths []string, f func(string) (bool, error)) (found bool, err error) {
	found = slices.ContainsFunc(paths, func(p string) bool {
		var ok bool
		ok, err = f(p)
		return ok || err != nil
	})
	return found && err == nil, err
}
