package diff

import (
	"bytes"
	"strings"
)

const (
	devNull      = "/dev/null"
	unknownStrip = -1

	// maxPath is the longest path that is read, in bytes: PATH_MAX of Linux.
	maxPath = 4096
)

func isNull(name []byte) bool { return string(name) == devNull }

// nameGit settles the paths and the status of a file from all the lines that
// name it, and refuses it when they disagree: what is reviewed must be what git
// apply would change.
func (p *parser) nameGit(f *File, h *header) error {
	if len(h.names) > 8*maxPath {
		return p.errorf(h.line, "a path longer than %d bytes", maxPath)
	}
	old, new, ok := h.sides()
	if !ok {
		return p.errorf(h.line, "the two paths on this line cannot be told apart, and no line below names them")
	}
	if !namesMatch(h.names, old, new) {
		return p.errorf(h.line, "the diff line and the lines below it name different files")
	}
	if h.from != nil {
		oldStrip, okOld := cutPath(old, h.from)
		newStrip, okNew := cutPath(new, h.to)
		if !okOld || !okNew {
			return p.errorf(h.line, "the diff line and the rename or copy lines name different files")
		}
		f.OldPath, f.NewPath, f.strip = string(h.from), string(h.to), sameStrip(int(oldStrip), int(newStrip))
	} else {
		f.OldPath, f.NewPath, f.strip = resolve(old, new)
	}
	return p.settleStatus(f, h)
}

// settleStatus says what happens to the file and empties the side that is not there.
func (p *parser) settleStatus(f *File, h *header) error {
	added := h.isNew || isNull(h.minus)
	deleted := h.isDeleted || isNull(h.plus)
	switch {
	case added && deleted, (added || deleted) && (h.from != nil || f.OldPath != f.NewPath):
		return p.errorf(h.line, "the lines of this file's header contradict each other")
	case added && f.Deleted > 0, deleted && f.Added > 0:
		return p.errorf(h.line, "a new file with deleted lines, or a deleted one with new lines")
	case added:
		f.Status, f.OldPath = Added, ""
	case deleted:
		f.Status, f.NewPath = Deleted, ""
	case h.copied:
		f.Status = Copied
	case h.from != nil || f.OldPath != f.NewPath:
		f.Status = Renamed
	case f.OldMode != "" && f.NewMode != "" && f.OldMode[:3] != f.NewMode[:3]:
		f.Status = TypeChange
	}
	return nil
}

// sides returns the two names as the diff line has them, prefix included. The
// diff line alone is ambiguous when a name has spaces: the other lines decide.
func (h *header) sides() (old, new []byte, ok bool) {
	minus, plus := h.minus != nil && !isNull(h.minus), h.plus != nil && !isNull(h.plus)
	rest := h.names
	switch {
	case minus && plus:
		return h.minus, h.plus, true
	case len(rest) > 0 && (rest[0] == '"' || rest[len(rest)-1] == '"'):
		return splitQuoted(rest)
	case plus:
		old, ok = bytes.CutSuffix(rest, h.plus)
		old, space := bytes.CutSuffix(old, []byte{' '})
		return old, h.plus, ok && space
	case minus:
		new, ok = bytes.CutPrefix(rest, h.minus)
		new, space := bytes.CutPrefix(new, []byte{' '})
		return h.minus, new, ok && space
	case h.from != nil:
		return splitRenamed(rest, h.from, h.to)
	}
	return splitEqual(rest)
}

// splitQuoted reads two names of which at least one is quoted.
func splitQuoted(b []byte) (old, new []byte, ok bool) {
	if b[0] == '"' {
		old, rest, ok := unquote(b)
		if !ok || len(rest) < 2 || rest[0] != ' ' {
			return nil, nil, false
		}
		new, ok = wholeName(rest[1:])
		return old, new, ok
	}
	i := bytes.Index(b, []byte(` "`))
	if i <= 0 {
		return nil, nil, false
	}
	new, ok = wholeName(b[i+1:])
	return b[:i], new, ok
}

// splitRenamed finds the split at which the sides end in the names of the rename
// lines. A prefix is at most 256 bytes.
func splitRenamed(rest, from, to []byte) (old, new []byte, ok bool) {
	for i := len(from); i < min(len(rest), len(from)+256); i++ {
		if rest[i] != ' ' {
			continue
		}
		oldStrip, okOld := cutPath(rest[:i], from)
		newStrip, okNew := cutPath(rest[i+1:], to)
		if okOld && okNew && oldStrip == newStrip {
			return rest[:i], rest[i+1:], true
		}
	}
	return nil, nil, false
}

// splitEqual finds the split at which both sides are the same path after a
// prefix: the middle, or with prefixes of different lengths the place where what
// follows the first folder is equal.
func splitEqual(rest []byte) (old, new []byte, ok bool) {
	if i := len(rest) / 2; len(rest)%2 == 1 && rest[i] == ' ' {
		if a, b, _ := resolve(rest[:i], rest[i+1:]); a == b {
			return rest[:i], rest[i+1:], true
		}
	}
	first := bytes.IndexByte(rest, '/')
	second := 0
	for i := first; first > 0 && i < len(rest); i++ {
		if rest[i] != ' ' {
			continue
		}
		if second <= i {
			next := bytes.IndexByte(rest[i:], '/')
			if next < 0 {
				break
			}
			second = i + next
		}
		if bytes.Equal(rest[first:i], rest[second:]) {
			return rest[:i], rest[i+1:], true
		}
	}
	if bytes.Count(rest, []byte{' '}) == 1 {
		return bytes.Cut(rest, []byte{' '})
	}
	return nil, nil, false
}

// namesMatch reports whether the diff line names exactly these two sides.
func namesMatch(names, old, new []byte) bool {
	rest, ok := bytes.CutPrefix(names, old)
	if len(names) > 0 && names[0] == '"' {
		var path []byte
		path, rest, ok = unquote(names)
		ok = ok && bytes.Equal(path, old)
	}
	if !ok || len(rest) == 0 || rest[0] != ' ' {
		return false
	}
	path, ok := wholeName(rest[1:])
	return ok && bytes.Equal(path, new)
}

// resolve takes the prefixes off the two sides of a file that is not renamed.
// Without prefixes the sides are equal. Else git's own are one letter (a/ b/, or
// c/ i/ o/ w/ 1/ 2/ with diff.mnemonicPrefix), and of any others the path is the
// longest common end of whole folders. Sides that have none are two files.
func resolve(old, new []byte) (oldPath, newPath string, strip int16) {
	if bytes.Equal(old, new) {
		path := string(old)
		return path, path, 0
	}
	if hasLetterPrefix(old) && hasLetterPrefix(new) {
		path := string(old[2:])
		if path == string(new[2:]) {
			return path, path, 1
		}
		return path, string(new[2:]), 1
	}
	i, j := len(old), len(new)
	cut := 0 // length of the common end that begins after a slash
	for i > 0 && j > 0 && old[i-1] == new[j-1] {
		i, j = i-1, j-1
		if old[i] == '/' && len(old)-i > 1 {
			cut = len(old) - i - 1
		}
	}
	if cut == 0 {
		return string(old), string(new), 0
	}
	path := string(old[len(old)-cut:])
	return path, path, sameStrip(folders(old[:len(old)-cut]), folders(new[:len(new)-cut]))
}

// folders returns how many folders a prefix is.
func folders(prefix []byte) int { return bytes.Count(prefix, []byte{'/'}) }

func hasLetterPrefix(name []byte) bool {
	return len(name) > 2 && name[1] == '/' && strings.IndexByte("abciow12", name[0]) >= 0
}

// cutPath returns how many folders stand before path in name.
func cutPath(name, path []byte) (strip int16, ok bool) {
	prefix, ok := bytes.CutSuffix(name, path)
	if !ok || len(path) == 0 || len(prefix) > 0 && prefix[len(prefix)-1] != '/' {
		return 0, false
	}
	return sameStrip(folders(prefix), folders(prefix)), true
}

// cutFolders returns name without its first n folders.
func cutFolders(name []byte, n int) []byte {
	for ; n > 0; n-- {
		if _, after, ok := bytes.Cut(name, []byte{'/'}); ok {
			name = after
		}
	}
	return name
}

func sameStrip(a, b int) int16 {
	if a != b || a > 1000 {
		return unknownStrip
	}
	return int16(a)
}

// checkLength refuses a path that is empty or longer than any file system has.
func (p *parser) checkLength(f *File) error {
	for _, path := range []string{f.OldPath, f.NewPath} {
		if len(path) > maxPath {
			return p.errorf(f.Line, "a path longer than %d bytes", maxPath)
		}
	}
	if f.OldPath == "" && f.Status != Added || f.NewPath == "" && f.Status != Deleted {
		return p.errorf(f.Line, "a file without a path")
	}
	return nil
}
