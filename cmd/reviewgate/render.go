package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/report"
)

func (a *app) renderCommand() *cobra.Command {
	var format string
	var asJSON bool
	c := &cobra.Command{
		Use:   "render [RUN.json|-]",
		Short: "Print a stored run or entry in another format",
		Long: "Render reads what a run stored (run.json in the folder of --out, or the answer of --json) and prints it in\n" +
			"any format: " + strings.Join(formatNames(), ", ") + ".",
		Example: "  reviewgate render --format sarif out/run.json > reviewgate.sarif",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			text, err := a.readInput(first(args))
			if err != nil {
				return err
			}
			run, err := report.Decode(text)
			if err != nil {
				return err
			}
			chosen, ok := report.FormatNamed(format)
			if !ok {
				return unknownFormat(format)
			}
			return chosen.Write(a.stdout, run)
		},
	}
	c.Flags().StringVar(&format, "format", "markdown", "one of "+strings.Join(formatNames(), ", "))
	c.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	complete(c, "format", formatNames()...)
	return c
}
