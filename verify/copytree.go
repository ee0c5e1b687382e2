package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/reviewgate/reviewgate/proc"
)

// copies are the copies of trees that stand in where folders cannot be composed.
// A copy that is given back is taken again for the next change and brought up to
// it, which costs a look at every file instead of a copy of each.
type copies struct {
	dir string

	mu   sync.Mutex
	made int
	free []*treeCopy
}

// take returns a copy that nobody else uses, filled or not.
func (c *copies) take() *treeCopy {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		last := c.free[n-1]
		c.free = c.free[:n-1]
		return last
	}
	c.made++
	return &treeCopy{dir: filepath.Join(c.dir, fmt.Sprint(c.made)), have: map[string]copied{}}
}

func (c *copies) give(t *treeCopy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, t)
}

// treeCopy is a folder that holds one tree. It remembers how it left every file,
// down to the time of its last change, which no program can set: what a test did
// to a file shows. It is used by one program at a time.
type treeCopy struct {
	dir  string
	have map[string]copied
}

// copied is one file as it was copied: where from, and how both looked then.
type copied struct {
	from         string
	source, here stamp
}

// stamp tells whether a file is still the same one.
type stamp struct {
	mode    fs.FileMode
	size    int64
	inode   uint64
	mtime   time.Time
	changed time.Time
}

// fill makes the copy equal to the tree of p: the files of the base in folder,
// those of the patch over them, the borrowed folders, and nothing else.
func (t *treeCopy) fill(ctx context.Context, p *program, folder string, borrowed []Borrowed) error {
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return err
	}
	wanted := map[string]bool{".": true}
	if p.patched && p.w.patch != "" {
		if err := t.layer(ctx, p.w.patch, ".", wanted, nil); err != nil {
			return err
		}
	}
	gone := func(rel string) bool {
		return path.Dir(rel) == "." && slices.Contains(hidden, rel) || p.patched && p.w.goneSet[rel]
	}
	if err := t.layer(ctx, folder, ".", wanted, gone); err != nil {
		return err
	}
	for _, b := range borrowed {
		if err := t.layer(ctx, b.Host, b.Path, wanted, nil); err != nil {
			return err
		}
	}
	return t.prune(wanted)
}

// layer copies to the path under what is in folder and not wanted yet, without
// what is gone. A file of an upper layer hides a folder of a lower one.
func (t *treeCopy) layer(ctx context.Context, folder, under string, wanted map[string]bool, gone func(string) bool) error {
	return filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		rel = path.Join(under, filepath.ToSlash(rel))
		switch {
		case rel == ".":
			return nil
		case gone != nil && gone(rel):
			return skip(d)
		case !wanted[rel]:
			wanted[rel] = true
			return t.bring(file, rel, d)
		}
		if info, err := os.Lstat(filepath.Join(t.dir, rel)); err == nil && !info.IsDir() {
			return skip(d)
		}
		return nil
	})
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// bring makes the path rel of the copy equal to file, unless it is already.
func (t *treeCopy) bring(file, rel string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	here := filepath.Join(t.dir, rel)
	now, err := os.Lstat(here)
	was := t.have[rel]
	if err == nil && was.from == file && was.source == stampOf(info) && was.here == stampOf(now) {
		return nil
	}
	if err == nil && d.IsDir() && now.IsDir() {
		return os.Chmod(here, info.Mode().Perm()|0o700)
	}
	if err == nil {
		if err := proc.RemoveAll(here); err != nil {
			return err
		}
	}
	switch {
	case d.IsDir():
		return os.Mkdir(here, info.Mode().Perm()|0o700)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(file)
		if err != nil {
			return err
		}
		err = os.Symlink(target, here)
		if err != nil {
			return err
		}
	case info.Mode().IsRegular():
		if err := copyFile(file, here, info); err != nil {
			return err
		}
	default:
		return nil // a socket or a pipe is no part of a tree
	}
	made, err := os.Lstat(here)
	if err != nil {
		return err
	}
	t.have[rel] = copied{from: file, source: stampOf(info), here: stampOf(made)}
	return nil
}

// prune removes what is in the copy and not wanted.
func (t *treeCopy) prune(wanted map[string]bool) error {
	return filepath.WalkDir(t.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.dir, file)
		if err != nil || wanted[filepath.ToSlash(rel)] {
			return err
		}
		delete(t.have, filepath.ToSlash(rel))
		if err := proc.RemoveAll(file); err != nil {
			return err
		}
		return skip(d)
	})
}

// copyFile copies a file with its mode and time, sharing its blocks where the
// disk can do that.
func copyFile(from, to string, info fs.FileInfo) error {
	if cloneFile(from, to) != nil {
		if err := copyBytes(from, to, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return errors.Join(os.Chmod(to, info.Mode().Perm()), os.Chtimes(to, time.Time{}, info.ModTime()))
}

func copyBytes(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode|0o200)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
