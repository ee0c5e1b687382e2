package verify

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// installs reports whether the dependencies of the project in dir are in the
// tree or borrowed, as far as its kind keeps them there: then one that is not
// found is the change's doing.
func (p *program) installs(tree fs.FS, spec Spec) bool {
	dir := path.Clean(spec.Dir)
	switch spec.Kind {
	case Node, Script:
		return needsNothing(tree, dir) || p.hasAbove(tree, dir, "node_modules")
	case Pytest:
		return p.hasAbove(tree, dir, ".venv") || p.hasAbove(tree, dir, "venv")
	case RSpec, Rake:
		return p.hasAbove(tree, dir, "vendor/bundle")
	}
	return false
}

// hasAbove reports whether dir or a folder above it holds the folder name, in the
// tree or borrowed.
func (p *program) hasAbove(tree fs.FS, dir, name string) bool {
	for {
		at := path.Join(dir, name)
		if isFolder(tree, dir, name) || slices.ContainsFunc(p.borrowed(), func(b Borrowed) bool { return b.Path == at }) {
			return true
		}
		if dir == "." {
			return false
		}
		dir = path.Dir(dir)
	}
}

// needsNothing reports whether a package names no dependency.
func needsNothing(tree fs.FS, dir string) bool {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(read(tree, dir, "package.json")), &m) != nil {
		return false
	}
	for key, value := range m {
		var names map[string]any
		if strings.HasSuffix(strings.ToLower(key), "dependencies") && json.Unmarshal(value, &names) == nil && len(names) > 0 {
			return false
		}
	}
	return true
}

// hasModule reports whether the project in dir has a module of its own called
// name, before or after the change.
func (w *Workspace) hasModule(dir, name string) bool {
	for _, tree := range []fs.FS{w.base.fs, w.fsys} {
		for _, in := range []string{"", "src", "lib", "packages"} {
			for _, end := range []string{"", ".py", ".rb", ".js", ".ts"} {
				if _, err := fs.Stat(tree, path.Join(dir, in, name+end)); err == nil {
					return true
				}
			}
		}
	}
	return false
}
