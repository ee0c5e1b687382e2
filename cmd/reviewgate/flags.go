package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/report"
)

// gateFlags are the flags that the commands around the gate share.
type gateFlags struct {
	configFile    string
	reviewers     []string
	fake          bool
	answers       string
	minConfidence float64
	noVerify      bool
	compareBase   bool
	sandbox       string
	timeout       time.Duration
	noCache       bool
	failOn        string
	asOf          string
	out           string
	json          bool
	format        string
}

// addVerify adds the flags about testing a tree.
func (f *gateFlags) addVerify(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.configFile, "config", "", "settings `FILE` instead of the base's .reviewgate.yaml")
	flags.BoolVar(&f.compareBase, "compare-base", false, "test the base too and say which failures are not new")
	flags.StringVar(&f.sandbox, "sandbox", "auto", "how tests are walled in: auto, required or off")
	flags.DurationVar(&f.timeout, "timeout", time.Duration(config.Default().Verify.Timeout), "limit of each check")
	flags.BoolVar(&f.noCache, "no-cache", false, "run again what was run before")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	complete(c, "sandbox", words(config.Sandboxes)...)
}

// addAsOf adds the flag that ages are measured by.
func (f *gateFlags) addAsOf(c *cobra.Command) {
	c.Flags().StringVar(&f.asOf, "as-of", "", "moment that ages are measured at, `DATE` as 2006-01-02 or RFC 3339 (default now)")
}

// add adds the flags that review and run share.
func (f *gateFlags) add(c *cobra.Command, failOn config.FailOn) {
	f.addVerify(c)
	f.addAsOf(c)
	flags := c.Flags()
	flags.StringSliceVar(&f.reviewers, "reviewer", nil, "ask only these, by `NAME` or built-in kind (checks, recorded)")
	flags.BoolVar(&f.fake, "fake", false, "the same as --reviewer recorded")
	flags.StringVar(&f.answers, "answers", "", "answers `FILE` of the recorded reviewer")
	flags.Float64Var(&f.minConfidence, "min-confidence", config.Default().MinConfidence, "drop findings below this confidence")
	flags.BoolVar(&f.noVerify, "no-verify", false, "apply the patch but run no tests")
	flags.StringVar(&f.failOn, "fail-on", string(failOn), "verdict from which on the exit code is not 0: hold, block or never")
	flags.StringVar(&f.out, "out", "", "write REPORT.md, report.html and the evidence into `DIR`")
	flags.StringVar(&f.format, "format", "text", "what to print: "+strings.Join(formatNames(), ", "))
	c.MarkFlagsMutuallyExclusive("json", "format")
	c.MarkFlagsMutuallyExclusive("fake", "reviewer")
	complete(c, "fail-on", words(config.FailOns)...)
	complete(c, "format", formatNames()...)
}

// settings resolves defaults, the file of the base, the environment and flags,
// in this order.
func (a *app) settings(c *cobra.Command, f *gateFlags, file []byte, name string) (config.Config, error) {
	cfg := config.Default()
	if err := cfg.Merge(file, name); err != nil {
		return cfg, &exitError{exitUsage, err}
	}
	if err := cfg.MergeEnv(a.env); err != nil {
		return cfg, &exitError{exitUsage, err}
	}
	for flag, set := range map[string]func(){
		"min-confidence": func() { cfg.MinConfidence = f.minConfidence },
		"compare-base":   func() { cfg.Verify.CompareBase = f.compareBase },
		"sandbox":        func() { cfg.Verify.Sandbox = config.Sandbox(f.sandbox) },
		"timeout":        func() { cfg.Verify.Timeout = config.Duration(f.timeout) },
		"fail-on":        func() { cfg.FailOn = config.FailOn(f.failOn) },
	} {
		if c.Flags().Changed(flag) {
			set()
		}
	}
	if err := cfg.Validate(); err != nil {
		return cfg, usagef("%w", err)
	}
	return cfg, nil
}

// asOfTime reads --as-of; a date is its first moment in UTC.
func (a *app) asOfTime(text string) (time.Time, error) {
	if text == "" {
		return a.now().UTC(), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, usagef("--as-of: %q is neither a date (2006-01-02) nor a time (2006-01-02T15:04:05Z)", text)
}

// outputFormat returns the format to print.
func (f *gateFlags) outputFormat() (report.Format, error) {
	chosen, ok := report.FormatNamed(f.format)
	if !ok {
		return chosen, unknownFormat(f.format)
	}
	return chosen, nil
}

func unknownFormat(name string) error {
	msg := fmt.Sprintf("--format: %q is not one of %s", name, strings.Join(formatNames(), ", "))
	if near := config.Nearest(name, formatNames()); near != "" {
		msg += fmt.Sprintf("; did you mean %q?", near)
	}
	return usagef("%s", msg)
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return names
}

func complete(c *cobra.Command, flag string, values ...string) {
	// The only error is a flag that does not exist, which is a mistake here.
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

func words[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
