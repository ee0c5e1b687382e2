package diff

import "fmt"

// ChangedPaths returns the paths that the patch changes, in patch order and each
// once: of a rename or a copy first the old, then the new one.
func (p *Patch) ChangedPaths() []string {
	paths := make([]string, 0, len(p.Files))
	seen := make(map[string]bool, len(p.Files))
	add := func(path string) {
		if path != "" && !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	for i := range p.Files {
		add(p.Files[i].OldPath)
		add(p.Files[i].NewPath)
	}
	return paths
}

// File returns what the patch does to the file of that path, or nil when it does
// not touch it. A new path goes before an old one, and the last entry of a series
// before earlier ones.
func (p *Patch) File(path string) *File {
	if path == "" {
		return nil
	}
	for i := len(p.Files) - 1; i >= 0; i-- {
		if p.Files[i].NewPath == path {
			return &p.Files[i]
		}
	}
	for i := len(p.Files) - 1; i >= 0; i-- {
		if p.Files[i].OldPath == path {
			return &p.Files[i]
		}
	}
	return nil
}

// Introduces reports whether a line, numbered from 1 in the version of the file
// after the whole patch, is one that the patch inserts. It follows the file back
// through the entries of a series, and through its renames.
func (p *Patch) Introduces(path string, line int) bool {
	for i := len(p.Files) - 1; i >= 0 && path != ""; i-- {
		f := &p.Files[i]
		if f.NewPath != path {
			continue
		}
		if f.Introduces(line) {
			return true
		}
		path, line = f.OldPath, f.oldLine(line)
	}
	return false
}

// Strip returns how many leading folders git apply has to take off the paths of
// the patch (its -p): 1 for git's a/ and b/, 0 for a patch without prefixes. It
// is an error when the files of the patch disagree, or have a prefix that no
// number takes off: such a patch would be applied to other files than it names.
func (p *Patch) Strip() (int, error) {
	strip := int16(unknownStrip)
	for i := range p.Files {
		f := &p.Files[i]
		if f.strip == unknownStrip {
			return 0, fmt.Errorf("patch line %d: %s: no git apply -p takes the prefix off; make the patch with a/ and b/", f.Line, f.Path())
		}
		if i > 0 && f.strip != strip {
			return 0, fmt.Errorf("patch line %d: %s: this file has another prefix than those before; make the patch with a/ and b/", f.Line, f.Path())
		}
		strip = f.strip
	}
	return int(max(strip, 0)), nil
}

// ZeroContext reports whether the patch has hunks without context (git diff
// -U0), which git apply takes only with --unidiff-zero. A hunk at the beginning
// of a file has none before it in any patch and does not count.
func (p *Patch) ZeroContext() bool {
	for i := range p.Files {
		for _, h := range p.Files[i].Hunks {
			if h.startsBare() {
				return true
			}
		}
	}
	return false
}

// startsBare reports whether h has lines before it in the old file and shows
// none of them.
func (h Hunk) startsBare() bool {
	if h.OldLines == 0 {
		return h.OldStart > 0
	}
	for l := range h.Lines() {
		return h.OldStart > 1 && l.Op != Context
	}
	return false
}
