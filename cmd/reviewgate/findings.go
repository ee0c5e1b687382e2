package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
	"github.com/reviewgate/reviewgate/schema"
)

func (a *app) findingsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "findings",
		Short: "Check and clean findings documents",
		Long:  "Each of these reads a findings document from a file or standard input and prints one.",
		Args:  cobra.NoArgs,
		RunE:  helpOnly,
	}
	c.AddCommand(a.findingsSchemaCommand(), a.findingsReconcileCommand())
	for _, step := range []findingsStep{
		{use: "touched", short: "Drop findings on files that the patch does not touch", needsPatch: true,
			apply: func(f []finding.Finding, o findingsOptions) []finding.Finding {
				return finding.OnlyTouched(f, o.changed)
			}},
		{use: "threshold", short: "Drop findings below a confidence", needsThreshold: true,
			apply: func(f []finding.Finding, o findingsOptions) []finding.Finding {
				return finding.Threshold(f, o.minConfidence)
			}},
		{use: "dedupe", short: "Keep the most confident of findings that are one issue",
			apply: func(f []finding.Finding, _ findingsOptions) []finding.Finding { return finding.Dedupe(f) }},
		{use: "clean", short: "touched, then threshold, then dedupe", needsPatch: true, needsThreshold: true,
			apply: func(f []finding.Finding, o findingsOptions) []finding.Finding {
				return finding.Clean(f, o.changed, o.minConfidence)
			}},
		{use: "merge", short: "Join findings that one comment can carry",
			apply: func(f []finding.Finding, _ findingsOptions) []finding.Finding { return finding.Merge(f) }},
	} {
		c.AddCommand(a.findingsStepCommand(step))
	}
	return c
}

// findingsStep is a subcommand that takes a list of findings to another.
type findingsStep struct {
	use, short                 string
	needsPatch, needsThreshold bool
	apply                      func([]finding.Finding, findingsOptions) []finding.Finding
}

type findingsOptions struct {
	changed       []string
	minConfidence float64
}

func (a *app) findingsStepCommand(step findingsStep) *cobra.Command {
	var patch string
	options := findingsOptions{minConfidence: config.Default().MinConfidence}
	c := &cobra.Command{
		Use:   step.use + " [FILE|-]",
		Short: step.short,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			doc, err := a.readFindings(first(args))
			if err != nil {
				return err
			}
			if step.needsPatch {
				if options.changed, err = a.pathsOf(patch); err != nil {
					return err
				}
			}
			doc.Findings = orEmpty(step.apply(doc.Findings, options))
			text, err := finding.Encode(doc)
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return err
		},
	}
	c.Flags().Bool("json", true, "the answer is always JSON")
	if step.needsPatch {
		c.Flags().StringVar(&patch, "patch", "", "patch `FILE` that the findings are about")
		required(c, "patch")
	}
	if step.needsThreshold {
		c.Flags().Float64Var(&options.minConfidence, "min-confidence", options.minConfidence, "lowest confidence that stays")
	}
	return c
}

func (a *app) readFindings(path string) (finding.Document, error) {
	text, err := a.readInput(path)
	if err != nil {
		return finding.Document{}, err
	}
	doc, err := finding.Decode(text)
	if err != nil {
		return doc, fmt.Errorf("%s: %w", path, err)
	}
	return doc, nil
}

func (a *app) pathsOf(patchFile string) ([]string, error) {
	text, err := a.readInput(patchFile)
	if err != nil {
		return nil, err
	}
	patch, err := diff.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", patchFile, err)
	}
	return patch.ChangedPaths(), nil
}

func (a *app) findingsSchemaCommand() *cobra.Command {
	var review bool
	c := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a findings document",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text := schema.Findings
			if review {
				text = schema.Review
			}
			_, err := a.stdout.Write(text)
			return err
		},
	}
	c.Flags().BoolVar(&review, "review", false, "the wider schema, with files_clean, titles and suggestions")
	c.Flags().Bool("json", true, "the answer is always JSON")
	return c
}

func (a *app) findingsReconcileCommand() *cobra.Command {
	var verifyFile string
	var asJSON bool
	c := &cobra.Command{
		Use:   "reconcile [FILE|-]",
		Short: "Hold the summary of a findings document against the checks' outcome",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			doc, err := a.readFindings(first(args))
			if err != nil {
				return err
			}
			v, err := a.readVerification(verifyFile)
			if err != nil {
				return err
			}
			note := policy.Reconcile(doc.Summary, v.verification())
			if asJSON {
				return a.printJSON(map[string]any{"findings": orEmpty(doc.Findings), "summary": doc.Summary, "verify_note": nullable(note)})
			}
			if note != "" {
				fmt.Fprintln(a.stdout, oneLine(note))
			}
			return nil
		},
	}
	c.Flags().StringVar(&verifyFile, "verify", "", "`FILE` with the answer of reviewgate verify --json")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	required(c, "verify")
	return c
}

// verifyAnswer is what `verify --json` prints and other commands read back.
type verifyAnswer struct {
	Applied    change.Applied `json:"applied"`
	Checks     []change.Check `json:"checks"`
	OK         *bool          `json:"ok"`
	DurationMS int64          `json:"duration_ms"`
	Sandbox    []string       `json:"sandbox"`
}

// verification returns nil when the patch did not apply, so nothing was run.
func (v verifyAnswer) verification() *change.Verification {
	if !v.Applied.OK {
		return nil
	}
	return &change.Verification{Checks: v.Checks, DurationMS: v.DurationMS, Sandbox: v.Sandbox}
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func required(c *cobra.Command, flag string) {
	// The only error is a flag that does not exist, which is a mistake here.
	if err := c.MarkFlagRequired(flag); err != nil {
		panic(err)
	}
}
