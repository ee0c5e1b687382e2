package source

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFoldersThatAreLeftOutDoNotCountForTheID(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	id := func(without ...string) string {
		id, err := Folder(dir, "", without...).ID(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	write("a.txt", "a")
	before := id()
	write("deep/out/report.html", "r")
	if got := id(filepath.Join(dir, "deep", "out")); got != before {
		t.Error("the reports changed the id although their folder is left out")
	}
	if id() == before {
		t.Error("a new file did not change the id")
	}
	if id(dir, filepath.Dir(dir), t.TempDir()) == before {
		t.Error("the folder itself, or one outside of it, was left out")
	}
}
