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
	if h.hasFrom {
		oldStrip, okOld := cutPath(old, h.from)
		newStrip, okNew := cutPath(new, h.to)
		if !okOld || !okNew {
			return p.errorf(h.line, "the diff line and the rename or copy lines name different files")
		}
		f.OldPath, f.NewPath, f.strip = h.from, h.to, sameStrip(int(oldStrip), int(newStrip))
	} else {
		f.OldPath, f.NewPath, f.strip = resolve(old, new)
	}
	return p.settleStatus(f, h)
}

// settleStatus says what happens to the file and empties the side that is not there.
func (p *parser) settleStatus(f *File, h *header) error {
	added := h.isNew || len(h.minuses) > 0 && h.minuses[0] == devNull
	deleted := h.isDeleted || len(h.pluses) > 0 && h.pluses[0] == devNull
	switch {
	case added && deleted, (added || deleted) && (h.hasFrom || f.OldPath != f.NewPath):
		return p.errorf(h.line, "the lines of this file's header contradict each other")
	case added && f.Deleted > 0, deleted && f.Added > 0:
		return p.errorf(h.line, "a new file with deleted lines, or a deleted one with new lines")
	case added:
		f.Status, f.OldPath = Added, ""
	case deleted:
		f.Status, f.NewPath = Deleted, ""
	case h.copied:
		f.Status = Copied
	case h.hasFrom || f.OldPath != f.NewPath:
		f.Status = Renamed
	case f.OldMode != "" && f.NewMode != "" && f.OldMode[:3] != f.NewMode[:3]:
		f.Status = TypeChange
	}
	return nil
}

// sides returns the two names as the diff line has them, prefix included. The
// diff line alone is ambiguous when a name has spaces: the other lines decide.
func (h *header) sides() (old, new string, ok bool) {
	minus, plus := devNull, devNull
	if len(h.pluses) > 0 {
		minus, plus = h.minuses[0], h.pluses[0]
	}
	rest := string(h.names)
	switch {
	case minus != devNull && plus != devNull:
		return minus, plus, true
	case strings.HasPrefix(rest, `"`) || strings.HasSuffix(rest, `"`):
		return splitQuoted(h.names)
	case plus != devNull:
		old, ok = strings.CutSuffix(rest, " "+plus)
		return old, plus, ok
	case minus != devNull:
		new, ok = strings.CutPrefix(rest, minus+" ")
		return minus, new, ok
	case h.hasFrom:
		return splitRenamed(rest, h.from, h.to)
	}
	return splitEqual(rest)
}

// splitQuoted reads two names of which at least one is quoted.
func splitQuoted(b []byte) (old, new string, ok bool) {
	if b[0] == '"' {
		old, rest, ok := unquote(b)
		if !ok || len(rest) < 2 || rest[0] != ' ' {
			return "", "", false
		}
		new, ok = wholeName(rest[1:])
		return old, new, ok
	}
	i := bytes.Index(b, []byte(` "`))
	if i <= 0 {
		return "", "", false
	}
	new, ok = wholeName(b[i+1:])
	return string(b[:i]), new, ok
}

// splitRenamed finds the split at which the sides end in the names of the rename
// lines. A prefix is at most 256 bytes.
func splitRenamed(rest, from, to string) (old, new string, ok bool) {
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
	return "", "", false
}

// splitEqual finds the split at which both sides are the same path after a
// prefix: the middle, or with prefixes of different lengths the place where what
// follows the first folder is equal.
func splitEqual(rest string) (old, new string, ok bool) {
	if i := len(rest) / 2; len(rest)%2 == 1 && rest[i] == ' ' {
		if a, b, _ := resolve(rest[:i], rest[i+1:]); a == b {
			return rest[:i], rest[i+1:], true
		}
	}
	first := strings.IndexByte(rest, '/')
	second := 0
	for i := first; first > 0 && i < len(rest); i++ {
		if rest[i] != ' ' {
			continue
		}
		if second <= i {
			next := strings.IndexByte(rest[i:], '/')
			if next < 0 {
				break
			}
			second = i + next
		}
		if rest[first:i] == rest[second:] {
			return rest[:i], rest[i+1:], true
		}
	}
	if strings.Count(rest, " ") == 1 {
		return strings.Cut(rest, " ")
	}
	return "", "", false
}

// namesMatch reports whether the diff line names exactly these two sides.
func namesMatch(names []byte, old, new string) bool {
	var rest []byte
	if len(names) > 0 && names[0] == '"' {
		path, after, ok := unquote(names)
		if !ok || path != old {
			return false
		}
		rest = after
	} else {
		after, ok := bytes.CutPrefix(names, []byte(old))
		if !ok {
			return false
		}
		rest = after
	}
	rest, ok := bytes.CutPrefix(rest, []byte{' '})
	if !ok {
		return false
	}
	path, ok := wholeName(rest)
	return ok && path == new
}

// resolve takes the prefixes off the two sides of a file that is not renamed.
// Without prefixes the sides are equal. Else git's own are one letter (a/ b/, or
// c/ i/ o/ w/ 1/ 2/ with diff.mnemonicPrefix), and of any others the path is the
// longest common end of whole folders. Sides that have none are two files.
func resolve(old, new string) (oldPath, newPath string, strip int16) {
	if old == new {
		return old, old, 0
	}
	if hasLetterPrefix(old) && hasLetterPrefix(new) {
		if old[2:] == new[2:] {
			return old[2:], old[2:], 1
		}
		return old[2:], new[2:], 1
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
		return old, new, 0
	}
	path := old[len(old)-cut:]
	return path, path, sameStrip(strings.Count(old, "/")-strings.Count(path, "/"), strings.Count(new, "/")-strings.Count(path, "/"))
}

func hasLetterPrefix(name string) bool {
	return len(name) > 2 && name[1] == '/' && strings.IndexByte("abciow12", name[0]) >= 0
}

// cutPath returns how many folders stand before path in name.
func cutPath(name, path string) (strip int16, ok bool) {
	prefix, ok := strings.CutSuffix(name, path)
	if !ok || path == "" || prefix != "" && !strings.HasSuffix(prefix, "/") {
		return 0, false
	}
	return sameStrip(strings.Count(prefix, "/"), strings.Count(prefix, "/")), true
}

// cutFolders returns name without its first n folders.
func cutFolders(name string, n int) string {
	for ; n > 0; n-- {
		if _, after, ok := strings.Cut(name, "/"); ok {
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
