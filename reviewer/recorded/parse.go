package recorded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reviewgate/reviewgate/finding"
)

// The bounds of a file of answers.
const (
	MaxBytes = 16 << 20 // of a file
	maxDepth = 16       // of nested lists and maps; an answer nests four deep
)

// Parse reads recorded answers from YAML, or from JSON, which YAML includes:
//
//	pr-01:
//	  summary: "…"
//	  findings:
//	    - {file: …, line: 3, severity: blocker, category: secret-in-code, message: …, confidence: 0.97}
//
// Each answer keeps the rules of finding.Decode. An error names the file by
// name, the line and what is wrong. Aliases are refused: a file of a few lines
// could stand for millions of findings.
func Parse(name string, data []byte) (*Answers, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%s: larger than %d MiB: split it", name, MaxBytes>>20)
	}
	root, err := document(name, data)
	if err != nil {
		return nil, err
	}
	answers := &Answers{Name: name, ByID: make(map[string]finding.Document, len(root.Content)/2)}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return nil, at(name, key, errors.New("the id of a change must be a word"))
		}
		id := key.Value
		if _, twice := answers.ByID[id]; twice {
			return nil, at(name, key, fmt.Errorf("%s is answered twice", id))
		}
		answer, err := parseAnswer(name, id, value)
		if err != nil {
			return nil, err
		}
		answers.IDs = append(answers.IDs, id)
		answers.ByID[id] = answer
	}
	return answers, nil
}

// document returns the map at the top of the only document in data.
func document(name string, data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: empty: it must answer for a change, as in pr-01: {summary: …, findings: []}", name)
	case err != nil:
		return nil, broken(name, err)
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document: put all answers in one", name)
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || len(root.Content) == 0 {
		return nil, at(name, root, errors.New("a map from ids of changes to answers is needed, as in pr-01: {summary: …, findings: []}"))
	}
	return root, nil
}

// yamlLine is how the parser of YAML begins an error.
var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// broken words an error of the parser of YAML as file:line.
func broken(name string, err error) error {
	text := err.Error()
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s:%s: not YAML: %s", name, m[1], text[len(m[0]):])
	}
	return fmt.Errorf("%s: not YAML: %s", name, strings.TrimPrefix(text, "yaml: "))
}

// parseAnswer checks one answer as the findings document that it is.
func parseAnswer(name, id string, node *yaml.Node) (finding.Document, error) {
	if node.Kind != yaml.MappingNode {
		return finding.Document{}, at(name, node, fmt.Errorf("%s: an answer with summary and findings is needed", id))
	}
	value, err := plain(node, 0)
	if err != nil {
		return finding.Document{}, fmt.Errorf("%s:%w", name, err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return finding.Document{}, at(name, node, fmt.Errorf("%s: %w", id, err))
	}
	doc, err := finding.Decode(text)
	if err != nil {
		return finding.Document{}, at(name, locate(node, err.Error()), fmt.Errorf("%s: %w", id, err))
	}
	return doc, nil
}

// at puts name and the line of node before err.
func at(name string, node *yaml.Node, err error) error {
	return fmt.Errorf("%s:%d: %w", name, node.Line, err)
}

// step is one step of a place such as findings[3].severity.
var step = regexp.MustCompile(`^\.?([A-Za-z_-]+)|^\[(\d+)\]`)

// locate returns the node at the place that begins text, or the nearest one
// above it that exists.
func locate(node *yaml.Node, text string) *yaml.Node {
	for {
		m := step.FindStringSubmatch(text)
		if m == nil {
			return node
		}
		next := child(node, m[1], m[2])
		if next == nil {
			return node
		}
		node, text = next, text[len(m[0]):]
	}
}

func child(node *yaml.Node, key, index string) *yaml.Node {
	if node.Kind == yaml.SequenceNode && index != "" {
		if i, err := strconv.Atoi(index); err == nil && i < len(node.Content) {
			return node.Content[i]
		}
	}
	if node.Kind == yaml.MappingNode && key != "" {
		for i := 0; i < len(node.Content); i += 2 {
			if node.Content[i].Value == key {
				return node.Content[i+1]
			}
		}
	}
	return nil
}
