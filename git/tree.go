package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Tree is the files of one commit or tree as a file system: [fs.FS],
// [fs.ReadDirFS], [fs.ReadFileFS], [fs.StatFS] and [fs.ReadLinkFS]. It reads
// tree objects as they are asked for. It is safe for concurrent use, and may be
// used until its repository is closed.
//
// Names are bytes: unlike [fs.ValidPath], it takes those that are not UTF-8.
//
// A symbolic link is followed when a file is opened and when it stands in the
// middle of a path, as on a disk, but only to what lies in the tree: one that
// leads outside is [ErrOutside]. Lstat, ReadLink and ReadDir show it as a link.
// A submodule is an empty folder.
type Tree struct {
	repo *Repo
	id   string
}

// ErrOutside says that a symbolic link leads out of the tree.
var ErrOutside = errors.New("symbolic link leads out of the tree")

// maxLinks is how many symbolic links one path may go through; Linux has the
// same limit.
const maxLinks = 40

// Tree returns the tree of treeish: a commit, a tag, a tree id, or any other
// name that git understands.
func (r *Repo) Tree(ctx context.Context, treeish string) (*Tree, error) {
	if err := checkName(treeish); err != nil {
		return nil, err
	}
	o, err := r.batch.object(ctx, treeish+"^{tree}", -1)
	if errors.Is(err, errMissing) && !r.lacksTree(ctx, treeish) {
		return nil, r.absent(ctx, treeish, err)
	}
	if err != nil {
		return nil, fmt.Errorf("tree of %s: %w", treeish, r.explainMissing(err))
	}
	return &Tree{repo: r, id: o.id}, nil
}

// lacksTree reports whether treeish can be a tree that a filter left out: it is
// an id, or its commit is there.
func (r *Repo) lacksTree(ctx context.Context, treeish string) bool {
	if !r.Partial || maybeID(treeish) {
		return r.Partial
	}
	_, err := r.commit(ctx, treeish+"^{commit}")
	return err == nil
}

// ID returns the tree's object id.
func (t *Tree) ID() string { return t.id }

// Open opens a file or folder.
func (t *Tree) Open(name string) (fs.File, error) {
	at, err := t.find("open", name, true)
	if err != nil {
		return nil, err
	}
	if at.IsDir() {
		return &openFolder{info: at, tree: t, path: name}, nil
	}
	return &openFile{info: at, path: name}, nil
}

// ReadDir returns the entries of a folder, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	at, err := t.find("readdir", name, true)
	if err != nil {
		return nil, err
	}
	entries, err := t.repo.list(at.entry)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	list := make([]fs.DirEntry, len(entries))
	for i, entry := range entries {
		list[i] = dirEntry{repo: t.repo, entry: entry}
	}
	return list, nil
}

// ReadFile returns the content of a file. One larger than the repository's
// limit is [ErrTooLarge].
func (t *Tree) ReadFile(name string) ([]byte, error) {
	at, err := t.find("read", name, true)
	if err != nil {
		return nil, err
	}
	data, err := t.repo.blob(at.entry)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return slices.Clone(data), nil
}

// Stat describes what name leads to.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	return t.describe("stat", name, true)
}

// Lstat describes what stands under name, be it a symbolic link.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	return t.describe("lstat", name, false)
}

func (t *Tree) describe(op, name string, follow bool) (fs.FileInfo, error) {
	at, err := t.find(op, name, follow)
	if err != nil {
		return nil, err
	}
	if at.size, err = t.repo.size(at.entry); err != nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return at, nil
}

// ReadLink returns where the symbolic link under name points, as written.
func (t *Tree) ReadLink(name string) (string, error) {
	at, err := t.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	if at.entry.Mode != Symlink {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	target, err := t.repo.blob(at.entry)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(target), nil
}

// find walks to name. The last segment's link is followed when follow says so.
func (t *Tree) find(op, name string, follow bool) (*info, error) {
	fail := func(err error) (*info, error) { return nil, &fs.PathError{Op: op, Path: name, Err: err} }
	if !ValidPath(name) {
		return fail(fs.ErrInvalid)
	}
	links := 0
	var walked []string // segments that lead to at, without links
	at := Entry{Name: ".", Mode: Folder, ID: t.id}
	todo := segments(name)
	for len(todo) > 0 {
		next, err := t.repo.child(at, todo[0])
		if err != nil {
			return fail(err)
		}
		if next.Mode != Symlink || len(todo) == 1 && !follow {
			walked, at, todo = append(walked, todo[0]), next, todo[1:]
			continue
		}
		if links++; links > maxLinks {
			return fail(errors.New("too many levels of symbolic links"))
		}
		target, err := t.repo.blob(next)
		if err != nil {
			return fail(err)
		}
		resolved, ok := resolve(walked, string(target))
		if !ok {
			return fail(ErrOutside)
		}
		// Start again from the top, with the link replaced by its target.
		todo = append(segments(resolved), todo[1:]...)
		walked, at = nil, Entry{Name: ".", Mode: Folder, ID: t.id}
	}
	return &info{repo: t.repo, name: path.Base(name), entry: at, size: -1}, nil
}

// ValidPath is [fs.ValidPath] without its demand for UTF-8: a file name is bytes
// to git, and old repositories hold names in other encodings.
func ValidPath(name string) bool {
	if name == "." {
		return true
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || segment == "." || segment == ".." || strings.ContainsRune(segment, 0) {
			return false
		}
	}
	return true
}

// resolve returns the path that a link in the folder of segments points to; ok
// is false when that is outside the tree.
func resolve(folder []string, target string) (resolved string, ok bool) {
	if target == "" || strings.HasPrefix(target, "/") || strings.ContainsRune(target, 0) {
		return "", false
	}
	resolved = path.Join(strings.Join(folder, "/"), target)
	return resolved, resolved != ".." && !strings.HasPrefix(resolved, "../")
}

// segments splits a valid path; "." has none.
func segments(name string) []string {
	if name == "." || name == "" {
		return nil
	}
	return strings.Split(name, "/")
}

// child returns the entry that a folder holds under name.
func (r *Repo) child(folder Entry, name string) (Entry, error) {
	entries, err := r.list(folder)
	if err != nil {
		return Entry{}, err
	}
	i, ok := slices.BinarySearchFunc(entries, name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
	if !ok {
		return Entry{}, fs.ErrNotExist
	}
	return entries[i], nil
}

// list returns what a folder holds, from memory when it was read before.
func (r *Repo) list(folder Entry) ([]Entry, error) {
	switch folder.Mode {
	case Submodule:
		return nil, nil
	case Folder:
	default:
		return nil, errNotFolder
	}
	if entries, ok := r.trees.entries(folder.ID); ok {
		return entries, nil
	}
	o, err := r.batch.object(context.Background(), folder.ID, maxTree)
	if err != nil {
		return nil, r.explainMissing(err)
	}
	if o.kind != "tree" || o.data == nil && o.size > 0 {
		return nil, fmt.Errorf("object %s is a %s of %d bytes, not a folder that can be read", folder.ID, o.kind, o.size)
	}
	entries, err := parseTree(o.data, len(folder.ID)/2)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", folder.ID, err)
	}
	r.trees.keep(folder.ID, entries)
	return entries, nil
}

var errNotFolder = errors.New("not a directory")

// blob returns the content of a file or the target of a link.
func (r *Repo) blob(entry Entry) ([]byte, error) {
	if entry.Mode == Folder || entry.Mode == Submodule {
		return nil, errors.New("is a directory")
	}
	o, err := r.batch.object(context.Background(), entry.ID, r.maxBlob)
	if err != nil {
		return nil, r.explainMissing(err)
	}
	r.trees.keepSize(entry.ID, o.size)
	if o.size > r.maxBlob {
		return nil, fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrTooLarge, o.size, r.maxBlob)
	}
	return o.data, nil
}

// size returns how many bytes a file or link has; 0 for a folder. git has no
// cheaper question for it in all its versions than the content.
func (r *Repo) size(entry Entry) (int64, error) {
	if entry.Mode == Folder || entry.Mode == Submodule {
		return 0, nil
	}
	if size, ok := r.trees.size(entry.ID); ok {
		return size, nil
	}
	o, err := r.batch.object(context.Background(), entry.ID, -1)
	if err != nil {
		return 0, r.explainMissing(err)
	}
	r.trees.keepSize(entry.ID, o.size)
	return o.size, nil
}
