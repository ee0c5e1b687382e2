package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/reviewgate/reviewgate/git"
)

// gitTree is a tree of a repository.
type gitTree struct {
	*git.Tree
	repo     *git.Repo
	cacheDir string

	mu     sync.Mutex
	folder string
}

// ID returns the tree's object id. It wins over the method of the embedded
// tree, which has the same answer.
func (t *gitTree) ID(context.Context) (string, error) { return t.Tree.ID(), nil }

// Folder writes the tree below the cache folder, unless it is there already
// from this or another process, and returns where it is.
func (t *gitTree) Folder(ctx context.Context) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.folder != "" {
		return t.folder, nil
	}
	if t.cacheDir == "" {
		return "", errors.New("there is no cache folder to write the tree to")
	}
	dir := filepath.Join(t.cacheDir, "trees", t.Tree.ID())
	if !isFolder(dir) {
		// When another process was faster, its tree is as good.
		if err := t.repo.Export(ctx, t.Tree.ID(), dir); err != nil && !isFolder(dir) {
			return "", err
		}
		prune(filepath.Dir(dir), time.Now())
	}
	used := time.Now()
	if err := os.Chtimes(dir, used, used); err != nil {
		return "", fmt.Errorf("cached tree: %w", err)
	}
	t.folder = dir
	return dir, nil
}

func isFolder(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir()
}

// How long trees stay in the cache after they were last asked for, and parts of
// trees after their process must have died. No run takes that long.
const (
	keepTree = 30 * 24 * time.Hour
	keepPart = 24 * time.Hour
)

// prune removes the trees below dir that nobody asked for in a long time. What
// cannot be removed stays; the cache works all the same.
func prune(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		keep := keepTree
		if strings.HasPrefix(entry.Name(), ".") {
			keep = keepPart
		}
		info, err := entry.Info()
		if err != nil || now.Sub(info.ModTime()) < keep {
			continue
		}
		// Out of sight first: a tree is there as a whole or not at all.
		old := filepath.Join(dir, entry.Name())
		gone := filepath.Join(dir, ".gone-"+strings.TrimPrefix(entry.Name(), ".gone-"))
		if old == gone || os.Rename(old, gone) == nil {
			os.RemoveAll(gone)
		}
	}
}

var _ interface {
	Tree
	fs.ReadDirFS
	fs.ReadFileFS
	fs.StatFS
	fs.ReadLinkFS
} = (*gitTree)(nil)
