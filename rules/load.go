package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/glob"
)

// Load reads every *.md file below [Folder], sorted by its path there. A
// repository without the folder has no rules. What is wrong with a rule file is
// an [*Error]: a rule that cannot be read would otherwise be a rule that nobody
// applies.
func Load(fsys fs.FS) ([]Rule, error) {
	files, err := find(fsys, Folder, func(name string) bool { return strings.HasSuffix(name, ".md") })
	if err != nil {
		return nil, err
	}
	if len(files) > MaxRules {
		return nil, &Error{Source: Folder, Msg: fmt.Sprintf("%d rules, more than %d: join some", len(files), MaxRules)}
	}
	loaded := make([]Rule, 0, len(files))
	for _, f := range files {
		text, size, err := read(fsys, f, MaxRuleBytes)
		if err != nil {
			return nil, err
		}
		if size > MaxRuleBytes {
			return nil, &Error{Source: f.source, Msg: fmt.Sprintf("%d bytes, more than %d: split the rule", size, MaxRuleBytes)}
		}
		r, err := parse(f.source, text)
		if err != nil {
			return nil, err
		}
		r.Name = strings.TrimSuffix(strings.TrimPrefix(f.source, Folder+"/"), ".md")
		loaded = append(loaded, r)
	}
	return loaded, nil
}

// parse reads a rule file of the repository's own.
func parse(source, text string) (Rule, error) {
	front, body, begin, err := splitFrontmatter(source, text)
	if err != nil {
		return Rule{}, err
	}
	patterns, err := readPaths(source, front, begin)
	if err != nil {
		return Rule{}, err
	}
	r := Rule{Paths: []string{}, Source: source, Body: strings.TrimSpace(body)}
	for _, p := range patterns {
		if _, err := glob.Compile(p.text); err != nil {
			return Rule{}, &Error{Source: source, Line: p.line, Msg: err.Error()}
		}
		r.Paths = append(r.Paths, p.text)
	}
	return r, nil
}

// found is a file that was found below a folder.
type found struct {
	source string // as it is named
	real   string // where it lies, links followed
}

// Limits of a search. Links could make a small tree look endless.
const (
	maxEntries = 20_000
	maxDepth   = 32
)

// find returns the files below a folder whose name is wanted, sorted by path.
func find(fsys fs.FS, folder string, wanted func(name string) bool) ([]found, error) {
	s := search{fsys: fsys, wanted: wanted}
	real, info, err := resolve(fsys, folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, &Error{Source: folder, Msg: "not a folder"}
	}
	if err := s.walk(found{folder, real}, 0); err != nil {
		return nil, err
	}
	slices.SortFunc(s.files, func(a, b found) int { return strings.Compare(a.source, b.source) })
	return s.files, nil
}

type search struct {
	fsys    fs.FS
	wanted  func(name string) bool
	files   []found
	entries int
}

func (s *search) walk(dir found, depth int) error {
	entries, err := fs.ReadDir(s.fsys, dir.real)
	if err != nil {
		return fmt.Errorf("read the rule folder %s: %w", dir.source, err)
	}
	if s.entries += len(entries); s.entries > maxEntries || depth > maxDepth {
		return &Error{Source: dir.source, Msg: "too many files or folders below it, or a link that leads back into itself"}
	}
	for _, entry := range entries {
		f := found{path.Join(dir.source, entry.Name()), path.Join(dir.real, entry.Name())}
		isDir, isFile := entry.IsDir(), entry.Type().IsRegular()
		if entry.Type()&fs.ModeSymlink != 0 {
			real, info, err := resolve(s.fsys, f.real)
			if err != nil {
				return inPlace(err, f.source)
			}
			f.real, isDir, isFile = real, info.IsDir(), info.Mode().IsRegular()
		}
		switch {
		case isDir:
			if err := s.walk(f, depth+1); err != nil {
				return err
			}
		case isFile && s.wanted(entry.Name()):
			s.files = append(s.files, f)
		}
	}
	return nil
}
