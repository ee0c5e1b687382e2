package verify

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestClosureFindsTestsThatStartPrograms(t *testing.T) {
	tree := fstest.MapFS{}
	for name, imports := range map[string]string{
		"sub/plain/p.go": "fmt", "sub/plain/p_test.go": "testing", "sub/direct/d_test.go": "testing os/exec", "sub/deep/d.go": "example.com/m/middle", "sub/middle/m.go": "example.com/m/runs",
		"sub/runs/r.go": "os/exec", "sub/cgo/c.go": "C", "sub/foreign/f.go": "example.org/x/y golang.org/x/z fmt", "sub/tested/t.go": "fmt", "sub/tested/t_test.go": "os/exec",
		"sub/usestested/u.go": "example.com/m/tested", "sub/round/a.go": "example.com/m/round/b", "sub/round/b/b.go": "example.com/m/round", "sub/r.go": "embed",
	} {
		text := "package p\n"
		for imported := range strings.FieldsSeq(imports) {
			text += "import _ \"" + imported + "\"\n"
		}
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree["sub/broken/b.go"] = &fstest.MapFile{Data: []byte("package\n")}
	for _, tt := range []struct {
		name, pkg string
		starts    bool
		foreign   []string
		ok        bool
	}{
		{"a package that only computes", "example.com/m/plain", false, nil, true},
		{"the test itself", "example.com/m/direct", true, nil, true},
		{"a package below it", "example.com/m/deep", true, nil, true},
		{"C reads what it likes", "example.com/m/cgo", true, nil, true},
		{"the tests of a package below do not count", "example.com/m/usestested", false, nil, true},
		{"packages of other modules are named", "example.com/m/foreign", false, []string{"golang.org/x/z", "example.org/x/y"}, true},
		{"a ring of imports ends", "example.com/m/round", false, nil, true},
		{"the package at the top of the module", "example.com/m", false, nil, true},
		{"a file that cannot be read", "example.com/m/broken", false, nil, false},
		{"a package that is not there", "example.com/m/none", false, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &moduleImports{tree: tree, dir: "sub", name: "example.com/m", known: map[string][]string{}}
			starts, foreign, ok := m.closure(tt.pkg)
			if starts != tt.starts || ok != tt.ok || !cmp.Equal(foreign, tt.foreign) {
				t.Errorf("closure(%s) = %v, %q, %v, want %v, %q, %v", tt.pkg, starts, foreign, ok, tt.starts, tt.foreign, tt.ok)
			}
		})
	}
}

func TestReachesFollowsImports(t *testing.T) {
	imports := map[string][]string{"a": {"b", ""}, "b": {"c", "a"}, "c": {"os/exec"}, "d": {"fmt"}}
	for root, want := range map[string]bool{"a": true, "c": true, "d": false, "none": false} {
		if got := reaches(imports, root, starters); got != want {
			t.Errorf("reaches(%s) = %v, want %v", root, got, want)
		}
	}
}

func TestModulePath(t *testing.T) {
	for text, want := range map[string]string{"module a.b/c\n\ngo 1.24\n": "a.b/c", "// x\nmodule \"a.b/c\" // y\n": "a.b/c", "go 1.24\n": "", "": ""} {
		if got := modulePath(text); got != want {
			t.Errorf("modulePath(%q) = %q, want %q", text, got, want)
		}
	}
}
