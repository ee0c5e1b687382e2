package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

func (a *app) verdictCommand() *cobra.Command {
	var findingsFile, blockersFile, verifyFile, failed string
	var asJSON bool
	c := &cobra.Command{
		Use:   "verdict --findings FILE",
		Short: "Decide from findings, blockers and the checks' outcome",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			evidence := policy.Evidence{Reviewed: failed == "", ReviewError: failed, VerifyOff: verifyFile == "", PatchAlone: verifyFile == ""}
			var err error
			if evidence.Findings, err = a.optionalFindings(findingsFile); err != nil {
				return err
			}
			if findingsFile == "" && failed == "" {
				evidence.ReviewError, evidence.Reviewed = "no findings document was given", false
			}
			if evidence.Blockers, err = a.readBlockers(blockersFile); err != nil {
				return err
			}
			if verifyFile != "" {
				v, err := a.readVerification(verifyFile)
				if err != nil {
					return err
				}
				evidence.Applied, evidence.Verification = &v.Applied, v.verification()
				if !v.Applied.OK {
					evidence.Reviewed = false
				}
			}
			d := policy.Decide(evidence)
			if asJSON {
				return a.printJSON(d)
			}
			fmt.Fprintln(a.stdout, oneLine(d.Reason))
			return nil
		},
	}
	c.Flags().StringVar(&findingsFile, "findings", "", "clean findings document `FILE`")
	c.Flags().StringVar(&blockersFile, "blockers", "", "`FILE` with a list of {kind, weight, detail}")
	c.Flags().StringVar(&verifyFile, "verify", "", "`FILE` with the answer of reviewgate verify --json")
	c.Flags().StringVar(&failed, "review-failed", "", "the review failed, and `WHY`")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) optionalFindings(path string) ([]finding.Finding, error) {
	if path == "" {
		return nil, nil
	}
	doc, err := a.readFindings(path)
	return doc.Findings, err
}

// readBlockers reads a list of blockers. A kind that is not known is refused:
// ignoring it would let a change pass.
func (a *app) readBlockers(path string) ([]blocker.Blocker, error) {
	if path == "" {
		return nil, nil
	}
	text, err := a.readInput(path)
	if err != nil {
		return nil, err
	}
	var list []blocker.Blocker
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range list {
		weight, ok := blocker.Weights[list[i].Kind]
		if !ok {
			return nil, fmt.Errorf("%s: [%d]: there is no blocker of kind %q", path, i, list[i].Kind)
		}
		list[i].Weight = weight
	}
	return list, nil
}

func (a *app) readVerification(path string) (verifyAnswer, error) {
	text, err := a.readInput(path)
	if err != nil {
		return verifyAnswer{}, err
	}
	var v verifyAnswer
	if err := json.Unmarshal(text, &v); err != nil {
		return v, fmt.Errorf("%s: %w", path, err)
	}
	for i, check := range v.Checks {
		switch check.Status {
		case change.Pass, change.Fail, change.Unknown:
		default:
			return v, fmt.Errorf("%s: checks[%d]: %q is not one of pass, fail, unknown", path, i, check.Status)
		}
	}
	return v, nil
}
