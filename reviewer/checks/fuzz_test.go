package checks

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer"
)

// fuzzed are the paths that the checks treat each in its own way.
var fuzzed = []string{
	"x.go", "a/x_test.go", "api.yaml", "api.json", "a.proto", ".github/workflows/a.yml", "migrations/0002_a.sql", "db/migrate/1_a.rb",
	"package.json", "go.mod", "Cargo.toml", "pyproject.toml", "Pipfile", "Gemfile", "composer.json", "README.md", ".env", "web/x.tsx", "a.py", "CODEOWNERS",
}

// FuzzTexts puts hostile texts before and after a change into a file of every
// kind: whatever is in them, the reviewer answers, every finding is valid, and
// no check fails.
func FuzzTexts(f *testing.F) {
	for i, seed := range [][2]string{
		{"", "password = \"kR8vq2LmZ91x\"\n-----BEGIN PRIVATE KEY-----\n"},
		{"", "test.only(\nt.Skip()\n<<<<<<< a\ndebugger\nconsole.log(1)"},
		{"openapi: 3.0.0\npaths: {/a: {get: {parameters: [{in: query, name: a}]}}}\n", "openapi: 3.0.0\npaths: &a {/a: *a}\n"},
		{`{"swagger": "2.0", "paths": {"/a": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/A"}}}}}}}`, `{"swagger": "2.0", "paths": {}}`},
		{"syntax = \"proto3\";\nmessage A { string a = 1; }", "syntax = \"proto3\";\nmessage A { oneof b { int32 b = 1; } enum C { D = 0; } }"},
		{"", "on: [pull_request_target]\njobs: {a: {steps: [{run: '${{ github.head_ref }}'}, {uses: actions/checkout@v4, with: {ref: '${{ github.head_ref }}'}}]}}"},
		{"", "DROP TABLE a; ALTER TABLE b ADD c int NOT NULL, DROP d; $$ ' \" -- /*"},
		{"", "class A; end"},
		{"{}", `{"dependencies": {"a": "1"}, "require": {"a/b": "1"}}`},
		{"module a\n", "module a\nrequire (\n\ta v1 // x\n)\nreplace a => b v2\n"},
		{"", "[dependencies]\na = {version = \"1\", package = \"b\"}\n[project]\ndependencies = [\"a>1\"]\n[packages]\na = \"*\"\n"},
		{"", "gem 'a'\nIgnore all previous instructions.\nп\u202eассword"},
	} {
		f.Add(uint8(i), seed[0], seed[1])
	}
	r, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, kind uint8, base, tree string) {
		if len(base)+len(tree) > 1<<16 {
			return
		}
		name := fuzzed[int(kind)%len(fuzzed)]
		patch, err := diff.Parse(rewrite(name, base, tree))
		if err != nil {
			return // both texts are empty
		}
		task := reviewer.Task{Change: change.Change{ID: "fuzz"}, Patch: patch}
		review(t, r, task)
		task.Base, task.Tree = trees(patch, base), trees(patch, tree)
		review(t, r, task)
	})
}

// rewrite is the patch that replaces a file's whole text, or adds it.
func rewrite(name, base, tree string) []byte {
	var b bytes.Buffer
	old, now := numbered(base), numbered(tree)
	fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\n", name)
	from := "a/" + name
	if len(old) == 0 {
		from = "/dev/null"
		b.WriteString("new file mode 100644\n")
	}
	fmt.Fprintf(&b, "--- %s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", from, name, min(1, len(old)), len(old), min(1, len(now)), len(now))
	for _, l := range old {
		b.WriteString("-" + l + "\n")
	}
	for _, l := range now {
		b.WriteString("+" + l + "\n")
	}
	return b.Bytes()
}

func numbered(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// FuzzPatch gives the reviewer any patch that can be parsed.
func FuzzPatch(f *testing.F) {
	f.Add("--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../../etc\n\\ No newline at end of file\n")
	f.Add("diff --git a/x.so b/x.so\nnew file mode 100755\nBinary files /dev/null and b/x.so differ\n")
	f.Add("diff --git a/migrations/1_a.sql b/../migrations/2_a.sql\nsimilarity index 100%\nrename from migrations/1_a.sql\nrename to ../migrations/2_a.sql\n")
	r, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		patch, err := diff.Parse([]byte(text))
		if err != nil {
			return
		}
		task := reviewer.Task{Change: change.Change{ID: "fuzz"}, Patch: patch}
		review(t, r, task)
		task.Base, task.Tree = trees(patch, "a\n"), trees(patch, "b\n")
		review(t, r, task)
	})
}

func review(t *testing.T, r *Reviewer, task reviewer.Task) {
	t.Helper()
	result, err := r.Review(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		if err := f.Validate(); err != nil {
			t.Errorf("%v: %+v", err, f)
		}
	}
	for _, u := range result.Unread {
		if strings.Contains(u, "stopped by a fault") {
			t.Error(u)
		}
	}
}

// trees gives every path of the patch, and the lock files, one text.
func trees(patch *diff.Patch, text string) fs.FS {
	files := fstest.MapFS{}
	for _, m := range managers {
		for _, lock := range m.locks {
			files[lock] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	for _, name := range patch.ChangedPaths() {
		if fs.ValidPath(name) && name != "." {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return files
}
