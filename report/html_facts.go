package report

import (
	"fmt"
	"strings"

	"github.com/reviewgate/reviewgate/policy"
)

// changeFacts lists what a reader wants to know of a change besides its
// verdict, shortest first.
func changeFacts(run Run, e Entry) []string {
	var facts []string
	if e.Author != "" {
		facts = append(facts, "by "+oneLine(e.Author))
	}
	if !e.CreatedAt.IsZero() {
		words := "opened " + e.CreatedAt.UTC().Format("2 Jan 2006")
		if days := int(run.AsOf.Sub(e.CreatedAt).Hours() / 24); !run.AsOf.IsZero() && days > 0 {
			words += " (" + count(days, "day") + ")"
		}
		facts = append(facts, words)
	}
	if len(e.Approvals) > 0 {
		facts = append(facts, "approved by "+clip(strings.Join(linesOf(e.Approvals), ", "), maxLine))
	} else if !e.CreatedAt.IsZero() {
		facts = append(facts, "no approval")
	}
	if e.Base != "" && e.Head != "" {
		facts = append(facts, short(e.Base)+" → "+short(e.Head))
	}
	if e.CostUSD > 0 || e.Turns > 0 {
		facts = append(facts, usd(e.CostUSD)+" USD, "+count(e.Turns, "turn"))
	}
	if e.DurationMS > 0 {
		facts = append(facts, "took "+span(e.DurationMS))
	}
	if e.Key != "" {
		facts = append(facts, fmt.Sprintf("key says %s: %s", oneLine(string(e.Key)), choose(e.Key == e.Verdict, "agrees", "differs")))
	}
	return facts
}

// short cuts a commit id to what people compare.
func short(id string) string {
	id = oneLine(id)
	if len(id) >= 40 && strings.Trim(id, "0123456789abcdef") == "" {
		return id[:10]
	}
	return clip(id, 60)
}

// reviewProblem says that a change was not reviewed; failed is "" when the
// verdict's reason says why.
func reviewProblem(e Entry, failed string) string {
	switch {
	case failed != "":
		return "The review failed: " + failed
	case e.Review == ReviewFailed:
		return "The review failed."
	case e.Review == Skipped:
		return "Not reviewed: the patch did not apply."
	}
	return ""
}

func noChecks(e Entry) string {
	switch e.Verify.Status {
	case VerifyConflict:
		files := make([]string, len(e.Verify.Applied.Conflicts))
		for i, name := range e.Verify.Applied.Conflicts {
			files[i] = fileName(name)
		}
		return strings.TrimSuffix("The patch does not apply: "+clip(strings.Join(files, ", "), maxLine), ": ") + ". Nothing was run."
	case VerifySkipped:
		return "No check could run on this tree."
	case VerifyNotRun:
		return strings.TrimSuffix("Not run: "+whyNotRun(e), ".") + "."
	}
	return "No check was run."
}

func filesWords(e Entry) string {
	added, deleted := 0, 0
	for _, f := range e.Files {
		added += f.Added
		deleted += f.Deleted
	}
	words := fmt.Sprintf("%s, +%d −%d", count(len(e.Files), "file"), added, deleted)
	if e.Coverage.Files > 0 {
		words += fmt.Sprintf("; %d of %d read", e.Coverage.Reviewed, e.Coverage.Files)
	}
	return words
}

// statusWord says a status letter of git in words.
func statusWord(letter string) string {
	word, ok := map[string]string{"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "C": "copied", "T": "type changed"}[letter]
	if !ok {
		return oneLine(letter)
	}
	return word
}

// missedLabels lists the labels of a change that no finding hits.
func missedLabels(e Entry) []string {
	if e.Matches == nil {
		return nil
	}
	var out []string
	for _, l := range e.Matches.UnmatchedLabels {
		where := fmt.Sprintf("%s:%d", fileName(l.File), l.Start)
		if l.End > l.Start {
			where += fmt.Sprintf("-%d", l.End)
		}
		out = append(out, fmt.Sprintf("%s %s %s", where, oneLine(string(l.Severity)), oneLine(string(l.Category))))
	}
	return out
}

// hitsLabel says whether a finding hits a label, "" when there are no labels.
func hitsLabel(e Entry, f Finding) string {
	if e.Matches == nil {
		return ""
	}
	for _, p := range e.Matches.Pairs {
		if p.Finding.File == f.File && p.Finding.Line == f.Line && p.Finding.Category == f.Category && p.Finding.Message == f.Message {
			return "hits a label"
		}
	}
	return "hits no label"
}

// severityIcon gives each severity a shape of its own.
func severityIcon(severity string) string {
	switch severity {
	case "blocker":
		return string(policy.Block)
	case "minor":
		return "none"
	}
	return "warn"
}
