package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pattern is a glob and the line of the rule file it stands on.
type pattern struct {
	text string
	line int
}

// splitFrontmatter takes the lines between two --- lines off the start of a rule
// file. begin is the line of the file where they begin; it is 0, and front
// empty, in a file without frontmatter.
func splitFrontmatter(source, text string) (front, body string, begin int, err error) {
	first, rest, _ := strings.Cut(text, "\n")
	if !isFence(first) {
		return "", text, 0, nil
	}
	for at := 0; at < len(rest); {
		line, _, more := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if more {
			next++
		}
		if isFence(line) {
			return rest[:at], rest[next:], 2, nil
		}
		at = next
	}
	return "", "", 0, &Error{Source: source, Line: 1, Msg: "the frontmatter that begins here is never closed: add a --- line after it"}
}

func isFence(line string) bool { return strings.TrimRight(line, " \t") == "---" }

// readPaths returns the patterns of the key paths; every other key is for others.
func readPaths(source, front string, begin int) ([]pattern, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		return nil, frontmatterError(source, front, begin, err)
	}
	if doc.Kind == 0 || len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
		return nil, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, &Error{Source: source, Line: begin + top.Line - 1, Msg: `the frontmatter is not of the form "key: value": write paths: and the patterns`}
	}
	var value *yaml.Node
	for i := 0; i+1 < len(top.Content); i += 2 {
		if top.Content[i].Value != "paths" {
			continue
		}
		if value != nil {
			return nil, &Error{Source: source, Line: begin + top.Content[i].Line - 1, Msg: "paths is there twice: join the two"}
		}
		value = top.Content[i+1]
	}
	return pathsOf(source, value, begin)
}

// pathsOf reads the value of the key paths: a list, or patterns with commas
// between them.
func pathsOf(source string, value *yaml.Node, begin int) ([]pattern, error) {
	value = target(value)
	switch {
	case value == nil:
		return nil, nil
	case value.Kind == yaml.ScalarNode:
		var patterns []pattern
		if value.Tag == "!!null" {
			return nil, nil
		}
		for _, text := range splitPatterns(value.Value) {
			patterns = append(patterns, pattern{text, begin + value.Line - 1})
		}
		return patterns, nil
	case value.Kind != yaml.SequenceNode:
		return nil, notAPattern(source, begin+value.Line-1)
	}
	var patterns []pattern
	for _, item := range value.Content {
		line := begin + item.Line - 1
		if item = target(item); item == nil || item.Kind != yaml.ScalarNode {
			return nil, notAPattern(source, line)
		}
		if text := strings.TrimSpace(item.Value); text != "" && item.Tag != "!!null" {
			patterns = append(patterns, pattern{text, line})
		}
	}
	return patterns, nil
}

// target returns what an alias stands for.
func target(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func notAPattern(source string, line int) error {
	return &Error{Source: source, Line: line, Msg: "not a pattern or a list of patterns: quote each pattern, as in - \"src/**/*.{ts,tsx}\""}
}

var (
	// unquoted finds a pattern that YAML takes for something else: * begins an
	// alias, { and [ a map and a list, and @ ` % & ! have no business there.
	unquoted = regexp.MustCompile("^\\s*(?:-|paths\\s*:)\\s*(?:-\\s*)?([*{@`%&!\\[].*)$")
	yamlLine = regexp.MustCompile(`line (\d+): (.*)$`)
)

// frontmatterError says where the frontmatter is not YAML. Most often that is a
// pattern without quotes, and the parser's own words would not tell.
func frontmatterError(source, front string, begin int, err error) error {
	for i, line := range strings.Split(front, "\n") {
		if m := unquoted.FindStringSubmatch(line); m != nil {
			text := strings.TrimRight(m[1], " \t")
			return &Error{Source: source, Line: begin + i, Msg: fmt.Sprintf("quote the pattern, YAML reads it as something else: %q", text)}
		}
	}
	line, msg := begin, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			line, msg = begin+n-1, m[2]
		}
	}
	return &Error{Source: source, Line: line, Msg: "the frontmatter is not YAML: " + msg}
}

// splitPatterns splits at the commas that stand outside of braces.
func splitPatterns(list string) []string {
	var patterns []string
	depth, begin := 0, 0
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			patterns = append(patterns, text)
		}
	}
	for i, c := range []byte(list) {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth <= 0:
			add(list[begin:i])
			begin = i + 1
		}
	}
	add(list[begin:])
	return patterns
}
