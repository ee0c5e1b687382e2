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
		columns := len(p.cur) - len(bytes.TrimLeft(p.cur, "@")) - 1
		if combined != (columns > 1) || columns > maxParents {
			return p.errorf(p.line, "a hunk header with %d @ does not belong here", columns+1)
		}
		h, sides, err := p.hunkHeader(columns)
		if err != nil {
			return err
		}
		if combined {
			err = p.combinedBody(&h, f, sides)
		} else {
			err = p.hunkBody(&h, f)
		}
		if err != nil {
			return err
		}
		p.scratch = append(p.scratch, h)
	}
	return nil
}

// span is a start and a count of a hunk header.
type span struct{ start, lines int }

// hunkHeader reads "@@ -1,5 +1,6 @@ section", or the same with one more @ and
// one more old span for each further parent. The last span is the new side.
func (p *parser) hunkHeader(columns int) (Hunk, []span, error) {
	bad := func() (Hunk, []span, error) {
		return Hunk{}, nil, p.errorf(p.line, "this hunk header cannot be read")
	}
	if !p.whole {
		return Hunk{}, nil, p.errorf(p.line, "the patch ends inside a hunk header: it is cut short")
	}
	marker := bytes.Repeat([]byte{'@'}, columns+1)
	rest, ok := bytes.CutPrefix(p.cur, append(marker, ' '))
	if !ok {
		return bad()
	}
	var fixed [4]span
	sides := fixed[:0]
	for i := range columns + 1 {
		sign := byte('-')
		if i == columns {
			sign = '+'
		}
		var s span
		if s, rest, ok = cutSpan(rest, sign); !ok {
			return bad()
		}
		sides = append(sides, s)
	}
	rest, ok = bytes.CutPrefix(rest, marker)
	if !ok {
		return bad()
	}
	h := Hunk{
		OldStart: sides[0].start, OldLines: sides[0].lines,
		NewStart: sides[columns].start, NewLines: sides[columns].lines,
		Section: string(bytes.TrimPrefix(rest, []byte{' '})), columns: uint8(columns),
	}
	return h, sides, nil
}

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

// hunkBody reads exactly the lines that the header promises, so that a line that
// looks like a header cannot end a hunk. The cursor is on the header.
func (p *parser) hunkBody(h *Hunk, f *File) error {
	src, start, at := p.src, p.next, p.next
	olds, news, lines := h.OldLines, h.NewLines, 1 // still to come; lines read, with the header
	for olds > 0 || news > 0 {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			return p.cutShort(lines, olds, news)
		}
		switch c := src[at]; c {
		case '+':
			news--
			f.Added++
		case '-':
			olds--
			f.Deleted++
		case ' ', '\n', '\r':
			olds--
			news--
		case '\\':
			if !isNoNewline(src[at:at+end], lines) {
				return p.odd(lines)
			}
		default:
			return p.odd(lines)
		}
		if olds < 0 || news < 0 {
			return p.errorf(p.line+lines, "one line too many of its kind: the counts of the hunk header at line %d do not add up", p.line)
		}
		if src[at] == '\r' && end != 1 {
			return p.odd(lines)
		}
		at += end + 1
		lines++
	}
	p.endBody(h, start, at, lines)
	return nil
}

// endBody takes the body, and the remark about a missing newline that may follow
// its last line.
func (p *parser) endBody(h *Hunk, start, at, lines int) {
	if line, next, _ := lineAt(p.src, min(at, len(p.src))); isNoNewline(line, lines) {
		at = next
		lines++
	}
	h.body = p.src[start:at:at]
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
