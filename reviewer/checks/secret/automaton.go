package secret

import ahocorasick "github.com/BobuSumisu/aho-corasick"

// automaton finds all of a set of words in one pass.
type automaton struct{ trie *ahocorasick.Trie }

// newAutomaton prepares words, which are known by their index.
func newAutomaton(words []string) *automaton {
	return &automaton{ahocorasick.NewTrieBuilder().AddStrings(words).Build()}
}

// find calls hit with the number and the place of every word in text, in order
// of their ends.
func (a *automaton) find(text []byte, hit func(word, start, end int)) {
	a.trie.Walk(text, func(last, length, word int64) bool {
		hit(int(word), int(last-length)+1, int(last)+1)
		return true
	})
}
