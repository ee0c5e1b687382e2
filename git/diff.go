package git

import (
	"context"
	"fmt"
	"strings"
)

// MaxPatch is how many bytes a patch may have: the largest that package diff
// is measured with is a third of it.
const MaxPatch = 256 << 20

// DiffOptions says how a patch is written. The zero value is for reading.
type DiffOptions struct {
	// Binary puts the content of binary files into the patch, so that git
	// apply makes exactly the second tree of the first. Without it they are
	// one line each: whoever reads the patch has no use for their bytes, and a
	// video would be larger than everything else.
	Binary bool
}

// diffArgs write the same patch for the same two trees on every machine.
// Unlike git diff, diff-tree does not read the settings for people; the rest is
// said here, and the scratch repository that it runs in has no attributes, so
// that none can hide text as binary.
var diffArgs = []string{"diff-tree", "-r", "-p",
	"--no-ext-diff", "--no-textconv", "--no-color", "--full-index",
	"-M50%", "-l1000", // renames as git finds them by default, whatever its version
	"--src-prefix=a/", "--dst-prefix=b/", "--unified=3", "--inter-hunk-context=0",
	"--diff-algorithm=myers", "--indent-heuristic", "--submodule=short", "--ignore-submodules=none",
}

// Diff returns the patch from a to b, both ids of commits or trees. It is empty
// when they hold the same. A patch of more than MaxPatch bytes is an error.
func (r *Repo) Diff(ctx context.Context, a, b string, o DiffOptions) ([]byte, error) {
	for _, id := range []string{a, b} {
		if !isID(id) {
			return nil, fmt.Errorf("diff %q: is not an object id", id)
		}
	}
	args := diffArgs
	if o.Binary {
		args = append(args[:len(args):len(args)], "--binary")
	}
	args = append(args[:len(args):len(args)], a, b)
	out, _, err := r.objects.run(ctx, call{args: args, max: MaxPatch})
	if err != nil {
		return nil, fmt.Errorf("diff %s %s: %w", a, b, r.explainMissing(err))
	}
	return out, nil
}

// isID reports whether text is a full object id, SHA-1 or SHA-256.
func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
