package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNoWorkTree says that a repository has no working copy to look at.
var ErrNoWorkTree = errors.New("there is no working copy here: it is a bare repository, or the folder is inside .git")

// ErrUnmerged says that the index holds a merge that is not finished.
var ErrUnmerged = errors.New("a merge is not finished: resolve the conflicts and git add the files first")

// scratchWrites keep what is written for a tree id cheap: it is read once and
// thrown away. Splitting the index is off because a part of it would go to the
// user's git directory.
var scratchWrites = []string{
	"-c", "core.splitIndex=false", "-c", "index.skipHash=true", "-c", "core.looseCompression=0", "-c", "core.fsync=none", "-c", "core.fsyncObjectFiles=false",
}

// Dirty reports whether the working copy differs from HEAD: staged, changed,
// deleted or untracked files. What .gitignore names does not count, nor does
// what is changed inside a submodule without a new commit there.
func (r *Repo) Dirty(ctx context.Context) (bool, error) {
	if r.Work == "" {
		return false, nil
	}
	out, _, err := r.user.run(ctx, call{max: maxStatus,
		args: []string{"status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty", "--untracked-files=normal"}})
	if err != nil {
		return false, fmt.Errorf("status of %s: %w", r.Work, err)
	}
	return len(out) > 0, nil
}

// maxStatus is how many bytes git may list as changed.
const maxStatus = 512 << 20

// DirtyTree returns the id of the tree that a commit of the whole working copy
// would have, files included that are neither tracked nor ignored. The user's
// index, objects and files stay as they are. It is what "git add -A" and "git
// write-tree" make of a copy of the index, so the files that git knows to be
// unchanged are not read again.
//
// As with git add, the line end settings and clean filters of the repository's
// configuration apply.
func (r *Repo) DirtyTree(ctx context.Context) (string, error) {
	if r.Work == "" {
		return "", ErrNoWorkTree
	}
	return r.treeOfIndex(ctx, func(staged runner) error {
		args := append(scratchWrites[:len(scratchWrites):len(scratchWrites)],
			"-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false", "add", "-A", "--", ".")
		_, err := staged.read(ctx, args...)
		if refused, ok := errors.AsType[*Error](err); ok && refused.says("does not have a commit checked out") {
			return fmt.Errorf("%w: a repository without a commit lies in the working copy, name it in .gitignore", err)
		}
		return err
	})
}

// StagedTree returns the id of the tree that a commit of the index would have.
func (r *Repo) StagedTree(ctx context.Context) (string, error) {
	return r.treeOfIndex(ctx, func(runner) error { return nil })
}

// treeOfIndex copies the index, lets change work on the copy, and writes it as
// a tree: by itself where it can, by git where the index is unusual.
func (r *Repo) treeOfIndex(ctx context.Context, change func(runner) error) (string, error) {
	index, err := r.copyIndex()
	if err != nil {
		return "", fmt.Errorf("copy the index: %w", err)
	}
	defer os.Remove(index)
	staged := r.user.with("GIT_INDEX_FILE=" + index)
	if err := change(staged); err != nil {
		return "", fmt.Errorf("tree of the working copy: %w", err)
	}
	id, err := r.treeOf(index)
	if errors.Is(err, errOddIndex) {
		id, err = writeTree(ctx, staged)
	}
	if err != nil {
		return "", fmt.Errorf("tree of the index: %w", err)
	}
	return id, nil
}

// writeTree has git write the tree of an index.
func writeTree(ctx context.Context, staged runner) (string, error) {
	// --missing-ok: a file of the index that was not fetched is no reason to
	// fail before somebody reads it.
	args := append(scratchWrites[:len(scratchWrites):len(scratchWrites)], "write-tree", "--missing-ok")
	out, err := staged.read(ctx, args...)
	if refused, ok := errors.AsType[*Error](err); ok && refused.says("unmerged") {
		return "", ErrUnmerged
	}
	return string(bytes.TrimSpace(out)), err
}

// copyIndex copies the index to the scratch folder and returns where it is. A
// repository without an index gets an empty one.
//
// The copy keeps the time of the original. git compares it with the times of
// the files: whatever changed in the same instant or later is read again. A
// younger index would make it trust files that it must not trust.
func (r *Repo) copyIndex() (string, error) {
	file, err := os.CreateTemp(r.scratch, "index-")
	if err != nil {
		return "", err
	}
	name := file.Name()
	defer file.Close()
	original, err := os.Open(r.index)
	if errors.Is(err, fs.ErrNotExist) {
		return name, os.Remove(name)
	}
	if err != nil {
		return "", err
	}
	defer original.Close()
	info, err := original.Stat()
	if err != nil {
		return "", err
	}
	if _, err := io.Copy(file, original); err != nil {
		return "", err
	}
	return name, os.Chtimes(name, info.ModTime(), info.ModTime())
}

// Name returns what the repository is called: the folder of its working copy,
// of the main one when this is a linked one.
func (r *Repo) Name() string {
	name := filepath.Base(r.Common)
	if name == ".git" {
		return filepath.Base(filepath.Dir(r.Common))
	}
	return strings.TrimSuffix(name, ".git")
}
