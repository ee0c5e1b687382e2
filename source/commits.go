package source

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/reviewgate/reviewgate/git"
)

// commit is one commit against its first parent, or against nothing when it
// has none.
func (c *checkout) commit(ctx context.Context, name string) error {
	commit, err := c.repo.Resolve(ctx, name)
	if err != nil {
		return err
	}
	head := side{commit: commit}
	base := c.nothing()
	base.name = ""
	if len(commit.Parents) > 0 {
		base.commit, err = c.repo.Resolve(ctx, commit.Parents[0])
		if _, ok := errors.AsType[*git.UnknownError](err); ok && c.repo.Shallow {
			return fmt.Errorf("%w and has no parent of %s: run git fetch --deepen=1", ErrShallow, head)
		}
		if err != nil {
			return err
		}
	}
	if len(commit.Parents) > 1 {
		c.note("%s is a merge: it is compared with its first parent, %s", head, base)
	}
	return c.compare(ctx, base, head, &git.History{Bases: []string{base.commit.ID}, Commits: []git.Commit{commit}})
}

// commitRange is "A..B", B merged into A, or "A...B", what B did since it left
// A. An end that is left out is HEAD.
func (c *checkout) commitRange(ctx context.Context, text string) error {
	from, to, sinceFork := strings.Cut(text, "...")
	if !sinceFork {
		var ok bool
		if from, to, ok = strings.Cut(text, ".."); !ok {
			return fmt.Errorf("range %q has no dots: write A..B, or name one commit with --commit", text)
		}
	}
	base, err := c.end(ctx, from)
	if err != nil {
		return err
	}
	head, err := c.end(ctx, to)
	if err != nil {
		return err
	}
	h, err := c.history(ctx, base, head)
	if err != nil {
		return err
	}
	if len(h.Commits) == 0 {
		return fmt.Errorf("%w: range %s is empty, %s has no commit that %s does not have: write the base first, as BASE..CHANGE", ErrEmpty, text, head, base)
	}
	if sinceFork {
		fork, err := c.repo.Resolve(ctx, h.Bases[0])
		if err != nil {
			return err
		}
		base = side{commit: fork}
		h.Bases = []string{fork.ID}
	}
	return c.compare(ctx, base, head, h)
}

// end is one end of a range.
func (c *checkout) end(ctx context.Context, name string) (side, error) {
	if name == "" {
		name = "HEAD"
	}
	commit, err := c.repo.Resolve(ctx, name)
	if name == "HEAD" || strings.ContainsAny(name, "~^:@{") || strings.HasPrefix(commit.ID, name) {
		name = "" // its short id says more
	}
	return side{name, commit}, err
}
