package reviewgate_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/reviewgate/reviewgate"

// floors is the house from the ground up: a package imports only packages
// listed above it. doc/layout.md says what each is for.
var floors = []string{
	// words (pure)
	"schema", "diff", "glob", "finding", "change",
	// judgement (pure)
	"rules", "blocker", "eval", "policy", "report", "config",
	// the outside world
	"proc", "git", "store",
	// work
	"source", "reviewer", "reviewer/reviewertest", "reviewer/recorded", "reviewer/external", "reviewer/sarif", "reviewer/checks/secret", "reviewer/checks/contract", "reviewer/checks",
	"verify", "gate",
	// front
	"cmd/reviewgate",
}

// pure counts the packages of floors, from the start, that take values and give
// values only.
const pure = 11

// impure lists what a pure package may not import.
var impure = []string{"os", "os/exec", "net", "net/http", "database/sql", "log", "log/slog"}

func TestEveryPackageImportsOnlyPackagesListedAboveIt(t *testing.T) {
	for dir, imports := range importsByPackage(t) {
		floor := slices.Index(floors, dir)
		if floor < 0 {
			t.Errorf("package %s is not in the list of floors: add it where it belongs", dir)
			continue
		}
		for _, imported := range imports {
			own, ok := strings.CutPrefix(imported, module+"/")
			if ok && slices.Index(floors, own) >= floor {
				t.Errorf("package %s imports %s, which is not listed above it", dir, own)
			}
		}
	}
}

func TestPurePackagesDoNotTouchTheOutsideWorld(t *testing.T) {
	packages := importsByPackage(t)
	for _, dir := range floors[:pure] {
		for _, imported := range packages[dir] {
			if slices.Contains(impure, imported) {
				t.Errorf("package %s is pure and may not import %s", dir, imported)
			}
		}
	}
}

func TestPurePackagesNeverReadTheClock(t *testing.T) {
	for _, dir := range floors[:pure] {
		for _, file := range sourceFiles(t, dir) {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range clockReads(parsed) {
				t.Errorf("%s reads the clock with time.%s: take the time as an argument", file, name)
			}
		}
	}
}

func TestEveryFloorExists(t *testing.T) {
	packages := importsByPackage(t)
	for _, dir := range floors {
		if _, ok := packages[dir]; !ok {
			t.Errorf("floor %s has no package: take it out of the list", dir)
		}
	}
}

// importsByPackage returns the imports of every package of the module, tests
// left out, by folder relative to the root.
func importsByPackage(t *testing.T) map[string][]string {
	t.Helper()
	packages := map[string][]string{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != "." && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "fixtures", "bench", "out", "bin"}, name)) {
				return filepath.SkipDir
			}
			return nil
		}
		dir := path.Dir(filepath.ToSlash(p))
		if dir == "." || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		packages[dir] = append(packages[dir], "") // a package without imports exists too
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			packages[dir] = append(packages[dir], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func sourceFiles(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}
