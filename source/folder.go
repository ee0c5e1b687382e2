package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reviewgate/reviewgate/git"
)

// Folder returns the tree of a plain folder, whether it is a git checkout or
// not. Symbolic links are followed inside the folder only.
//
// Its id covers name, kind, executable bit and content of every file except
// the top-level prs folder, which holds changes, and everything called .git.
// The content is read once: what a file hashed to is kept below cacheDir and
// holds as long as its size, times and inode stay the same. Without a cacheDir
// everything is read each time. The first id is kept: the folder is taken to
// stand still while the program runs.
//
// Folders below dir that without names do not count for the id either: what is
// written there meanwhile, such as the reports of a run, is no part of the tree.
func Folder(dir, cacheDir string, without ...string) Tree {
	f := &folder{dir: dir, cacheDir: cacheDir}
	for _, w := range without {
		if name, ok := below(dir, w); ok {
			f.without = append(f.without, name)
		}
	}
	return f
}

// below returns the name of path in the folder dir, with slashes, and whether it
// lies in there.
func below(dir, path string) (string, bool) {
	absDir, err := filepath.Abs(dir)
	absPath, err2 := filepath.Abs(path)
	if err != nil || err2 != nil {
		return "", false
	}
	name, err := filepath.Rel(absDir, absPath)
	return filepath.ToSlash(name), err == nil && name != "." && filepath.IsLocal(name)
}

type folder struct {
	dir      string
	cacheDir string
	without  []string // folders that do not count for the id, with slashes

	mu   sync.Mutex
	root *os.Root // opened with the first use; closes itself when nobody holds it

	hashing sync.Mutex
	id      string
}

// Open implements [fs.FS].
func (f *folder) Open(name string) (fs.File, error) {
	file, err := confined(f, "open", name, func(root *os.Root) (*os.File, error) { return root.Open(name) })
	if err != nil {
		return nil, err
	}
	return file, nil
}

// ReadFile implements [fs.ReadFileFS].
func (f *folder) ReadFile(name string) ([]byte, error) {
	return confined(f, "open", name, func(root *os.Root) ([]byte, error) { return root.ReadFile(name) })
}

// ReadDir implements [fs.ReadDirFS].
func (f *folder) ReadDir(name string) ([]fs.DirEntry, error) {
	return confined(f, "open", name, func(root *os.Root) ([]fs.DirEntry, error) { return readDir(root, name) })
}

// Stat implements [fs.StatFS].
func (f *folder) Stat(name string) (fs.FileInfo, error) {
	return confined(f, "stat", name, func(root *os.Root) (fs.FileInfo, error) { return root.Stat(name) })
}

// Lstat implements, with ReadLink, [fs.ReadLinkFS].
func (f *folder) Lstat(name string) (fs.FileInfo, error) {
	return confined(f, "lstat", name, func(root *os.Root) (fs.FileInfo, error) { return root.Lstat(name) })
}

// ReadLink returns where a symbolic link points, as written.
func (f *folder) ReadLink(name string) (string, error) {
	return confined(f, "readlink", name, func(root *os.Root) (string, error) { return root.Readlink(name) })
}

// confined does one thing with the folder. Like a tree of git, and unlike
// [os.DirFS], it takes names that are not UTF-8.
func confined[T any](f *folder, op, name string, do func(*os.Root) (T, error)) (T, error) {
	var none T
	if !git.ValidPath(name) {
		return none, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	root, err := f.open()
	if err != nil {
		return none, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return do(root)
}

func (f *folder) open() (*os.Root, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root == nil {
		root, err := os.OpenRoot(f.dir)
		if err != nil {
			return nil, err
		}
		f.root = root
	}
	return f.root, nil
}

// readDir lists a folder, sorted by name.
func readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	dir, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// Folder returns the folder itself.
func (f *folder) Folder(context.Context) (string, error) {
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return "", fmt.Errorf("folder %s: %w", f.dir, err)
	}
	return dir, nil
}

// ID returns a hash of the folder's content.
func (f *folder) ID(ctx context.Context) (string, error) {
	f.hashing.Lock()
	defer f.hashing.Unlock()
	if f.id != "" {
		return f.id, nil
	}
	dir, err := f.Folder(ctx)
	if err != nil {
		return "", err
	}
	started := time.Now()
	files, err := listFiles(ctx, f, f.without)
	if err != nil {
		return "", fmt.Errorf("id of folder %s: %w", f.dir, err)
	}
	known := readManifest(f.cacheDir, dir)
	if err := hashFiles(ctx, f, files, known); err != nil {
		return "", fmt.Errorf("id of folder %s: %w", f.dir, err)
	}
	if f.cacheDir != "" {
		if err := writeManifest(f.cacheDir, dir, files, started); err != nil {
			return "", fmt.Errorf("id of folder %s: %w", f.dir, err)
		}
	}
	whole := sha256.New()
	for i := range files {
		file := &files[i]
		fmt.Fprintf(whole, "%c %x %d %s\x00", file.kind, file.hash, len(file.path), file.path)
	}
	f.id = hex.EncodeToString(whole.Sum(nil))
	return f.id, nil
}
