package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/diff"
)

func (a *app) diffCommand() *cobra.Command {
	c := &cobra.Command{Use: "diff", Short: "Read a patch", Args: cobra.NoArgs, RunE: helpOnly}
	c.AddCommand(a.diffFilesCommand())
	return c
}

// diffFile is one file of a patch as `diff files --json` prints it.
type diffFile struct {
	Path    string      `json:"path"`
	OldPath string      `json:"old_path"`
	Status  diff.Status `json:"status"`
	Added   int         `json:"added"`
	Deleted int         `json:"deleted"`
	Binary  bool        `json:"binary"`
	OldMode string      `json:"old_mode"`
	NewMode string      `json:"new_mode"`
}

func (a *app) diffFilesCommand() *cobra.Command {
	var asJSON, names bool
	c := &cobra.Command{
		Use:   "files [PATCH|-]",
		Short: "List the files that a patch changes, in patch order",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := a.readInput(first(args))
			if err != nil {
				return err
			}
			patch, err := diff.Parse(text)
			if err != nil {
				return fmt.Errorf("%s: %w", first(args), err)
			}
			switch {
			case names && asJSON:
				return a.printJSON(orEmpty(patch.ChangedPaths()))
			case names:
				for _, path := range patch.ChangedPaths() {
					fmt.Fprintln(a.stdout, path)
				}
				return nil
			case asJSON:
				return a.printJSON(diffFiles(patch))
			}
			for _, f := range diffFiles(patch) {
				fmt.Fprintf(a.stdout, "%s\t+%d\t-%d\t%s\n", f.Status, f.Added, f.Deleted, oneLine(f.Path))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&names, "names", false, "print every changed path, both of a rename")
	return c
}

func diffFiles(patch *diff.Patch) []diffFile {
	files := make([]diffFile, len(patch.Files))
	for i := range patch.Files {
		f := &patch.Files[i]
		files[i] = diffFile{f.Path(), f.OldPath, f.Status, f.Added, f.Deleted, f.Binary, f.OldMode, f.NewMode}
	}
	return files
}
