package eval

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxBytes bounds a labels or key file: ten thousand labels fit several times.
const maxBytes = 8 << 20

// document reads a YAML file by its nodes, so that every error can say on which
// line it stands. Aliases and merge keys are refused: a short file must not
// stand for a long one.
type document struct{ name string }

// entry is one pair of a mapping.
type entry struct {
	key   string
	line  int
	value *yaml.Node
}

func (d document) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{d.name, line}, args...)...)
}

// root returns the entries of the file's only document, a mapping of change
// ids. An empty file is an error: it labels nothing.
func (d document) root(data []byte) ([]entry, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("%s: %d bytes are more than the %d MiB it may have", d.name, len(data), maxBytes>>20)
	}
	var doc, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, d.empty()
	} else if err != nil {
		return nil, d.syntax(err)
	}
	if err := dec.Decode(&more); err == nil {
		return nil, d.errorf(more.Line, "a second YAML document begins: only one is read")
	} else if !errors.Is(err, io.EOF) {
		return nil, d.syntax(err)
	}
	entries, err := d.mapping(doc.Content[0], "the file")
	if err == nil && len(entries) == 0 {
		return nil, d.empty()
	}
	return entries, err
}

func (d document) empty() error {
	return fmt.Errorf("%s: empty: an entry per change is needed, as in \"pr-01: …\"", d.name)
}

// syntax rewords the parser's error as name:line. The parser counts lines from
// 0 in the errors of its grammar, all of which say "did not find expected", and
// leaves line 0 out; those of its scanner count from 1.
func (d document) syntax(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if number, text, ok := strings.Cut(rest, ": "); ok {
			line, _ = strconv.Atoi(number)
			msg = text
		}
	}
	if strings.HasPrefix(msg, "did not find expected") {
		line++
	}
	if line == 0 {
		return fmt.Errorf("%s: not YAML: %s", d.name, msg)
	}
	return d.errorf(line, "not YAML: %s", msg)
}

// mapping returns the entries of n, each key once and, when keys are given, one
// of them. A null is an empty mapping.
func (d document) mapping(n *yaml.Node, place string, keys ...string) ([]entry, error) {
	if n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, d.errorf(n.Line, "%s: a mapping is needed, not %s", place, kindOf(n))
	}
	var entries []entry
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return nil, d.errorf(key.Line, "%s: a key must be plain text", place)
		}
		if first, twice := seen[key.Value]; twice {
			return nil, d.errorf(key.Line, "%s: %q is listed twice, first on line %d", place, key.Value, first)
		}
		seen[key.Value] = key.Line
		if len(keys) > 0 && !slices.Contains(keys, key.Value) {
			return nil, d.errorf(key.Line, "%s: unknown key %q, %s", place, key.Value, suggestion(key.Value, keys))
		}
		entries = append(entries, entry{key.Value, key.Line, value})
	}
	return entries, nil
}

// sequence returns the items of a list; a null is an empty one.
func (d document) sequence(e entry) ([]*yaml.Node, error) {
	if e.value.Tag == "!!null" {
		return nil, nil
	}
	if e.value.Kind != yaml.SequenceNode {
		return nil, d.errorf(e.value.Line, "%s: a list is needed, not %s", e.key, kindOf(e.value))
	}
	return e.value.Content, nil
}

func (d document) text(n *yaml.Node, place string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return "", d.errorf(n.Line, "%s: text is needed, not %s", place, kindOf(n))
	}
	return n.Value, nil
}

func (d document) word(n *yaml.Node, place string, list []string) (string, error) {
	word, err := d.text(n, place)
	if err == nil && !slices.Contains(list, word) {
		return "", d.errorf(n.Line, "%s: %q is not one of %s", place, word, strings.Join(list, ", "))
	}
	return word, err
}

// line returns a line number, 1 or more.
func (d document) line(n *yaml.Node, place string) (int, error) {
	number, err := strconv.ParseInt(n.Value, 10, 32)
	if n.Kind != yaml.ScalarNode || err != nil || number < 1 {
		return 0, d.errorf(n.Line, "%s: a line number is needed, not %q", place, n.Value)
	}
	return int(number), nil
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return strconv.Quote(n.Value)
}
