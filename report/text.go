package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
)

// Text writes one change as the command line shows it: a line with the verdict,
// then its cleaned findings and whatever else a person must know, indented.
func Text(w io.Writer, e Entry, p Palette) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %s verify: %s blockers: %s reason: %s\n",
		p.strong(oneLine(e.ID)), p.verdict(e.Verdict), oneLine(string(e.Verify.Status)), kinds(e.Blockers), oneLine(e.Reason))
	for _, f := range e.Findings {
		textFinding(b, e, f.Finding, p)
	}
	for _, c := range failedChecks(e) {
		textFailure(b, c, p)
	}
	if dropped := droppedWords(e); dropped != "" {
		textNote(b, p, "left out", dropped)
	}
	r := newRemarks(e)
	if r.failed != "" {
		textNote(b, p, "review failed", r.failed)
	}
	if e.VerifyNote != "" {
		textNote(b, p, "verify gate", e.VerifyNote)
	}
	for _, unseen := range r.unseen {
		textNote(b, p, "not looked at", unseen)
	}
	for _, note := range r.notes {
		textNote(b, p, "note", note)
	}
	return b.Flush()
}

func textFinding(b *bufio.Writer, e Entry, f finding.Finding, p Palette) {
	by := ""
	if f.Reviewer != "" && len(e.Reviewers) > 1 {
		by = " " + p.faint("("+oneLine(f.Reviewer)+")")
	}
	fmt.Fprintf(b, "  %s %s %s %s%s\n", place(f), p.severity(f.Severity), oneLine(string(f.Category)), longLine(wholeMessage(f)), by)
}

// textFailure writes a failed check with the end of its output. A bar stands
// before each line, so that none can be read as a line of the gate or, in the
// log of a build, as a command.
func textFailure(b *bufio.Writer, c change.Check, p Palette) {
	textNote(b, p, "failed", failure(c))
	for _, l := range outputTail(c.Output, textOutput) {
		fmt.Fprintf(b, "    %s\n", strings.TrimRight(p.faint("|")+" "+l, " "))
	}
}

func textNote(b *bufio.Writer, p Palette, what, text string) {
	fmt.Fprintf(b, "  %s %s\n", p.faint(what+":"), longLine(text))
}

// Summary writes the closing lines of a run: verdicts, warnings, cost, and where
// the report is ("" when none was written).
func Summary(w io.Writer, run Run, where string, p Palette) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s\n", p.strong(count(len(run.Entries), "change")), verdictCounts(run.Entries))
	for _, warning := range warnings(run) {
		fmt.Fprintf(b, "warning: %s\n", longLine(warning))
	}
	for _, note := range run.Notes {
		fmt.Fprintf(b, "note: %s\n", longLine(note))
	}
	if run.Metrics != nil {
		fmt.Fprintf(b, "metrics: precision %s, recall %s, blocker recall %s (%s)\n", ratio(run.Metrics.Overall.Precision),
			ratio(run.Metrics.Overall.Recall), ratio(run.Metrics.BlockerRecall), choose(run.Metrics.Trusted, "trusted", "not trusted"))
	}
	if run.KeyAgrees != nil {
		fmt.Fprintf(b, "key: %d of %d verdicts agree\n", *run.KeyAgrees, len(run.Entries))
	}
	fmt.Fprintln(b, p.faint(spent(run)))
	if where != "" {
		fmt.Fprintf(b, "report: %s\n", fileName(where))
	}
	return b.Flush()
}

// textRun writes every change and the closing lines, without colour: the format
// "text".
func textRun(w io.Writer, run Run) error {
	for _, e := range run.Entries {
		if err := Text(w, e, Palette{}); err != nil {
			return err
		}
	}
	return Summary(w, run, "", Palette{})
}
