package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/reviewgate/reviewgate/git"
)

// workingCopy is the index or the working copy against HEAD, or against
// nothing when there is no commit yet.
func (c *checkout) workingCopy(ctx context.Context, staged bool) error {
	head, born, err := c.head(ctx)
	if err != nil {
		return err
	}
	if !born {
		head = c.nothing()
	}
	title, make := "uncommitted changes", c.repo.DirtyTree
	empty := "nothing is uncommitted: change a file first, or review what is committed with --commit or a range A..B"
	if staged {
		title, make = "staged changes", c.repo.StagedTree
		empty = "nothing is staged: git add something first"
	}
	tree, err := make(ctx)
	if err != nil {
		return err
	}
	if tree == head.commit.Tree {
		return fmt.Errorf("%w: %s", ErrEmpty, empty)
	}
	return c.uncommitted(ctx, head, tree, title)
}

// unborn is a repository without a commit.
func (c *checkout) unborn(ctx context.Context) error {
	head := c.nothing()
	tree, err := c.repo.DirtyTree(ctx)
	if err != nil && !errors.Is(err, git.ErrNoWorkTree) {
		return err
	}
	if err != nil || tree == head.commit.Tree {
		return fmt.Errorf("%w: the repository has no commit and no file yet: write and commit something first", ErrEmpty)
	}
	c.note("the repository has no commit yet: all files are reviewed as new")
	return c.uncommitted(ctx, head, tree, "uncommitted changes")
}

// nothing stands for HEAD where there is no commit.
func (c *checkout) nothing() side {
	empty := c.repo.EmptyTree()
	return side{"an empty repository", git.Commit{ID: empty, Tree: empty}}
}

// uncommitted fills in a change from head to a tree that is no commit.
func (c *checkout) uncommitted(ctx context.Context, head side, tree, title string) error {
	base, err := c.tree(ctx, head.commit.Tree)
	if err != nil {
		return err
	}
	c.out.ID = head.String()
	if head.commit.ID == head.commit.Tree { // nothing
		c.out.ID = "uncommitted"
	}
	c.out.Title = title + " on " + head.String()
	c.out.Base, c.out.BaseName = base, head.name
	c.out.Change.Base = head.commit.ID
	c.out.Head = tree
	return c.finish(ctx, head.commit.Tree, tree)
}
