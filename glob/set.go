package glob

import (
	"slices"
)

// Set is many patterns that are matched at once. It is safe for concurrent use;
// what remembers the folders of a run is its [Matcher].
type Set struct {
	root  *node
	size  int // patterns
	nodes int
}

// NewSet returns the set of the patterns. They are known by their index.
func NewSet(patterns ...Pattern) *Set {
	s := &Set{size: len(patterns)}
	s.root = s.newNode()
	for id, p := range patterns {
		for _, a := range p.alternatives {
			s.insert(a.parts, id)
		}
	}
	return s
}

// insert adds a pattern without braces.
func (s *Set) insert(parts []part, id int) {
	n := s.root
	for _, p := range parts {
		n = s.next(n, p)
	}
	if len(n.accepts) == 0 || n.accepts[len(n.accepts)-1] != id {
		n.accepts = append(n.accepts, id)
	}
}

// node is a place between two parts of the patterns that begin alike.
type node struct {
	id       int
	literals map[string]*node // the next part is exactly this
	suffixes map[string]*node // the next part ends in this
	lengths  []int            // of the suffixes, each once
	globs    []edge           // the next part is any other glob
	opens    []edge           // the next part matches, then anything may follow
	folders  *node            // any number of folders first
	repeats  bool             // this node is one of those: a folder leads back to it
	accepts  []int            // patterns that end here
	byText   map[string]*node // of globs and opens, to share nodes while inserting
}

type edge struct {
	part part
	to   *node
}

func (s *Set) newNode() *node {
	s.nodes++
	return &node{id: s.nodes - 1}
}

// next returns the node behind the part, new when no pattern had it so far.
func (s *Set) next(n *node, p part) *node {
	switch {
	case p.folders:
		if n.folders == nil {
			n.folders = s.newNode()
			n.folders.repeats = true
		}
		return n.folders
	case p.literal && !p.open:
		return s.child(&n.literals, p.text)
	case p.suffix && !p.open:
		if length := len(p.text) - 1; !slices.Contains(n.lengths, length) {
			n.lengths = append(n.lengths, length)
		}
		return s.child(&n.suffixes, p.text[1:])
	}
	key := p.text
	if p.open {
		key = "/" + key
	}
	if to := n.byText[key]; to != nil {
		return to
	}
	to := s.child(&n.byText, key)
	if p.open {
		n.opens = append(n.opens, edge{p, to})
	} else {
		n.globs = append(n.globs, edge{p, to})
	}
	return to
}

func (s *Set) child(children *map[string]*node, key string) *node {
	if *children == nil {
		*children = map[string]*node{}
	}
	to := (*children)[key]
	if to == nil {
		to = s.newNode()
		(*children)[key] = to
	}
	return to
}
