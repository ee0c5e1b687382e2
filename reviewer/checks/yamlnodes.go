package checks

import (
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"
)

// These helpers read a YAML document as nodes, which keep their lines. Every one
// of them takes nil, follows an alias one step only, and never descends by
// itself, so that a document that contains itself ends.

type pair struct{ key, value *yaml.Node }

// child returns the content of a document.
func child(document *yaml.Node) *yaml.Node {
	if document == nil || document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

func resolved(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// pairs returns the entries of a mapping, none of anything else.
func pairs(n *yaml.Node) []pair {
	n = resolved(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	all := make([]pair, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, pair{n.Content[i], resolved(n.Content[i+1])})
	}
	return all
}

// value returns the entry of a mapping under a key, or nil.
func value(n *yaml.Node, key string) *yaml.Node {
	for _, p := range pairs(n) {
		if p.key.Value == key {
			return p.value
		}
	}
	return nil
}

// items returns the entries of a sequence, none of anything else.
func items(n *yaml.Node) []*yaml.Node {
	n = resolved(n)
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	all := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		all[i] = resolved(item)
	}
	return all
}

// scriptLines yields the lines of a text with their numbers in the file. Those
// of a folded or quoted text are counted from its first line.
func scriptLines(n *yaml.Node) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if n == nil || n.Kind != yaml.ScalarNode {
			return
		}
		number := n.Line
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			number++ // the text begins on the line after the | or >
		}
		for text := range strings.SplitSeq(n.Value, "\n") {
			if !yield(number, text) {
				return
			}
			number++
		}
	}
}
