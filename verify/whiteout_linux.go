package verify

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// whiteOut makes dir a layer that hides the paths in gone. The sign for that is a
// device with the number zero, which everybody may make; see overlayfs in the
// kernel's documentation.
func whiteOut(dir string, gone map[string]bool) error {
	for p := range gone {
		if gone[path.Dir(p)] {
			continue // hidden with its folder
		}
		file := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := unix.Mknod(file, unix.S_IFCHR, 0); err != nil && !errors.Is(err, fs.ErrExist) {
			return &fs.PathError{Op: "hide", Path: p, Err: err}
		}
	}
	return nil
}
