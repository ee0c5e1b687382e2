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

// The files that other tools read, as their documentation has them.
var (
	// nearestFiles stand in any folder; the nearest one to a file counts.
	nearestFiles = []string{"REVIEW.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"}
	// everyFile stands in any folder and counts beside those above it.
	everyFile = ".cursor/BUGBOT.md"
	// rootFiles count for every file of the repository.
	rootFiles = []string{".github/copilot-instructions.md", ".cursorrules", ".codereview.md", ".windsurfrules"}
	// rootFolders hold files that count for every file; some teams have one file
	// of that name instead.
	rootFolders = []string{".clinerules", ".rules"}
)

// LoadForeign reads the rule files that a repository has for other tools, as far
// as they concern the files: of folders it looks only into those of the files
// and the ones above. Patterns in them are read as this package reads patterns.
//
// The notes tell a person what was clipped, left out or understood otherwise. An
// error means that the tree could not be read.
func LoadForeign(fsys fs.FS, files []string) (rules []Rule, notes []string, err error) {
	l := &foreignLoader{fsys: fsys}
	steps := []func() error{
		func() error { return l.inFolders(l.foldersOf(files)) },
		l.inRoot,
		func() error { return l.scoped(".github/instructions", ".instructions.md", l.copilot) },
		func() error { return l.scoped(".cursor/rules", ".mdc", l.cursor) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	return l.rules, l.notes, nil
}

type foreignLoader struct {
	fsys  fs.FS
	rules []Rule
	notes []string
}

// maxFolderDepth bounds the folders that are looked into: finding a file takes a step
// per folder above it, so a path built to be deep would cost its cube.
const maxFolderDepth = 64

// foldersOf returns the folders of the files and those above them, as far as the
// tree has them, the root first.
func (l *foreignLoader) foldersOf(files []string) []string {
	exists := map[string]bool{".": true}
	var check func(dir string) bool
	check = func(dir string) bool {
		known, ok := exists[dir]
		if !ok {
			known = check(path.Dir(dir))
			if known {
				info, err := fs.Lstat(l.fsys, dir)
				known = err == nil && info.IsDir()
			}
			exists[dir] = known
		}
		return known
	}
	deep := false
	for _, file := range files {
		if !fs.ValidPath(file) {
			continue
		}
		dir := path.Dir(file)
		if parts := strings.SplitN(dir, "/", maxFolderDepth+1); len(parts) > maxFolderDepth {
			dir = strings.Join(parts[:maxFolderDepth], "/")
			deep = true
		}
		check(dir)
	}
	if deep {
		l.notes = append(l.notes, fmt.Sprintf("folders more than %d deep were not looked into for rule files", maxFolderDepth))
	}
	var folders []string
	for dir, is := range exists {
		if is {
			folders = append(folders, dir)
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return strings.Compare(sortKey(a), sortKey(b)) })
	return folders
}

// sortKey puts the root before all folders.
func sortKey(dir string) string {
	if dir == "." {
		return ""
	}
	return dir
}

// inFolders reads the files that may stand in any folder.
func (l *foreignLoader) inFolders(folders []string) error {
	for _, name := range append(slices.Clone(nearestFiles), everyFile) {
		for _, dir := range folders {
			text, ok, err := l.text(path.Join(dir, name))
			if err != nil {
				return err
			}
			if ok {
				l.add(Rule{Source: path.Join(dir, name), Body: text, Paths: below(dir), Nearest: name != everyFile})
			}
		}
	}
	return nil
}

// below returns the patterns of everything below a folder. Characters that mean
// something in a pattern become a ?.
func below(dir string) []string {
	if dir == "." {
		return nil
	}
	return []string{strings.NewReplacer("*", "?", "{", "?", "}", "?", ",", "?").Replace(dir) + "/**"}
}

// inRoot reads the files that count for every file.
func (l *foreignLoader) inRoot() error {
	names := slices.Clone(rootFiles)
	for _, folder := range rootFolders {
		if _, info, err := resolve(l.fsys, folder); err == nil && info.Mode().IsRegular() {
			names = append(names, folder)
			continue
		}
		files, err := l.find(folder, isText)
		if err != nil {
			return err
		}
		for _, f := range files {
			names = append(names, f.source)
		}
	}
	for _, name := range names {
		text, ok, err := l.text(name)
		if err != nil {
			return err
		}
		if ok {
			l.add(Rule{Source: name, Body: text})
		}
	}
	return nil
}

func isText(name string) bool {
	return slices.Contains([]string{"", ".md", ".mdc", ".txt"}, path.Ext(name))
}

// scoped reads the files below a folder whose frontmatter says where they apply.
// use returns the patterns and whether the rule is used at all.
func (l *foreignLoader) scoped(folder, suffix string, use func(source string, keys map[string][]string) ([]string, bool)) error {
	files, err := l.find(folder, func(name string) bool { return strings.HasSuffix(name, suffix) })
	if err != nil {
		return err
	}
	for _, f := range files {
		text, ok, err := l.text(f.source)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		keys, body := looseFrontmatter(text)
		patterns, used := use(f.source, keys)
		if used {
			l.add(Rule{Source: f.source, Body: strings.TrimSpace(body), Paths: l.compilable(f.source, patterns)})
		}
	}
	return nil
}

// find is the function of that name, with a note instead of an error about what
// is in the folder.
func (l *foreignLoader) find(folder string, wanted func(string) bool) ([]found, error) {
	files, err := find(l.fsys, folder, wanted)
	var e *Error
	if errors.As(err, &e) {
		l.note(folder, "left out with all below it: %v", e)
		return nil, nil
	}
	return files, err
}

// compilable returns the patterns, or none when one of them cannot be compiled:
// the rule then applies always.
func (l *foreignLoader) compilable(source string, patterns []string) []string {
	for _, p := range patterns {
		if _, err := glob.Compile(p); err != nil {
			l.note(source, "applied to every file: %v", err)
			return nil
		}
	}
	return patterns
}

// text returns the text of a file that may be there.
func (l *foreignLoader) text(source string) (string, bool, error) {
	real, info, err := resolve(l.fsys, source)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", false, nil
	}
	var text string
	var size int64
	if err == nil {
		text, size, err = read(l.fsys, found{source, real}, MaxForeignBytes)
	}
	var e *Error
	if errors.As(err, &e) {
		l.note(source, "left out: %s", e.Msg)
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	if size > MaxForeignBytes {
		l.note(source, "clipped: the first %d of %d bytes are used", len(text), size)
	}
	text = strings.TrimSpace(text)
	return text, text != "", nil
}

// add keeps a rule, unless another says the same for the same files: teams link
// CLAUDE.md to AGENTS.md.
func (l *foreignLoader) add(r Rule) {
	same := func(other Rule) bool { return other.Body == r.Body && slices.Equal(other.Paths, r.Paths) }
	switch {
	case r.Body == "" || slices.ContainsFunc(l.rules, same):
	case len(l.rules) == MaxRules:
		l.note(r.Source, "left out: there are more than %d rule files", MaxRules)
	default:
		r.Name = r.Source
		if r.Paths == nil {
			r.Paths = []string{}
		}
		l.rules = append(l.rules, r)
	}
}

func (l *foreignLoader) note(source, format string, args ...any) {
	l.notes = append(l.notes, fmt.Sprintf("%s: %s", source, fmt.Sprintf(format, args...)))
}
