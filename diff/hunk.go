package diff

import "bytes"

// maxLine bounds the line numbers and counts of a hunk header: the sum of two
// fits an int of 32 bits.
const maxLine = 1<<30 - 1

// maxParents bounds the columns of a combined diff; git itself stops far below.
const maxParents = 128

// hunks reads the hunks at the cursor into scratch and adds up their lines.
func (p *parser) hunks(f *File, combined bool) error {
	for !p.eof && p.has("@@") {
		columns := 1
		if p.has("@@@") {
			columns = Hunk{raw: p.cur}.columns()
		}
		if combined != (columns > 1) || columns > maxParents {
			return p.errorf(p.line, "a hunk header with %d @ does not belong here", columns+1)
		}
		if !p.whole {
			return p.errorf(p.line, "the patch ends inside a hunk header: it is cut short")
		}
		var h Hunk
		var err error
		if combined {
			err = p.combinedHunk(&h, f, columns)
		} else {
			err = p.hunk(&h, f)
		}
		if err != nil {
			return err
		}
		p.scratch = append(p.scratch, h)
	}
	return nil
}

// hunk reads a hunk with its header, "@@ -1,5 +1,6 @@ section".
func (p *parser) hunk(h *Hunk, f *File) error {
	if !p.has("@@ ") {
		return p.errorf(p.line, "this hunk header cannot be read")
	}
	old, rest, okOld := cutSpan(p.cur[3:], '-')
	new, rest, okNew := cutSpan(rest, '+')
	if !okOld || !okNew || len(rest) < 2 || rest[0] != '@' || rest[1] != '@' {
		return p.errorf(p.line, "this hunk header cannot be read")
	}
	h.OldStart, h.OldLines, h.NewStart, h.NewLines = old.start, old.lines, new.start, new.lines
	return p.hunkBody(h, f)
}

// span is a start and a count of a hunk header.
type span struct{ start, lines int }

// cutSpan reads "-12,3 " or "-12 " from the start of b.
func cutSpan(b []byte, sign byte) (span, []byte, bool) {
	if len(b) == 0 || b[0] != sign {
		return span{}, b, false
	}
	start, b, ok := cutNumber(b[1:])
	if !ok || len(b) == 0 {
		return span{}, b, false
	}
	lines := 1
	if b[0] == ',' {
		if lines, b, ok = cutNumber(b[1:]); !ok {
			return span{}, b, false
		}
	}
	rest, ok := bytes.CutPrefix(b, []byte{' '})
	return span{start, lines}, rest, ok && (start > 0 || lines == 0)
}

func cutNumber(b []byte) (n int, rest []byte, ok bool) {
	i := 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		if n = n*10 + int(b[i]-'0'); n > maxLine {
			return 0, b, false
		}
	}
	return n, b[i:], i > 0
}

// sidesOf tells of the first byte of a hunk's line on which sides the line is: 1
// the old, 2 the new, 3 both, 0 neither of them without a closer look. An empty
// line is a context line whose space was dropped. Measured, the table is a sixth
// faster than a switch, whose branches cannot be predicted.
var sidesOf = [256]uint8{' ': 3, '\n': 3, '+': 2, '-': 1}

// hunkBody reads exactly the lines that the header promises, so that a line that
// looks like a header cannot end a hunk. The cursor is on the header.
func (p *parser) hunkBody(h *Hunk, f *File) error {
	src, at := p.src, p.next
	olds, news, lines, remarks := h.OldLines, h.NewLines, 1, 0 // olds and news are still to come; lines counts the header
	for olds > 0 || news > 0 {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			return p.cutShort(lines, olds, news)
		}
		sides := sidesOf[src[at]]
		if sides == 0 {
			switch line := src[at : at+end]; {
			case isNoNewline(line, lines):
				remarks++
			case string(line) == "\r":
				sides = 3
			default:
				return p.odd(lines)
			}
		}
		olds -= int(sides & 1)
		news -= int(sides >> 1)
		if olds|news < 0 {
			return p.errorf(p.line+lines, "one line too many of its kind: the counts of the hunk header at line %d do not add up", p.line)
		}
		at += end + 1
		lines++
	}
	body := lines - 1 - remarks // each of them is on the old side, the new or both
	f.Added += body - h.OldLines
	f.Deleted += body - h.NewLines
	p.endBody(h, at, lines)
	return nil
}

// endBody takes the body, and the remark about a missing newline that may follow
// its last line.
func (p *parser) endBody(h *Hunk, at, lines int) {
	if at < len(p.src) && p.src[at] == '\\' {
		if line, next, _ := lineAt(p.src, at); isNoNewline(line, lines) {
			at = next
			lines++
		}
	}
	h.raw = p.src[p.at:at:at]
	p.seek(at, lines)
}

// isNoNewline reports whether the line, number n of the hunk, is the remark
// "\ No newline at end of file", in whatever language.
func isNoNewline(line []byte, n int) bool {
	return n > 1 && len(line) > 1 && line[0] == '\\' && line[1] == ' '
}

func (p *parser) cutShort(lines, olds, news int) error {
	return p.errorf(p.line+lines, "the patch ends inside the hunk of line %d: %d old and %d new lines are missing", p.line, olds, news)
}

func (p *parser) odd(lines int) error {
	return p.errorf(p.line+lines, "not a line of a hunk: the counts of the hunk header at line %d do not add up", p.line)
}
