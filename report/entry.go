// Package report shows what the gate found. One [Entry] per change and one
// [Run] per invocation are stored as JSON, and every format (markdown, HTML,
// SARIF, code quality, rdjson, checkstyle, annotations) is made from them.
//
// It renders; it computes nothing that an Entry does not hold.
package report

import (
	"time"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// Entry is everything that is known about one change after the gate looked at
// it. It is what --json prints and what every report is made from. Lists are
// never nil.
type Entry struct {
	ID           string               `json:"id"`
	Title        string               `json:"title"`
	Author       string               `json:"author,omitempty"`
	CreatedAt    time.Time            `json:"created_at,omitzero"`
	Approvals    []string             `json:"approvals"`
	Verdict      policy.Verdict       `json:"verdict"`
	Reason       string               `json:"reason"`
	Requirements []policy.Requirement `json:"requirements"`
	Verify       Verify               `json:"verify"`
	Blockers     []blocker.Blocker    `json:"blockers"` // heaviest first
	Review       ReviewStatus         `json:"review"`
	Error        string               `json:"error,omitempty"`   // of a failed review
	Summary      string               `json:"summary,omitempty"` // the reviewer's own words
	VerifyNote   string               `json:"verify_note,omitempty"`
	Findings     []Finding            `json:"findings"`    // the clean list
	Dropped      map[string]int       `json:"dropped"`     // findings taken out by clean, by reason
	Notes        []string             `json:"notes"`       // what could not be looked at, what was clipped
	Rules        []string             `json:"rules"`       // names of the rules that applied
	Files        []File               `json:"files"`       // what the change touches, in patch order
	Coverage     Coverage             `json:"coverage"`    // what was read of it
	Reviewers    []string             `json:"reviewers"`   // configured names, in order asked
	CostUSD      float64              `json:"cost_usd"`    // every attempt
	Turns        int                  `json:"turns"`       // of the attempt that counted
	DurationMS   int64                `json:"duration_ms"` // wall time of this change
	Stages       map[string]int64     `json:"stages"`      // milliseconds per stage: apply, verify, review, …
	Head         string               `json:"head"`
	Base         string               `json:"base"`
	Matches      *eval.Matches        `json:"matches,omitempty"` // when labels were given
	Key          policy.Verdict       `json:"key,omitempty"`     // the decision of the key, when given
}

// ReviewStatus says whether the change was reviewed.
type ReviewStatus string

// The outcomes of a review.
const (
	Reviewed     ReviewStatus = "reviewed"
	ReviewFailed ReviewStatus = "review-failed"
	Skipped      ReviewStatus = "skipped" // the patch did not apply
)

// Verify is the verify gate's answer with its one-word status.
type Verify struct {
	Status     VerifyStatus   `json:"status"`
	Applied    change.Applied `json:"applied"`
	Checks     []change.Check `json:"checks"`
	OK         *bool          `json:"ok"`
	DurationMS int64          `json:"duration_ms"`
	Sandbox    []string       `json:"sandbox"`
}

// VerifyStatus is the verify gate in one word.
type VerifyStatus string

// The words of the specification, and Unknown for a check that ran nothing.
const (
	VerifyPass     VerifyStatus = "pass"
	VerifyFail     VerifyStatus = "fail"
	VerifyConflict VerifyStatus = "conflict"
	VerifySkipped  VerifyStatus = "skipped" // no toolchain, or no check known for this tree
	VerifyUnknown  VerifyStatus = "unknown" // a check ran nothing, so nothing is known
	VerifyNotRun   VerifyStatus = "not run"
)

// Finding is a finding with the piece of the diff it stands on.
type Finding struct {
	finding.Finding
	Excerpt *Excerpt `json:"excerpt,omitempty"` // nil when the line is outside every hunk
}

// Excerpt is a few lines of a diff around a finding, bounded in number and width.
type Excerpt struct {
	Header string `json:"header"` // "@@ -1,4 +1,6 @@ func main() {"
	Lines  []Line `json:"lines"`
}

// Line is one line of a diff.
type Line struct {
	Op   string `json:"op"`            // "+", "-" or " "
	Old  int    `json:"old,omitempty"` // line in the old version, 0 for an added one
	New  int    `json:"new,omitempty"` // line in the new version, 0 for a removed one
	Text string `json:"text"`
	Mark bool   `json:"mark,omitempty"` // the finding points here
}

// File is one file of a change.
type File struct {
	Path    string `json:"path"`
	OldPath string `json:"old_path,omitempty"`
	Status  string `json:"status"` // A M D R C T
	Added   int    `json:"added"`
	Deleted int    `json:"deleted"`
	Binary  bool   `json:"binary,omitempty"`
}

// Coverage says what of a change a reviewer accounted for.
type Coverage struct {
	Files      int      `json:"files"`      // changed files
	Reviewed   int      `json:"reviewed"`   // of those, read
	Unreviewed []string `json:"unreviewed"` // the others
}

// Run is one invocation over one or many changes: what runs/live-<date>.json
// holds besides the entries, and what the pages are made from.
type Run struct {
	Version    string           `json:"version"` // of reviewgate
	Repo       string           `json:"repo"`    // name of the repository, never a path of the machine
	AsOf       time.Time        `json:"as_of"`
	StartedAt  time.Time        `json:"started_at"`
	Reviewer   ReviewerInfo     `json:"reviewer"`
	Threshold  float64          `json:"min_confidence"`
	Entries    []Entry          `json:"prs"`
	Ranking    []blocker.Ranked `json:"ranking"`
	Metrics    *eval.Report     `json:"metrics,omitempty"`
	Curve      []eval.Point     `json:"curve,omitempty"` // clean score at each threshold, when labels were given
	KeyAgrees  *int             `json:"verdicts_agreeing_with_key,omitempty"`
	Totals     Totals           `json:"totals"`
	Incomplete bool             `json:"incomplete,omitempty"` // interrupted: changes are missing
	Notes      []string         `json:"notes"`                // what holds for every change: rules clipped, a sandbox layer missing
}

// ReviewerInfo names the reviewer that was asked.
type ReviewerInfo struct {
	Class     string   `json:"class"` // kind, or "panel" for several
	Names     []string `json:"names"`
	Model     *string  `json:"model"` // null for a reviewer that has none
	BudgetUSD *float64 `json:"max_budget_usd_per_pr"`
	MaxTurns  *int     `json:"max_turns"`
}

// Totals adds up a run.
type Totals struct {
	CostUSD       float64                `json:"cost_usd"`
	Turns         int                    `json:"turns"`
	WallMS        int64                  `json:"wall_ms"`
	Verdicts      map[policy.Verdict]int `json:"verdicts"` // merge, hold and block, always all three
	FailedReviews int                    `json:"failed_reviews"`
}
