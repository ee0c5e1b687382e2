package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// file is what the id of a folder needs to know of one file.
type file struct {
	path string
	kind byte // 'f' plain, 'x' executable, 'l' link, 's' anything else
	stamp
	hash [sha256.Size]byte
}

// listFiles returns all files that count, in the order of a walk. The folders
// that without names do not.
func listFiles(ctx context.Context, root fs.FS, without []string) ([]file, error) {
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
		case d.Name() == ".git", d.IsDir() && (name == "prs" || slices.Contains(without, name)):
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
