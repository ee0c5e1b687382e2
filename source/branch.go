package source

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/reviewgate/reviewgate/git"
)

// ErrShallow says that a clone does not reach back far enough. The error that
// wraps it has the command that helps.
var ErrShallow = errors.New("the clone is shallow")

// branch is the current branch against its base.
func (c *checkout) branch(ctx context.Context, name string) error {
	head, born, err := c.head(ctx)
	if err != nil {
		return err
	}
	if !born {
		return c.unborn(ctx)
	}
	base, err := c.base(ctx, name)
	if err != nil {
		return err
	}
	h, err := c.history(ctx, base, head)
	if err != nil {
		return err
	}
	if len(h.Commits) == 0 {
		return c.onlyUncommitted(ctx, base, head)
	}
	dirty, err := c.repo.Dirty(ctx)
	if err != nil {
		return err
	}
	if dirty {
		c.note("uncommitted changes were not looked at: commit them, or review them with --uncommitted")
	}
	return c.compare(ctx, base, head, h)
}

// base returns what the current branch is compared with.
func (c *checkout) base(ctx context.Context, name string) (side, error) {
	if name != "" {
		commit, err := c.repo.Resolve(ctx, name)
		return side{name, commit}, err
	}
	upstream, ok, err := c.repo.UpstreamRef(ctx)
	if err != nil {
		return side{}, err
	}
	if ok && !sameBranch(c.repo.Branch, upstream.Name) {
		return side{upstream.Short(), upstream.Commit}, nil
	}
	ref, err := c.repo.DefaultBranch(ctx)
	switch {
	case errors.Is(err, git.ErrNoDefaultBranch) && ok:
		return side{upstream.Short(), upstream.Commit}, nil
	case errors.Is(err, git.ErrNoDefaultBranch):
		if fetch, ok := c.repo.Unfetched(ctx, "main"); ok {
			return side{}, fmt.Errorf("%w: fetch it with %s, or name another branch with --base", err, fetch.Command())
		}
		return side{}, fmt.Errorf("%w: name the branch that the change goes to with --base", err)
	}
	return side{ref.Short(), ref.Commit}, err
}

// sameBranch reports whether an upstream is the pushed copy of a branch.
func sameBranch(branch, upstream string) bool {
	rest, ok := strings.CutPrefix(upstream, "refs/remotes/")
	if !ok {
		return branch == upstream
	}
	_, name, _ := strings.Cut(rest, "/")
	return git.ShortName(branch) == name
}

// history is how base and head are related; that they are not is an error.
func (c *checkout) history(ctx context.Context, base, head side) (*git.History, error) {
	h, err := c.repo.History(ctx, base.commit.ID, head.commit.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case len(h.Bases) > 0:
		return h, nil
	case c.repo.Shallow:
		return nil, fmt.Errorf("%w and does not reach back to where %s left %s: run git fetch --deepen=50 %s", ErrShallow, head, base, fetchArgs(base))
	}
	return nil, fmt.Errorf("%s and %s have %w: name the branch that the change goes to with --base", base, head, git.ErrUnrelated)
}

// fetchArgs is remote and branch for a git fetch that gets a base.
func fetchArgs(base side) string {
	if remote, branch, ok := strings.Cut(base.name, "/"); ok && branch != "HEAD" {
		return remote + " " + branch
	}
	if base.name == "" {
		return "origin main"
	}
	return "origin " + strings.TrimSuffix(base.name, "/HEAD")
}

// onlyUncommitted is a branch that has no commit of its own: the change is its
// uncommitted work, if it has any.
func (c *checkout) onlyUncommitted(ctx context.Context, base, head side) error {
	why := fmt.Sprintf("%s has no commit that %s does not have", head, base)
	todo := "commit something, or name another base with --base"
	if head.String() == base.String() {
		why = fmt.Sprintf("%s is the base itself", head)
		todo = "switch to the branch to review, or name what to review with --commit or a range A..B"
	}
	if c.repo.Work == "" {
		return fmt.Errorf("%w: %s: %s", ErrEmpty, why, todo)
	}
	tree, err := c.repo.DirtyTree(ctx)
	if err != nil {
		return err
	}
	if tree == head.commit.Tree {
		return fmt.Errorf("%w: %s, and nothing is uncommitted: %s", ErrEmpty, why, todo)
	}
	c.note("%s: the uncommitted changes are reviewed", why)
	return c.uncommitted(ctx, head, tree, "uncommitted changes")
}
