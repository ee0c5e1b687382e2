package source

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/reviewgate/reviewgate/git"
)

// Options says which change of a checkout is meant. The zero value is the
// current branch against its base. At most one of Commit, Range, Staged and
// Uncommitted is set, and none of them together with Base.
type Options struct {
	Base        string // what the branch is compared with; "" finds it
	Commit      string // this commit against its first parent
	Range       string // "A..B" or "A...B"
	Staged      bool   // the index against HEAD
	Uncommitted bool   // the working copy against HEAD
	CacheDir    string // where trees are written that a program must run in
}

// Checkout reads a change from a repository, which must stay open as long as
// the change's trees are used.
//
// The patch is what the change does to its base: where the base moved on, git
// merges the two and the patch leads from the base to the merged tree. When
// they do not merge, Conflicts has the files, and the patch leads from where
// they parted to the change's own head.
//
// The current branch's base is Options.Base, else its upstream when that is
// another branch, else the default branch. When the branch has no commit of
// its own, its uncommitted work is the change.
//
// The error wraps [ErrEmpty] when there is nothing to review, and otherwise
// says what to do.
func Checkout(ctx context.Context, repo *git.Repo, o Options) (Change, error) {
	if err := o.check(); err != nil {
		return Change{}, err
	}
	c := &checkout{repo: repo, cacheDir: o.CacheDir}
	c.out.Repo = repo.Name()
	c.out.Local = true
	c.out.Approvals = []string{}
	var err error
	switch {
	case o.Commit != "":
		c.noFiles = fmt.Sprintf("commit %s changes no file: name another one", o.Commit)
		err = c.commit(ctx, o.Commit)
	case o.Range != "":
		c.noFiles = fmt.Sprintf("the commits of %s together change no file: name another range", o.Range)
		err = c.commitRange(ctx, o.Range)
	case o.Staged || o.Uncommitted:
		c.noFiles = "it changes no file: change one first"
		err = c.workingCopy(ctx, o.Staged)
	default:
		c.noFiles = "the commits of the branch together change no file: commit a change to one first"
		err = c.branch(ctx, o.Base)
	}
	if err != nil {
		return Change{}, err
	}
	return c.out, nil
}

func (o Options) check() error {
	var set []string
	for _, choice := range []struct {
		name string
		on   bool
	}{
		{"a commit", o.Commit != ""}, {"a range", o.Range != ""}, {"staged", o.Staged}, {"uncommitted", o.Uncommitted}, {"a base", o.Base != ""},
	} {
		if choice.on {
			set = append(set, choice.name)
		}
	}
	if len(set) > 1 {
		return fmt.Errorf("%s name different changes: choose one", strings.Join(set, " and "))
	}
	return nil
}

// checkout is a change being read.
type checkout struct {
	repo     *git.Repo
	cacheDir string
	noFiles  string // what to say of a change that ends with the files that it began with
	out      Change
}

func (c *checkout) note(format string, args ...any) {
	c.out.Notes = append(c.out.Notes, fmt.Sprintf(format, args...))
}

// side is one end of a change.
type side struct {
	name   string // as people call it; "" for a commit that has no name
	commit git.Commit
}

func (s side) String() string {
	if s.name == "" {
		return short(s.commit.ID)
	}
	return s.name
}

// short is an id as people read it.
func short(id string) string { return id[:min(len(id), 10)] }

// head returns HEAD; born is false when the repository has no commit yet.
func (c *checkout) head(ctx context.Context) (head side, born bool, err error) {
	commit, born, err := c.repo.Head(ctx)
	return side{git.ShortName(c.repo.Branch), commit}, born, err
}

// compare fills in the change from base to head, whose histories met as h says.
func (c *checkout) compare(ctx context.Context, base, head side, h *git.History) error {
	c.describe(head, h)
	from, err := c.tree(ctx, base.commit.Tree)
	if err != nil {
		return err
	}
	c.out.Base, c.out.BaseName = from, base.name
	c.out.Change.Base = base.commit.ID
	if h.Ancestor(base.commit.ID) {
		c.out.Head = head.commit.ID
		return c.finish(ctx, base.commit.Tree, head.commit.Tree)
	}
	merge, err := c.repo.Merge(ctx, base.commit.ID, head.commit.ID)
	switch {
	case errors.Is(err, git.ErrNoMerge):
		c.note("git is older than 2.38: the patch is what %s changed since it left %s, and whether the two merge is not known", head, base)
		c.out.Head = head.commit.ID
		return c.patch(ctx, h.Bases[0], head.commit.Tree)
	case err != nil:
		return err
	case len(merge.Conflicts) > 0:
		c.out.Conflicts = merge.Conflicts
		c.out.Head = head.commit.ID
		return c.patch(ctx, h.Bases[0], head.commit.Tree)
	case merge.Tree == base.commit.Tree:
		return fmt.Errorf("%w: what %s changes is in %s already: name an older base to review it all the same", ErrEmpty, head, base)
	}
	c.note("%s moved on since %s left it: the change is reviewed as merged into it", base, head)
	c.out.Head = merge.Tree
	return c.finish(ctx, base.commit.Tree, merge.Tree)
}

// finish fills in the patch between two trees and the tree after it.
func (c *checkout) finish(ctx context.Context, before, after string) error {
	if before == after {
		return fmt.Errorf("%w: %s", ErrEmpty, c.noFiles)
	}
	tree, err := c.tree(ctx, after)
	if err != nil {
		return err
	}
	c.out.After = tree
	return c.patch(ctx, before, after)
}

func (c *checkout) patch(ctx context.Context, before, after string) (err error) {
	c.out.Patch, err = c.repo.Diff(ctx, before, after, git.DiffOptions{})
	if err != nil {
		return err
	}
	if len(c.out.Patch) == 0 {
		return fmt.Errorf("%w: %s", ErrEmpty, c.noFiles)
	}
	return c.noteSubmodules()
}

func (c *checkout) tree(ctx context.Context, id string) (*gitTree, error) {
	tree, err := c.repo.Tree(ctx, id)
	if err != nil {
		return nil, err
	}
	return &gitTree{Tree: tree, repo: c.repo, cacheDir: c.cacheDir}, nil
}
