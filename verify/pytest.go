package verify

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/proc"
)

// pythonPath returns the folders of the tree that python imports from first, so
// that tests import the change and not an installed copy of it: the folder of the
// packages in a src layout, and the project's own; the latter alone for packages
// at the top, of which a copy may be installed. It is nil otherwise, and where the
// project says itself what pytest imports from.
func pythonPath(tree fs.FS, dir string, installed bool) []string {
	for _, config := range []string{"pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"} {
		if pythonPathSet.MatchString(read(tree, dir, config)) {
			return nil
		}
	}
	switch {
	case holdsPackage(tree, path.Join(dir, "src")):
		return []string{path.Join(dir, "src"), path.Clean(dir)}
	case installed && holdsPackage(tree, dir):
		return []string{path.Clean(dir)}
	}
	return nil
}

var pythonPathSet = regexp.MustCompile(`(?m)^\s*pythonpath\s*=`)

// holdsPackage reports whether a folder in dir is a Python package.
func holdsPackage(tree fs.FS, dir string) bool {
	entries, err := fs.ReadDir(tree, dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isFile(tree, path.Join(dir, e.Name()), "__init__.py") })
}

// pythonEnv returns what the environment of a check needs so that the tree, which
// programs see at the path at, is what is imported.
func (p *program) pythonEnv(spec Spec, at string) []string {
	if spec.Kind != Pytest {
		return nil
	}
	var folders []string
	for _, dir := range pythonPath(p.tree(), path.Clean(spec.Dir), p.installs(p.tree(), spec)) {
		folders = append(folders, filepath.Join(at, filepath.FromSlash(dir)))
	}
	if folders == nil {
		return nil
	}
	for _, entry := range proc.CleanEnv(p.w.gate.opt.Environ, p.w.gate.opt.PassEnv...) {
		if value, ok := strings.CutPrefix(entry, "PYTHONPATH="); ok && value != "" {
			folders = append(folders, value)
		}
	}
	return []string{"PYTHONPATH=" + strings.Join(folders, string(filepath.ListSeparator))}
}

// collecting are the forms of pytest's report on files that it could not import.
type collecting struct{ section, raised, missing *regexp.Regexp }

var collectingForms = sync.OnceValue(func() collecting {
	return collecting{
		section: form(`^(?:_+ ERROR .* _+|ImportError while loading conftest .*)$`),
		raised:  form(`^E\s+[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Failed|Skipped|Warning|Group)\b.*$`),
		missing: regexp.MustCompile(`^E\s+ModuleNotFoundError: No module named '([\w.]+)'`),
	}
})

// missingModule reports that pytest could import no test because modules are not
// installed, and nothing else went wrong: each file that it could not import
// ended with one, and none of those is a module that the change itself took away
// or forgot.
func missingModule(e ending) (outcome, bool) {
	forms := collectingForms()
	sections := forms.section.Split(e.output, -1)[1:]
	first := ""
	for _, section := range sections {
		raised := forms.raised.FindAllString(section, -1)
		if len(raised) == 0 {
			return outcome{}, false
		}
		m := forms.missing.FindStringSubmatch(raised[len(raised)-1])
		if m == nil || e.lacks != nil && e.lacks(m[1]) {
			return outcome{}, false
		}
		if first == "" {
			first, _, _ = strings.Cut(m[1], ".")
		}
	}
	if first == "" {
		return outcome{}, false
	}
	reason := fmt.Sprintf("the Python package %s is not installed: install the dependencies in the checkout's .venv", first)
	return outcome{status: change.Unknown, reason: reason}, true
}

// lacksModule reports whether a Python module is one of the project's own that
// its tree does not hold: the change removed it, or names one that was never
// there. One that the tree holds is only not installed.
func (p *program) lacksModule(dir, module string) bool {
	tree := p.tree()
	at := strings.ReplaceAll(module, ".", "/")
	if holdsModule(tree, dir, at) {
		return false
	}
	top, _, dotted := strings.Cut(module, ".")
	if dotted && holdsModule(tree, dir, top) || holdsModule(p.w.base.fs, dir, at) || dotted && holdsModule(p.w.base.fs, dir, top) {
		return true
	}
	return slices.ContainsFunc(p.w.paths, func(changed string) bool {
		_, err := fs.Stat(tree, changed)
		return err != nil && (strings.HasSuffix("/"+changed, "/"+at+".py") || strings.HasSuffix("/"+changed, "/"+at+"/__init__.py"))
	})
}

// holdsModule reports whether the project in dir has the module at, a path with
// slashes, where projects keep theirs.
func holdsModule(tree fs.FS, dir, at string) bool {
	return slices.ContainsFunc([]string{"", "src", "lib", "tests", "test"}, func(in string) bool {
		return isFolder(tree, path.Join(dir, in), at) || isFile(tree, path.Join(dir, in), at+".py")
	})
}
