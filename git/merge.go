package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Merge is what git makes of two commits.
type Merge struct {
	Tree      string   // id of the merged tree; with conflicts it holds their markers
	Conflicts []string // paths that could not be merged, each once, in git's order
}

var (
	// ErrNoMerge says that this git cannot merge without a working copy.
	ErrNoMerge = errors.New("git is older than 2.38 and cannot merge without a working copy")

	// ErrUnrelated says that two commits have no common ancestor.
	ErrUnrelated = errors.New("no common ancestor")
)

// Merge merges head into base, both commit ids, without a working copy. A
// conflict is an answer, not an error. The error wraps [ErrNoMerge] or
// [ErrUnrelated] when that is what is wrong.
//
// It runs without the merge drivers and attributes of the repository, as a
// forge does.
func (r *Repo) Merge(ctx context.Context, base, head string) (Merge, error) {
	if !isID(base) || !isID(head) {
		return Merge{}, fmt.Errorf("merge %q and %q: both must be commit ids", base, head)
	}
	out, code, err := r.objects.run(ctx, call{
		args: []string{"merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", base, head},
		okay: []int{1},
	})
	refused, ok := errors.AsType[*Error](err)
	switch {
	case ok && refused.ExitCode == 129:
		return Merge{}, ErrNoMerge
	case ok && refused.says("unrelated histories"):
		return Merge{}, ErrUnrelated
	case err != nil:
		return Merge{}, fmt.Errorf("merge %s and %s: %w", base, head, r.explainMissing(err))
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if !isID(fields[0]) {
		return Merge{}, fmt.Errorf("merge %s and %s: git merge-tree answered %.60q", base, head, out)
	}
	merge := Merge{Tree: fields[0]}
	for _, path := range fields[1:] {
		if path != "" && !slices.Contains(merge.Conflicts, path) {
			merge.Conflicts = append(merge.Conflicts, path)
		}
	}
	if (code == 1) != (len(merge.Conflicts) > 0) {
		return Merge{}, fmt.Errorf("merge %s and %s: git merge-tree ended with %d and names %d conflicts", base, head, code, len(merge.Conflicts))
	}
	return merge, nil
}
