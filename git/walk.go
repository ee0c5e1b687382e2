package git

import (
	"container/heap"
	"context"
	"errors"
	"slices"
)

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
