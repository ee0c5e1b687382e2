package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/glob"
	"github.com/reviewgate/reviewgate/rules"
	"github.com/reviewgate/reviewgate/source"
)

func (a *app) rulesCommand() *cobra.Command {
	c := &cobra.Command{Use: "rules", Short: "Load rules, match globs, select the rules of files", Args: cobra.NoArgs, RunE: helpOnly}
	c.AddCommand(a.rulesListCommand(), a.rulesMatchCommand(), a.rulesForCommand())
	return c
}

func (a *app) rulesListCommand() *cobra.Command {
	var repo string
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the rules under .claude/rules in load order",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			loaded, err := rules.Load(source.Folder(repo, a.cacheDir()))
			if err != nil {
				return err
			}
			return a.printRules(loaded, asJSON)
		},
	}
	c.Flags().StringVar(&repo, "repo", ".", "folder `DIR` of the repository")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) rulesMatchCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "match PATTERN PATH...",
		Short: "Say for each path whether the glob matches all of it",
		Args:  cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			pattern, err := glob.Compile(args[0])
			if err != nil {
				return usagef("%w", err)
			}
			type answer struct {
				Path  string `json:"path"`
				Match bool   `json:"match"`
			}
			answers := []answer{}
			for _, path := range args[1:] {
				answers = append(answers, answer{path, pattern.Match(path)})
			}
			if asJSON {
				return a.printJSON(answers)
			}
			for _, an := range answers {
				fmt.Fprintf(a.stdout, "%t %s\n", an.Match, oneLine(an.Path))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) rulesForCommand() *cobra.Command {
	var repo string
	var asJSON, specifiedOnly bool
	c := &cobra.Command{
		Use:   "for FILE...",
		Short: "Print which rules apply to files, and where each comes from",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			base := source.Folder(repo, a.cacheDir())
			loaded, err := rules.Load(base)
			if err != nil {
				return err
			}
			if !specifiedOnly {
				foreign, notes, err := rules.LoadForeign(base, files)
				if err != nil {
					return err
				}
				loaded = append(loaded, foreign...)
				for _, note := range notes {
					a.warn("%s", note)
				}
			}
			return a.printRules(rules.For(loaded, files), asJSON)
		},
	}
	c.Flags().StringVar(&repo, "repo", ".", "folder `DIR` of the repository")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&specifiedOnly, "no-foreign", false, "leave out AGENTS.md, CLAUDE.md and the like")
	return c
}

func (a *app) printRules(list []rules.Rule, asJSON bool) error {
	if asJSON {
		return a.printJSON(orEmpty(list))
	}
	if len(list) == 0 {
		a.warn("no rule applies")
	}
	for _, r := range list {
		scope := "always"
		if len(r.Paths) > 0 {
			scope = strings.Join(r.Paths, ", ")
		}
		fmt.Fprintf(a.stdout, "%s\t%s\t%s\n", oneLine(r.Name), oneLine(scope), oneLine(r.Source))
	}
	return nil
}
