package diff

import (
	"bytes"
	"iter"
)

// Section returns the text after the second @@ of the header: most often the
// function that the hunk is in.
func (h Hunk) Section() string {
	line, _, _ := lineAt(h.raw, 0)
	marker := line[:h.columns()+1]
	if i := bytes.Index(line[len(marker):], marker); i >= 0 {
		return string(bytes.TrimPrefix(line[len(marker)+i+len(marker):], []byte{' '}))
	}
	return ""
}

// columns returns how many columns stand before each line: one, or in a combined
// diff the number of parents.
func (h Hunk) columns() int {
	return max(1, len(h.raw)-len(bytes.TrimLeft(h.raw, "@"))-1)
}

// body returns the lines below the header.
func (h Hunk) body() []byte {
	return h.raw[bytes.IndexByte(h.raw, '\n')+1:]
}

// Lines returns the lines of the hunk in order. Remarks about a missing newline
// at the end of the file are left out.
func (h Hunk) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		old, new, columns := h.OldStart, h.NewStart, h.columns()
		for rest := h.body(); len(rest) > 0; {
			line, next, _ := lineAt(rest, 0)
			rest = rest[next:]
			if len(line) > 0 && line[0] == '\\' {
				continue
			}
			op, _ := combinedOp(line, columns)
			inOld := columnAt(line, 0) == ' ' && op != Delete || columnAt(line, 0) == '-'
			l := Line{Op: op, Text: line[min(len(line), columns):]}
			if inOld && op != Insert {
				l.Old = old
			}
			if op != Delete {
				l.New = new
				new++
			}
			if inOld {
				old++
			}
			if !yield(l) {
				return
			}
		}
	}
}

// AddedLines returns the lines that the patch inserts into the file, in order.
func (f *File) AddedLines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for _, h := range f.Hunks {
			for l := range h.Lines() {
				if l.Op == Insert && !yield(l) {
					return
				}
			}
		}
	}
}

// Introduces reports whether the file's line, numbered from 1 in the new version,
// is one that the patch inserts. For a patch that is a series, ask
// [Patch.Introduces].
func (f *File) Introduces(line int) bool {
	h, ok := f.HunkAt(line)
	if !ok {
		return false
	}
	for l := range h.Lines() {
		if l.New == line {
			return l.Op == Insert
		}
	}
	return false
}

// HunkAt returns the hunk whose new side has the line, numbered from 1.
func (f *File) HunkAt(newLine int) (Hunk, bool) {
	for _, h := range f.Hunks {
		if newLine >= h.NewStart && newLine-h.NewStart < h.NewLines {
			return h, true
		}
	}
	return Hunk{}, false
}

// oldLine returns where a line that the patch does not insert stood before.
func (f *File) oldLine(newLine int) int {
	shift := 0
	for _, h := range f.Hunks {
		switch {
		case newLine-h.NewStart >= h.NewLines && (h.NewLines > 0 || newLine > h.NewStart):
			shift += h.OldLines - h.NewLines
		case newLine >= h.NewStart && h.NewLines > 0:
			for l := range h.Lines() {
				if l.New == newLine {
					return l.Old
				}
			}
		}
	}
	return newLine + shift
}
