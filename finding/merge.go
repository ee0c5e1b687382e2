package finding

import (
	"fmt"
	"slices"
	"strings"
)

// MergeDistance is how many lines apart two findings may stand for one comment
// to be enough; the figure is the specification's.
const MergeDistance = 5

// maxFootnotes bounds what is added to one message; the rest is counted.
const maxFootnotes = 20

// Merge puts findings together that need one comment only: same file, at most
// MergeDistance lines apart, title and message alike (Ratcliff/Obershelp ratio
// above 0.7). The first is the anchor that later ones are compared with, in
// their original words and without chaining. Of each group the most severe
// stays, the first of equals, at its own place in the order, with a footnote in
// its message for each of the others.
//
// Merge shapes what is posted: a verdict and the metrics see the unmerged list.
// Fingerprints are kept, so set them before. Comparing is bounded: texts count
// up to 2,000 characters, and a list built to be slow stays unmerged from some
// point on.
func Merge(findings []Finding) []Finding {
	group := make([]int, len(findings)) // index of the anchor
	byFile := map[string][]int{}
	for i, f := range findings {
		group[i] = i
		byFile[f.File] = append(byFile[f.File], i)
	}
	m := newMatcher()
	done := map[string]bool{}
	for _, f := range findings {
		if !done[f.File] && len(byFile[f.File]) > 1 {
			m.group(findings, byFile[f.File], group)
		}
		done[f.File] = true
	}
	return join(findings, group)
}

// group finds for each of the findings of one file, given by index, its anchor.
func (m *matcher) group(findings []Finding, file, anchorOf []int) {
	byLine := slices.Clone(file)
	slices.SortStableFunc(byLine, func(a, b int) int { return findings[a].Line - findings[b].Line })
	merged := map[int]bool{}
	for _, anchor := range file {
		if merged[anchor] {
			continue
		}
		line := findings[anchor].Line
		from, _ := slices.BinarySearchFunc(byLine, line-MergeDistance, func(i, line int) int { return findings[i].Line - line })
		set := false
		for _, i := range byLine[from:] {
			if findings[i].Line > line+MergeDistance || m.exhausted() {
				break
			}
			if i <= anchor || merged[i] {
				continue
			}
			if !set {
				m.setAnchor(comparedText(findings[anchor]))
				set = true
			}
			if m.similar(comparedText(findings[i])) {
				merged[i], anchorOf[i] = true, anchor
			}
		}
	}
}

// comparedText is what two findings are compared by.
func comparedText(f Finding) string { return f.Title + " " + f.Message }

// join makes one finding of each group.
func join(findings []Finding, anchorOf []int) []Finding {
	keeper := map[int]int{} // of an anchor's group
	for i, anchor := range anchorOf {
		k, has := keeper[anchor]
		if !has || findings[i].Severity.Rank() < findings[k].Severity.Rank() {
			keeper[anchor] = i
		}
	}
	notes := map[int][]string{} // of a keeper
	for i, anchor := range anchorOf {
		if k := keeper[anchor]; k != i {
			notes[k] = append(notes[k], footnote(findings[i]))
		}
	}
	out := make([]Finding, 0, len(keeper))
	for i, f := range findings {
		if keeper[anchorOf[i]] != i {
			continue
		}
		if n := notes[i]; len(n) > 0 {
			f.Message += "\n\n" + strings.Join(n[:min(len(n), maxFootnotes)], "\n")
			if more := len(n) - maxFootnotes; more > 0 {
				f.Message += fmt.Sprintf("\n(Also flagged %d more times)", more)
			}
		}
		out = append(out, f)
	}
	return out
}

// footnote is what is left of a merged finding, in the specification's words.
func footnote(f Finding) string {
	title := f.Title
	if title == "" {
		title, _, _ = strings.Cut(f.Message, "\n")
		if runes := []rune(title); len(runes) > 80 {
			title = string(runes[:80]) + "…"
		}
	}
	return fmt.Sprintf("(Also flagged at line %d: %s)", f.Line, title)
}
