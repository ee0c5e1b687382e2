package glob

import (
	"iter"
	"slices"
	"strings"
)

// Matcher matches paths against a set and remembers for each folder how far the
// patterns have come there, so that a file costs no more than its own name. Its
// memory grows with the number of folders. It is not safe for concurrent use.
type Matcher struct {
	folders map[string]*state // by their path, with the slash at its end
	paths   int               // matched so far
	seen    []int             // by pattern: the number of the path that last matched it
	matched []int             // of the current path
	steps   int               // folders entered so far
	reached []int             // by node: the number of the folder that last reached it
}

// state is how far the patterns have come in a folder.
type state struct {
	nodes   []*node
	accepts []int // patterns that match whatever lies below
}

// Matcher returns a matcher that has seen no path yet.
func (s *Set) Matcher() *Matcher {
	m := &Matcher{seen: make([]int, s.size), reached: make([]int, s.nodes), folders: map[string]*state{}}
	top := &state{}
	m.steps++
	m.reach(top, s.root)
	m.folders[""] = top
	return m
}

// Match returns the indices of the patterns that match the path, in ascending
// order. The slice is valid until the next call.
func (m *Matcher) Match(path string) []int {
	m.paths++
	m.matched = m.matched[:0]
	slash := strings.LastIndexByte(path, '/') + 1
	in, name := m.enter(path[:slash]), path[slash:]
	m.accept(in.accepts)
	for _, n := range in.nodes {
		for to := range n.follow(name) {
			m.accept(to.accepts)
		}
		for to := range n.followOpen(name) {
			m.accept(to.accepts)
		}
	}
	slices.Sort(m.matched)
	return m.matched
}

func (m *Matcher) accept(ids []int) {
	for _, id := range ids {
		if m.seen[id] != m.paths {
			m.seen[id] = m.paths
			m.matched = append(m.matched, id)
		}
	}
}

// enter returns the state in a folder, "" or a path with a slash at its end.
func (m *Matcher) enter(folder string) *state {
	if known := m.folders[folder]; known != nil {
		return known
	}
	above := strings.LastIndexByte(folder[:len(folder)-1], '/') + 1
	parent, name := m.enter(folder[:above]), folder[above:len(folder)-1]
	m.steps++
	s := &state{accepts: slices.Clip(parent.accepts)}
	for _, n := range parent.nodes {
		if n.repeats {
			m.reach(s, n)
		}
		for to := range n.follow(name) {
			m.reach(s, to)
		}
		for to := range n.followOpen(name) {
			s.accepts = append(s.accepts, to.accepts...)
		}
	}
	m.folders[folder] = s
	return s
}

// reach adds a node to the state of the current folder, and the node behind it
// that needs no further folder.
func (m *Matcher) reach(s *state, n *node) {
	for ; n != nil && m.reached[n.id] != m.steps; n = n.folders {
		m.reached[n.id] = m.steps
		s.nodes = append(s.nodes, n)
	}
}

// follow returns the nodes that a part of a path leads to.
func (n *node) follow(name string) iter.Seq[*node] {
	return func(yield func(*node) bool) {
		if to := n.literals[name]; to != nil && !yield(to) {
			return
		}
		for _, length := range n.lengths {
			if length > len(name) {
				continue
			}
			if to := n.suffixes[name[len(name)-length:]]; to != nil && !yield(to) {
				return
			}
		}
		for i := range n.globs {
			if n.globs[i].part.match(name) && !yield(n.globs[i].to) {
				return
			}
		}
	}
}

// followOpen returns the nodes that a part of a path leads to and that take
// whatever follows it.
func (n *node) followOpen(name string) iter.Seq[*node] {
	return func(yield func(*node) bool) {
		for i := range n.opens {
			if n.opens[i].part.match(name) && !yield(n.opens[i].to) {
				return
			}
		}
	}
}
