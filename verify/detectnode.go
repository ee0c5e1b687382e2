package verify

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// detectNode returns the package's own test script, or node's test runner when
// there is none but there are files that it would run.
func detectNode(tree fs.FS, dir string) (Spec, bool) {
	m, ok := readManifest(tree, dir)
	if !ok {
		return Spec{}, false
	}
	spec := Spec{Kind: Node, From: "package.json"}
	script := strings.TrimSpace(m.Scripts["test"])
	switch {
	case isPlainNode.MatchString(script):
		spec.Name, spec.Run = "node --test", strings.Fields(script)
	case !isNoTest(script):
		manager := packageManager(tree, dir, m)
		spec.Name, spec.Run, spec.Kind = manager+" test", []string{manager, "test"}, Script
		if manager == "bun" {
			spec.Run = []string{"bun", "run", "test"} // "bun test" is bun's own runner
		}
	case findsNodeTests(tree, dir):
		spec.Name, spec.Run = "node --test", []string{"node", "--test"}
	default:
		return Spec{}, false
	}
	return spec, true
}

// isPlainNode matches a script that is one call of node's test runner: it is run
// as it is, without a package manager and a shell between.
var isPlainNode = regexp.MustCompile(`^node( --?[\w=./:@-]+)*? --test( [\w=./:@-]+)*$`)

// noTest matches scripts that run nothing: what npm init writes, and what people
// write to be left alone.
var noTest = regexp.MustCompile(`^(|true|:|exit 0|(echo|printf) ("[^"]*"|'[^']*'|[^&|;"']*)( *(&&|;) *(exit \d+|true))?)$`)

// isNoTest reports whether a script runs no test.
func isNoTest(script string) bool { return noTest.MatchString(script) }

// lockFiles tell the package manager of a project.
var lockFiles = []struct{ file, manager string }{
	{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}, {"package-lock.json", "npm"}, {"npm-shrinkwrap.json", "npm"},
}

// packageManager returns what a package says it is managed with, or what its lock
// file, or one in a folder above, belongs to.
func packageManager(tree fs.FS, dir string, m manifest) string {
	name, _, _ := strings.Cut(m.PackageManager, "@")
	switch name {
	case "npm", "pnpm", "yarn", "bun":
		return name
	}
	for {
		for _, lock := range lockFiles {
			if isFile(tree, dir, lock.file) {
				return lock.manager
			}
		}
		if dir == "." {
			return "npm"
		}
		dir = path.Dir(dir)
	}
}

// nodeTest matches the files that node --test runs without arguments, by name; it
// runs every script in a folder called test besides. See
// https://nodejs.org/api/test.html#running-tests-from-the-command-line.
var (
	nodeTest   = regexp.MustCompile(`^(?:.*[._-]test|test|test-.+)\.[cm]?[jt]s$`)
	nodeScript = regexp.MustCompile(`\.[cm]?[jt]s$`)
)

// maxWalk bounds how many entries are looked at for a test: a package with more
// and no test script has something else that tests it.
const maxWalk = 50_000

var errFound = errors.New("found")

// findsNodeTests reports whether node --test would find a file to run below dir.
func findsNodeTests(tree fs.FS, dir string) bool {
	left := maxWalk
	err := fs.WalkDir(tree, dir, func(p string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return fs.SkipAll
		}
		name := d.Name()
		if d.IsDir() {
			if name == "node_modules" || name == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		inTest := nodeScript.MatchString(name) && strings.Contains("/"+path.Dir(p)+"/", "/test/")
		if !strings.HasSuffix(name, ".d.ts") && (inTest || nodeTest.MatchString(name)) {
			return errFound
		}
		return nil
	})
	return errors.Is(err, errFound)
}

// findTypeScriptTests reports whether there are tests in TypeScript below dir and
// none in JavaScript.
func findTypeScriptTests(tree fs.FS, dir string) (bool, error) {
	left, typed := maxWalk, false
	err := fs.WalkDir(tree, dir, func(p string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return fs.SkipAll
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if d.IsDir() || !nodeTest.MatchString(d.Name()) {
			return nil
		}
		if strings.HasSuffix(d.Name(), "ts") {
			typed = true
			return nil
		}
		return errFound
	})
	return typed && err == nil, err
}
