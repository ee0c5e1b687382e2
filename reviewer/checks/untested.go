package checks

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var untestedCheck = check{
	Info: Info{
		ID:       prefix + "untested",
		What:     "A new file with substantial logic that no test refers to, in a project that has tests in its language. At most one finding for a change.",
		Why:      "What no test runs is found broken by those who use it.",
		Severity: finding.Minor,
		Category: finding.Testing,
	},
	needs: bothTrees,
	run:   findUntested,
}

// A file has substantial logic from this many lines of code and branches on.
// Empirical: below that, files are mostly types, constants and wiring.
const (
	substantialLines    = 60
	substantialBranches = 6
)

// maxTestFiles and maxTestFile bound the tests that are searched for a name.
const (
	maxTestFiles = 3000
	maxTestFile  = 512 << 10
)

// tested are the languages whose tests are told from their code by name. Python
// and TypeScript tests are read together with those they are written for.
var tested = map[string]string{
	"go": "go", "python": "python", "ruby": "ruby", "java": "jvm", "kotlin": "jvm", "scala": "jvm", "groovy": "jvm",
	"javascript": "js", "typescript": "js", "csharp": "csharp", "php": "php", "swift": "swift", "elixir": "elixir", "dart": "dart",
}

// wiring matches files that put a program together and are run by hand or from
// end to end.
var wiring = expr(`(?i)(?:^|/)(?:main|index|app|server|cli|setup|conf|config|settings|constants?|types?|models?|schema|routes?|urls|wsgi|asgi|manage|doc|version|errors?|vite\.config|webpack\.config|gulpfile|rakefile|fabfile|noxfile|__init__|__main__)\.\w+$|(?:^|/)(?:migrations?|migrate|scripts?|tasks?|tools?|bin|cmd|hack|docs?|config|\.\w+)/|\.(?:config|d|module|stories|types|styles)\.\w+$|\.(?:jsx|tsx|vue|svelte)$`)

func findUntested(ctx context.Context, s *subject, out *sink) {
	var worst *file
	most := 0
	for _, f := range s.files {
		language := tested[f.kind.language]
		if language != "" && f.kind.test && f.Status != diff.Deleted {
			return // the change brings or edits tests: which ones is a reader's question
		}
		if language == "" || f.Status != diff.Added || !f.kind.own() || f.kind.test || f.kind.example || f.kind.docs || wiring.inString(f.path) {
			continue
		}
		if lines, forks := logic(s, f); lines >= substantialLines && forks >= substantialBranches && lines > most {
			worst, most = f, lines
		}
	}
	if worst == nil || ctx.Err() != nil {
		return
	}
	known, any := searchTests(ctx, s, out, worst)
	if any && !known {
		out.report(worst.path, 1, 0.7, fmt.Sprintf("This new file has %d lines of code, and no test of the project refers to it. Add a test for what it decides, or say in the description how it was tried.", most))
	}
}

// branchWords begin a branch or a loop in one language or another.
var branchWords = set("if", "for", "while", "switch", "case", "when", "match", "catch", "except", "rescue", "elif", "unless", "foreach", "select", "guard")

// branches reports whether a line has one of branchWords.
func branches(text []byte) bool {
	for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if branchWords[string(word)] {
			return true
		}
	}
	return false
}

// logic counts the lines of code that a file adds and the branches in them.
func logic(s *subject, f *file) (lines, forks int) {
	for l := range s.added(f) {
		if text := bytes.TrimSpace(l.text); len(text) > 1 && !comment(f.kind.language, text) {
			lines++
			if branches(text) {
				forks++
			}
		}
	}
	return lines, forks
}

// searchTests reports whether a test mentions the file or a name that it
// declares, and whether there are tests in its language at all.
func searchTests(ctx context.Context, s *subject, out *sink, f *file) (known, any bool) {
	names := namesIn(s, f)
	files := s.treeFiles()
	if files.partly != "" {
		out.note("the tree could not be listed in full (%s), so tests were not searched", files.partly)
		return false, false
	}
	searched := 0
	for _, name := range files.paths {
		k := pathKind(name)
		if !k.test || tested[k.language] != tested[f.kind.language] || k.vendored {
			continue
		}
		any = true
		if searched++; searched > maxTestFiles || ctx.Err() != nil {
			out.note("the project has more than %d test files, so they were not searched for %s", maxTestFiles, f.path)
			return true, any
		}
		if size, ok := sizeOf(s.tree, name); !ok || size > maxTestFile {
			continue
		}
		data, ok := out.text(s.tree, name)
		if ok && mentions(data, names) {
			return true, true
		}
	}
	return false, any
}

var declaration = expr(`(?:^|\s)(?:func(?:\s*\([^)]*\))?|function\*?|class|interface|def|module|struct|enum|object|trait|record|type|defmodule|const|let|var|fun)\s+(?:self\.)?([A-Za-z_][\w.]*)`)

// namesIn returns what tests could call the file by: its name and what it
// declares.
func namesIn(s *subject, f *file) [][]byte {
	stem, _, _ := strings.Cut(path.Base(f.path), ".")
	names := [][]byte{[]byte(stem)}
	for l := range s.added(f) {
		if m := declaration.groups(l.text); m != nil && len(m[1]) >= 4 && indentation(l.text) <= 4 && len(names) < 200 {
			names = append(names, m[1])
		}
	}
	return names
}

func mentions(text []byte, names [][]byte) bool {
	for _, name := range names {
		if len(name) >= 3 && bytes.Contains(text, name) {
			return true
		}
	}
	return false
}
