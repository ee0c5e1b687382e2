package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/gate"
	"github.com/reviewgate/reviewgate/policy"
	"github.com/reviewgate/reviewgate/report"
	"github.com/reviewgate/reviewgate/source"
	"github.com/reviewgate/reviewgate/verify"
)

// runFlags are those of run alone.
type runFlags struct {
	gateFlags
	repo, prs   string
	labels, key string
	jobs        int
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run --repo PATH --out DIR",
		Short: "Review many changes: every folder of PATH/prs",
		Long: `Run reviews every change of a folder of changes (meta.json and patch.diff each)
against one base, several at once, prints a line per change in a stable order,
and writes REPORT.md, report.html and the evidence into the folder of --out.

A run that was stopped goes on where it was: evidence that is still true is kept.
The exit code is 0 when every change got its answer; --fail-on hold or block
makes it 3 or 4 for the worst verdict.`,
		Example: "  reviewgate run --repo . --out out\n  reviewgate run --repo . --out out --reviewer recorded --answers FAKEREVIEW.yaml --labels LABELS.yaml",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.run(c, &f) },
	}
	f.add(c, config.FailNever)
	c.Flags().StringVar(&f.repo, "repo", ".", "folder `PATH` of the base")
	c.Flags().StringVar(&f.prs, "prs", "", "folder `DIR` of the changes (default PATH/prs)")
	c.Flags().StringVar(&f.labels, "labels", "", "labels `FILE` to measure the reviewer against")
	c.Flags().StringVar(&f.key, "key", "", "key `FILE` with the expected verdicts")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "changes at once (default one per processor, 4 at most)")
	return c
}

func (a *app) run(c *cobra.Command, f *runFlags) error {
	format, err := f.outputFormat()
	if err != nil {
		return err
	}
	base := source.Folder(f.repo, a.cacheDir(), outFolder(f.out)...)
	cfg, err := a.resolve(c, &f.gateFlags, base)
	if err != nil {
		return err
	}
	if f.jobs < 0 {
		return usagef("--jobs: %d is negative", f.jobs)
	}
	if c.Flags().Changed("jobs") {
		cfg.Jobs = f.jobs
	}
	if f.prs == "" {
		f.prs = filepath.Join(f.repo, "prs")
	}
	changes, err := source.PRs(f.prs)
	if err != nil {
		return err
	}
	answers, err := a.answersFor(f, changes)
	if err != nil {
		return err
	}
	p, err := a.panel(cfg, &f.gateFlags)
	if err != nil {
		return err
	}
	g, cleanUp, err := a.newGate(cfg, &f.gateFlags, p, verify.Options{
		Warm: len(changes) > 1, Borrow: verify.FindBorrowed(f.repo, changedPaths(changes...)),
	})
	if err != nil {
		return err
	}
	defer cleanUp()
	batch := gate.Batch{Base: base, Changes: changes, Jobs: jobs(cfg), Digest: settingsDigest(cfg, p, g.RunTests)}
	if f.out != "" {
		if batch.Keep, err = gate.OpenRunDir(f.out, !f.noCache); err != nil {
			return err
		}
	}
	first := report.Run{Version: version(), Repo: repoName(f.repo), Reviewer: p.info, StartedAt: a.now().UTC()}
	run, err := a.runBatch(c.Context(), g, batch, first, answers, f.prints(format))
	if err != nil {
		return err
	}
	if err := a.finish(run, batch.Keep, &f.gateFlags, format); err != nil {
		return err
	}
	if !c.Flags().Changed("fail-on") {
		return nil
	}
	return verdictError(worst(run), cfg.FailOn)
}

// outFolder is the folder of the reports, which is no part of the base even when
// it lies in there.
func outFolder(out string) []string {
	if out == "" {
		return nil
	}
	return []string{out}
}

// prints reports whether lines for people go to stdout.
func (f *gateFlags) prints(format report.Format) bool { return !f.json && format.Name == "text" }

// runBatch takes the batch through the gate, printing lines and progress as
// changes finish.
func (a *app) runBatch(ctx context.Context, g *gate.Gate, b gate.Batch, first report.Run, answers gate.Answers, lines bool) (report.Run, error) {
	bar := a.newProgress(len(b.Changes))
	g.Progress = bar.event
	kept := 0
	var printing error
	b.Done = func(o gate.Outcome) {
		if o.Kept {
			kept++
		}
		if lines {
			bar.print(func() { printing = errors.Join(printing, report.Text(a.stdout, o.Entry, palette)) })
		}
	}
	outcomes, err := g.RunAll(ctx, b)
	bar.close()
	if err = errors.Join(err, printing); err != nil {
		if len(outcomes) > 0 && b.Keep != nil {
			a.warn("%d of %d changes are done and kept in %s: run again to go on", len(outcomes), len(b.Changes), b.Keep.Path("runs"))
		}
		return report.Run{}, err
	}
	if kept > 0 {
		a.warn("%d of %d changes were examined before and nothing they rest on has changed (--no-cache examines them again)", kept, len(b.Changes))
	}
	return g.Summarise(first, outcomes, answers, a.now().Sub(first.StartedAt)), nil
}

// finish writes the reports and prints what the flags ask for.
func (a *app) finish(run report.Run, keep *gate.RunDir, f *gateFlags, format report.Format) error {
	where := ""
	if keep != nil {
		if err := keep.Finish(run); err != nil {
			return err
		}
		where = keep.Path(gate.PageFile)
	}
	switch {
	case f.json:
		return a.printJSON(run.Entries)
	case format.Name == "text":
		return report.Summary(a.stdout, run, where, palette)
	}
	return format.Write(a.stdout, run)
}

// answersFor reads what the run is measured against. A label on a file that its
// change does not touch could never be hit, so it is a mistake.
func (a *app) answersFor(f *runFlags, changes []change.Change) (gate.Answers, error) {
	labels, key, err := a.readAnswers(f.labels, f.key)
	if err != nil {
		return gate.Answers{}, err
	}
	if err := allKnown(changes, labels, key, f); err != nil {
		return gate.Answers{}, err
	}
	if labels == nil {
		return gate.Answers{Key: key}, nil
	}
	for _, ch := range changes {
		patch, err := diff.Parse(ch.Patch)
		if err != nil {
			return gate.Answers{}, fmt.Errorf("%s: read the patch: %w", ch.ID, err)
		}
		if outside := labels.Outside(ch.ID, patch.ChangedPaths()); len(outside) > 0 {
			return gate.Answers{}, fmt.Errorf("%s: take the label out or correct its file", outside[0])
		}
	}
	return gate.Answers{Labels: labels, Key: key}, nil
}

// allKnown returns an error for the first label or key of a change that is not
// in the run: it would count as neither hit nor missed.
func allKnown(changes []change.Change, labels *eval.Labels, key map[string]policy.Verdict, f *runFlags) error {
	known := map[string]bool{}
	for _, ch := range changes {
		known[ch.ID] = true
	}
	if labels != nil {
		for _, c := range labels.Changes {
			if !known[c.ID] {
				return fmt.Errorf("%s:%d: there is no change %s among those of this run", labels.Name, c.At, c.ID)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(key)) {
		if !known[id] {
			return fmt.Errorf("%s: there is no change %s among those of this run", f.key, id)
		}
	}
	return nil
}

// worst returns the least permissive verdict of a run.
func worst(run report.Run) policy.Verdict {
	v := policy.Merge
	for _, e := range run.Entries {
		if e.Verdict.AtLeast(v) {
			v = e.Verdict
		}
	}
	return v
}

// settingsDigest is the digest of all that the evidence depends on besides the
// change, the base and the rules.
func settingsDigest(cfg config.Config, p panel, tests bool) string {
	text, err := json.Marshal([]any{version(), p.digest, cfg.Verify, cfg.Rules, tests})
	if err != nil {
		panic(err) // the settings are plain values
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// repoName is the last part of the folder's real name: a report must not tell
// where on a machine it was made.
func repoName(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return filepath.Base(dir)
	}
	return filepath.Base(abs)
}
