package verify

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
)

func TestPythonPath(t *testing.T) {
	file := &fstest.MapFile{}
	for _, tt := range []struct {
		name, dir string
		tree      fstest.MapFS
		installed bool
		want      []string
	}{
		{"a src layout", ".", fstest.MapFS{"src/own/__init__.py": file}, false, []string{"src", "."}},
		{"a src layout in a folder", "api", fstest.MapFS{"api/src/own/__init__.py": file}, false, []string{"api/src", "api"}},
		{"a src folder without a package", ".", fstest.MapFS{"src/own/x.js": file}, false, nil},
		{"packages at the top, of which the .venv may hold a copy", ".", fstest.MapFS{"own/__init__.py": file}, true, []string{"."}},
		{"no src folder", ".", fstest.MapFS{"own/__init__.py": file}, false, nil},
		{"a project that says it itself", ".", fstest.MapFS{"src/own/__init__.py": file, "pyproject.toml": {Data: []byte("[tool.pytest.ini_options]\npythonpath = [\"x\"]\n")}}, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, pythonPath(tt.tree, tt.dir, tt.installed)); diff != "" {
				t.Errorf("pythonPath (-want +got):\n%s", diff)
			}
		})
	}
}

// The stand-in for pytest prints what it would import from.
func TestASrcLayoutIsTestedFromTheTree(t *testing.T) {
	for _, how := range everyHow {
		t.Run(how.name, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, map[string]string{"src/own/__init__.py": "\n", "tests/test_own.py": "import own\n",
				"pytest!": "#!/bin/sh\ntest \"$PYTHONPATH\" = \"$PWD/src:$PWD\" && echo '1 passed in 0.1s'\n"})
			o := how.options
			o.Checks = []Spec{{Name: "pytest", Run: []string{"./pytest"}, Kind: Pytest}}
			g := newGate(t, o)
			w, _ := prepare(t, g, testTree(dir), docPatch)
			if got := check(t, g, w); got.Checks[0].Status != change.Pass || !strings.Contains(got.Checks[0].Output, "passed") {
				t.Errorf("Check = %s", outputs(got))
			}
		})
	}
}
