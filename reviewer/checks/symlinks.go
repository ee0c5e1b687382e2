package checks

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var symlinkCheck = check{
	Info: Info{
		ID:       prefix + "symlink",
		What:     "A symlink that leads out of the repository, or into its .git folder.",
		Why:      "Whoever reads or writes through it reaches files that no review has seen.",
		Severity: finding.Major,
		Category: finding.Security,
	},
	needs: patchOnly,
	run:   findSymlinks,
}

// symlinkMode is git's mode of a symlink.
const symlinkMode = "120000"

func findSymlinks(_ context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if f.NewMode != symlinkMode || f.Status == diff.Deleted {
			continue
		}
		for l := range f.AddedLines() {
			target := string(l.Text)
			if why := leaves(f.path, target); why != "" {
				out.report(f.path, 1, 0.95, fmt.Sprintf("The symlink leads to %s, which %s. Whoever reads or writes through it reaches files that nobody reviewed: point it at a file of the repository, by a relative path.", quoted(target), why))
			}
		}
	}
}

// leaves says why a symlink's target is outside of the tree; "" when it is not.
func leaves(name, target string) string {
	slashed := strings.ReplaceAll(target, `\`, "/")
	if strings.HasPrefix(slashed, "/") || len(slashed) > 1 && slashed[1] == ':' {
		return "is an absolute path of one machine"
	}
	reached := path.Join(path.Dir(name), slashed)
	if reached == ".." || strings.HasPrefix(reached, "../") {
		return "is outside of the repository"
	}
	for part := range strings.SplitSeq(strings.ToLower(reached), "/") {
		if part == ".git" {
			return "is inside git's own folder"
		}
	}
	return ""
}
