package verify

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFindBorrowed(t *testing.T) {
	checkout := t.TempDir()
	makeTree(t, checkout, map[string]string{"package.json": "{}\n", "node_modules/left/index.js": "x\n", "api/pyproject.toml": "\n", "api/.venv/pyvenv.cfg": "\n", "lone/node_modules/x": "x\n"})
	t.Chdir(checkout)
	for _, tt := range []struct {
		name, checkout string
		changed        []string
		want           []Borrowed
	}{
		{"the top", checkout, nil, []Borrowed{{"node_modules", filepath.Join(checkout, "node_modules")}}},
		{"a relative checkout gives absolute folders", ".", nil, []Borrowed{{"node_modules", filepath.Join(checkout, "node_modules")}}},
		{"a folder above a changed path", ".", []string{"api/x/y.py"}, []Borrowed{{"node_modules", filepath.Join(checkout, "node_modules")}, {"api/.venv", filepath.Join(checkout, "api/.venv")}}},
		{"a folder that no manifest describes", ".", []string{"lone/x.js"}, []Borrowed{{"node_modules", filepath.Join(checkout, "node_modules")}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, FindBorrowed(tt.checkout, tt.changed)); diff != "" {
				t.Errorf("FindBorrowed(%q, %q) (-want +got):\n%s", tt.checkout, tt.changed, diff)
			}
		})
	}
}
