package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/config"
)

// resolve returns the settings in force for a change whose base is given; a
// nil base has no settings file.
func (a *app) resolve(c *cobra.Command, f *gateFlags, base fs.FS) (config.Config, error) {
	file, name, err := a.settingsFile(f.configFile, base)
	if err != nil {
		return config.Config{}, err
	}
	return a.settings(c, f, file, name)
}

// settingsFile returns the text of the settings file and how errors call it:
// the one named on the command line or in the environment, else the base's own.
func (a *app) settingsFile(named string, base fs.FS) ([]byte, string, error) {
	if named == "" {
		named = a.getenv("REVIEWGATE_CONFIG")
	}
	if named != "" {
		text, err := a.readInput(named)
		if err != nil {
			return nil, "", &exitError{exitUsage, fmt.Errorf("settings: %w", err)}
		}
		return text, named, nil
	}
	if base == nil {
		return nil, config.FileName, nil
	}
	text, err := fs.ReadFile(base, config.FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, config.FileName, nil
	}
	return text, config.FileName, err
}
