package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewgate/reviewgate/proc"
)

// starters are the standard packages with which a test starts programs or reads
// files unseen.
var starters = []string{"os/exec", "plugin", "go/build", "go/importer", "net/http/cgi", "C"}

// startingPrograms returns those of the packages whose tests may start programs:
// one of the packages that they are built from, of whatever module, imports what
// does that. The project's own files are read here, whatever system they are for;
// the go command is asked about other modules, once. When it cannot tell, it is
// all of them.
func (p *program) startingPrograms(ctx context.Context, spec Spec, packages []string) ([]string, error) {
	m := &moduleImports{tree: p.tree(), dir: path.Clean(spec.Dir), known: map[string][]string{}}
	if m.name = modulePath(read(m.tree, m.dir, "go.mod")); m.name == "" {
		return packages, nil
	}
	foreign := map[string][]string{} // by package
	var asked []string
	starting := map[string]bool{}
	for _, pkg := range packages {
		starts, others, ok := m.closure(pkg)
		starting[pkg] = starts || !ok
		if !starting[pkg] {
			foreign[pkg] = others
			asked = append(asked, others...)
		}
	}
	known, err := p.foreignStarters(ctx, spec, asked)
	if err != nil {
		return nil, err
	}
	for pkg, others := range foreign {
		starting[pkg] = slices.ContainsFunc(others, func(o string) bool { return known[o] })
	}
	return slices.DeleteFunc(slices.Clone(packages), func(pkg string) bool { return !starting[pkg] }), nil
}

// moduleImports reads the imports of a module's own packages.
type moduleImports struct {
	tree  fs.FS
	dir   string // of the module
	name  string
	known map[string][]string // by package, without its tests
}

// closure reports whether the tests of pkg are built from a package of the module
// that imports a starter, and which packages of other modules they are built
// from. ok is false when a file cannot be read.
func (m *moduleImports) closure(pkg string) (starts bool, foreign []string, ok bool) {
	todo, err := m.imports(pkg, true)
	if err != nil {
		return false, nil, false
	}
	seen := map[string]bool{}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		first, _, _ := strings.Cut(next, "/")
		switch {
		case seen[next]:
			continue
		case slices.Contains(starters, next):
			return true, nil, true
		case next == m.name || strings.HasPrefix(next, m.name+"/"):
			more, err := m.imports(next, false)
			if err != nil {
				return false, nil, false
			}
			todo = append(todo, more...)
		case strings.Contains(first, "."): // the standard library has no dot there
			foreign = append(foreign, next)
		}
		seen[next] = true
	}
	return false, foreign, true
}

// imports returns what the files of a package of the module import, with those of
// its tests or without.
func (m *moduleImports) imports(pkg string, tests bool) ([]string, error) {
	if known, ok := m.known[pkg]; ok && !tests {
		return known, nil
	}
	dir := path.Join(m.dir, strings.TrimPrefix(strings.TrimPrefix(pkg, m.name), "/"))
	entries, err := fs.ReadDir(m.tree, dir)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || !tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := fs.ReadFile(m.tree, path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil {
				all = append(all, imported)
			}
		}
	}
	if !tests {
		m.known[pkg] = all
	}
	return all, nil
}

// modulePath returns the module that a go.mod declares, "" when it cannot be
// read.
func modulePath(text string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			name, _, _ := strings.Cut(rest, "//")
			name = strings.TrimSpace(name)
			if plain, err := strconv.Unquote(name); err == nil {
				return plain
			}
			return name
		}
	}
	return ""
}

// foreignStarters reports which of the packages of other modules import a starter
// at whatever depth. The answer holds as long as go.mod and go.sum do.
func (p *program) foreignStarters(ctx context.Context, spec Spec, packages []string) (map[string]bool, error) {
	g := p.w.gate
	sum := sha256.Sum256([]byte(read(p.tree(), path.Clean(spec.Dir), "go.mod") + "\x00" + read(p.tree(), path.Clean(spec.Dir), "go.sum")))
	versions := hex.EncodeToString(sum[:]) + " "
	answer := map[string]bool{}
	var unknown []string
	g.mu.Lock()
	for _, pkg := range packages {
		if starts, ok := g.starting[versions+pkg]; ok {
			answer[pkg] = starts
		} else if !slices.Contains(unknown, pkg) {
			unknown = append(unknown, pkg)
		}
	}
	g.mu.Unlock()
	if len(unknown) == 0 {
		return answer, nil
	}
	imports, err := p.listImports(ctx, spec, unknown)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, pkg := range unknown {
		_, listed := imports[pkg]
		answer[pkg] = !listed || reaches(imports, pkg, starters)
		g.starting[versions+pkg] = answer[pkg]
	}
	return answer, nil
}

// listImports asks the go command for the imports of packages and of all that
// they are built from; nothing when it cannot tell.
func (p *program) listImports(ctx context.Context, spec Spec, packages []string) (map[string][]string, error) {
	const format = `{{if not .Standard}}{{.ImportPath}}|{{range .Imports}}{{.}};{{end}}{{end}}`
	args := append([]string{"go", "list", "-e", "-deps", "-f", format, "--"}, packages...)
	listed, _, err := p.runApart(ctx, nil, proc.Cmd{Args: args, Dir: spec.Dir, Timeout: p.w.gate.timeout(spec), MaxStdout: 64 << 20})
	if err != nil {
		return nil, err
	}
	imports := map[string][]string{}
	if listed.ExitCode != 0 || listed.Truncated {
		return imports, nil
	}
	for line := range strings.Lines(string(listed.Stdout)) {
		if pkg, list, ok := strings.Cut(strings.TrimSpace(line), "|"); ok {
			imports[pkg] = strings.Split(list, ";")
		}
	}
	return imports, nil
}

// reaches reports whether one of targets is imported from root, at whatever depth.
func reaches(imports map[string][]string, root string, targets []string) bool {
	seen := map[string]bool{}
	for todo := []string{root}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[next] {
			continue
		}
		seen[next] = true
		if slices.Contains(targets, next) {
			return true
		}
		todo = append(todo, imports[next]...)
	}
	return false
}
