package verify

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// layered is the patched tree as it is read in process: the files of the patch
// over those of the base, without what the patch deletes and without what is
// hidden. A symbolic link is followed inside the tree only. It is safe for
// concurrent use.
type layered struct {
	base  fs.FS
	patch fs.FS           // nil when there is none
	gone  map[string]bool // paths of the base that are not in the tree, with all below them
}

// maxLinks is how many symbolic links one path may go through; Linux has the
// same limit.
const maxLinks = 40

// errOutside says that a symbolic link leads out of the tree.
var errOutside = errors.New("symbolic link leads out of the tree")

// Open implements [fs.FS].
func (l *layered) Open(name string) (fs.File, error) {
	at, info, err := l.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		entries, err := l.entries(at)
		return &openFolder{info: info, entries: entries}, err
	}
	f, err := l.layer(at).Open(at)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadFile implements [fs.ReadFileFS].
func (l *layered) ReadFile(name string) ([]byte, error) {
	at, _, err := l.find("open", name, true)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(l.layer(at), at)
}

// ReadDir implements [fs.ReadDirFS].
func (l *layered) ReadDir(name string) ([]fs.DirEntry, error) {
	at, info, err := l.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	return l.entries(at)
}

// Stat implements [fs.StatFS].
func (l *layered) Stat(name string) (fs.FileInfo, error) {
	_, info, err := l.find("stat", name, true)
	return info, err
}

// Lstat and ReadLink implement [fs.ReadLinkFS].
func (l *layered) Lstat(name string) (fs.FileInfo, error) {
	_, info, err := l.find("lstat", name, false)
	return info, err
}

// ReadLink returns where a symbolic link points, as written.
func (l *layered) ReadLink(name string) (string, error) {
	at, _, err := l.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	return fs.ReadLink(l.layer(at), at)
}

// find walks to name and returns the path without links that it leads to. The
// last segment's link is followed when follow says so.
func (l *layered) find(op, name string, follow bool) (string, fs.FileInfo, error) {
	fail := func(err error) (string, fs.FileInfo, error) {
		return "", nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	if !fs.ValidPath(name) {
		return fail(fs.ErrInvalid)
	}
	at, links := ".", 0
	info, err := l.lstat(at)
	if err != nil {
		return fail(reason(err))
	}
	for todo := segments(name); len(todo) > 0; {
		next := path.Join(at, todo[0])
		todo = todo[1:]
		if !info.IsDir() {
			return fail(fs.ErrNotExist)
		}
		if info, err = l.lstat(next); err != nil {
			return fail(reason(err))
		}
		if info.Mode()&fs.ModeSymlink == 0 || len(todo) == 0 && !follow {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return fail(errors.New("too many symbolic links"))
		}
		target, err := fs.ReadLink(l.layer(next), next)
		if err != nil {
			return fail(reason(err))
		}
		to := path.Join(at, target)
		if path.IsAbs(target) || !fs.ValidPath(to) {
			return fail(errOutside)
		}
		at, todo = ".", append(segments(to), todo...)
		if info, err = l.lstat(at); err != nil {
			return fail(reason(err))
		}
	}
	return at, info, nil
}

// lstat describes at, whose parents are folders of this tree.
func (l *layered) lstat(at string) (fs.FileInfo, error) {
	if l.patch != nil {
		info, err := fs.Lstat(l.patch, at)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return info, err
		}
	}
	if l.hides(at) {
		return nil, fs.ErrNotExist
	}
	return fs.Lstat(l.base, at)
}

// layer returns the tree that holds at, which exists.
func (l *layered) layer(at string) fs.FS {
	if l.patch != nil {
		if _, err := fs.Lstat(l.patch, at); err == nil {
			return l.patch
		}
	}
	return l.base
}

// hides reports whether at of the base is not in the tree: it or a folder above
// it is gone, or was replaced by something that is no folder.
func (l *layered) hides(at string) bool {
	for p := at; p != "."; p = path.Dir(p) {
		if l.gone[p] {
			return true
		}
		if l.patch == nil || p == at {
			continue
		}
		if info, err := fs.Lstat(l.patch, p); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// entries merges the entries of the folder at, sorted by name.
func (l *layered) entries(at string) ([]fs.DirEntry, error) {
	seen := map[string]bool{}
	var all []fs.DirEntry
	if l.patch != nil {
		found, err := fs.ReadDir(l.patch, at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range found {
			seen[e.Name()] = true
			all = append(all, e)
		}
	}
	if !l.hides(at) {
		found, err := fs.ReadDir(l.base, at)
		if err != nil && !(errors.Is(err, fs.ErrNotExist) && l.patch != nil) {
			if info, statErr := fs.Lstat(l.base, at); statErr == nil && info.IsDir() {
				return nil, err // otherwise a file that the patch made a folder of
			}
		}
		for _, e := range found {
			if !seen[e.Name()] && !l.gone[path.Join(at, e.Name())] {
				all = append(all, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return all, nil
}

func segments(name string) []string {
	if name == "." {
		return nil
	}
	return strings.Split(name, "/")
}

// reason takes the path off an error that gets another one.
func reason(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// openFolder is an open folder of a layered tree.
type openFolder struct {
	info    fs.FileInfo
	entries []fs.DirEntry
}

// Stat implements [fs.File].
func (f *openFolder) Stat() (fs.FileInfo, error) { return f.info, nil }

// Read implements [fs.File].
func (f *openFolder) Read([]byte) (int, error) {
	return 0, fmt.Errorf("read %s: is a directory", f.info.Name())
}

// Close implements [fs.File].
func (f *openFolder) Close() error { return nil }

// ReadDir implements [fs.ReadDirFile].
func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		all := f.entries
		f.entries = nil
		return all, nil
	}
	if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	some := f.entries[:n]
	f.entries = f.entries[n:]
	return some, nil
}
