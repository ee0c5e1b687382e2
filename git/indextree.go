package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// treeOf writes the trees of an index file to the scratch folder and returns
// the id of the uppermost. It is "git write-tree" without the process, which
// would take as long as all the rest; folders that the index knows to be
// unchanged are not looked at. What it does not know is errOddIndex.
func (r *Repo) treeOf(indexFile string) (string, error) {
	data, err := os.ReadFile(indexFile)
	if errors.Is(err, os.ErrNotExist) {
		return r.EmptyTree(), nil
	}
	if err != nil {
		return "", err
	}
	ix, err := parseIndex(data, r.idLen())
	if err != nil {
		return "", err
	}
	// One at a time, so that nobody meets a half-written object of another.
	r.writing.Lock()
	defer r.writing.Unlock()
	w := &treeWriter{repo: r}
	id, err := w.write(ix.entries, 0, ix.cache, 0)
	if err != nil {
		return "", err
	}
	if id == nil {
		return r.EmptyTree(), nil
	}
	return hex.EncodeToString(id), nil
}

func (r *Repo) idLen() int { return len(r.EmptyTree()) / 2 }

// treeWriter writes trees as loose objects.
type treeWriter struct {
	repo *Repo
	made map[string]bool // two-digit folders of objects that are there

	packed bytes.Buffer
	zip    *zlib.Writer
}

// write writes the tree of entries, whose paths are the same up to from. It
// returns nil for a tree without files, which git does not write either.
func (w *treeWriter) write(entries []indexEntry, from int, cache *cachedTree, depth int) ([]byte, error) {
	if cache != nil && cache.count >= 0 && cache.count == len(entries) {
		return cache.id, nil
	}
	if depth > maxTreeDepth {
		return nil, errOddIndex
	}
	var tree []byte
	for len(entries) > 0 {
		name, _, isFolder := bytes.Cut(entries[0].path[from:], []byte{'/'})
		if !safeName(string(name)) {
			return nil, errOddIndex
		}
		mode, id, size := entries[0].mode, entries[0].id, 1
		if isFolder {
			size = sameFolder(entries, from+len(name)+1)
			var err error
			mode = Folder
			id, err = w.write(entries[:size], from+len(name)+1, cache.folder(name), depth+1)
			if err != nil {
				return nil, err
			}
		}
		tree = fmt.Appendf(tree, "%o %s\x00%s", mode, name, id)
		entries = entries[size:]
	}
	if tree == nil {
		return nil, nil
	}
	return w.store(tree)
}

// sameFolder counts the entries from the first that share its first n bytes.
func sameFolder(entries []indexEntry, n int) int {
	size := 1
	for size < len(entries) && bytes.HasPrefix(entries[size].path, entries[0].path[:n]) {
		size++
	}
	return size
}

// folder returns what is remembered of a folder; nil when nothing is.
func (c *cachedTree) folder(name []byte) *cachedTree {
	if c == nil {
		return nil
	}
	return c.folders[string(name)]
}

// store writes a tree object and returns its id.
func (w *treeWriter) store(tree []byte) ([]byte, error) {
	object := append(fmt.Appendf(nil, "tree %d\x00", len(tree)), tree...)
	var id []byte
	if w.repo.idLen() == sha256.Size {
		sum := sha256.Sum256(object)
		id = sum[:]
	} else {
		sum := sha1.Sum(object) // git's object ids, not a defence
		id = sum[:]
	}
	text := hex.EncodeToString(id)
	dir := filepath.Join(w.repo.scratch, "objects", text[:2])
	if !w.made[text[:2]] {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		if w.made == nil {
			w.made = map[string]bool{}
		}
		w.made[text[:2]] = true
	}
	return id, w.create(filepath.Join(dir, text[2:]), object)
}

// create writes an object file, unless it is there.
func (w *treeWriter) create(name string, object []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	w.packed.Reset()
	if w.zip == nil {
		w.zip, _ = zlib.NewWriterLevel(&w.packed, zlib.NoCompression) // a level that exists
	}
	w.zip.Reset(&w.packed)
	w.zip.Write(object) // into memory: cannot fail
	w.zip.Close()
	_, err = file.Write(w.packed.Bytes())
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(name)
	}
	return err
}
