package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// History is how two commits are related.
type History struct {
	Bases   []string // best common ancestors, ids; empty when there is none
	Commits []Commit // reachable from the head and not from the base, newest first
	Far     bool     // there are too many: Commits holds the head only
	Cut     bool     // the walk met the end of a shallow clone: what is missing may lie beyond
}

// Ancestor reports whether base, the first of the two commits, is an ancestor
// of the head or the head itself.
func (h *History) Ancestor(base string) bool { return slices.Contains(h.Bases, base) }

// maxWalk is how many commits are read one by one, at 0.03 ms each, before a
// git process that has the repository's index of commits is asked instead.
const maxWalk = 10_000

// History walks from base and head, two commit ids, to where their histories
// meet. It runs no git process of its own unless that is far away or there are
// several such places.
func (r *Repo) History(ctx context.Context, base, head string) (*History, error) {
	w := &walk{repo: r, seen: map[string]*visit{}}
	if r.Shallow {
		var err error
		if w.cuts, err = r.shallowCommits(); err != nil {
			return nil, err
		}
	}
	h, err := w.run(ctx, base, head)
	if errors.Is(err, errFar) {
		return r.farHistory(ctx, base, head)
	}
	if err != nil {
		return nil, fmt.Errorf("history of %s and %s: %w", base, head, err)
	}
	if len(h.Bases) > 1 { // some of them may be ancestors of others
		h.Bases, err = r.MergeBases(ctx, base, head)
	}
	return h, err
}

// MergeBases asks git for the best common ancestors of two commit ids. None is
// no error.
func (r *Repo) MergeBases(ctx context.Context, a, b string) ([]string, error) {
	out, _, err := r.user.run(ctx, call{args: []string{"merge-base", "--all", a, b}, okay: []int{1}})
	return strings.Fields(string(out)), err
}

// farHistory is History for commits that are far apart.
func (r *Repo) farHistory(ctx context.Context, base, head string) (*History, error) {
	bases, err := r.MergeBases(ctx, base, head)
	if err != nil {
		return nil, err
	}
	tip, err := r.commit(ctx, head)
	if err != nil {
		return nil, r.explainMissing(err)
	}
	return &History{Bases: bases, Commits: []Commit{tip}, Far: true, Cut: r.Shallow}, nil
}

// shallowCommits returns the commits whose parents a shallow clone left out.
func (r *Repo) shallowCommits() (map[string]bool, error) {
	text, err := r.readScratch("shallow")
	cuts := map[string]bool{}
	for _, id := range strings.Fields(text) {
		cuts[id] = true
	}
	return cuts, err
}
