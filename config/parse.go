package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxFile bounds the settings file, in bytes.
const MaxFile = 1 << 20

// Error is a setting that cannot be used, with the place it was read from.
type Error struct {
	File string // as the user knows it, or the name of an environment variable
	Line int    // 1-based; 0 when the place has no lines
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// Merge reads a settings file over c. Name is how errors call the file. An
// unknown key is an *Error that names file, line and the nearest known key.
func (c *Config) Merge(data []byte, name string) error {
	if len(data) > MaxFile {
		return &Error{File: name, Msg: fmt.Sprintf("is over %d bytes", MaxFile)}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil // an empty file sets nothing
		}
		return yamlError(name, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return &Error{File: name, Msg: "holds more than one YAML document; keep the first"}
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil
	}
	if err := knownKeys(root, reflect.TypeFor[Config](), "", name); err != nil {
		return err
	}
	if err := root.Decode(c); err != nil {
		return yamlError(name, err)
	}
	if err := c.Validate(); err != nil {
		return &Error{File: name, Line: lineOf(root, err.Error()), Msg: err.Error()}
	}
	return nil
}

// knownKeys walks node beside the type it will be decoded into and returns an
// error for the first key that the type does not have.
func knownKeys(node *yaml.Node, t reflect.Type, path, name string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case node.Kind == yaml.AliasNode:
		return &Error{File: name, Line: node.Line, Msg: "aliases are not used here: write the value out (a pattern that starts with * needs quotes)"}
	case node.Kind == yaml.ScalarNode && node.Tag != "!!null" && t.Kind() == reflect.Slice:
		return &Error{File: name, Line: node.Line, Msg: fmt.Sprintf("%s must be a list: [%s]", path, strings.Join(strings.Fields(node.Value), ", "))}
	case node.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for i, item := range node.Content {
			if err := knownKeys(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i), name); err != nil {
				return err
			}
		}
	case t.Kind() == reflect.Struct:
		if node.Kind != yaml.MappingNode {
			return &Error{File: name, Line: node.Line, Msg: fmt.Sprintf("%s must be a mapping of keys", orRoot(path))}
		}
		fields := fieldsByKey(t)
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			field, ok := fields[key.Value]
			if !ok {
				return &Error{File: name, Line: key.Line, Msg: unknownKey(key.Value, path, fields)}
			}
			if err := knownKeys(node.Content[i+1], field, strings.TrimPrefix(path+"."+key.Value, "."), name); err != nil {
				return err
			}
		}
	}
	return nil
}

func fieldsByKey(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for f := range t.Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		fields[key] = f.Type
	}
	return fields
}

func unknownKey(key, path string, fields map[string]reflect.Type) string {
	known := make([]string, 0, len(fields))
	for k := range fields {
		known = append(known, k)
	}
	msg := fmt.Sprintf("unknown key %q in %s", key, orRoot(path))
	if near := Nearest(key, known); near != "" {
		return msg + fmt.Sprintf("; did you mean %q?", near)
	}
	slices.Sort(known)
	return msg + "; known are " + strings.Join(known, ", ")
}

func orRoot(path string) string {
	if path == "" {
		return "the file"
	}
	return path
}

var yamlLine = regexp.MustCompile(`line (\d+): `)

// yamlError turns an error of the YAML library into one line with the place.
func yamlError(name string, err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	var typeErr *yaml.TypeError
	if errors.As(err, &typeErr) && len(typeErr.Errors) > 0 {
		msg = typeErr.Errors[0]
	}
	line := 0
	if m := yamlLine.FindStringSubmatchIndex(msg); m != nil {
		fmt.Sscan(msg[m[2]:m[3]], &line)
		msg = msg[:m[0]] + msg[m[1]:]
	}
	return &Error{File: name, Line: line, Msg: strings.ReplaceAll(msg, "!!", "")}
}

var pathSegment = regexp.MustCompile(`^([a-z_]+)(?:\[(\d+)\])?`)

// lineOf finds the line of the key that a validation message begins with, such
// as "verify.checks[1]: …". It returns 0 when the file does not set that key.
func lineOf(node *yaml.Node, msg string) int {
	line := 0
	for {
		m := pathSegment.FindStringSubmatch(msg)
		if m == nil || node.Kind != yaml.MappingNode {
			return line
		}
		value := valueOf(node, m[1])
		if value == nil {
			return line
		}
		if index := 0; m[2] != "" && value.Kind == yaml.SequenceNode {
			fmt.Sscan(m[2], &index)
			if index < len(value.Content) {
				value = value.Content[index]
			}
		}
		line, node = value.Line, value
		rest, ok := strings.CutPrefix(msg[len(m[0]):], ".")
		if !ok {
			return line
		}
		msg = rest
	}
}

func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
