package checks

import (
	"bytes"
	"io/fs"
	"path"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/glob"
)

// kind is what a changed file is, as far as its path and its first lines tell.
type kind struct {
	language  string // "go", "typescript", …; "" when it is not code
	test      bool   // tests, and what only tests use
	fixture   bool   // data that tests read
	generated bool   // written by a program
	vendored  bool   // somebody else's code
	lock      bool   // versions that a package manager settled
	docs      bool   // text for people
	example   bool   // shows how something is used
}

// own reports whether people wrote the file as part of the product.
func (k kind) own() bool { return !k.generated && !k.vendored && !k.lock && !k.fixture }

func kindOf(f *diff.File, attributes []attribute) kind {
	k := pathKind(f.Path())
	k.generated = k.generated || attributed(attributes, f.Path()) || marked(f)
	return k
}

// pathKind judges by the path alone.
func pathKind(name string) kind {
	low := strings.ToLower(name)
	base := path.Base(low)
	k := kind{
		language:  languages[path.Ext(base)],
		test:      testNames.inString(base) || testNamesCamel.inString(path.Base(name)),
		generated: generatedNames.inString(base),
		lock:      lockNames[base],
		docs:      docNames.inString(base),
	}
	for folder := range strings.SplitSeq(path.Dir(low), "/") {
		k.vendored = k.vendored || vendorFolders[folder]
		k.fixture = k.fixture || fixtureFolders[folder]
		k.test = k.test || testFolders[folder]
		k.example = k.example || exampleFolders[folder]
		k.docs = k.docs || docFolders[folder] && k.language == ""
		k.generated = k.generated || generatedFolders[folder]
	}
	k.test = k.test || strings.HasPrefix(low, "t/") // where Perl and git keep them
	k.fixture = k.fixture || k.test && k.language == "" && !k.docs
	if strings.HasPrefix(low, ".github/") || strings.HasPrefix(low, ".gitlab") {
		k.vendored, k.generated = false, false // what runs in CI is looked at whatever it is called
	}
	return k
}

var languages = map[string]string{
	".go": "go", ".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".cts": "typescript",
	".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".vue": "javascript", ".svelte": "javascript",
	".py": "python", ".rb": "ruby", ".rake": "ruby", ".rs": "rust", ".java": "java", ".kt": "kotlin", ".kts": "kotlin", ".scala": "scala", ".groovy": "groovy",
	".cs": "csharp", ".fs": "fsharp", ".vb": "vb", ".php": "php", ".swift": "swift", ".m": "objc", ".mm": "objc",
	".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp",
	".ex": "elixir", ".exs": "elixir", ".erl": "erlang", ".clj": "clojure", ".dart": "dart", ".lua": "lua", ".pl": "perl", ".pm": "perl",
	".sh": "shell", ".bash": "shell", ".zsh": "shell", ".ps1": "powershell", ".r": "r", ".jl": "julia", ".hs": "haskell", ".ml": "ocaml", ".zig": "zig", ".sql": "sql", ".proto": "proto",
}

var (
	testNames      = expr(`(?:_test\.\w+|[._-](?:test|tests|spec|specs|e2e|cy|stories)\.\w+|^test[_-].*\.\w+|^tests?\.\w+|^conftest\.py|^(?:spec|test)_helper\.rb|_spec\.rb|\.feature)$`)
	testNamesCamel = expr(`(?:Test|Tests|TestCase|IT|Spec|Specs)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|m|mm|cpp|cc)$`)
	generatedNames = expr(`(?:\.pb(?:\.gw|\.validate)?\.go|_grpc\.pb\.go|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:cc|h)|_pb\.(?:js|ts|d\.ts)|\.g(?:\.dart|\.cs)|\.freezed\.dart|\.generated\.\w+|\.gen\.\w+|_generated\.\w+|\.designer\.cs|[.-]min\.(?:js|css)|\.bundle\.js|\.map|\.snap|bindata\.go)$|^zz_generated`)
	docNames       = expr(`(?:\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|textile|org|pod)|^(?:readme|changelog|changes|history|news|license|licence|copying|authors|contributors|notice)(?:\.\w+)?)$`)
)

func set(words ...string) map[string]bool {
	all := make(map[string]bool, len(words))
	for _, w := range words {
		all[w] = true
	}
	return all
}

var (
	vendorFolders    = set("vendor", "vendored", "node_modules", "bower_components", "third_party", "third-party", "thirdparty", "pods", "carthage", ".yarn", "site-packages", "jspm_packages")
	fixtureFolders   = set("testdata", "test-data", "test_data", "fixtures", "fixture", "__fixtures__", "__snapshots__", "snapshots", "goldens", "golden", "cassettes", "vcr_cassettes", "__mocks__", "testfixtures", "test-fixtures", "test_fixtures")
	testFolders      = set("test", "tests", "__tests__", "spec", "specs", "e2e", "cypress", "playwright", "testing", "testutil", "testutils", "unittests", "integration-tests", "integration_tests", "androidtest", "bench", "benches", "benchmarks", "mocks", "__mocks__", "testdata", "fixtures", "stories")
	exampleFolders   = set("example", "examples", "sample", "samples", "demo", "demos", "_examples", "playground", "tutorial", "tutorials", "seed", "seeds", "seeders")
	docFolders       = set("doc", "docs", "documentation", "website", "wiki", "man", "changelog", "changelogs")
	generatedFolders = set("__generated__", "generated", "dist")
	lockNames        = set("go.sum", "go.work.sum", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock", "cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "gemfile.lock", "composer.lock", "mix.lock", "pubspec.lock", "podfile.lock", "packages.lock.json", "gradle.lockfile", "flake.lock", "cartfile.resolved", "package.resolved", ".terraform.lock.hcl")
)

// generatedMark is how programs mark what they write. Only the first lines of a
// file count.
var generatedMark = expr(`(?i)code generated .*do not edit|\bdo not edit\b.*generated|generated .*\bdo not edit\b|@generated\b|<auto-?generated|\bgenerated (?:with|by|from) (?:protoc|swagger|openapi|openapi-generator|swag)\b|autogenerated file|automatically generated by`)

// marked reports whether the first lines of a file, as far as the patch shows
// them, say that a program wrote it.
func marked(f *diff.File) bool {
	if len(f.Hunks) == 0 || f.Hunks[0].NewStart > 5 {
		return false
	}
	n := 0
	for l := range f.Hunks[0].Lines() {
		if l.Op == diff.Delete {
			continue
		}
		if n++; n > 12 {
			return false
		}
		if len(l.Text) < 400 && generatedMark.in(l.Text) {
			return true
		}
	}
	return false
}

// attribute is a pattern of .gitattributes that says whether files are
// generated or vendored.
type attribute struct {
	pattern glob.Pattern
	set     bool
}

// maxAttributes bounds the patterns that are read.
const maxAttributes = 500

// readAttributes reads the root's .gitattributes of the base: a change cannot
// excuse its own files.
func readAttributes(base fs.FS) []attribute {
	data, ok, err := read(base, ".gitattributes")
	if !ok || err != nil {
		return nil
	}
	var all []attribute
	for line := range bytes.Lines(data) {
		fields := strings.Fields(string(line))
		if len(fields) < 2 || strings.HasPrefix(fields[0], "#") || len(all) >= maxAttributes {
			continue
		}
		for _, word := range fields[1:] {
			name, value, _ := strings.Cut(word, "=")
			negated := strings.HasPrefix(name, "-") || value == "false"
			if name = strings.TrimPrefix(name, "-"); name != "linguist-generated" && name != "linguist-vendored" {
				continue
			}
			if p, err := glob.Compile(anywhere(fields[0])); err == nil {
				all = append(all, attribute{p, !negated})
			}
		}
	}
	return all
}

// anywhere turns a pattern of .gitattributes into one over whole paths.
func anywhere(pattern string) string {
	if p, ok := strings.CutPrefix(pattern, "/"); ok {
		return p
	}
	if strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		return pattern
	}
	return "**/" + pattern
}

// attributed reports whether the last pattern that matches says generated or
// vendored.
func attributed(attributes []attribute, name string) bool {
	is := false
	for _, a := range attributes {
		if a.pattern.Match(name) {
			is = a.set
		}
	}
	return is
}
