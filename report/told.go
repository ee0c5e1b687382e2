package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// What the formats for people say in the same words. None of these texts is
// escaped: each format does that in its own way.

// circumstances says under which conditions a run was made.
func circumstances(run Run) string {
	var parts []string
	if !run.AsOf.IsZero() {
		parts = append(parts, "as of "+run.AsOf.UTC().Format("2006-01-02"))
	}
	parts = append(parts, "reviewer "+reviewerWords(run.Reviewer), "minimum confidence "+ratio(run.Threshold),
		spent(run))
	words := strings.Join(parts, ", ") + "."
	return strings.ToUpper(words[:1]) + words[1:]
}

// spent says what a run cost and how long it took. Where no model was asked there
// is no cost to speak of.
func spent(run Run) string {
	took := span(run.Totals.WallMS)
	if !askedAModel(run) {
		return "took " + took
	}
	return "cost " + usd(run.Totals.CostUSD) + " USD, " + count(run.Totals.Turns, "turn") + ", took " + took
}

// askedAModel reports whether anything was paid or any turn taken.
func askedAModel(run Run) bool {
	paid := func(e Entry) bool { return e.CostUSD != 0 || e.Turns != 0 }
	return run.Totals.CostUSD != 0 || run.Totals.Turns != 0 || slices.ContainsFunc(run.Entries, paid)
}

// warnings lists what keeps a run from being the whole truth; none of it may be
// overlooked.
func warnings(run Run) []string {
	var out []string
	if run.Incomplete {
		out = append(out, "The run was interrupted: changes are missing from this report.")
	}
	if n := failedReviews(run.Entries); n > 0 {
		out = append(out, fmt.Sprintf("%s failed: nothing is known about what the reviewer would have found there.", count(n, "review")))
	}
	unread := 0
	for _, e := range run.Entries {
		unread += len(e.Coverage.Unreviewed)
	}
	if unread > 0 {
		out = append(out, fmt.Sprintf("%s of these changes %s read by no reviewer.", count(unread, "file"), choose(unread == 1, "was", "were")))
	}
	return out
}

func failedReviews(entries []Entry) int {
	n := 0
	for _, e := range entries {
		if e.Review == ReviewFailed {
			n++
		}
	}
	return n
}

// trustWords says whether the reviewer reaches the specification's bar for
// trust (stage 06, Summary), with both figures.
func trustWords(m eval.Report) string {
	return fmt.Sprintf("The reviewer is %s: overall precision %s (%s is asked for), blocker recall %s (%s is asked for).",
		choose(m.Trusted, "trusted", "not trusted"), ratio(m.Overall.Precision), ratio(eval.MinPrecision), ratio(m.BlockerRecall), ratio(eval.MinBlockerRecall))
}

// maxUnread is how many unread files are named one by one.
const maxUnread = 20

// notLookedAt lists what nobody read or ran, so that its silence is no praise.
func notLookedAt(e Entry) []string {
	var out []string
	if n := len(e.Coverage.Unreviewed); n > 0 {
		names := make([]string, 0, maxUnread)
		for _, f := range e.Coverage.Unreviewed[:min(n, maxUnread)] {
			names = append(names, fileName(f))
		}
		more := choose(n > maxUnread, fmt.Sprintf(" and %d more", n-maxUnread), "")
		out = append(out, "read by no reviewer: "+strings.Join(names, ", ")+more)
	}
	for _, c := range e.Verify.Checks {
		if c.Status == change.Unknown {
			out = append(out, fmt.Sprintf("%s: %s", oneLine(c.Name), nameOr(checkReason(c), "its outcome is unknown")))
		}
	}
	switch e.Verify.Status {
	case VerifySkipped:
		out = append(out, "verify: no check could run on this tree")
	case VerifyNotRun:
		out = append(out, "verify: "+whyNotRun(e))
	}
	return out
}

// whyNotRun says why no check was run: the requirement knows.
func whyNotRun(e Entry) string {
	for _, r := range e.Requirements {
		switch {
		case r.Name != "verify":
		case r.Status == policy.Overridden:
			return "switched off, nothing was run"
		case strings.TrimSpace(r.Detail) != "":
			return oneLine(r.Detail)
		}
	}
	return "nothing was run"
}

// checkReason says why a check ended as it did.
func checkReason(c change.Check) string {
	reason := oneLine(c.Reason)
	if c.AlsoRedOnBase && !strings.Contains(reason, "on the base") {
		reason = strings.TrimPrefix(reason+", also red on the base", ", ")
	}
	if c.Cached {
		reason = strings.TrimPrefix(reason+", from an earlier run over the same tree", ", ")
	}
	return reason
}

// wholeMessage joins the title and the message of a finding.
func wholeMessage(f finding.Finding) string {
	if f.Title == "" || strings.HasPrefix(f.Message, f.Title) {
		return f.Message
	}
	return strings.TrimRight(f.Title, ". ") + ". " + f.Message
}

// findingOrigin says how sure a finding is and where it comes from. The reviewer
// is named when there are several.
func findingOrigin(e Entry, f finding.Finding) string {
	words := "confidence " + ratio(f.Confidence)
	if f.Rule != "" {
		words += ", rule " + oneLine(f.Rule)
	}
	if f.Reviewer != "" && len(e.Reviewers) > 1 {
		words += ", by " + oneLine(f.Reviewer)
	}
	return words
}

func nameOr(name, otherwise string) string {
	if strings.TrimSpace(name) == "" {
		return otherwise
	}
	return name
}
