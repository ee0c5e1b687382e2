package diff

import (
	"fmt"
	"strings"
)

// UnsafePathError says which path of a patch must not be written, and why.
type UnsafePathError struct {
	Path   string
	Line   int // of the patch, from 1
	Reason string
}

func (e *UnsafePathError) Error() string {
	return fmt.Sprintf("patch line %d: path %q %s", e.Line, e.Path, e.Reason)
}

// Unsafe returns an [*UnsafePathError] for the first path that could land outside
// of the tree or inside its .git on any system: absolute, with an empty, "." or
// ".." part, with a part that a file system reads as .git, with a NUL, or with a
// backslash that makes it one of these on Windows.
func (p *Patch) Unsafe() error {
	for i := range p.Files {
		f := &p.Files[i]
		for _, path := range []string{f.OldPath, f.NewPath} {
			if path == "" {
				continue
			}
			if reason := unsafeReason(path); reason != "" {
				return &UnsafePathError{Path: path, Line: f.Line, Reason: reason}
			}
		}
	}
	return nil
}

// unsafeReason says what is wrong with a path, "" when nothing is.
func unsafeReason(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	switch {
	case strings.IndexByte(path, 0) >= 0:
		return "has a NUL byte"
	case path[0] == '/', len(path) > 1 && path[1] == ':' && isLetter(path[0]):
		return "is absolute"
	}
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "":
			return "has an empty part"
		case part == ".":
			return `has the part "."`
		case isParent(part):
			return "leaves the tree"
		case isDotGit(part):
			return "is inside .git"
		}
	}
	return ""
}

func isLetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// isParent reports whether a part is "..", or may be read as it where trailing
// spaces do not count (Windows).
func isParent(part string) bool {
	return part == ".." || strings.HasPrefix(part, "..") && strings.Contains(part, " ") && strings.Trim(part, ". ") == ""
}

// isDotGit reports whether some file system reads a part as .git: without case,
// with trailing dots, spaces or a stream (NTFS), by its short name (NTFS), or with
// invisible characters in it (HFS+).
func isDotGit(part string) bool {
	part, _, _ = strings.Cut(part, ":")
	part = strings.TrimRight(part, ". ")
	part = strings.Map(func(r rune) rune {
		if isIgnorable(r) {
			return -1
		}
		return r
	}, part)
	return strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1")
}

// isIgnorable reports whether HFS+ drops the character from a name, as git's own
// check has it: zero-width marks, direction marks and the byte order mark.
func isIgnorable(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}
