package report

import (
	"io"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/policy"
)

// aggregate is runs/live-<UTC date>.json (stage 08, Outputs): a run in figures,
// without the words of its findings.
type aggregate struct {
	Reviewer  ReviewerInfo      `json:"reviewer"`
	PRs       []aggregateChange `json:"prs"`
	Metrics   *eval.Report      `json:"metrics,omitempty"`
	KeyAgrees *int              `json:"verdicts_agreeing_with_key,omitempty"`
	Totals    Totals            `json:"totals"`
}

type aggregateChange struct {
	ID         string         `json:"pr"`
	Verdict    policy.Verdict `json:"verdict"`
	Reason     string         `json:"reason"`
	Review     ReviewStatus   `json:"review"`
	Verify     VerifyStatus   `json:"verify"`
	Blockers   []blocker.Kind `json:"blockers"`
	Findings   int            `json:"findings"`
	CostUSD    float64        `json:"cost_usd"`
	Turns      int            `json:"turns"`
	DurationMS int64          `json:"duration_ms"`
}

// Aggregate writes the figures of a run: the reviewer and its limits, one object
// per change, the metrics, the agreement with the key, and the totals.
func Aggregate(w io.Writer, run Run) error {
	run = run.filled()
	out := aggregate{Reviewer: run.Reviewer, PRs: []aggregateChange{}, Metrics: run.Metrics, KeyAgrees: run.KeyAgrees, Totals: run.Totals}
	for _, e := range run.Entries {
		c := aggregateChange{ID: e.ID, Verdict: e.Verdict, Reason: e.Reason, Review: e.Review, Verify: e.Verify.Status, Blockers: []blocker.Kind{},
			Findings: len(e.Findings), CostUSD: e.CostUSD, Turns: e.Turns, DurationMS: e.DurationMS}
		for _, b := range e.Blockers {
			c.Blockers = append(c.Blockers, b.Kind)
		}
		out.PRs = append(out.PRs, c)
	}
	return encode(w, out)
}
