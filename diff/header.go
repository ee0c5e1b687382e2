package diff

import (
	"bytes"
	"strconv"
)

// header is what the lines between "diff" and the first hunk say.
type header struct {
	line             int   // of the diff line
	place            place // where the diff line stood
	names            []byte
	extended         bool // any line at all followed
	isNew, isDeleted bool
	modeLine         bool
	oldMode, newMode string
	oldID, newID     string
	from, to         []byte // of a rename or a copy
	copied           bool
	partial          bool     // a similarity below 100 %: the content changed too
	minus, plus      []byte   // names of the --- and +++ lines; nil when they are not there
	minuses          [][]byte // of a combined diff, those after the first
	binary           bool
}

// gitFile reads a file that begins with "diff --git".
func (p *parser) gitFile() error {
	h := header{line: p.line, place: p.place, names: p.cur[len("diff --git "):]}
	if !p.whole {
		return p.errorf(p.line, "the patch ends inside a diff line: it is cut short")
	}
	p.advance()
	if err := p.extended(&h, false); err != nil {
		return err
	}
	if !h.extended && !p.eof && !p.has("diff --git ") || !h.extended && h.place == message {
		return nil // text that speaks of a patch; git apply passes over it too
	}
	f := File{Status: Modified, Line: h.line, OldMode: h.oldMode, NewMode: h.newMode, OldID: h.oldID, NewID: h.newID, Binary: h.binary}
	if err := p.hunks(&f, false); err != nil {
		return err
	}
	if err := p.complete(&f, &h); err != nil {
		return err
	}
	if err := p.nameGit(&f, &h); err != nil {
		return err
	}
	if err := p.checkLength(&f); err != nil {
		return err
	}
	p.add(f)
	return nil
}

// extended reads header lines until one that is none.
func (p *parser) extended(h *header, combined bool) error {
	for ; !p.eof; p.advance() {
		if p.has("GIT binary patch") {
			h.extended, h.binary = true, true
			return p.binaryPatch()
		}
		known, err := p.extendedLine(h, combined)
		if err != nil || !known {
			return err
		}
		if !p.whole {
			return p.errorf(p.line, "the patch ends inside this line: it is cut short")
		}
		h.extended = true
	}
	return nil
}

// extendedLine reads one header line and reports whether it is one.
func (p *parser) extendedLine(h *header, combined bool) (bool, error) {
	word, rest, _ := bytes.Cut(p.cur, []byte{' '})
	switch string(word) {
	case "old", "new", "deleted", "mode", "index":
		return p.modeLine(h, rest, combined)
	case "rename", "copy":
		return p.renameLine(h, string(word), rest)
	case "similarity", "dissimilarity":
		number, ok := bytes.CutPrefix(rest, []byte("index "))
		h.partial = h.partial || ok && string(number) != "100%" && string(word) == "similarity"
		return ok, nil
	case "---":
		if len(rest) == 0 || h.plus != nil || h.minus != nil && !combined || len(h.minuses) == maxParents {
			return false, nil
		}
		name, err := p.sideName(rest)
		if h.minus == nil {
			h.minus = name
		} else {
			h.minuses = append(h.minuses, name)
		}
		return true, err
	case "+++":
		if len(rest) == 0 || h.plus != nil {
			return false, nil
		}
		var err error
		h.plus, err = p.sideName(rest)
		return true, err
	case "Binary":
		ok := bytes.HasPrefix(rest, []byte("files ")) && bytes.HasSuffix(rest, []byte(" differ"))
		h.binary = h.binary || ok
		return ok, nil
	}
	return false, nil
}

// modeLine reads the lines that tell modes and ids.
func (p *parser) modeLine(h *header, rest []byte, combined bool) (bool, error) {
	word, _, _ := bytes.Cut(p.cur, []byte{' '})
	value, isMode := bytes.CutPrefix(rest, []byte("mode "))
	switch {
	case string(word) == "old" && isMode:
		h.oldMode, h.modeLine = string(value), true
	case string(word) == "new" && isMode:
		h.newMode, h.modeLine = string(value), true
	case p.has("new file mode "):
		h.newMode, h.isNew = string(rest[len("file mode "):]), true
	case p.has("deleted file mode "):
		h.oldMode, h.isDeleted = firstOf(rest[len("file mode "):]), true
	case string(word) == "mode" && combined:
		h.modeLine = true
		olds, after, _ := bytes.Cut(rest, []byte(".."))
		h.oldMode, h.newMode = firstOf(olds), string(after)
	case string(word) == "index":
		return true, p.indexLine(h, rest)
	default:
		return false, nil
	}
	for _, mode := range []string{h.oldMode, h.newMode} {
		if mode != "" && !isMode6(mode) {
			return false, p.errorf(p.line, "%q is not a file mode", mode)
		}
	}
	return true, nil
}

// indexLine reads "index 1a2b3c4..5d6e7f8 100644"; a combined diff lists one old
// id for each parent.
func (p *parser) indexLine(h *header, rest []byte) error {
	ids, mode, hasMode := bytes.Cut(rest, []byte{' '})
	dot := max(0, bytes.IndexByte(ids, '.'))
	old, new := ids[:dot], bytes.TrimPrefix(ids[dot:], []byte(".."))
	if comma := bytes.IndexByte(old, ','); comma >= 0 {
		old = old[:comma]
	}
	if len(old) == 0 || len(new) == 0 || !isHex(old) || !isHex(new) || len(ids) > 4096 {
		return p.errorf(p.line, "this index line cannot be read")
	}
	both := string(old) + string(new)
	h.oldID, h.newID = both[:len(old)], both[len(old):]
	if !hasMode {
		return nil
	}
	if !isMode6(string(mode)) {
		return p.errorf(p.line, "%q is not a file mode", mode)
	}
	h.oldMode, h.newMode = internMode(mode), internMode(mode)
	return nil
}

// renameLine reads the lines that name both sides of a rename or a copy. These
// paths carry no prefix.
func (p *parser) renameLine(h *header, word string, rest []byte) (bool, error) {
	side, name, ok := bytes.Cut(rest, []byte{' '})
	if !ok {
		return false, nil
	}
	path, ok := wholeName(name)
	switch string(side) {
	case "from", "old":
		h.from = path
	case "to", "new":
		h.to = path
	default:
		return false, nil
	}
	if !ok {
		return false, p.errorf(p.line, "the path on this line cannot be read")
	}
	h.copied = h.copied || word == "copy"
	return true, nil
}

// complete refuses a file of which something is missing, and settles what the
// header says about its kind.
func (p *parser) complete(f *File, h *header) error {
	f.Hunks = nil
	bare := len(p.scratch) == 0 && !f.Binary
	metadata := h.isNew || h.isDeleted || h.modeLine || h.from != nil
	differs := f.OldID != f.NewID && !h.isDeleted && !(h.isNew && isEmptyBlob(f.NewID))
	switch {
	case (h.from == nil) != (h.to == nil):
		return p.errorf(h.line, "only one side of a rename or copy is named: the patch is cut short")
	case h.modeLine && (h.oldMode == "" || h.newMode == ""):
		return p.errorf(h.line, "only one of the two modes is named: the patch is cut short")
	case (h.minus == nil) != (h.plus == nil):
		return p.errorf(h.line, "only one of the --- and +++ lines is there: the patch is cut short")
	case bare && h.plus != nil:
		return p.errorf(h.line, "no hunk follows the +++ line: the patch is cut short")
	case bare && (differs || h.partial):
		return p.errorf(h.line, "the content of this file changes but no hunk shows it: the patch is cut short, or was made with an option that hides changes")
	case bare && h.extended && !metadata:
		return p.errorf(h.line, "nothing follows that changes the file: the patch is cut short")
	case bare && p.eof && (!h.extended || (h.isNew || h.isDeleted) && f.NewID == ""):
		return p.errorf(h.line, "the patch ends in a file's header: it is cut short")
	case !bare && !f.Binary && h.plus == nil:
		return p.errorf(h.line, "a hunk without --- and +++ lines before it")
	}
	return nil
}

// sideName reads the path of a --- or +++ line. A tab ends it: git puts one after
// a name with spaces, diff -u puts the time behind it.
func (p *parser) sideName(b []byte) ([]byte, error) {
	if len(b) > 0 && b[0] == '"' {
		path, _, ok := unquote(b)
		if !ok {
			return nil, p.errorf(p.line, "the quoted path on this line cannot be read")
		}
		return path, nil
	}
	b, _, _ = bytes.Cut(b, []byte{'\t'})
	return b, nil
}

// wholeName reads a path that fills the rest of its line.
func wholeName(b []byte) ([]byte, bool) {
	if len(b) > 0 && b[0] == '"' {
		path, rest, ok := unquote(b)
		return path, ok && len(rest) == 0
	}
	return b, len(b) > 0
}

func firstOf(list []byte) string {
	first, _, _ := bytes.Cut(list, []byte{','})
	return string(first)
}

func isMode6(mode string) bool {
	_, err := strconv.ParseUint(mode, 8, 32)
	return err == nil && len(mode) == 6
}

// internMode returns the mode without allocating for the usual ones.
func internMode(mode []byte) string {
	switch string(mode) {
	case "100644":
		return "100644"
	case "100755":
		return "100755"
	case "120000":
		return "120000"
	case modeSubmodule:
		return modeSubmodule
	}
	return string(mode)
}

// isEmptyBlob reports whether an id, perhaps shortened, is that of the empty blob
// in SHA-1 or SHA-256, as git hash-object prints them for no input.
func isEmptyBlob(id string) bool {
	for _, empty := range []string{
		"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
		"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
	} {
		if len(id) >= 4 && len(id) <= len(empty) && empty[:len(id)] == id {
			return true
		}
	}
	return false
}

// isZero reports whether an id is the one of nothing.
func isZero(id string) bool {
	return len(id) >= 4 && len(bytes.TrimLeft([]byte(id), "0")) == 0
}
