package verify

import (
	"context"
	"io/fs"
)

// Tree is the base of a change: what a patch applies to. Symbolic links are
// shown by Lstat and ReadLink when it is an [fs.ReadLinkFS]; every tree that can
// hold links should be one.
type Tree interface {
	fs.FS
	// ID returns an id of the content: equal trees have equal ids, and no two
	// others do.
	ID(ctx context.Context) (string, error)
	// Folder returns a folder that holds exactly this tree, made when it is asked
	// for. It is never written to, and stays until the program ends.
	Folder(ctx context.Context) (string, error)
}

// hidden are the folders at the top of a tree that are no part of what is
// tested: the changes themselves, and the repository with its settings, which
// may hold credentials.
var hidden = []string{"prs", ".git"}
