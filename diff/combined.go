package diff

import "bytes"

// combinedFile reads a file of a combined diff, as git show writes for a merge:
// "diff --cc path" and hunks with one column for each parent.
func (p *parser) combinedFile() error {
	h := header{line: p.line, place: p.place}
	_, name, _ := bytes.Cut(p.cur[len("diff --c"):], []byte{' '})
	named, ok := wholeName(name)
	if !ok || !p.whole {
		return p.errorf(p.line, "the path on this line cannot be read")
	}
	path := string(named)
	p.advance()
	if err := p.extended(&h, true); err != nil {
		return err
	}
	f := File{OldPath: path, NewPath: path, Status: Modified, Line: h.line, OldMode: h.oldMode, NewMode: h.newMode, OldID: h.oldID, NewID: h.newID, Binary: h.binary}
	if err := p.hunks(&f, true); err != nil {
		return err
	}
	switch {
	case h.isNew:
		f.Status, f.OldPath = Added, ""
	case h.isDeleted:
		f.Status, f.NewPath = Deleted, ""
	}
	if err := p.combinedNames(&f, &h); err != nil {
		return err
	}
	// A file of an unfinished merge that now equals one side has no hunks and no id.
	if len(p.scratch) == 0 && !f.Binary && !h.modeLine && f.Status == Modified && !isZero(f.NewID) {
		return p.errorf(h.line, "no hunk follows: the patch is cut short")
	}
	if err := p.checkLength(&f); err != nil {
		return err
	}
	p.add(f)
	return nil
}

// combinedNames checks the --- and +++ lines against the path of the first line,
// and takes the old name of a renamed file when each parent's is listed.
func (p *parser) combinedNames(f *File, h *header) error {
	if h.plus == nil || isNull(h.plus) || f.NewPath == "" {
		return nil
	}
	strip, ok := cutPath(h.plus, []byte(f.NewPath))
	if !ok {
		return p.errorf(h.line, "the +++ line names %q, the diff line %q", h.plus, f.NewPath)
	}
	f.strip = strip
	for _, minus := range append([][]byte{h.minus}, h.minuses...) {
		old := string(cutFolders(minus, int(strip)))
		if minus != nil && !isNull(minus) && old != f.OldPath && f.Status == Modified {
			f.OldPath, f.Status = old, Renamed
			break
		}
	}
	return nil
}

// combinedHunk reads a hunk of a combined diff. Its header has one more @ and one
// more old span for each further parent.
func (p *parser) combinedHunk(h *Hunk, f *File, columns int) error {
	left := make([]int, columns+1) // lines still to come, of each parent and of the new version
	rest := p.cur[columns+1:]
	ok := len(rest) > 0 && rest[0] == ' '
	rest = bytes.TrimPrefix(rest, []byte{' '})
	for i := range left {
		sign := byte('-')
		if i == columns {
			sign = '+'
		}
		s, after, okSpan := cutSpan(rest, sign)
		ok, rest, left[i] = ok && okSpan, after, s.lines
		switch i {
		case 0:
			h.OldStart, h.OldLines = s.start, s.lines
		case columns:
			h.NewStart, h.NewLines = s.start, s.lines
		}
	}
	if !ok || !bytes.HasPrefix(rest, p.cur[:columns+1]) {
		return p.errorf(p.line, "this hunk header cannot be read")
	}
	return p.combinedBody(h, f, left)
}

// combinedBody reads the lines that the counts promise. Only the count of the new
// version can be trusted: git counts lines of a parent that it then leaves out
// (seen with 2.39 in one of a hundred merges). So a hunk may also end before
// anything that is no deletion, once the new version is complete.
func (p *parser) combinedBody(h *Hunk, f *File, left []int) error {
	at, lines := p.next, 1
	for anyLeft(left) {
		end := bytes.IndexByte(p.src[at:], '\n')
		if end < 0 && at == len(p.src) && left[len(left)-1] == 0 {
			break
		}
		if end < 0 {
			return p.cutShort(lines, left[0], left[len(left)-1])
		}
		line := bytes.TrimSuffix(p.src[at:at+end], []byte{'\r'})
		if op, ok := combinedOp(line, len(left)-1); left[len(left)-1] == 0 && !isNoNewline(line, lines) && (!ok || op != Delete) {
			break
		}
		op, ok := countCombined(line, left)
		switch {
		case isNoNewline(line, lines):
		case !ok:
			return p.odd(lines)
		case op == Insert:
			f.Added++
		case op == Delete:
			f.Deleted++
		}
		at += end + 1
		lines++
	}
	p.endBody(h, at, lines)
	return nil
}

func anyLeft(left []int) bool {
	for _, n := range left {
		if n > 0 {
			return true
		}
	}
	return false
}

// countCombined takes the line off the counts of the sides that have it.
func countCombined(line []byte, left []int) (Op, bool) {
	columns := len(left) - 1
	op, ok := combinedOp(line, columns)
	if !ok {
		return op, false
	}
	for i := range columns {
		// A deleted line is in the parents that say -, any other in those that do not say +.
		if column := columnAt(line, i); (op == Delete) == (column == '-') && column != '+' {
			left[i]--
			ok = ok && left[i] >= 0
		}
	}
	if op != Delete {
		left[columns]--
		ok = ok && left[columns] >= 0
	}
	return op, ok
}

// combinedOp says what the columns of a line mean together.
func combinedOp(line []byte, columns int) (Op, bool) {
	op := Context
	for i := range columns {
		switch columnAt(line, i) {
		case ' ':
		case '+':
			if op == Delete {
				return op, false
			}
			op = Insert
		case '-':
			if op == Insert {
				return op, false
			}
			op = Delete
		default:
			return op, false
		}
	}
	return op, true
}

// columnAt returns a column of a line; the spaces of an empty context line may
// have been dropped.
func columnAt(line []byte, i int) byte {
	if len(line) == 0 {
		return ' '
	}
	if i >= len(line) {
		return 0
	}
	return line[i]
}
