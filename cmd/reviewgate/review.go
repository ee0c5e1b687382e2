package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/gate"
	"github.com/reviewgate/reviewgate/git"
	"github.com/reviewgate/reviewgate/report"
	"github.com/reviewgate/reviewgate/source"
	"github.com/reviewgate/reviewgate/verify"
)

// reviewFlags are those of review alone.
type reviewFlags struct {
	gateFlags
	repo        string
	base        string
	commit      string
	patch       string
	staged      bool
	uncommitted bool
}

func (a *app) reviewCommand() *cobra.Command {
	var f reviewFlags
	c := &cobra.Command{
		Use:   "review [A..B]",
		Short: "Review one change: by default the current branch against its base",
		Long: `Review takes one change through the gate and prints the verdict with its reason.

Without arguments the change is what the current branch adds to its base: the
branch of --base, else the upstream, else the default branch. Rules and settings
come from the base. The working copy is never written to: tests run on a copy.`,
		Example: `  reviewgate review                      # this branch
  reviewgate review --uncommitted        # the working copy against HEAD
  reviewgate review --commit abc123      # one commit
  reviewgate review v1.2..main           # a range
  git diff | reviewgate review --patch - # a patch on top of HEAD`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.review(c, &f, args) },
	}
	f.add(c, config.FailOnHold)
	c.Flags().StringVar(&f.repo, "repo", ".", "checkout `DIR`")
	c.Flags().StringVar(&f.base, "base", "", "branch or commit `REV` that the change is for")
	c.Flags().StringVar(&f.commit, "commit", "", "review one commit `REV` against its parent")
	c.Flags().StringVar(&f.patch, "patch", "", "review a patch `FILE`, - for standard input")
	c.Flags().BoolVar(&f.staged, "staged", false, "review what is staged")
	c.Flags().BoolVar(&f.uncommitted, "uncommitted", false, "review the working copy against HEAD")
	c.MarkFlagsMutuallyExclusive("commit", "patch", "staged", "uncommitted")
	c.MarkFlagsMutuallyExclusive("commit", "base")
	c.MarkFlagsMutuallyExclusive("staged", "base")
	c.MarkFlagsMutuallyExclusive("uncommitted", "base")
	return c
}

func (a *app) review(c *cobra.Command, f *reviewFlags, args []string) error {
	format, err := f.outputFormat()
	if err != nil {
		return err
	}
	if len(args) > 0 && (f.base != "" || f.commit != "" || f.patch != "" || f.staged || f.uncommitted) {
		return usagef("a range goes with none of --base, --commit, --patch, --staged, --uncommitted")
	}
	ctx := c.Context()
	in, err := a.change(ctx, f, args)
	if err != nil {
		return err
	}
	defer in.close()
	cfg, err := a.resolve(c, &f.gateFlags, baseOf(in.src))
	if err != nil {
		return err
	}
	p, err := a.panel(cfg, &f.gateFlags)
	if err != nil {
		return err
	}
	var o verify.Options
	if in.checkout != "" {
		o.Borrow = verify.FindBorrowed(in.checkout, changedPaths(in.src.Change))
	}
	g, cleanUp, err := a.newGate(cfg, &f.gateFlags, p, o)
	if err != nil {
		return err
	}
	defer cleanUp()
	run, outcome, err := a.reviewOne(ctx, g, in.src, p)
	if err != nil {
		return err
	}
	if err := a.printReview(run, f, format); err != nil {
		return err
	}
	if err := a.storeReview(run, outcome, f.out); err != nil {
		return err
	}
	return verdictError(run.Entries[0].Verdict, cfg.FailOn)
}

// input is the change to review and what it was read from.
type input struct {
	src      source.Change
	checkout string // top of the working copy; "" when there is none
	close    func() // what the change's trees are read from
}

// change reads the change that the flags name.
func (a *app) change(ctx context.Context, f *reviewFlags, args []string) (input, error) {
	if f.patch != "" {
		return a.patchChange(ctx, f)
	}
	repo, err := git.Open(ctx, f.repo, git.Options{Environ: a.env})
	if err != nil {
		return input{}, err
	}
	options := source.Options{Base: f.base, Commit: f.commit, Staged: f.staged, Uncommitted: f.uncommitted, CacheDir: a.cacheDir()}
	if len(args) > 0 {
		options.Range = args[0]
	}
	src, err := source.Checkout(ctx, repo, options)
	if err != nil {
		return input{}, errors.Join(err, repo.Close())
	}
	return input{src, repo.Work, a.closer(repo)}, nil
}

// patchChange reads a patch. In a repository it goes on top of --base or HEAD;
// outside of one it is a patch alone.
func (a *app) patchChange(ctx context.Context, f *reviewFlags) (input, error) {
	text, err := a.openInput(f.patch)
	if err != nil {
		return input{}, err
	}
	defer text.Close()
	ch, err := source.Patch(text, f.patch)
	if err != nil {
		return input{}, err
	}
	ch.Local = true
	repo, err := git.Open(ctx, f.repo, git.Options{Environ: a.env})
	if errors.Is(err, git.ErrNotRepository) && f.base == "" {
		return input{src: source.Change{Change: ch}, close: func() {}}, nil
	}
	if err != nil {
		return input{}, err
	}
	src, err := source.OnTop(ctx, repo, f.base, ch, a.cacheDir())
	if err != nil {
		return input{}, errors.Join(err, repo.Close())
	}
	return input{src, repo.Work, a.closer(repo)}, nil
}

func (a *app) closer(repo *git.Repo) func() {
	return func() {
		if err := repo.Close(); err != nil {
			a.warn("%v", err)
		}
	}
}

func (a *app) reviewOne(ctx context.Context, g *gate.Gate, src source.Change, p panel) (report.Run, gate.Outcome, error) {
	specified, err := g.Rules(baseOf(src))
	if err != nil {
		return report.Run{}, gate.Outcome{}, err
	}
	first := report.Run{Version: version(), Repo: src.Repo, Reviewer: p.info, StartedAt: a.now().UTC()}
	bar := a.newProgress(1)
	g.Progress = bar.event
	outcome, err := g.Review(ctx, src, specified)
	bar.close()
	if err != nil {
		return report.Run{}, outcome, err
	}
	return g.Summarise(first, []gate.Outcome{outcome}, gate.Answers{}, a.now().Sub(first.StartedAt)), outcome, nil
}

func (a *app) printReview(run report.Run, f *reviewFlags, format report.Format) error {
	switch {
	case f.json:
		return report.EntryJSON(a.stdout, run.Entries[0])
	case format.Name == "text":
		return report.Text(a.stdout, run.Entries[0], palette)
	}
	return format.Write(a.stdout, run)
}

// storeReview writes the reports and the evidence into the folder dir.
func (a *app) storeReview(run report.Run, outcome gate.Outcome, dir string) error {
	if dir == "" {
		return nil
	}
	keep, err := gate.OpenRunDir(dir, false)
	if err != nil {
		return err
	}
	if err := keep.Save(outcome, a.now()); err != nil {
		return err
	}
	if err := keep.Finish(run); err != nil {
		return err
	}
	a.warn("report: %s", keep.Path(gate.PageFile))
	return nil
}

// baseOf keeps a nil Tree from turning into an fs.FS that is not nil.
func baseOf(src source.Change) fs.FS {
	if src.Base == nil {
		return nil
	}
	return src.Base
}
