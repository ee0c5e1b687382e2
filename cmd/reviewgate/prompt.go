package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/rules"
	"github.com/reviewgate/reviewgate/source"
)

func (a *app) promptCommand() *cobra.Command {
	var repo string
	var asJSON bool
	c := &cobra.Command{
		Use:   "prompt --repo PATH CHANGE",
		Short: "Print the prompt that a reviewer is given for one change",
		Long:  "Prompt prints what a reviewer is told about the change in a folder with meta.json and patch.diff.",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			ch, err := source.ReadPR(args[0])
			if err != nil {
				return err
			}
			patch, err := diff.Parse(ch.Patch)
			if err != nil {
				return fmt.Errorf("%s: read the patch: %w", ch.ID, err)
			}
			base := source.Folder(repo, a.cacheDir())
			loaded, err := rules.Load(base)
			if err != nil {
				return err
			}
			foreign, _, err := rules.LoadForeign(base, patch.ChangedPaths())
			if err != nil {
				return err
			}
			loaded = append(loaded, foreign...)
			text := reviewer.Prompt(reviewer.Task{Change: ch, Patch: patch, Rules: loaded}, reviewer.Nonce())
			if asJSON {
				return a.printJSON(map[string]any{"change": ch.ID, "prompt": text, "rules": ruleNames(rules.For(loaded, patch.ChangedPaths()))})
			}
			fmt.Fprintln(a.stdout, text)
			return nil
		},
	}
	c.Flags().StringVar(&repo, "repo", ".", "folder `DIR` of the base, where the rules are")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func ruleNames(list []rules.Rule) []string {
	names := []string{}
	for _, r := range list {
		names = append(names, r.Name)
	}
	return names
}
