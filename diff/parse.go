package diff

import (
	"bytes"
	"fmt"
)

// SyntaxError says where a patch cannot be read, and why.
type SyntaxError struct {
	Line int // of the patch, from 1
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("patch line %d: %s", e.Line, e.Msg) }

// Parse reads a patch. It returns a [*SyntaxError] when the patch names no file
// at all, is cut short, or contradicts itself (counts that do not add up, two
// names for one file, a hunk without a file). Paths are taken as they are,
// however hostile: see [Patch.Unsafe].
//
// Text around the files is passed over, as git does: mail headers, commit
// messages, diffstats, signatures.
func Parse(patch []byte) (*Patch, error) {
	p := &parser{src: bytes.TrimPrefix(patch, []byte("\ufeff"))}
	p.advance()
	for !p.eof {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if len(p.files) == 0 {
		return nil, p.errorf(max(1, p.line-1), "%s", whyEmpty(patch))
	}
	return &Patch{Files: p.files}, nil
}

// whyEmpty says what to do about a patch in which no file was found.
func whyEmpty(patch []byte) string {
	switch {
	case len(bytes.TrimSpace(patch)) == 0:
		return "the patch is empty"
	case bytes.HasPrefix(patch, []byte("\xff\xfe")), bytes.HasPrefix(patch, []byte("\xfe\xff")):
		return "the patch is encoded as UTF-16: write it with git diff --output=FILE"
	case bytes.Contains(patch, []byte("\x1b[")):
		return "the patch has color codes: make it with --no-color"
	case bytes.Contains(patch, []byte("\nMerge: ")):
		return "git shows no changes of this merge's own: make the patch with git diff BASE...HEAD"
	}
	return "no file in it: expected the output of git diff, git format-patch or diff -u"
}

// place says what the line outside of files and hunks belongs to.
type place int

const (
	prose     place = iota // before the first file, after a signature
	message                // a mail or a commit message, where anything may be quoted
	afterFile              // directly after a file: no line may be left over
)

// parser is a cursor over the lines of a patch.
type parser struct {
	src   []byte
	cur   []byte // the current line without its newline and carriage return
	whole bool   // the current line ends in a newline
	at    int    // offset of the current line
	next  int    // offset of the line after
	line  int    // number of the current line, from 1
	eof   bool

	place   place
	border  []byte // of the parts of a mail with attachments
	files   []File
	scratch []Hunk // hunks of the file being read
	slab    []Hunk // room for those of files that were read
}

// advance makes the next line the current one.
func (p *parser) advance() {
	p.line++
	p.at = p.next
	if p.next >= len(p.src) {
		p.cur, p.eof = nil, true
		return
	}
	p.cur, p.next, p.whole = lineAt(p.src, p.next)
}

// seek makes the line at offset the current one; lines is how many lines it lies
// below the current one.
func (p *parser) seek(offset, lines int) {
	p.next = offset
	p.line += lines - 1
	p.advance()
}

// lineAt returns the line at offset without its line ending, where the next one
// starts, and whether it has a newline.
func lineAt(src []byte, offset int) (line []byte, next int, whole bool) {
	end := bytes.IndexByte(src[offset:], '\n')
	if end < 0 {
		line, next = src[offset:], len(src)
	} else {
		line, next, whole = src[offset:offset+end], offset+end+1, true
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, next, whole
}

func (p *parser) errorf(line int, format string, args ...any) error {
	return &SyntaxError{Line: line, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) has(prefix string) bool {
	return len(p.cur) >= len(prefix) && string(p.cur[:len(prefix)]) == prefix
}

// step reads what the current line starts: a file, or a line of text.
func (p *parser) step() error {
	switch {
	case p.has("diff --git "):
		return p.gitFile()
	case p.has("diff --cc "), p.has("diff --combined "):
		return p.combinedFile()
	case p.has("--- ") && p.plainFollows():
		return p.plainFile()
	case p.has("Binary files "):
		return p.plainBinary()
	case p.has("Submodule "):
		return p.submoduleLog()
	default:
		return p.text()
	}
}

// text passes over a line that starts no file, unless it is one that no patch
// can have there.
func (p *parser) text() error {
	switch {
	case p.startsMessage():
		p.place = message
	case p.place == message || len(p.cur) == 0:
		if _, border, ok := bytes.Cut(p.cur, []byte(`boundary="`)); ok {
			p.border, _, _ = bytes.Cut(border, []byte{'"'})
		}
	case p.has("* Unmerged path "):
		return p.errorf(p.line, "%s is not merged: finish the merge and make the patch again", p.cur[len("* Unmerged path "):])
	case p.has("@@ -"), p.has("@@@ -"):
		return p.errorf(p.line, "a hunk without a file: no diff or --- line names what it changes")
	case p.place == afterFile && !p.whole:
		return p.errorf(p.line, "the patch ends inside this line: it is cut short")
	case p.place == afterFile && p.isSignature():
		p.place = prose
	case p.place == afterFile && bytes.IndexByte([]byte("+- \\"), p.cur[0]) >= 0:
		return p.errorf(p.line, "a line beyond the end of its hunk: the counts of the hunk's header do not add up")
	default:
		p.place = prose
	}
	p.advance()
	return nil
}

// startsMessage reports whether the line begins a mail of git format-patch or a
// commit of git show and git log.
func (p *parser) startsMessage() bool {
	for _, prefix := range []string{"From ", "commit "} {
		if p.has(prefix) {
			id, _, _ := bytes.Cut(p.cur[len(prefix):], []byte{' '})
			return len(id) >= 7 && isHex(id)
		}
	}
	return false
}

// isSignature reports whether the line is the one that git format-patch puts
// between the patch and its version (mail programs drop the space), or the end
// of an attachment.
func (p *parser) isSignature() bool {
	if string(p.cur) == "-- " || string(p.cur) == "--" {
		return true
	}
	return len(p.border) > 0 && p.has("--") && bytes.HasPrefix(p.cur[2:], p.border)
}

func isHex(id []byte) bool {
	for _, c := range id {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// add appends a file with the hunks that were read for it.
func (p *parser) add(f File) {
	f.Hunks = p.keep(p.scratch)
	p.scratch = p.scratch[:0]
	p.place = afterFile
	if n := len(p.files); n > 0 && mergeTypeChange(&p.files[n-1], &f) {
		return
	}
	if len(p.files) == cap(p.files) {
		larger := make([]File, len(p.files), len(p.files)+p.expected())
		copy(larger, p.files)
		p.files = larger
	}
	p.files = append(p.files, f)
}

// keep copies hunks to where they stay. Many files share one allocation.
func (p *parser) keep(hunks []Hunk) []Hunk {
	if len(hunks) == 0 {
		return nil
	}
	if len(hunks) > len(p.slab) {
		p.slab = make([]Hunk, max(len(hunks), min(512, 4*len(p.files))))
	}
	kept := p.slab[:len(hunks):len(hunks)]
	p.slab = p.slab[len(hunks):]
	copy(kept, hunks)
	return kept
}

// expected guesses from what has been read how many more files there will be,
// between an eighth of those read and seven times as many. Doubling would waste
// half of the memory of a large patch.
func (p *parser) expected() int {
	n := len(p.files)
	guess := int(float64(n) * 1.25 * float64(len(p.src)-p.next) / float64(max(1, p.next)))
	return min(max(guess, n/8, 8), 7*n+8)
}

// mergeTypeChange makes one file of the two that git writes when a path becomes
// another kind of thing: the deletion of the old one and the addition of the new.
func mergeTypeChange(last, f *File) bool {
	if last.Status != Deleted || f.Status != Added || last.OldPath != f.NewPath || last.OldMode == "" || f.NewMode == "" || last.OldMode[:3] == f.NewMode[:3] {
		return false
	}
	last.Status, last.NewPath = TypeChange, f.NewPath
	last.NewMode, last.NewID = f.NewMode, f.NewID
	last.Binary = last.Binary || f.Binary
	last.Added += f.Added
	last.Deleted += f.Deleted
	last.Hunks = append(last.Hunks, f.Hunks...)
	return true
}
