package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/source"
	"github.com/reviewgate/reviewgate/verify"
)

func (a *app) verifyCommand() *cobra.Command {
	var f gateFlags
	var repo, patch string
	var applyOnly bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Apply a patch to a copy and run the project's tests",
		Long: `Verify applies a patch to a copy of a folder, runs the project's tests there, and
says pass, fail or unknown for each. Without --patch the folder itself is tested,
on a copy. A patch that does not apply is a conflict and nothing is run.

Exit codes: 0 every check passed, 3 something is unknown, 4 a conflict or a
failed check.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			base := source.Folder(repo, a.cacheDir())
			cfg, err := a.resolve(c, &f, base)
			if err != nil {
				return err
			}
			v, cleanUp, err := a.newVerify(cfg, &f, verify.Options{Borrow: verify.FindBorrowed(repo, nil)})
			if err != nil {
				return err
			}
			defer cleanUp()
			answer, err := a.verify(c.Context(), v, base, patch, applyOnly)
			if err != nil {
				return err
			}
			if f.json {
				err = a.printJSON(answer)
			} else {
				a.printVerification(answer)
			}
			if err != nil {
				return err
			}
			return answer.exit(applyOnly)
		},
	}
	c.Flags().StringVar(&repo, "repo", ".", "folder `DIR` that the patch applies to")
	c.Flags().StringVar(&patch, "patch", "", "patch `FILE`, - for standard input")
	c.Flags().BoolVar(&applyOnly, "apply-only", false, "apply the patch and run nothing")
	f.addVerify(c)
	return c
}

// verify applies the patch and runs the checks. An empty patchFile means the
// tree as it is.
func (a *app) verify(ctx context.Context, v *verify.Gate, base source.Tree, patchFile string, applyOnly bool) (answer verifyAnswer, err error) {
	var text []byte
	parsed := &diff.Patch{}
	if patchFile != "" {
		if text, err = a.readInput(patchFile); err != nil {
			return answer, err
		}
		if parsed, err = diff.Parse(text); err != nil {
			return answer, fmt.Errorf("%s: %w", patchFile, err)
		}
		if err := parsed.Unsafe(); err != nil {
			return answer, fmt.Errorf("%s: refused: %w", patchFile, err)
		}
	}
	tree, applied, err := v.Prepare(ctx, base, nil, text, parsed)
	if err != nil {
		return answer, err
	}
	defer func() {
		if cerr := tree.Close(); err == nil {
			err = cerr
		}
	}()
	answer = verifyAnswer{Applied: applied, Checks: []change.Check{}, Sandbox: []string{}}
	answer.Applied.Conflicts = orEmpty(applied.Conflicts)
	if !applied.OK || applyOnly {
		return answer, nil
	}
	done, err := v.Check(ctx, tree)
	if err != nil {
		return answer, err
	}
	answer.Checks, answer.OK = orEmpty(done.Checks), done.OK()
	answer.DurationMS, answer.Sandbox = done.DurationMS, orEmpty(done.Sandbox)
	return answer, nil
}

// exit is the exit code of the answer: what is unknown holds, as in a verdict.
func (v verifyAnswer) exit(applyOnly bool) error {
	switch {
	case !v.Applied.OK, v.OK != nil && !*v.OK:
		return &exitError{code: exitBlock}
	case v.OK == nil && !applyOnly:
		return &exitError{code: exitHold}
	}
	return nil
}

func (a *app) printVerification(v verifyAnswer) {
	if !v.Applied.OK {
		fmt.Fprintf(a.stdout, "conflict: %s\n", oneLine(strings.Join(v.Applied.Conflicts, ", ")))
		return
	}
	fmt.Fprintln(a.stdout, "applied")
	for _, c := range v.Checks {
		style := map[change.Status]func(...string) string{change.Pass: green.Render, change.Fail: red.Render}[c.Status]
		if style == nil {
			style = yellow.Render
		}
		fmt.Fprintf(a.stdout, "%s %s", style(string(c.Status)), oneLine(c.Name))
		if c.Reason != "" {
			fmt.Fprintf(a.stdout, ": %s", oneLine(c.Reason))
		}
		fmt.Fprintln(a.stdout)
		if c.Status == change.Fail {
			a.printOutput(c.Output)
		}
	}
	if len(v.Sandbox) > 0 {
		fmt.Fprintf(a.stdout, "%s\n", faint.Render("sandbox: "+strings.Join(v.Sandbox, ", ")))
	}
}

// printOutput prints the output of a check, indented and without control
// characters.
func (a *app) printOutput(output string) {
	for line := range strings.Lines(output) {
		fmt.Fprintf(a.stdout, "    %s\n", oneLine(strings.ReplaceAll(line, "\t", "    ")))
	}
}
