package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer/recorded"
	"github.com/reviewgate/reviewgate/source"
)

func (a *app) metricsCommand() *cobra.Command {
	var labelsFile, findingsFile, prs string
	var clean, asJSON bool
	minConfidence := config.Default().MinConfidence
	c := &cobra.Command{
		Use:   "metrics --labels LABELS --findings FILE",
		Short: "Measure findings against labels: precision, recall, trust",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			labels, _, err := a.readAnswers(labelsFile, "")
			if err != nil {
				return err
			}
			text, err := a.readInput(findingsFile)
			if err != nil {
				return err
			}
			answers, err := recorded.Parse(findingsFile, text)
			if err != nil {
				return err
			}
			var matches []eval.Matches
			for _, id := range allIDs(labels, answers) {
				found := answers.ByID[id].Findings
				if clean {
					if found, err = cleanChange(filepath.Join(prs, id), found, minConfidence); err != nil {
						return err
					}
				}
				labelled, _ := labels.Of(id)
				matches = append(matches, eval.Match(found, labelled.Issues))
			}
			return a.printMetrics(eval.Summarise(matches), asJSON)
		},
	}
	c.Flags().StringVar(&labelsFile, "labels", "", "labels `FILE`")
	c.Flags().StringVar(&findingsFile, "findings", "", "findings `FILE`, by change, in the shape of the recorded reviewer's answers")
	c.Flags().BoolVar(&clean, "clean", false, "clean the findings first; needs --prs")
	c.Flags().StringVar(&prs, "prs", "prs", "folder `DIR` of the changes")
	c.Flags().Float64Var(&minConfidence, "min-confidence", minConfidence, "lowest confidence that stays when cleaning")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	required(c, "labels")
	required(c, "findings")
	return c
}

// allIDs returns the changes that have labels or findings: a finding on a change
// without labels is a false one.
func allIDs(labels *eval.Labels, answers *recorded.Answers) []string {
	var ids []string
	for _, c := range labels.Changes {
		ids = append(ids, c.ID)
	}
	for _, id := range answers.IDs {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// cleanChange cleans the findings about the change in folder dir.
func cleanChange(dir string, found []finding.Finding, minConfidence float64) ([]finding.Finding, error) {
	ch, err := source.ReadPR(dir)
	if err != nil {
		return nil, err
	}
	patch, err := diff.Parse(ch.Patch)
	if err != nil {
		return nil, fmt.Errorf("%s: read the patch: %w", ch.ID, err)
	}
	return finding.Clean(found, patch.ChangedPaths(), minConfidence), nil
}

func (a *app) printMetrics(r eval.Report, asJSON bool) error {
	if asJSON {
		return a.printJSON(r)
	}
	row := func(name string, s eval.Score) {
		fmt.Fprintf(a.stdout, "%-8s precision %.3f (%d/%d)  recall %.3f (%d/%d)  f1 %.3f\n", name, s.Precision, s.Matched, s.Findings, s.Recall, s.Matched, s.Labels, s.F1)
	}
	row("overall", r.Overall)
	for _, s := range finding.Severities {
		row(string(s), r.BySeverity[s])
	}
	fmt.Fprintf(a.stdout, "blocker recall %.3f, trusted: %t\n", r.BlockerRecall, r.Trusted)
	return nil
}
