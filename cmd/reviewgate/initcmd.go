package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/config"
)

//go:embed init.yaml
var starter []byte

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a .reviewgate.yaml with every setting explained",
		Long:  "Init writes a settings file in which everything is commented out: the defaults need no file.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := os.OpenFile(config.FileName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s exists already and was left alone", config.FileName)
			}
			if err != nil {
				return err
			}
			_, err = f.Write(starter)
			if cerr := f.Close(); err == nil {
				err = cerr
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s\n", config.FileName)
			a.warn("commit it to the base branch: the settings of a change are those of its base")
			return nil
		},
	}
}
