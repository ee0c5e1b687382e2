package policy

import (
	"slices"
	"strings"
)

// row is one row of the decision table of a written policy.
type row struct {
	line                 int // 1-based
	pr, decision, reason string
}

// bullet is one item of the list of auto-block categories.
type bullet struct {
	line int
	word string // the first, without backticks and punctuation
}

// written is what a REVIEW_POLICY.md says, as far as it is checked.
type written struct {
	table    int // line of the table's header; 0 when there is none
	rows     []row
	section  int // line of the heading "Auto-block categories"; 0 when there is none
	bullets  []bullet
	indent   int   // of the first bullet: deeper ones belong to another
	tooShort []int // lines of table rows that have no three cells
}

// header is the first row of the decision table.
var header = []string{"pr", "decision", "reason"}

// autoBlockHeading is the heading of the list of categories.
const autoBlockHeading = "## Auto-block categories"

// read takes the table and the list out of a Markdown document. Code between
// fences is an example, not a statement.
func read(doc []byte) written {
	var w written
	fence, inTable, inSection := "", false, false
	for i, raw := range strings.Split(string(doc), "\n") {
		line := strings.TrimSpace(raw)
		if mark := fenceMark(line); mark != "" && (fence == "" || strings.HasPrefix(mark, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			inTable = false
			continue
		}
		if fence != "" {
			continue
		}
		if strings.HasPrefix(line, "#") {
			inSection = strings.EqualFold(strings.TrimRight(line, "# "), autoBlockHeading)
			if inSection && w.section == 0 {
				w.section = i + 1
			}
		}
		inTable = w.tableLine(line, i+1, inTable)
		if inSection {
			w.bulletLine(line, i+1, len(raw)-len(strings.TrimLeft(raw, " \t")))
		}
	}
	return w
}

// fenceMark returns the run of backticks or tildes that opens or closes a
// fence, "" for any other line.
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return strings.Repeat(c, n)
		}
	}
	return ""
}

// tableLine reads line as part of the decision table and reports whether the
// table goes on.
func (w *written) tableLine(line string, number int, inTable bool) bool {
	if !strings.Contains(line, "|") {
		return false
	}
	cells := split(line)
	switch {
	case slices.EqualFunc(cells, header, strings.EqualFold):
		if w.table == 0 {
			w.table = number
		}
		return true
	case !inTable || separator(cells):
		return inTable
	case len(cells) < len(header):
		w.tooShort = append(w.tooShort, number)
		return true
	}
	w.rows = append(w.rows, row{number, plain(cells[0]), strings.ToLower(plain(cells[1])), strings.TrimSpace(cells[2])})
	return true
}

// bulletLine reads line as an item of the list.
func (w *written) bulletLine(line string, number, indent int) {
	if len(w.bullets) == 0 {
		w.indent = indent
	}
	for _, mark := range []string{"- ", "* ", "+ "} {
		if item, ok := strings.CutPrefix(line, mark); ok && indent <= w.indent {
			first, _, _ := strings.Cut(strings.TrimSpace(item), " ")
			w.bullets = append(w.bullets, bullet{number, plain(strings.TrimRight(first, ":,;.–—"))})
			return
		}
	}
}

// split returns the cells of a table row, trimmed. A pipe after a backslash is
// text.
func split(line string) []string {
	line = strings.TrimPrefix(line, "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}

// separator reports whether cells are the row of dashes under a header.
func separator(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool {
		return c == "" || strings.Trim(c, "-:") != ""
	})
}

// plain takes the marks of code and emphasis off a cell.
func plain(cell string) string { return strings.Trim(cell, "`*_ ") }
