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
// folder that cannot be read; none at all is an error too. Nothing is passed
// over but files and what begins with a dot.
func PRs(dir string) ([]change.Change, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the changes: %w: name the folder that holds pr-01, pr-02, …", err)
	}
	var changes []change.Change
	var errs []error
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		info, err := os.Stat(path) // a link may lead to a folder
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !info.IsDir() {
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

// ReadPR reads the change in dir: its meta.json, which needs an id, a title and
// a created_at and may have a description, author, approvals, draft and labels,
// and its patch.diff.
func ReadPR(dir string) (change.Change, error) {
	if holdsNothing(dir) {
		return change.Change{}, fmt.Errorf("%s holds neither a %s nor a %s: add both, or move the folder away if it is no change", dir, metaFile, patchFile)
	}
	name := filepath.Join(dir, metaFile)
	text, err := readFile(name, maxMeta)
	if err != nil {
		return change.Change{}, missingFile(err, "a change needs its id, title and created_at there")
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

// holdsNothing reports whether dir is a folder without any file of a change.
func holdsNothing(dir string) bool {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false
	}
	for _, name := range []string{metaFile, patchFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

func missingFile(err error, todo string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", err, todo)
	}
	return err
}
