package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
func Folder(dir, cacheDir string) Tree { return &folder{dir: dir, cacheDir: cacheDir} }

type folder struct {
	dir      string
	cacheDir string

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
	files, err := listFiles(ctx, f)
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

// file is what the id of a folder needs to know of one file.
type file struct {
	path string
	kind byte // 'f' plain, 'x' executable, 'l' link, 's' anything else
	stamp
	hash [sha256.Size]byte
}

// listFiles returns all files that count, in the order of a walk.
func listFiles(ctx context.Context, root fs.FS) ([]file, error) {
	var files []file
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if errors.Is(err, fs.ErrNotExist) && name != "." { // gone since it was listed
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case d.Name() == ".git", name == "prs" && d.IsDir():
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		files = append(files, file{path: name, kind: kindOf(info.Mode()), stamp: stampOf(info)})
		return nil
	})
	return files, err
}

func kindOf(mode fs.FileMode) byte {
	switch {
	case mode&fs.ModeSymlink != 0:
		return 'l'
	case !mode.IsRegular():
		return 's'
	case mode&0o111 != 0:
		return 'x'
	}
	return 'f'
}

// hashFiles fills in the hashes: from known where a file is as it was, else
// from its content, on all processors.
func hashFiles(ctx context.Context, root fs.FS, files []file, known map[string]remembered) error {
	var todo []*file
	for i := range files {
		if old, ok := known[files[i].path]; ok && old.stamp == files[i].stamp && old.kind == files[i].kind {
			files[i].hash = old.hash
			continue
		}
		todo = append(todo, &files[i])
	}
	work := make(chan *file)
	errs := make([]error, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for file := range work {
				if errs[i] == nil && ctx.Err() == nil {
					errs[i] = file.read(root)
				}
			}
		})
	}
	for _, file := range todo {
		work <- file
	}
	close(work)
	group.Wait()
	return errors.Join(append(errs, context.Cause(ctx))...)
}

// read hashes the content of a file. A file that may not be read counts by its
// size, times and inode: a test could not read it either.
func (f *file) read(root fs.FS) error {
	content := sha256.New()
	var err error
	switch f.kind {
	case 's':
	case 'l':
		var target string
		target, err = fs.ReadLink(root, f.path)
		content.Write([]byte(target))
	default:
		var in fs.File
		if in, err = root.Open(f.path); err == nil {
			_, err = io.Copy(content, in)
			in.Close()
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone since it was listed
		return nil
	case errors.Is(err, fs.ErrPermission):
		content.Reset()
		fmt.Fprintf(content, "unreadable %v", f.stamp)
	case err != nil:
		return err
	}
	f.hash = [sha256.Size]byte(content.Sum(nil))
	return nil
}

// manifestName is where the hashes of a folder are kept.
func manifestName(cacheDir, dir string) string {
	key := sha256.Sum256([]byte(dir))
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r < ' ' {
			return '_'
		}
		return r
	}, filepath.Base(dir))
	return filepath.Join(cacheDir, "folders", fmt.Sprintf("%.40s-%x", name, key[:8]))
}
