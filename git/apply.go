package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// applyArgs make git apply read the patch and the files byte for byte: no
// setting of the machine may make it convert line ends or refuse white space.
var applyArgs = []string{
	"-c", "core.autocrlf=false",
	"-c", "core.attributesFile=" + os.DevNull,
	"apply", "-p1", "--whitespace=nowarn", "--no-ignore-whitespace",
}

// Apply applies patch to the files below dir: first the check, which writes
// nothing, then the patch itself. When either refuses, the error is an
// [*Error] whose Stderr holds git's own "error:" lines.
//
// dir is a plain folder. Neither a repository around it nor one inside it is
// looked at: inside a repository git apply would silently leave out what it
// takes to be elsewhere and end well, and the repository's settings would have
// a say. Git itself refuses paths that leave dir, that lie in .git, or that go
// through a symbolic link.
func Apply(ctx context.Context, dir string, patch []byte) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("git apply: %w", err)
	}
	r, err := newRunner(dir, os.Environ(),
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir),
		"GIT_DIR="+os.DevNull, // is no repository, and ends the search for one
		"GIT_CONFIG_GLOBAL="+os.DevNull,
	)
	if err != nil {
		return err
	}
	for _, step := range [][]string{slices.Concat(applyArgs, []string{"--check", "-"}), slices.Concat(applyArgs, []string{"-"})} {
		if _, _, err := r.run(ctx, call{args: step, stdin: bytes.NewReader(patch)}); err != nil {
			return err
		}
	}
	return nil
}
