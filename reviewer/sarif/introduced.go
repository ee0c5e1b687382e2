package sarif

import (
	"math"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// comparison tells what of a report the change introduced.
type comparison struct {
	task     reviewer.Task
	judged   *judged
	report   *report
	lineages map[string]lineage
}

func (c *comparison) lineage(path string) lineage {
	l, ok := c.lineages[path]
	if !ok {
		l = newLineage(c.task.Patch, path)
		c.lineages[path] = l
	}
	return l
}

// onChangedLines returns the results on lines that the patch inserts. One that
// spans lines counts when it holds such a line, and is reported there. In a
// new file, and in one that the tool could not read, every result counts; one
// about the whole of a file that was there before does not.
func (c *comparison) onChangedLines() []finding.Finding {
	var found []finding.Finding
	whole := 0
	for _, res := range c.report.results {
		first, last := span(res)
		lines := c.lineage(res.path)
		_, _, existed := lines.origin(res.path, 0)
		switch at := lines.introduced(first, last); {
		case first > 0 && at > 0:
			found = append(found, c.judged.finding(res, at, last))
		case res.fatal || !existed: // an error at the end of a new file stands below its last line
			found = append(found, c.judged.finding(res, max(first, 1), last))
		case first == 0:
			whole++
		}
	}
	if whole > 0 {
		c.report.note("%s about whole files that were there before: left out", count(whole))
	}
	return found
}

// span returns the first and the last line of res; 0 when it is about the file.
func span(res result) (first, last int) {
	const longest = 100_000 // lines of one problem; no file that people write is longer
	if res.line < 1 || res.line > math.MaxInt32 {
		return 0, 0
	}
	return res.line, min(max(res.line, res.end), res.line+longest)
}

// notIn returns the results that have no counterpart in base. A counterpart is
// one of the same rule on the line that this line was before the patch,
// whatever its message says; or one of the same rule and message in the same
// file on a line of the same text, which is code that was moved. Each serves
// once, so a second copy of an old problem is new.
func (c *comparison) notIn(base *report) []finding.Finding {
	old := newPool(base.results, c.task.Base)
	matched := make([]bool, len(c.report.results))
	for i, res := range c.report.results {
		first, _ := span(res)
		path, line, ok := c.lineage(res.path).origin(res.path, first)
		matched[i] = ok && old.takeLine(lineKey{res.rule, path, line})
	}
	var found []finding.Finding
	text := textOf{tree: c.task.Tree}
	for i, res := range c.report.results {
		first, last := span(res)
		if matched[i] {
			continue
		}
		if path, _, ok := c.lineage(res.path).origin(res.path, 0); ok && old.takeText(text.key(res, path, first)) {
			continue
		}
		found = append(found, c.judged.finding(res, max(first, 1), last))
	}
	return found
}
