package report

import (
	"fmt"
	"slices"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

// Bounds of an [Excerpt]: enough to understand a finding without opening the
// file, little enough to read twelve of them on one page.
const (
	excerptContext = 6   // lines before and after what the finding points at
	excerptLines   = 48  // at most, for findings on a long range
	excerptWidth   = 400 // bytes of a line
)

// Excerpts puts each finding on the piece of the diff that it stands on, in
// input order. A finding whose line no hunk shows has no excerpt. Each file is
// passed over once, however many findings it has. Secrets are masked.
func Excerpts(patch *diff.Patch, findings []finding.Finding) []Finding {
	out := make([]Finding, len(findings))
	byFile := map[*diff.File][]int{}
	for i, f := range findings {
		out[i].Finding = f
		if patch == nil {
			continue
		}
		if file := patch.File(f.File); file != nil && file.Path() == f.File {
			byFile[file] = append(byFile[file], i)
		}
	}
	secrets := secretsOf(findings)
	for file, wanted := range byFile {
		slices.SortStableFunc(wanted, func(a, b int) int { return findings[a].Line - findings[b].Line })
		for _, hunk := range file.Hunks {
			excerptHunk(hunk, out, wanted, secrets)
		}
	}
	return out
}

// excerptHunk cuts the excerpts of the wanted findings, sorted by line, out of
// one hunk.
func excerptHunk(hunk diff.Hunk, out []Finding, wanted []int, secrets secretLines) {
	if len(wanted) == 0 {
		return
	}
	file := out[wanted[0]].File
	var before []Line // the last lines, excerptContext at most
	var open []int    // findings whose excerpt still grows
	for l := range hunk.Lines() {
		for l.New > 0 && len(wanted) > 0 && out[wanted[0]].Line <= l.New {
			i := wanted[0]
			wanted = wanted[1:]
			if out[i].Line == l.New {
				out[i].Excerpt = &Excerpt{Header: excerptHeader(hunk), Lines: slices.Clone(before)}
				open = append(open, i)
			}
		}
		shown := secrets.mask(file, Line{Op: string(rune(l.Op)), Old: l.Old, New: l.New, Text: clip(string(l.Text), excerptWidth)})
		open = slices.DeleteFunc(open, func(i int) bool { return !out[i].grow(shown) })
		if before = append(before, shown); len(before) > excerptContext {
			before = before[1:]
		}
		if len(open) == 0 && len(wanted) == 0 {
			return
		}
	}
}

// grow adds a line to the excerpt of f and reports whether it takes more.
func (f *Finding) grow(l Line) bool {
	last := lastLine(f.Finding)
	l.Mark = l.New >= f.Line && l.New <= last
	f.Excerpt.Lines = append(f.Excerpt.Lines, l)
	if len(f.Excerpt.Lines) >= excerptLines {
		return false
	}
	after := 0
	for _, shown := range slices.Backward(f.Excerpt.Lines) {
		if shown.Mark {
			break
		}
		after++
	}
	return after < excerptContext || l.New != 0 && l.New < last
}

func excerptHeader(h diff.Hunk) string {
	header := fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
	if h.Section() != "" {
		header += " " + clip(h.Section(), excerptWidth)
	}
	return header
}
