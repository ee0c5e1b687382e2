package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// UnknownError says that a repository has nothing under a name.
type UnknownError struct {
	Name    string
	Near    []string // names of the repository that look like it, nearest first; at most three
	Shallow bool     // history is cut off: the name may lie beyond
	Fetch   Fetch    // how to get it if it is a branch that was not fetched; zero when it can be none
}

// Error says what is not there and what to do about it.
func (e *UnknownError) Error() string {
	text := fmt.Sprintf("the repository has no %q", e.Name)
	get := fmt.Sprintf("run %s and name it %s", e.Fetch.Command(), e.Fetch.Ref())
	switch {
	case len(e.Near) > 0 && e.Fetch != Fetch{}:
		text += fmt.Sprintf(": did you mean %s? If it is a branch of %s, %s", strings.Join(e.Near, " or "), e.Fetch.Remote, get)
	case len(e.Near) > 0:
		text += ": did you mean " + strings.Join(e.Near, " or ") + "?"
	case e.Fetch != Fetch{}:
		text += fmt.Sprintf(": if it is a branch of %s, %s", e.Fetch.Remote, get)
	case e.Shallow:
		text += ": it is a shallow clone, run git fetch --unshallow"
	}
	return text
}

// ErrNotFetched says that a partial clone lacks an object. Nothing is fetched
// behind the user's back.
var ErrNotFetched = errors.New("object is not in this partial clone: fetch what is missing with git fetch --refetch --no-filter, or clone without --filter")

// Resolve returns the commit that name stands for: a branch, a tag, an id, or
// any other revision that git understands. An [*UnknownError] says that there
// is none; for an id that a partial clone lacks the error wraps
// [ErrNotFetched].
func (r *Repo) Resolve(ctx context.Context, name string) (Commit, error) {
	if err := checkName(name); err != nil {
		return Commit{}, err
	}
	commit, err := r.commit(ctx, name+"^{commit}")
	if errors.Is(err, errMissing) {
		return Commit{}, r.absent(ctx, name, err)
	}
	if err != nil {
		return Commit{}, fmt.Errorf("resolve %s: %w", name, err)
	}
	return commit, nil
}

// Head returns the commit that is checked out; ok is false when there is none
// yet.
func (r *Repo) Head(ctx context.Context) (head Commit, ok bool, err error) {
	head, err = r.commit(ctx, "HEAD^{commit}")
	if errors.Is(err, errMissing) {
		return Commit{}, false, nil
	}
	return head, err == nil, err
}

// checkName refuses what git would take for an option, and what does not fit on
// the line that it is asked on.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("a revision is needed where an empty text was given")
	case strings.HasPrefix(name, "-"):
		return fmt.Errorf("revision %q begins with a dash", name)
	case strings.ContainsAny(name, "\n\x00"):
		return fmt.Errorf("revision %q holds a line break or a zero byte", name)
	}
	return nil
}

// explainMissing turns the answers that a partial clone gives for an object
// that it never fetched into [ErrNotFetched].
func (r *Repo) explainMissing(err error) error {
	if !r.Partial || err == nil {
		return err
	}
	refused, ok := errors.AsType[*Error](err)
	if errors.Is(err, errMissing) || ok && (refused.says("promisor remote") || refused.says("unable to read")) {
		return fmt.Errorf("%w (%v)", ErrNotFetched, err)
	}
	return err
}

// absent builds the error for a name that stands for nothing, which git said
// with err. Of main~3 it is main that is not there, unless it is.
func (r *Repo) absent(ctx context.Context, name string, err error) error {
	if at := strings.IndexAny(name, "~^:"); at > 0 {
		if _, err := r.commit(ctx, name[:at]+"^{commit}"); errors.Is(err, errMissing) {
			return r.absent(ctx, name[:at], err)
		}
	}
	// Where history is cut off, that is why a commit is missing: a filter
	// leaves files and folders out.
	if r.Partial && !r.Shallow && maybeID(name) {
		return fmt.Errorf("resolve %s: %w", name, r.explainMissing(err))
	}
	unknown := &UnknownError{Name: name, Shallow: r.Shallow}
	refs, err := r.user.read(ctx, "for-each-ref", "--count=5000", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
	if err == nil {
		unknown.Near = nearest(name, strings.Fields(string(refs)))
	}
	fetch, ok := r.Unfetched(ctx, name)
	if ok && !slices.Contains(unknown.Near, fetch.Ref()) {
		unknown.Fetch = fetch
	}
	return unknown
}

// maybeID reports whether name can be an object id or the beginning of one.
func maybeID(name string) bool {
	return len(name) >= 4 && len(name) <= 64 && strings.Trim(name, "0123456789abcdefABCDEF") == ""
}

// nearest returns up to three of names that differ from name by little, nearest
// first. A remote's branch is also near when only its remote is left out.
func nearest(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, n := range names {
		distance := editDistance(name, n)
		if _, branch, ok := strings.Cut(n, "/"); ok {
			distance = min(distance, editDistance(name, branch)+1)
		}
		if distance <= max(2, len(name)/3) {
			near = append(near, candidate{n, distance})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var best []string
	for _, c := range near[:min(len(near), 3)] {
		best = append(best, c.name)
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace to get from a to b.
// Names longer than 200 bytes are not compared.
func editDistance(a, b string) int {
	if len(a) > 200 || len(b) > 200 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
