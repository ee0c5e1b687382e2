package finding

import "slices"

// span is a piece of each of two texts that still has to be compared.
type span struct{ aLow, aHigh, bLow, bHigh int }

// most is the most letters that can match in s.
func (s span) most() int { return min(s.aHigh-s.aLow, s.bHigh-s.bLow) }

// blocksExceed reports whether the matching blocks of a and b hold more than
// limit letters. It stops as soon as that is certain either way, or when m is
// exhausted, which counts as no.
func (m *matcher) blocksExceed(a, b []int32, limit int) bool {
	m.blocks.fill(b, len(m.ids))
	whole := span{0, len(a), 0, len(b)}
	matching, open := 0, whole.most()
	for todo := []span{whole}; len(todo) > 0 && matching+open > limit && !m.exhausted(); {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		open -= s.most()
		i, j, size := m.blocks.longest(a, s)
		matching += size
		if matching > limit {
			return true
		}
		if size == 0 {
			continue
		}
		for _, side := range []span{{s.aLow, i, s.bLow, j}, {i + size, s.aHigh, j + size, s.bHigh}} {
			if side.most() > 0 {
				open += side.most()
				todo = append(todo, side)
			}
		}
	}
	return false
}

// blocks finds common blocks of a text with one that fill was called with.
type blocks struct {
	start  []int32 // per letter, where its places begin; one more at the end
	places []int32 // where each letter stands, ascending per letter

	// For each place of the text, the size of the common block that ends there
	// and the row in which that was found; rows count up over all calls, so
	// that nothing has to be cleared.
	size  []int32
	found []int
	row   int
	work  int // steps so far
}

// fill makes b the text to look in; letters is one more than the highest.
func (x *blocks) fill(b []int32, letters int) {
	x.work += letters
	x.start = slices.Grow(x.start[:0], letters+1)[:letters+1]
	clear(x.start)
	for _, id := range b {
		x.start[id+1]++
	}
	for id := range letters {
		x.start[id+1] += x.start[id]
	}
	x.places = slices.Grow(x.places[:0], len(b))[:len(b)]
	next := slices.Clone(x.start)
	for j, id := range b {
		x.places[next[id]] = int32(j)
		next[id]++
	}
	if n := len(b) - len(x.size); n > 0 {
		x.size = append(x.size, make([]int32, n)...)
		x.found = append(x.found, make([]int, n)...)
	}
}

// longest returns where in s the longest common block begins in a and in b, and
// its size. Of equals it is the one that begins first in a, then first in b.
func (x *blocks) longest(a []int32, s span) (int, int, int) {
	bestA, bestB, best := s.aLow, s.bLow, 0
	x.row++ // no block goes on from another call
	for i := s.aLow; i < s.aHigh; i++ {
		x.row++
		places := x.places[x.start[a[i]]:x.start[a[i]+1]]
		end, _ := slices.BinarySearch(places, int32(s.bHigh))
		for k := end - 1; k >= 0 && int(places[k]) >= s.bLow; k-- { // backwards: the place before still has the last row
			j := int(places[k])
			size := 1
			if j > s.bLow && x.found[j-1] == x.row-1 {
				size += int(x.size[j-1])
			}
			x.size[j], x.found[j] = int32(size), x.row
			if begin := i - size + 1; size > best || size == best && begin == bestA {
				bestA, bestB, best = begin, j-size+1, size
			}
			x.work++
		}
	}
	return bestA, bestB, best
}
