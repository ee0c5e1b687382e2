package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/reviewer/checks"
)

func (a *app) checksCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "checks",
		Short: "List the built-in deterministic checks",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list := checks.List()
			if asJSON {
				return a.printJSON(list)
			}
			width := len("check")
			for _, check := range list {
				width = max(width, len(check.ID))
			}
			fmt.Fprintln(a.stdout, bold.Render(fmt.Sprintf("%-*s %-8s %s", width, "check", "at most", "finds")))
			for _, check := range list {
				fmt.Fprintf(a.stdout, "%-*s %-8s %s\n", width, check.ID, check.Severity, check.What)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
