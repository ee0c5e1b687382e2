package verify

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/store"
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

// A link to a workspace leads out of the borrowed folder, into the checkout: what
// is there is not the change, and must not be what is tested.
func TestAWorkspaceLinkDoesNotLeadToTheCheckout(t *testing.T) {
	for _, how := range everyHow {
		t.Run(how.name, func(t *testing.T) {
			checkout, base := t.TempDir(), t.TempDir()
			project := map[string]string{"package.json": `{"scripts": {"test": "node --test"}, "dependencies": {"own": "1"}}`, "package-lock.json": "{}\n", "own/index.js": "module.exports = 'a';\n",
				"x.test.js": "require('node:test')('own', () => require('node:assert').equal(require('own'), 'a'));\n"}
			makeTree(t, base, project)
			makeTree(t, checkout, project)
			makeTree(t, checkout, map[string]string{"node_modules/.package-lock.json": "{}\n", "node_modules/own@": filepath.Join(checkout, "own")})
			o := how.options
			o.Borrow = FindBorrowed(checkout, nil)
			g := newGate(t, o)
			w, _ := prepare(t, g, testTree(base), "diff --git a/own/index.js b/own/index.js\n--- a/own/index.js\n+++ b/own/index.js\n@@ -1 +1 @@\n-module.exports = 'a';\n+module.exports = 'b';\n")
			if got := check(t, g, w); got.Checks[0].Status == change.Pass {
				t.Errorf("the checkout was tested: %s", outputs(got))
			}
		})
	}
}

func TestTheKeyCoversWhatIsBorrowed(t *testing.T) {
	checkout, base, cacheDir := t.TempDir(), t.TempDir(), t.TempDir()
	project := map[string]string{"package.json": `{"scripts": {"test": "true"}, "dependencies": {"a": "1"}}`, "package-lock.json": "{}\n"}
	makeTree(t, base, project)
	makeTree(t, checkout, project)
	makeTree(t, checkout, map[string]string{"node_modules/a/index.js": "x\n"})
	cache, err := store.Open(cacheDir, 0)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, tt := range []struct {
		name   string
		mode   proc.Mode
		borrow bool
		add    map[string]string
	}{
		{"nothing borrowed", proc.Auto, false, nil},
		{"borrowed", proc.Auto, true, nil},
		{"found, but not borrowed without walls", proc.Off, true, nil},
		{"what is installed changed", proc.Auto, true, map[string]string{"node_modules/.package-lock.json": "{}\n"}},
		{"the lock file changed, so that it is not borrowed", proc.Auto, true, map[string]string{"package-lock.json": "{\"x\": 1}\n"}},
		{"it changed again", proc.Auto, true, map[string]string{"package-lock.json": "{\"x\": 2}\n"}},
	} {
		makeTree(t, checkout, tt.add)
		o := Options{Cache: cache, Sandbox: tt.mode}
		if tt.borrow {
			o.Borrow = FindBorrowed(checkout, nil)
		}
		g := newGate(t, o)
		w, _ := prepare(t, g, testTree(base), docPatch)
		key, err := g.key(t.Context(), w.patched, Spec{Name: "x", Run: []string{"true"}, Kind: Script})
		if was, ok := keys[key]; ok || err != nil {
			t.Errorf("%s: the key is the one of %q, %v", tt.name, was, err)
		}
		keys[key] = tt.name
	}
}
