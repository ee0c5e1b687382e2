package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// count writes a number with its noun: "1 change", "12 changes".
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ry"): // entry, entries
		return strconv.Itoa(n) + " " + strings.TrimSuffix(noun, "y") + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// verdictCounts says how many changes got each verdict, heaviest first, the
// empty ones too: "5 block, 4 hold, 3 merge".
func verdictCounts(entries []Entry) string {
	n := countVerdicts(entries)
	return fmt.Sprintf("%d block, %d hold, %d merge", n[policy.Block], n[policy.Hold], n[policy.Merge])
}

func countVerdicts(entries []Entry) map[policy.Verdict]int {
	n := map[policy.Verdict]int{}
	for _, v := range policy.Verdicts {
		n[v] = 0
	}
	for _, e := range entries {
		n[settled(e.Verdict)]++
	}
	return n
}

// settled returns v, or hold for a word that is no verdict: what cannot be
// understood needs a person, and must not vanish from a report.
func settled(v policy.Verdict) policy.Verdict {
	if slices.Contains(policy.Verdicts, v) {
		return v
	}
	return policy.Hold
}

// kinds lists the kinds of blockers, heaviest first, or "none".
func kinds(blockers []blocker.Blocker) string {
	if len(blockers) == 0 {
		return "none"
	}
	names := make([]string, len(blockers))
	for i, b := range blockers {
		names[i] = oneLine(string(b.Kind))
	}
	return strings.Join(names, ", ")
}

// place writes where a finding is: "web/src/api.ts:3".
func place(f finding.Finding) string {
	return fileName(f.File) + ":" + strconv.Itoa(f.Line)
}

// lastLine returns the last line of a finding, never before its first.
func lastLine(f finding.Finding) int { return max(f.Line, f.EndLine) }

// usd writes an amount with four decimals: a review costs cents and less.
func usd(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// ratio writes a share from 0 to 1 with two decimals.
func ratio(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// span writes milliseconds as a person says them: 850 ms, 2.4 s, 1 min 52 s.
func span(ms int64) string {
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 60_000:
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	case ms < 3_600_000:
		return fmt.Sprintf("%d min %d s", ms/60_000, ms/1000%60)
	}
	return fmt.Sprintf("%d h %d min", ms/3_600_000, ms/60_000%60)
}

// reasonWords returns a reason without the verdict it starts with, for places
// where the verdict stands beside it.
func reasonWords(e Entry) string {
	return strings.TrimPrefix(oneLine(e.Reason), string(e.Verdict)+": ")
}

// droppedWords says what clean took out, by reason in alphabetical order:
// "3 low confidence, 1 untouched file"; "" when nothing was.
func droppedWords(e Entry) string {
	var parts []string
	for _, reason := range sortedKeys(e.Dropped) {
		if n := e.Dropped[reason]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, oneLine(reason)))
		}
	}
	return strings.Join(parts, ", ")
}

// reviewerWords names who reviewed: "recorded", "panel (house, opus), model claude-opus-5-5".
func reviewerWords(r ReviewerInfo) string {
	words := oneLine(r.Class)
	if names := linesOf(r.Names); len(names) > 0 && !(len(names) == 1 && names[0] == words) {
		words = strings.TrimSpace(words + " (" + strings.Join(names, ", ") + ")")
	}
	if r.Model != nil {
		words += ", model " + oneLine(*r.Model)
	}
	if words == "" {
		return "none"
	}
	return words
}

func linesOf(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = oneLine(t)
	}
	return out
}
