package diff

import "bytes"

// combinedFile reads a file of a combined diff, as git show writes for a merge:
// "diff --cc path" and hunks with one column for each parent.
func (p *parser) combinedFile() error {
	h := header{line: p.line, place: p.place}
	_, name, _ := bytes.Cut(p.cur[len("diff --c"):], []byte{' '})
	path, ok := wholeName(name)
	if !ok || !p.whole {
		return p.errorf(p.line, "the path on this line cannot be read")
	}
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
	if len(h.pluses) == 0 || h.pluses[0] == devNull || f.NewPath == "" {
		return nil
	}
	prefix, ok := cutPath(h.pluses[0], f.NewPath)
	if !ok {
		return p.errorf(h.line, "the +++ line names %q, the diff line %q", h.pluses[0], f.NewPath)
	}
	f.strip = prefix
	for _, minus := range h.minuses {
		old := cutFolders(minus, int(prefix))
		if minus != devNull && old != f.OldPath && f.Status == Modified {
			f.OldPath, f.Status = old, Renamed
			break
		}
	}
	return nil
}

// combinedBody reads the lines of a hunk of a combined diff. sides are the
// parents' spans and then the new one. The cursor is on the header.
func (p *parser) combinedBody(h *Hunk, f *File, sides []span) error {
	left := make([]int, len(sides))
	for i, s := range sides {
		left[i] = s.lines
	}
	start, at, lines := p.next, p.next, 1
	for anyLeft(left) {
		end := bytes.IndexByte(p.src[at:], '\n')
		if end < 0 {
			return p.cutShort(lines, left[0], left[len(left)-1])
		}
		line := bytes.TrimSuffix(p.src[at:at+end], []byte{'\r'})
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
	p.endBody(h, start, at, lines)
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
