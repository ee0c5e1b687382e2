package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/git"
)

// maxMeta is how many bytes a meta.json may have: a description of a megabyte
// is a mistake.
const maxMeta = 1 << 20

const (
	metaFile  = "meta.json"
	patchFile = "patch.diff"
)

// PRs reads every change below dir: a folder each, called pr-NN, with a
// meta.json and a patch.diff. They come sorted by id. The error names every
// folder that cannot be read; none at all is an error too.
func PRs(dir string) ([]change.Change, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the changes: %w: name the folder that holds pr-01, pr-02, …", err)
	}
	var changes []change.Change
	var errs []error
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if !holdsChange(path) {
			continue
		}
		c, err := ReadPR(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		changes = append(changes, c)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if len(changes) == 0 {
		return nil, fmt.Errorf("%s holds no changes: a change is a folder pr-NN with a %s and a %s", dir, metaFile, patchFile)
	}
	slices.SortFunc(changes, func(a, b change.Change) int { return strings.Compare(a.ID, b.ID) })
	return changes, nil
}

// holdsChange reports whether a folder is meant to be a change, be it by its
// name or by one of its files: what is half there must not be passed over.
func holdsChange(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	if strings.HasPrefix(filepath.Base(path), "pr-") {
		return true
	}
	for _, name := range []string{metaFile, patchFile} {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			return true
		}
	}
	return false
}

// ReadPR reads the change in dir.
func ReadPR(dir string) (change.Change, error) {
	name := filepath.Join(dir, metaFile)
	text, err := readFile(name, maxMeta)
	if err != nil {
		return change.Change{}, missingFile(err, "a change needs its id, title, description, approvals and created_at there")
	}
	c, err := parseMeta(text, filepath.Base(dir))
	if err != nil {
		return change.Change{}, fmt.Errorf("%s:%w", name, err)
	}
	name = filepath.Join(dir, patchFile)
	c.Patch, err = readFile(name, git.MaxPatch)
	if err != nil {
		return change.Change{}, missingFile(err, "write the change there with git diff")
	}
	if len(bytes.TrimSpace(c.Patch)) == 0 {
		return change.Change{}, fmt.Errorf("%s is empty: write the change there with git diff, or remove the folder", name)
	}
	return c, nil
}

func missingFile(err error, todo string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", err, todo)
	}
	return err
}
