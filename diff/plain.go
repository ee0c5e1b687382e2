package diff

import (
	"bytes"
	"strings"
	"time"
)

// plainFollows reports whether the cursor is on a file without git's header, as
// diff -u writes it: ---, +++ and a hunk, one after the other.
func (p *parser) plainFollows() bool {
	if p.next >= len(p.src) {
		return false
	}
	plus, next, _ := lineAt(p.src, p.next)
	if !bytes.HasPrefix(plus, []byte("+++ ")) || next >= len(p.src) {
		return false
	}
	return bytes.HasPrefix(p.src[next:], []byte("@@ -"))
}

// plainFile reads a file that begins with --- and +++ lines alone. As git apply
// does, it takes the new name for both sides when they are two.
func (p *parser) plainFile() error {
	f := File{Status: Modified, Line: p.line}
	old, oldGone, err := p.plainName()
	if err != nil {
		return err
	}
	new, newGone, err := p.plainName()
	if err != nil {
		return err
	}
	if err := p.hunks(&f, false); err != nil {
		return err
	}
	switch {
	case oldGone && newGone:
		return p.errorf(f.Line, "both sides of this file are missing")
	case isNull(old):
		f.NewPath, f.strip = p.oneSide(new)
	case isNull(new):
		f.NewPath, f.strip = p.oneSide(old)
	default:
		_, f.NewPath, f.strip = resolve(old, new)
	}
	f.OldPath = f.NewPath
	switch {
	case oldGone && f.Deleted > 0, newGone && f.Added > 0:
		return p.errorf(f.Line, "a new file with deleted lines, or a deleted one with new lines")
	case oldGone:
		f.Status, f.OldPath = Added, ""
	case newGone:
		f.Status, f.NewPath = Deleted, ""
	}
	if err := p.checkLength(&f); err != nil {
		return err
	}
	p.add(f)
	return nil
}

// plainName reads a --- or +++ line, and whether it says that there is no file.
func (p *parser) plainName() (name []byte, gone bool, err error) {
	rest := p.cur[len("--- "):]
	if name, err = p.sideName(rest); err != nil {
		return nil, false, err
	}
	_, stamp, _ := bytes.Cut(rest, []byte{'\t'})
	p.advance()
	return name, isNull(name) || isEpoch(string(stamp)), nil
}

// isEpoch reports whether a time stamp of diff -N is the one it gives to a file
// that is not there: the start of 1970, in any time zone.
func isEpoch(stamp string) bool {
	t, err := time.Parse("2006-01-02 15:04:05 -0700", strings.TrimSpace(stamp))
	return err == nil && t.Unix() == 0 && t.Nanosecond() == 0
}

// oneSide takes the prefix off a name whose other side is /dev/null: as many
// folders as the file before had, else a letter of git's.
func (p *parser) oneSide(name []byte) (string, int16) {
	if n := len(p.files); n > 0 && p.files[n-1].strip == 0 {
		return string(name), 0
	}
	if hasLetterPrefix(name) {
		return string(name[2:]), 1
	}
	return string(name), 0
}

// plainBinary reads the line that diff -u writes for a binary file. In a message
// and in any other wording it is text.
func (p *parser) plainBinary() error {
	names, ok := bytes.CutSuffix(p.cur[len("Binary files "):], []byte(" differ"))
	if !ok || p.place == message || !p.whole {
		return p.text()
	}
	old, new, ok := splitAnd(names)
	if !ok {
		return p.errorf(p.line, "the two paths on this line cannot be told apart")
	}
	f := File{Status: Modified, Line: p.line, Binary: true}
	switch {
	case isNull(old):
		f.NewPath, f.strip = p.oneSide(new)
		f.Status = Added
	case isNull(new):
		f.OldPath, f.strip = p.oneSide(old)
		f.Status = Deleted
	default:
		_, f.NewPath, f.strip = resolve(old, new)
		f.OldPath = f.NewPath
	}
	if err := p.checkLength(&f); err != nil {
		return err
	}
	p.advance()
	p.add(f)
	return nil
}

// splitAnd splits "a/x and b/x" where both sides are the same path, or where it
// says "and" only once.
func splitAnd(names []byte) (old, new []byte, ok bool) {
	and := []byte(" and ")
	if bytes.Count(names, and) == 1 {
		return bytes.Cut(names, and)
	}
	if n := len(names) - len(and); n > 0 && n%2 == 0 && bytes.Equal(names[n/2:n/2+len(and)], and) {
		return names[:n/2], names[n/2+len(and):], true
	}
	return nil, nil, false
}

// submoduleLog reads the line that git writes for a submodule with
// --submodule=log or diff: "Submodule path 1a2b3c4..5d6e7f8:". Other lines that
// begin so are text.
func (p *parser) submoduleLog() error {
	rest := strings.TrimSuffix(string(p.cur[len("Submodule "):]), ":")
	status := Modified
	if body, remark, ok := strings.Cut(rest, " ("); ok {
		rest = body
		switch remark {
		case "new submodule)":
			status = Added
		case "submodule deleted)":
			status = Deleted
		}
	}
	space := strings.LastIndexByte(rest, ' ')
	if space <= 0 || p.place != message && strings.HasSuffix(rest, " content") {
		return p.submoduleDirt(rest)
	}
	path, ids := rest[:space], rest[space+1:]
	old, new, ok := strings.Cut(strings.Replace(ids, "...", "..", 1), "..")
	if !ok || len(old) < 4 || len(new) < 4 || !isHex([]byte(old)) || !isHex([]byte(new)) {
		return p.text()
	}
	f := File{OldPath: path, NewPath: path, Status: status, OldMode: modeSubmodule, NewMode: modeSubmodule, OldID: old, NewID: new, Line: p.line, strip: unknownStrip}
	switch status {
	case Added:
		f.OldPath, f.OldMode = "", ""
	case Deleted:
		f.NewPath, f.NewMode = "", ""
	}
	if err := p.checkLength(&f); err != nil {
		return err
	}
	p.advance()
	p.add(f)
	p.place = prose // a list of commit subjects follows
	return nil
}

// submoduleDirt reads "Submodule path contains modified content".
func (p *parser) submoduleDirt(rest string) error {
	path, ok := strings.CutSuffix(rest, " contains modified content")
	if !ok || path == "" || p.place == message {
		return p.text()
	}
	f := File{OldPath: path, NewPath: path, Status: Modified, OldMode: modeSubmodule, NewMode: modeSubmodule, Line: p.line, strip: unknownStrip}
	if err := p.checkLength(&f); err != nil {
		return err
	}
	p.advance()
	p.add(f)
	return nil
}
