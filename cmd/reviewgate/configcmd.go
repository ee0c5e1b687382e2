package main

import (
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/source"
)

func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Show the settings in force and their schema", Args: cobra.NoArgs, RunE: helpOnly}
	c.AddCommand(a.configShowCommand(), a.configSchemaCommand())
	return c
}

func (a *app) configShowCommand() *cobra.Command {
	var f gateFlags
	var repo string
	c := &cobra.Command{
		Use:   "show",
		Short: "Print the settings in force for a folder",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := a.resolve(c, &f, source.Folder(repo, a.cacheDir()))
			if err != nil {
				return err
			}
			if f.json {
				return a.printJSON(cfg)
			}
			text, err := yaml.Marshal(cfg)
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return err
		},
	}
	c.Flags().StringVar(&repo, "repo", ".", "folder `DIR` of the repository")
	c.Flags().StringVar(&f.configFile, "config", "", "settings `FILE` instead of the folder's .reviewgate.yaml")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func (a *app) configSchemaCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of .reviewgate.yaml",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := config.Schema()
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return err
		},
	}
	c.Flags().Bool("json", true, "the answer is always JSON")
	return c
}
