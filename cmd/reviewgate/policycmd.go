package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/policy"
)

func (a *app) policyCommand() *cobra.Command {
	c := &cobra.Command{Use: "policy", Short: "Judge a written review policy", Args: cobra.NoArgs, RunE: helpOnly}
	c.AddCommand(a.policyCheckCommand())
	return c
}

func (a *app) policyCheckCommand() *cobra.Command {
	var labelsFile, keyFile string
	var asJSON bool
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Judge a REVIEW_POLICY.md against the labels and the key",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := a.readInput(args[0])
			if err != nil {
				return err
			}
			labels, key, err := a.readAnswers(labelsFile, keyFile)
			if err != nil {
				return err
			}
			problems := orEmpty(policy.CheckPolicy(text, policy.Truth{Labels: *labels, Key: key}))
			if asJSON {
				if err := a.printJSON(problems); err != nil {
					return err
				}
			}
			for _, p := range problems {
				if !asJSON {
					fmt.Fprintf(a.stdout, "%s:%d: %s\n", args[0], p.Line, oneLine(p.Text))
				}
			}
			if len(problems) > 0 {
				return &exitError{code: exitFault, err: fmt.Errorf("%s breaks %d of the policy's rules", args[0], len(problems))}
			}
			if !asJSON {
				fmt.Fprintf(a.stdout, "%s: ok\n", args[0])
			}
			return nil
		},
	}
	c.Flags().StringVar(&labelsFile, "labels", "", "labels `FILE`")
	c.Flags().StringVar(&keyFile, "key", "", "key `FILE` with the decision of each change (default the labels' decisions)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	required(c, "labels")
	return c
}

// readAnswers reads the labels and the key; a name that is empty is not read.
func (a *app) readAnswers(labelsFile, keyFile string) (*eval.Labels, map[string]policy.Verdict, error) {
	var labels *eval.Labels
	if labelsFile != "" {
		text, err := a.readInput(labelsFile)
		if err != nil {
			return nil, nil, err
		}
		parsed, err := eval.ParseLabels(text, labelsFile)
		if err != nil {
			return nil, nil, err
		}
		labels = &parsed
	}
	if keyFile == "" {
		return labels, nil, nil
	}
	text, err := a.readInput(keyFile)
	if err != nil {
		return nil, nil, err
	}
	key, err := policy.ParseKey(text, keyFile)
	return labels, key, err
}
