package checks

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
)

const (
	maxFile  = 16 << 20 // bytes of a file that is read from a tree: lock files and API descriptions reach 10 MiB
	maxPaths = 200_000  // files that are listed of a tree
)

var errTooLarge = errors.New("too large to be read")

// read returns a regular file of a tree. It reports false when there is none;
// the error is errTooLarge, or why it could not be read.
func read(tree fs.FS, name string) ([]byte, bool, error) {
	if tree == nil || !fs.ValidPath(name) {
		return nil, false, nil
	}
	info, err := fs.Lstat(tree, name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if info.Size() > maxFile {
		return nil, true, errTooLarge
	}
	f, err := tree.Open(name)
	if err != nil {
		return nil, true, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if len(data) > maxFile {
		return nil, true, errTooLarge
	}
	return data, true, err
}

// text reads a file that a check needs; one that cannot be read is unread.
func (s *sink) text(tree fs.FS, name string) ([]byte, bool) {
	data, ok, err := read(tree, name)
	if err != nil {
		s.unread("%s could not be read (%v), so it was not checked", name, err)
		return nil, false
	}
	return data, ok
}

// listing is the files of a tree, without those of vendored folders.
type listing struct {
	paths  []string // sorted
	partly string   // why the list is not whole; "" when it is
}

// baseFiles lists the tree before the change.
func (s *subject) baseFiles() *listing {
	if s.baseList == nil {
		s.baseList = list(s.base)
	}
	return s.baseList
}

// treeFiles lists the tree after the change.
func (s *subject) treeFiles() *listing {
	if s.treeList == nil {
		s.treeList = list(s.tree)
	}
	return s.treeList
}

func list(tree fs.FS) *listing {
	l := &listing{}
	err := fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			l.partly = err.Error()
			return fs.SkipDir
		case d.IsDir() && p != "." && (vendorFolders[d.Name()] || d.Name() == ".git"):
			return fs.SkipDir
		case len(l.paths) >= maxPaths:
			l.partly = fmt.Sprintf("it has more than %d files", maxPaths)
			return fs.SkipAll
		case !d.IsDir():
			l.paths = append(l.paths, p)
		}
		return nil
	})
	if err != nil {
		l.partly = err.Error()
	}
	slices.Sort(l.paths)
	return l
}

// exists reports whether a tree has a file of that name.
func exists(tree fs.FS, name string) bool {
	if tree == nil || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Lstat(tree, name)
	return err == nil && !info.IsDir()
}

// above returns the folders from that of name up to the root, "." last.
func above(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for dir := path.Dir(name); yield(dir) && dir != "." && dir != "/"; {
			dir = path.Dir(dir)
		}
	}
}

// firstBytes returns at most n bytes of the beginning of a regular file, none
// when it cannot be read.
func firstBytes(tree fs.FS, name string, n int) []byte {
	if !exists(tree, name) {
		return nil
	}
	if info, err := fs.Lstat(tree, name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := tree.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, n)
	read, _ := io.ReadFull(f, head)
	return head[:read]
}

// sizeOf returns the size of a file in bytes; false when it is not known.
func sizeOf(tree fs.FS, name string) (int64, bool) {
	if tree == nil || !fs.ValidPath(name) {
		return 0, false
	}
	info, err := fs.Lstat(tree, name)
	if err != nil {
		return 0, false
	}
	return info.Size(), true
}
