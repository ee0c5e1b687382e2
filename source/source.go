// Package source reads a change from where it is: a folder with a patch, a
// patch alone, or a git checkout. It hands over the change, the tree that it
// applies to and, where git knows it, the tree after it.
//
// Its main type is [Change]. It changes nothing where it reads, and judges
// nothing: whether a patch can be read or applied is for others to find out.
package source

import (
	"context"
	"errors"
	"io/fs"

	"github.com/reviewgate/reviewgate/change"
)

// Change is a change and the trees around it.
type Change struct {
	change.Change

	Base      Tree     // what the change goes to; nil for a patch alone
	BaseName  string   // "origin/main"; "" when the base has no name
	After     fs.FS    // the tree after the change; nil unless git knows it
	Conflicts []string // paths that git could not merge into the base; then After is nil
	Notes     []string // what the reader must know to understand the answer: one sentence each
	Repo      string   // name of the repository; "" for a patch alone
}

// Tree is the files of one version. It is safe for concurrent use.
type Tree interface {
	fs.FS

	// ID returns a name for the tree's content: equal ids are equal trees.
	ID(ctx context.Context) (string, error)

	// Folder returns a directory that holds exactly this tree. Whoever gets it
	// never writes there.
	Folder(ctx context.Context) (string, error)
}

// ErrEmpty says that there is nothing to review. The error that wraps it says
// what is empty and what to do.
var ErrEmpty = errors.New("nothing to review")
