package sarif

import (
	"math"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// comparison tells what of a report the change introduced.
type comparison struct {
	task    reviewer.Task
	judged  judged
	entries *entries
	whole   int // results about whole files that were there before
}

func newComparison(task reviewer.Task, judged judged) *comparison {
	judged.known = map[categoryKey]finding.Category{}
	return &comparison{task: task, judged: judged, entries: newEntries(task.Patch)}
}

// introduced reports whether a problem stands on lines that the patch inserts, and on
// which. One that spans lines counts when it holds such a line, and is reported
// there. In a new file, and in one that the tool could not read, every result
// counts; one about the whole of a file that was there before does not.
func (c *comparison) introduced(s spot) (first, last int, ok bool) {
	first, last = span(s)
	lines := c.entries.lineage(s.path)
	if at := lines.introduced(first, last); first > 0 && at > 0 {
		return at, last, true
	}
	_, _, existed := lines.origin(s.path, 0)
	if s.fatal || !existed { // an error at the end of a new file stands below its last line
		return max(first, 1), last, true
	}
	if first == 0 {
		c.whole++
	}
	return 0, 0, false
}

// onChangedLines returns the results of head that the change introduced by that
// measure.
func (c *comparison) onChangedLines(head *report) []finding.Finding {
	found := make([]finding.Finding, 0, len(head.results))
	for i := range head.results {
		res := &head.results[i]
		first, last, ok := res.first, res.last, true
		if first == 0 {
			first, last, ok = c.introduced(res.spot())
		}
		if ok {
			found = append(found, c.judged.finding(res, first, last))
		}
	}
	if c.whole > 0 {
		head.note("%s about whole files that were there before: left out", count(c.whole))
	}
	return found
}

// span returns the first and the last line of a problem; 0 when it is about the
// file.
func span(s spot) (first, last int) {
	const longest = 100_000 // lines of one problem; no file that people write is longer
	if s.line < 1 || s.line > math.MaxInt32 {
		return 0, 0
	}
	return s.line, min(max(s.line, s.end), s.line+longest)
}

// notIn returns the results of head that have no counterpart in base. A
// counterpart is one of the same rule on the line that this line was before the
// patch, whatever its message says; or one of the same rule and message in the
// same file on a line of the same text, which is code that was moved. Each
// serves once, so a second copy of an old problem is new.
func (c *comparison) notIn(base, head *report) []finding.Finding {
	byPath := func(a, b result) int { return strings.Compare(a.path, b.path) } // each file is read once
	slices.SortStableFunc(base.results, byPath)
	slices.SortStableFunc(head.results, byPath)
	old := newPool(base.results, c.task.Base)
	matched := make([]bool, len(head.results))
	for i := range head.results {
		res := &head.results[i]
		first, _ := span(res.spot())
		path, line, ok := c.entries.lineage(res.path).origin(res.path, first)
		matched[i] = ok && old.takeLine(lineKey{res.rule, path, line})
	}
	found := []finding.Finding{}
	texts := textOf{tree: c.task.Tree}
	for i := range head.results {
		res := &head.results[i]
		first, last := span(res.spot())
		if matched[i] {
			continue
		}
		if path, _, ok := c.entries.lineage(res.path).origin(res.path, 0); ok && old.takeText(texts.key(res, path, first)) {
			continue
		}
		found = append(found, c.judged.finding(res, max(first, 1), last))
	}
	return found
}
