package sarif

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestLocate(t *testing.T) {
	files := []string{"a.go", "web/src/api.ts", "web/src/a b.ts", "web/src/100%25.ts", "services/one/src/main.ts", `odd\name.go`}
	tree := fstest.MapFS{"other.go": {}, "sub/a.go": {}, "services/two/src/other.ts": {}, "web/README.md": {}, "services/two/src/util.ts": {}}
	for _, f := range files {
		tree[f] = &fstest.MapFile{}
	}
	ambiguous := fstest.MapFS{"services/two/src/main.ts": {}}
	for f := range tree {
		ambiguous[f] = tree[f]
	}
	mine := func(path string) place { return place{where: touched, path: path} }
	theirs := place{where: elsewhere}
	nowhere := func(why string) place { return place{where: outside, why: why} }
	const missing, beyond = "no such file in the repository", "outside the repository"
	for _, tt := range []struct {
		name string
		set  func(*locator)
		raw  string
		uri  bool
		want place
	}{
		{"as it is", nil, "web/src/api.ts", false, mine("web/src/api.ts")},
		{"a file that the change leaves alone", nil, "other.go", false, theirs},
		{"./", nil, "./web/./src/api.ts", false, mine("web/src/api.ts")},
		{".. inside", nil, "web/x/../src/api.ts", false, mine("web/src/api.ts")},
		{".. outside", nil, "../a.go", false, nowhere(beyond)},
		{"backslashes", nil, `web\src\api.ts`, false, mine("web/src/api.ts")},
		{"a backslash in a name", nil, `odd\name.go`, false, mine(`odd\name.go`)},
		{"white space around", nil, " a.go\n", false, mine("a.go")},
		{"percent-encoded", nil, "web/src/a%20b.ts", true, mine("web/src/a b.ts")},
		{"a percent in a name, encoded", nil, "web/src/100%2525.ts", true, mine("web/src/100%25.ts")},
		{"a percent in a name, written by a tool that does not encode", nil, "web/src/100%25.ts", true, mine("web/src/100%25.ts")},
		{"no percent-encoding outside of URIs", nil, "web/src/a%20b.ts", false, nowhere(missing)},
		{"an escape that is none", nil, "web/src/%zz.ts", true, nowhere(missing)},
		{"a folder", nil, "web/src", false, nowhere(missing)},
		{"empty", nil, "", true, nowhere("no path")},
		{"NUL", nil, "a.go\x00", false, nowhere("no path")},
		{"a URL", nil, "https://example.com/a.go", true, nowhere(missing)},

		{"absolute below the root", root("/tree"), "/tree/web/src/api.ts", false, mine("web/src/api.ts")},
		{"absolute below the root, with ..", root("/tree"), "/tree/web/../a.go", false, mine("a.go")},
		{"absolute below the root, which ends in /", root("/tree/"), "/tree/a.go", false, mine("a.go")},
		{"absolute below the root of the machine", root("/"), "/a.go", false, mine("a.go")},
		{"absolute below a root that is resolved", root("/var/tree"), "/private/var/tree/a.go", false, mine("a.go")},
		{"absolute beside the root", root("/tree"), "/treetop/a.go", false, nowhere(beyond)},
		{"absolute outside", root("/tree"), "/usr/lib/a.go", false, nowhere(beyond)},
		{"absolute and leaving the root", root("/tree"), "/tree/../etc/a.go", false, nowhere(beyond)},
		{"file URI", root("/tree"), "file:///tree/web/src/a%20b.ts", true, mine("web/src/a b.ts")},
		{"file URI with a host", root("/tree"), "file://localhost/tree/a.go", true, mine("a.go")},
		{"file URI with one slash", root("/tree"), "FILE:/tree/a.go", true, mine("a.go")},
		{"file URI without slash", nil, "file:a.go", true, mine("a.go")},
		{"file URI in a format of paths", root("/tree"), "file:///tree/a.go", false, mine("a.go")},
		{"file URI of another machine", root("/tree"), "file://server/tree/a.go", true, nowhere(beyond)},
		{"Windows path below the root", root("C:/tree"), `c:\tree\web\src\api.ts`, false, mine("web/src/api.ts")},
		{"Windows file URI", root("C:/tree"), "file:///C:/tree/a.go", true, mine("a.go")},

		{"absolute on another machine", guess, "/home/runner/work/app/app/web/src/api.ts", false, mine("web/src/api.ts")},
		{"absolute on another machine, another file of that name", guess, "/home/runner/work/app/app/sub/a.go", false, theirs},
		{"absolute on another machine, Windows", guess, `D:\a\app\app\web\src\api.ts`, false, mine("web/src/api.ts")},
		{"absolute, nothing like it here", guess, "/usr/lib/go/src/fmt/print.go", false, nowhere(beyond)},
		{"absolute on another machine, no tree to be sure", noTree, "/home/runner/app/a.go", false, nowhere("cannot tell which file is meant (set root)")},
		{"absolute on another machine, no tree but a longer end", noTree, "/home/runner/app/web/src/api.ts", false, mine("web/src/api.ts")},

		{"below the folder that the tool ran in", func(l *locator) { l.dir = "web" }, "src/api.ts", false, mine("web/src/api.ts")},
		{"relative to the root although the tool ran in a folder", func(l *locator) { l.dir = "web" }, "web/src/api.ts", false, mine("web/src/api.ts")},
		{"up from the folder that the tool ran in", func(l *locator) { l.dir = "web" }, "../a.go", false, mine("a.go")},
		{"up from the folder and out", func(l *locator) { l.dir = "web" }, "../../a.go", false, nowhere(beyond)},
		{"below a folder that nobody named", nil, "src/main.ts", false, mine("services/one/src/main.ts")},
		{"below a folder that nobody named, another file of that name", func(l *locator) { l.tree = ambiguous }, "src/main.ts", false, nowhere("several files end like this (set dir)")},
		{"below a folder, a file that the change leaves alone", nil, "src/util.ts", false, nowhere(missing)},
		{"without a tree", noTree, "src/main.ts", false, mine("services/one/src/main.ts")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLocator(files, tree)
			if tt.set != nil {
				tt.set(l)
			}
			for range 2 { // the second answer comes from memory
				if diff := cmp.Diff(tt.want, l.find(tt.raw, tt.uri), cmp.AllowUnexported(place{})); diff != "" {
					t.Errorf("find(%q, %v) (-want +got):\n%s", tt.raw, tt.uri, diff)
				}
			}
		})
	}
}

func root(dir string) func(*locator) { return func(l *locator) { l.roots = []string{dir} } }
func guess(l *locator)               { l.guess = true }
func noTree(l *locator)              { l.guess, l.tree = true, nil }

func newLocator(files []string, tree fs.FS) *locator {
	return &locator{has: func(p string) bool { return slices.Contains(files, p) }, files: slices.Values(files), tree: tree}
}
