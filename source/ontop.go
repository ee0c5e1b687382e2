package source

import (
	"cmp"
	"context"
	"fmt"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/git"
)

// OnTop returns a patch as a change to a commit of a repository, which must
// stay open as long as the change's trees are used. An empty rev is HEAD.
func OnTop(ctx context.Context, repo *git.Repo, rev string, ch change.Change, cacheDir string) (Change, error) {
	c := &checkout{repo: repo, cacheDir: cacheDir}
	c.out.Change = ch
	c.out.Repo = repo.Name()
	commit, err := repo.Resolve(ctx, cmp.Or(rev, "HEAD"))
	if err != nil {
		return Change{}, fmt.Errorf("the patch has nothing to go on top of: %w", err)
	}
	base, err := c.tree(ctx, commit.Tree)
	if err != nil {
		return Change{}, err
	}
	c.out.Base, c.out.BaseName, c.out.Change.Base = base, cmp.Or(rev, git.ShortName(repo.Branch)), commit.ID
	return c.out, nil
}
