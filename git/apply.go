package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// applyArgs make git apply read the patch and the files byte for byte: no
// setting of the machine may make it convert line ends or refuse white space.
var applyArgs = []string{
	"-c", "core.autocrlf=false",
	"-c", "core.attributesFile=" + os.DevNull,
	"apply", "--whitespace=nowarn", "--no-ignore-whitespace",
}

// ApplyOptions says how a patch is to be read.
type ApplyOptions struct {
	Strip       int  // leading folders to take off its paths, see diff.Patch.Strip; 1 for a/ and b/
	ZeroContext bool // it has hunks without context, see diff.Patch.ZeroContext
}

func (o ApplyOptions) args() []string {
	args := append(slices.Clone(applyArgs), "-p"+strconv.Itoa(o.Strip))
	if o.ZeroContext {
		args = append(args, "--unidiff-zero")
	}
	return args
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
func Apply(ctx context.Context, dir string, patch []byte, o ApplyOptions) error {
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
	for _, step := range [][]string{append(o.args(), "--check", "-"), append(o.args(), "-")} {
		if _, _, err := r.run(ctx, call{args: step, stdin: bytes.NewReader(patch)}); err != nil {
			return err
		}
	}
	return nil
}
