package finding

import (
	"math/bits"
	"slices"
)

// Two texts are alike when 2·M / (a + b) is above 0.7, M being the characters
// in the matching blocks of Ratcliff and Obershelp: the longest common block,
// then the same left and right of it. Nothing is junk. The specification's
// figure, as a fraction of integers: 20·M > 7·(a + b).
const (
	ratioFactor = 20
	ratioLimit  = 7
)

// The bounds of comparing.
const (
	maxCompared = 2_000   // characters of a text
	maxWork     = 1 << 30 // steps of one Merge, a nanosecond or two each
	rareCost    = 16      // steps that a letter outside ASCII takes to number
	blockCost   = 4       // steps that one of blocks takes
)

// matcher compares texts with one anchor after the other. Cheap upper bounds of
// M come first: the shorter length, the common letters, the longest common
// subsequence, which no set of matching blocks can exceed.
type matcher struct {
	ids    map[rune]int32 // letters, numbered as they come
	ascii  [128]int32     // the same for the frequent ones, plus 1; 0 is not numbered yet
	budget int            // steps there may be
	work   int            // steps so far, those of blocks apart

	text   string // the anchor
	anchor []int32
	counts []int32  // per letter: how often the anchor has it
	slots  []int32  // per letter of the anchor: which of masks is its
	words  int      // 64-bit words that hold one bit per place of the anchor
	masks  []uint64 // words per slot: where the anchor has the letter; slot 0 is no letter
	row    []uint64 // of the subsequence
	other  []int32  // the text compared with
	blocks blocks
}

func newMatcher() *matcher { return &matcher{ids: map[rune]int32{}, budget: maxWork} }

// exhausted reports whether so much was compared that the rest stays as it is.
func (m *matcher) exhausted() bool { return m.work+m.blocks.work*blockCost > m.budget }

// encode appends text to into as numbers of letters.
func (m *matcher) encode(text string, into []int32) []int32 {
	for _, r := range text {
		if len(into) == maxCompared {
			break
		}
		into = append(into, m.number(r))
	}
	return into
}

func (m *matcher) number(r rune) int32 {
	if r < int32(len(m.ascii)) && m.ascii[r] > 0 {
		return m.ascii[r] - 1
	}
	m.work += rareCost
	id, ok := m.ids[r]
	if !ok {
		id = int32(len(m.ids))
		m.ids[r] = id
	}
	if r < int32(len(m.ascii)) {
		m.ascii[r] = id + 1
	}
	return id
}

// setAnchor makes text the one that similar compares with.
func (m *matcher) setAnchor(text string) {
	for _, id := range m.anchor { // undo the last one
		m.counts[id], m.slots[id] = 0, 0
	}
	m.anchor, m.text = m.encode(text, m.anchor[:0]), text
	m.grow()
	m.words = (len(m.anchor) + 63) / 64
	m.masks = append(m.masks[:0], make([]uint64, m.words)...)
	for i, id := range m.anchor {
		if m.counts[id] == 0 {
			m.slots[id] = int32(len(m.masks) / m.words)
			m.masks = append(m.masks, make([]uint64, m.words)...)
		}
		m.masks[int(m.slots[id])*m.words+i/64] |= 1 << (i % 64)
		m.counts[id]++
	}
	m.work += len(m.anchor) + len(m.masks)
}

// grow makes room for letters that are new.
func (m *matcher) grow() {
	if n := len(m.ids) - len(m.counts); n > 0 {
		m.counts = append(m.counts, make([]int32, n)...)
		m.slots = append(m.slots, make([]int32, n)...)
	}
}

// similar reports whether text and the anchor are alike, in either order.
func (m *matcher) similar(text string) bool {
	m.work++
	if text == m.text {
		return true
	}
	m.other = m.encode(text, m.other[:0])
	m.work += len(m.other)
	m.grow()
	total := len(m.anchor) + len(m.other)
	enough := func(matching int) bool { return ratioFactor*matching > ratioLimit*total }
	switch {
	case total == 0:
		return true
	case !enough(min(len(m.anchor), len(m.other))), !enough(m.commonLetters()), !enough(m.commonSubsequence()):
		return false
	}
	a, b := m.anchor, m.other
	if text < m.text { // the blocks found depend on which text comes first
		a, b = b, a
	}
	return m.blocksExceed(a, b, ratioLimit*total/ratioFactor)
}

// commonLetters counts the letters that both texts have, wherever they stand.
func (m *matcher) commonLetters() int {
	m.work += 2 * len(m.other)
	common := 0
	for _, id := range m.other {
		if m.counts[id]--; m.counts[id] >= 0 {
			common++
		}
	}
	for _, id := range m.other {
		m.counts[id]++
	}
	return common
}

// commonSubsequence returns the length of the longest common subsequence, by
// the bit-parallel recurrence V = (V + (V & M)) | (V & ^M): the zeros of V.
func (m *matcher) commonSubsequence() int {
	words := m.words
	m.work += len(m.other) * words
	m.row = slices.Grow(m.row[:0], words)[:words]
	row := m.row
	for w := range row {
		row[w] = ^uint64(0)
	}
	for _, id := range m.other {
		slot, carry := int(m.slots[id]), uint64(0)
		if slot == 0 {
			continue // the anchor has no such letter
		}
		mask := m.masks[slot*words:][:len(row)]
		for w, v := range row {
			var sum uint64
			sum, carry = bits.Add64(v, v&mask[w], carry)
			row[w] = sum | v&^mask[w]
		}
	}
	length := 0
	for _, v := range row {
		length += bits.OnesCount64(^v)
	}
	return length
}
