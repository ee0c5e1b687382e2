package recorded

import (
	"fmt"
	"math"

	"go.yaml.in/yaml/v3"
)

// plain turns node into the maps, lists and scalars that JSON has. An error
// begins with the line.
func plain(node *yaml.Node, depth int) (any, error) {
	switch {
	case depth > maxDepth:
		return nil, fmt.Errorf("%d: nested more than %d deep", node.Line, maxDepth)
	case node.Kind == yaml.AliasNode:
		return nil, fmt.Errorf("%d: an alias is not read here: write the value out", node.Line)
	case node.Kind == yaml.MappingNode:
		return plainMap(node, depth)
	case node.Kind == yaml.SequenceNode:
		list := make([]any, 0, len(node.Content))
		for _, item := range node.Content {
			v, err := plain(item, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	}
	return scalar(node)
}

func plainMap(node *yaml.Node, depth int) (any, error) {
	object := make(map[string]any, len(node.Content)/2)
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		if key.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("%d: a key must be a word", key.Line)
		}
		if _, twice := object[key.Value]; twice {
			return nil, fmt.Errorf("%d: %s is written twice", key.Line, key.Value)
		}
		v, err := plain(node.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		object[key.Value] = v
	}
	return object, nil
}

// scalar returns a text, a number, a bool or nil. What YAML reads as a date or
// as a number that JSON does not have is the text as it was written, so that the
// schema says what it thinks of it.
func scalar(node *yaml.Node) (any, error) {
	var v any
	if err := node.Decode(&v); err != nil {
		return nil, fmt.Errorf("%d: %w", node.Line, err)
	}
	switch n := v.(type) {
	case nil, string, bool, int, int64, uint64:
		return v, nil
	case float64:
		if !math.IsInf(n, 0) && !math.IsNaN(n) {
			return n, nil
		}
	}
	return node.Value, nil
}
