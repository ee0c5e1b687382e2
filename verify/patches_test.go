package verify

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/proc"
)

// modify is a patch that replaces the second of three lines one, two, three.
func modify(path, old, new string) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nindex 1..2 100644\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1,3 +1,3 @@\n one\n-%[2]s\n+%[3]s\n three\n", path, old, new)
}

func add(path string, lines ...string) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1,%[2]d @@\n+%[3]s\n", path, len(lines), strings.Join(lines, "\n+"))
}

func remove(path string, lines ...string) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\ndeleted file mode 100644\nindex 1..0\n--- a/%[1]s\n+++ /dev/null\n@@ -1,%[2]d +0,0 @@\n-%[3]s\n", path, len(lines), strings.Join(lines, "\n-"))
}

// makeTree writes files below dir: "name@" is a link, "name!" a program.
func makeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, strings.TrimRight(name, "@!"))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		switch {
		case err != nil:
		case strings.HasSuffix(name, "@"):
			err = os.Symlink(content, file)
		case strings.HasSuffix(name, "!"):
			err = os.WriteFile(file, []byte(content), 0o755)
		default:
			err = os.WriteFile(file, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tree returns what is in a file system: contents, "@" and the target of a link,
// "/" for a folder.
func tree(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			all[p] = "/"
		case d.Type()&fs.ModeSymlink != 0:
			target, err := fs.ReadLink(fsys, p)
			all[p] = "@" + target
			return err
		default:
			data, err := fs.ReadFile(fsys, p)
			all[p] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// listed is tree, seen by a program that Run starts.
func listed(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	const script = `find . | while read -r p; do
	if [ -L "$p" ]; then printf '%s\0@%s\0' "$p" "$(readlink "$p")"
	elif [ -d "$p" ]; then printf '%s\0/\0' "$p"
	else printf '%s\0' "$p"; cat "$p"; printf '\0'; fi; done`
	got, err := w.Run(t.Context(), proc.Cmd{Args: []string{"sh", "-c", script}})
	if err != nil || got.ExitCode != 0 {
		t.Fatalf("Run = %+v, %v", got, err)
	}
	all := map[string]string{}
	parts := strings.Split(strings.TrimSuffix(string(got.Stdout), "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		all[filepath.Clean(parts[i])] = parts[i+1]
	}
	return all
}
