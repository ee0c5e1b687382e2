package checks

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var lockCheck = check{
	Info: Info{
		ID:       prefix + "lock-file",
		What:     "A dependency that the change adds or raises in a manifest, and that the lock file beside it does not have.",
		Why:      "A clean install fails, or installs a version that nobody has tried.",
		Severity: finding.Major,
		Category: finding.Correctness,
	},
	needs: bothTrees,
	run:   findLockDisagreements,
}

// dependency is one entry of a manifest.
type dependency struct {
	wants   string // the version or range as it is written; "" when any is fine
	written string // the name as it is written
	offered bool   // it may be missing from the lock file, but not in another version
}

// manager is one package manager: how its manifest and its lock files are read.
type manager struct {
	manifest string   // base name
	locks    []string // base names, the first that exists in the folder or above counts
	update   string   // the command that repairs the lock file
	// read returns the dependencies that have to be in the lock file, by name.
	read func(manifest []byte) (map[string]dependency, error)
	// has returns a function that says whether the lock file satisfies an entry.
	// Folder is the manifest's, relative to the lock file's.
	has func(lock []byte, lockName, folder string) (func(name string, d dependency) bool, error)
}

// managers are the package managers that are known.
var managers = []manager{
	{"go.mod", []string{"go.sum"}, "go mod tidy", readGoMod, goSumHas},
	{"package.json", []string{"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"}, "the package manager's install", readPackageJSON, nodeLockHas},
	{"Cargo.toml", []string{"Cargo.lock"}, "cargo update --workspace", readCargo, cargoLockHas},
	{"pyproject.toml", []string{"uv.lock", "poetry.lock", "pdm.lock"}, "the package manager's lock", readPyproject, pythonLockHas},
	{"Pipfile", []string{"Pipfile.lock"}, "pipenv lock", readPipfile, pipfileLockHas},
	{"Gemfile", []string{"Gemfile.lock"}, "bundle install", readGemfile, gemfileLockHas},
	{"composer.json", []string{"composer.lock"}, "composer update --lock", readComposer, composerLockHas},
}

func findLockDisagreements(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.Status == diff.Deleted || f.kind.vendored || f.kind.fixture || f.kind.test {
			continue
		}
		for _, m := range managers {
			if path.Base(f.path) == m.manifest {
				m.compare(ctx, s, f, out)
			}
		}
	}
}

func (m manager) compare(ctx context.Context, s *subject, f *file, out *sink) {
	lockName, ok := m.lockOf(s, f.path)
	if !ok {
		return // the project keeps none
	}
	text, ok := out.text(s.tree, f.path)
	if !ok {
		return
	}
	now, err := m.read(text)
	if err != nil {
		out.note("%s could not be read (%v), so it was not compared with %s", f.path, err, lockName)
		return
	}
	old := map[string]dependency{}
	if before, ok, _ := read(s.base, f.OldPath); ok {
		if old, err = m.read(before); err != nil {
			old = map[string]dependency{}
		}
	}
	lock, ok := out.text(s.tree, lockName)
	if !ok {
		return
	}
	if m.manifest == "go.mod" {
		lock = append(lock, workSums(s, f.path)...)
	}
	folder := path.Dir(f.path)
	if root := path.Dir(lockName); root != "." {
		folder = path.Clean("./" + folder[min(len(folder), len(root)):])
		folder = path.Clean(trimSlash(folder))
	}
	has, err := m.has(lock, path.Base(lockName), folder)
	if err != nil {
		out.note("%s could not be read (%v), so %s was not compared with it", lockName, err, f.path)
		return
	}
	var missing []string
	first := 0
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if ctx.Err() != nil {
			return
		}
		entry := now[name]
		if before, known := old[name]; known && before.wants == entry.wants || has(name, entry) {
			continue
		}
		missing = append(missing, quoted(strings.TrimSpace(name+" "+entry.wants)))
		if len(missing) <= maxFindings {
			at := lineOf(text, cmp.Or(entry.written, name))
			first = min(at, cmp.Or(first, at))
		}
	}
	if len(missing) > 0 {
		out.report(f.path, first, 0.85, fmt.Sprintf("The change asks for %s, which %s does not have. A clean install fails or takes an untried version: run %s and commit the lock file.", enumerate(missing, 5), quoted(lockName), m.update))
	}
}

// lineOf returns the first line of a manifest that has a name as a whole word,
// or 1.
func lineOf(manifest []byte, name string) int {
	for from := 0; ; {
		at := bytes.Index(manifest[from:], []byte(name))
		if at < 0 {
			return 1
		}
		start, end := from+at, from+at+len(name)
		if (start == 0 || !inName(manifest[start-1])) && (end == len(manifest) || !inName(manifest[end])) {
			return bytes.Count(manifest[:start], []byte("\n")) + 1
		}
		from = end
	}
}

func inName(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '/' || c == '@'
}

// enumerate joins words, at most most of them.
func enumerate(words []string, most int) string {
	switch n := len(words); {
	case n == 1:
		return words[0]
	case n > most:
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), n-most)
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// workSums returns the sums of the Go workspace that a module is in.
func workSums(s *subject, manifest string) []byte {
	for folder := range above(manifest) {
		if data, ok, err := read(s.tree, path.Join(folder, "go.work.sum")); ok && err == nil {
			return append([]byte("\n"), data...)
		}
	}
	return nil
}

func trimSlash(folder string) string {
	if len(folder) > 1 && folder[0] == '/' {
		return folder[1:]
	}
	return folder
}

// lockOf finds the lock file of a manifest, in its folder or above.
func (m manager) lockOf(s *subject, manifest string) (string, bool) {
	for folder := range above(manifest) {
		if m.manifest == "go.mod" && folder != path.Dir(manifest) {
			break // every Go module has its own
		}
		for _, name := range m.locks {
			if lock := path.Join(folder, name); exists(s.tree, lock) {
				return lock, true
			}
		}
	}
	return "", false
}
