package git

import (
	"container/heap"
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
		return nil, err
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

// walk paints commits with the side that they can be reached from, newest
// first, until only commits below a common ancestor are left. It is the way
// that git itself finds merge bases.
type walk struct {
	repo  *Repo
	cuts  map[string]bool
	seen  map[string]*visit
	queue visits
	live  int // queued commits that are not below a common ancestor
	cut   bool
}

// visit is a commit on the way.
type visit struct {
	Commit
	paint  paint
	queued bool
}

type paint uint8

const (
	fromBase paint = 1 << iota
	fromHead
	below // an ancestor of a common ancestor
)

const common = fromBase | fromHead

var errFar = errors.New("the histories meet far away")

func (w *walk) run(ctx context.Context, base, head string) (*History, error) {
	if err := w.paint(ctx, base, fromBase); err != nil {
		return nil, err
	}
	if err := w.paint(ctx, head, fromHead); err != nil {
		return nil, err
	}
	var bases []*visit
	for w.live > 0 {
		v := w.pop()
		color := v.paint
		if color&(common|below) == common {
			bases = append(bases, v)
			color |= below
		}
		if w.cuts[v.ID] {
			w.cut = true
			continue
		}
		for _, parent := range v.Parents {
			if err := w.paint(ctx, parent, color); err != nil {
				return nil, err
			}
		}
	}
	return w.result(bases), nil
}

// paint adds color to a commit and queues it when that is new.
func (w *walk) paint(ctx context.Context, id string, color paint) error {
	v := w.seen[id]
	if v == nil {
		if len(w.seen) >= maxWalk {
			return errFar
		}
		c, err := w.repo.commit(ctx, id)
		if err != nil {
			return err
		}
		v = &visit{Commit: c}
		w.seen[id] = v
	}
	if v.paint&color == color {
		return nil
	}
	wasLive := v.queued && v.paint&below == 0
	v.paint |= color
	if !v.queued {
		v.queued = true
		heap.Push(&w.queue, v)
	}
	isLive := v.paint&below == 0
	switch {
	case isLive && !wasLive:
		w.live++
	case wasLive && !isLive:
		w.live--
	}
	return nil
}

func (w *walk) pop() *visit {
	v := heap.Pop(&w.queue).(*visit)
	v.queued = false
	if v.paint&below == 0 {
		w.live--
	}
	return v
}

func (w *walk) result(bases []*visit) *History {
	h := &History{Cut: w.cut}
	for _, v := range bases {
		if v.paint&below == 0 && !slices.Contains(h.Bases, v.ID) {
			h.Bases = append(h.Bases, v.ID)
		}
	}
	h.Commits = w.headOnly()
	return h
}

// headOnly returns the commits that only the head reaches: children before
// their parents, newest first among those that are neither.
func (w *walk) headOnly() []Commit {
	children := map[string]int{}
	for _, v := range w.seen {
		if v.paint&common != fromHead {
			continue
		}
		children[v.ID] += 0
		for _, parent := range v.Parents {
			children[parent]++
		}
	}
	var ready visits
	for id, n := range children {
		if n == 0 {
			heap.Push(&ready, w.seen[id])
		}
	}
	var commits []Commit
	for ready.Len() > 0 {
		v := heap.Pop(&ready).(*visit)
		commits = append(commits, v.Commit)
		for _, parent := range v.Parents {
			children[parent]--
			if p := w.seen[parent]; p != nil && children[parent] == 0 && p.paint&common == fromHead {
				heap.Push(&ready, p)
			}
		}
	}
	return commits
}

// visits is a heap of commits, newest first.
type visits []*visit

func (v visits) Len() int { return len(v) }
func (v visits) Less(i, j int) bool {
	if c := v[i].Committed.Compare(v[j].Committed); c != 0 {
		return c > 0
	}
	return v[i].ID < v[j].ID
}
func (v visits) Swap(i, j int) { v[i], v[j] = v[j], v[i] }
func (v *visits) Push(x any)   { *v = append(*v, x.(*visit)) }
func (v *visits) Pop() any {
	old := *v
	last := old[len(old)-1]
	*v = old[:len(old)-1]
	return last
}
