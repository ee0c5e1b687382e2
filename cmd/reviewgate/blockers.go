package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/gate"
	"github.com/reviewgate/reviewgate/report"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/source"
	"github.com/reviewgate/reviewgate/verify"
)

// rankedChange is one change as `blockers --json` prints it.
type rankedChange struct {
	PR       string            `json:"pr"`
	Score    int               `json:"score"`
	Blockers []blocker.Blocker `json:"blockers"`
}

func (a *app) blockersCommand() *cobra.Command {
	var f gateFlags
	var repo, prs string
	c := &cobra.Command{
		Use:   "blockers --repo PATH",
		Short: "Rank changes by the repository signals that block them",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			base := source.Folder(repo, a.cacheDir())
			cfg, err := a.resolve(c, &f, base)
			if err != nil {
				return err
			}
			if prs == "" {
				prs = filepath.Join(repo, "prs")
			}
			changes, err := source.PRs(prs)
			if err != nil {
				return err
			}
			g, cleanUp, err := a.newGate(cfg, &f, panel{reviewer: noReview{}}, verify.Options{
				Warm: len(changes) > 1, Borrow: verify.FindBorrowed(repo, changedPaths(changes...)),
			})
			if err != nil {
				return err
			}
			defer cleanUp()
			outcomes, err := g.RunAll(c.Context(), gate.Batch{Base: base, Changes: changes, Jobs: jobs(cfg)})
			if err != nil {
				return err
			}
			return a.printRanking(outcomes, f.json)
		},
	}
	c.Flags().StringVar(&repo, "repo", ".", "folder `PATH` of the base")
	c.Flags().StringVar(&prs, "prs", "", "folder `DIR` of the changes (default PATH/prs)")
	f.addAsOf(c)
	f.addVerify(c)
	return c
}

func (a *app) printRanking(outcomes []gate.Outcome, asJSON bool) error {
	entries := map[string]report.Entry{}
	items := make([]blocker.Item, len(outcomes))
	for i, o := range outcomes {
		entries[o.Entry.ID] = o.Entry
		items[i] = blocker.Item{ID: o.Entry.ID, Blockers: o.Entry.Blockers}
	}
	ranked := blocker.Rank(items)
	if !asJSON {
		_, err := fmt.Fprint(a.stdout, blocker.Table(ranked))
		return err
	}
	list := make([]rankedChange, len(ranked))
	for i, r := range ranked {
		list[i] = rankedChange{r.ID, r.Score, orEmpty(entries[r.ID].Blockers)}
	}
	return a.printJSON(list)
}

// noReview stands in for a reviewer where only the repository's signals count.
type noReview struct{}

func (noReview) Review(context.Context, reviewer.Task) (reviewer.Result, error) {
	return reviewer.Result{}, errors.New("nobody was asked to review")
}
