package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewgate/reviewgate/config"
)

var (
	exclusive = regexp.MustCompile(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)
	missing   = regexp.MustCompile(`^required flag\(s\) (.*) not set$`)
	suggested = regexp.MustCompile(`(?s)^(unknown command ".*") for ".*"\n\nDid you mean this\?\n\t(.*)$`)
)

// flagError words what is wrong with a flag, with the nearest known one.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := config.Nearest(unknown.GetSpecifiedName(), known); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
}

// usageError words what the command line library says about a command line that
// it refused.
func usageError(err error) error {
	text := err.Error()
	if m := exclusive.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("--%s exclude each other: choose one", strings.Join(strings.Fields(m[1]), " and --"))
	}
	if m := missing.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("missing --%s", strings.ReplaceAll(strings.ReplaceAll(m[1], `"`, ""), ", ", " and --"))
	}
	if m := suggested.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s; did you mean %s?", m[1], strings.Join(strings.Fields(m[2]), " or "))
	}
	return err
}
