package reviewertest

import (
	"context"
	"io/fs"
	"os"
	"testing"

	"github.com/reviewgate/reviewgate/proc"
)

// Folder is a tree on disk and a reviewer.Runner in it, without walls.
type Folder string

// NewFolder writes tree into a new temporary folder.
func NewFolder(t testing.TB, tree fs.FS) Folder {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	return Folder(dir)
}

// Dir returns the path of the folder.
func (f Folder) Dir() string { return string(f) }

// Run runs cmd with cmd.Env on top of a clean environment.
func (f Folder) Run(ctx context.Context, cmd proc.Cmd) (proc.Result, error) {
	cmd.Env = append(proc.CleanEnv(os.Environ()), cmd.Env...)
	return proc.Run(ctx, cmd)
}
