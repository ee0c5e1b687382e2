package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
)

// RankingNote stands above the blocker ranking of every report.
const RankingNote = "The ranking covers repository signals only: conflicts, test runs, migration numbers, approvals and age. " +
	"It does not count what the reviewer found; the verdicts above do."

// tableHeader is the specification's (stage 08, Outputs).
const tableHeader = "| pr | verdict | reason | verify | blockers | findings | cost_usd | turns |\n" +
	"| --- | --- | --- | --- | --- | --- | --- | --- |\n"

// Markdown writes REPORT.md: the table of all changes, the blocker ranking, the
// metrics when labels were given, and a section for each change.
func Markdown(w io.Writer, run Run) error {
	b := bufio.NewWriter(w)
	markdownHead(b, run)
	for _, e := range run.Entries {
		markdownEntry(b, e)
	}
	return b.Flush()
}

func markdownHead(b *bufio.Writer, run Run) {
	fmt.Fprintf(b, "# Review of %s\n\n", markdownText(nameOr(run.Repo, "a patch")))
	fmt.Fprintf(b, "%s: %s. %s\n\n", count(len(run.Entries), "change"), verdictCounts(run.Entries), markdownText(circumstances(run)))
	for _, warning := range warnings(run) {
		fmt.Fprintf(b, "> **%s**\n\n", markdownMessage(warning))
	}
	markdownTable(b, run.Entries)
	fmt.Fprintf(b, "\n## Blocker ranking\n\n%s\n\n%s", RankingNote, rankingTable(run.Ranking))
	if run.Metrics != nil {
		markdownMetrics(b, run)
	}
	if len(run.Notes) > 0 {
		b.WriteString("\n## Notes\n\n")
		markdownList(b, run.Notes)
	}
}

func markdownTable(b *bufio.Writer, entries []Entry) {
	b.WriteString(tableHeader)
	for _, e := range entries {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %d | %s | %d |\n",
			markdownText(e.ID), markdownText(string(e.Verdict)), markdownText(e.Reason), markdownText(string(e.Verify.Status)),
			markdownText(kinds(e.Blockers)), len(e.Findings), usd(e.CostUSD), e.Turns)
	}
}

// rankingTable is the specification's table of the ranking. An id of a change is
// a branch name as likely as not, so what Markdown would obey in it is written
// as character references, which the table leaves alone.
func rankingTable(ranking []blocker.Ranked) string {
	safe := make([]blocker.Ranked, len(ranking))
	for i, r := range ranking {
		safe[i] = blocker.Ranked{ID: references(markdownText(r.ID)), Score: r.Score}
		for _, k := range r.Kinds {
			safe[i].Kinds = append(safe[i].Kinds, blocker.Kind(markdownText(string(k))))
		}
	}
	return blocker.Table(safe)
}

func markdownMetrics(b *bufio.Writer, run Run) {
	b.WriteString("\n## Metrics against the labels\n\n| severity | precision | recall | f1 | matched | findings | labels |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	row := func(name string, s eval.Score) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %d | %d |\n", name, ratio(s.Precision), ratio(s.Recall), ratio(s.F1), s.Matched, s.Findings, s.Labels)
	}
	row("overall", run.Metrics.Overall)
	for _, severity := range finding.Severities {
		row(string(severity), run.Metrics.BySeverity[severity])
	}
	fmt.Fprintf(b, "\n%s\n", trustWords(*run.Metrics))
	if run.KeyAgrees != nil {
		fmt.Fprintf(b, "\nVerdicts agreeing with the key: %d of %d.\n", *run.KeyAgrees, len(run.Entries))
	}
}

func markdownEntry(b *bufio.Writer, e Entry) {
	fmt.Fprintf(b, "\n## %s: %s\n\n", markdownText(e.ID), markdownText(nameOr(e.Title, "(no title)")))
	fmt.Fprintf(b, "Verdict: **%s**\n\nVerify: %s\n\nReason: %s.\n", markdownText(string(e.Verdict)), markdownText(string(e.Verify.Status)), strings.TrimSuffix(markdownText(e.Reason), "."))
	markdownBlockers(b, e.Blockers)
	markdownFindings(b, e)
	r := newRemarks(e)
	markdownReview(b, e, r.failed)
	markdownRequirements(b, e)
	markdownChecks(b, e)
	if len(r.unseen) > 0 {
		b.WriteString("\n### Not looked at\n\n")
		markdownList(b, r.unseen)
	}
	if len(r.notes) > 0 {
		b.WriteString("\n### Notes\n\n")
		markdownList(b, r.notes)
	}
}

func markdownBlockers(b *bufio.Writer, blockers []blocker.Blocker) {
	if len(blockers) == 0 {
		b.WriteString("\nBlockers: none\n")
		return
	}
	b.WriteString("\nBlockers:\n\n")
	for _, x := range blockers {
		fmt.Fprintf(b, "- **%s** (%d): %s\n", markdownText(string(x.Kind)), x.Weight, markdownText(x.Detail))
	}
}

func markdownFindings(b *bufio.Writer, e Entry) {
	if len(e.Findings) == 0 {
		fmt.Fprintf(b, "\nFindings: %s\n", choose(e.Review == Reviewed, "none", "none, because the change was not reviewed"))
	} else {
		b.WriteString("\nFindings:\n\n")
	}
	for _, f := range e.Findings {
		fmt.Fprintf(b, "- %s **%s** %s: %s (%s)\n", markdownCode(place(f.Finding)), markdownText(string(f.Severity)),
			markdownText(string(f.Category)), markdownMessage(wholeMessage(f.Finding)), markdownText(findingOrigin(e, f.Finding)))
	}
	if dropped := droppedWords(e); dropped != "" {
		fmt.Fprintf(b, "\nLeft out of the reviewer's findings: %s.\n", markdownText(dropped))
	}
}

// markdownReview writes what the reviewer said, and beside it what the verify
// gate says about that. failed is "" when the verdict's reason says it.
func markdownReview(b *bufio.Writer, e Entry, failed string) {
	switch {
	case failed != "":
		fmt.Fprintf(b, "\nReview failed: %s\n", markdownMessage(failed))
	case e.Review == Skipped:
		b.WriteString("\nNot reviewed: the patch did not apply.\n")
	}
	if e.Summary != "" {
		fmt.Fprintf(b, "\nThe reviewer's summary:\n\n%s", markdownQuote(e.Summary))
	}
	if e.VerifyNote != "" {
		fmt.Fprintf(b, "\n**Verify gate:** %s\n", markdownMessage(e.VerifyNote))
	}
}

func markdownRequirements(b *bufio.Writer, e Entry) {
	if len(e.Requirements) == 0 {
		return
	}
	b.WriteString("\n### Requirements\n\n| requirement | status | detail |\n| --- | --- | --- |\n")
	for _, r := range e.Requirements {
		fmt.Fprintf(b, "| %s | %s | %s |\n", markdownText(r.Name), markdownText(string(r.Status)), markdownText(r.Detail))
	}
}

func markdownChecks(b *bufio.Writer, e Entry) {
	if len(e.Verify.Checks) == 0 {
		return
	}
	b.WriteString("\n### Checks\n\n| check | status | reason | time |\n| --- | --- | --- | --- |\n")
	for _, c := range e.Verify.Checks {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", markdownText(c.Name), markdownText(string(c.Status)), markdownText(checkReason(c)), span(c.DurationMS))
	}
	for _, c := range failedChecks(e) {
		fmt.Fprintf(b, "\n**Failed:** %s\n", markdownText(failure(c)))
		if tail := outputTail(c.Output, markdownOutput); len(tail) > 0 {
			fmt.Fprintf(b, "\n%s", markdownFence(tail))
		}
	}
}

func markdownList(b *bufio.Writer, items []string) {
	for _, item := range items {
		fmt.Fprintf(b, "- %s\n", markdownMessage(item))
	}
}
