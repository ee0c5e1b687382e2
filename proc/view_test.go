package proc

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAToolBehindLinksIsShownWithEveryPlaceOnTheWay(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, name) }
	for _, dir := range []string{"bin", "alternatives", "tool"} {
		if err := os.Mkdir(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(at("tool/node"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"bin/node": "../alternatives/node", "alternatives/node": at("tool/node"), "self": "self"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		paths []string
		want  []string
	}{
		{"the tool alone", []string{at("bin/node")}, []string{at("alternatives/node"), at("bin/node"), at("tool/node")}},
		{"a link in a folder that is shown stays the link it is", []string{at("bin"), at("bin/node")}, []string{at("alternatives/node"), at("bin"), at("tool/node")}},
		{"what is not there is passed over", []string{at("gone"), at("self")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, outermost(resolve(tt.paths))); d != "" {
				t.Error(d)
			}
		})
	}
}
