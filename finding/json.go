package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// The bounds of a document, so that a hostile reviewer costs a bounded amount
// of memory and time. A finding nests three deep and holds at most 12 values.
const (
	MaxBytes    = 16 << 20 // of a document
	MaxFindings = 10_000   // of a document
	maxDepth    = 16       // of nested arrays and objects
	maxValues   = 500_000  // scalars, arrays and objects together
)

// parseJSON reads data into maps, slices, strings, bools, int64 and float64. It
// is stricter than encoding/json where laxness would hide a finding: text that
// is not UTF-8, a key written twice, a number that overflows and anything
// beyond the bounds above are errors with their place.
func parseJSON(data []byte) (any, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%d bytes are more than the %d MiB a document may have", len(data), MaxBytes>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("empty: a JSON document with findings and a summary is needed")
	}
	if at := invalidUTF8(data); at >= 0 {
		return nil, fmt.Errorf("%s: not UTF-8", position(data, at))
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, syntaxError(data, err)
	}
	p := parser{dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	return p.value("", 0)
}

func syntaxError(data []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s: not JSON: %v", position(data, int(syntax.Offset)-1), err)
	}
	return fmt.Errorf("not JSON: %v", err)
}

// position says where the byte at offset is, for people: "line 3, byte 41".
// Both count from 1, the byte from the start of the document.
func position(data []byte, offset int) string {
	offset = max(0, min(offset, len(data)))
	return fmt.Sprintf("line %d, byte %d", 1+bytes.Count(data[:offset], []byte("\n")), offset+1)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// parser builds values from tokens that are known to be valid JSON.
type parser struct {
	dec    *json.Decoder
	values int
}

func (p *parser) value(place string, depth int) (any, error) {
	p.values++
	if p.values > maxValues {
		return nil, fmt.Errorf("more than %d values in one document", maxValues)
	}
	token, err := p.dec.Token()
	if err != nil {
		return nil, at(place, err)
	}
	switch token := token.(type) {
	case json.Delim:
		if depth == maxDepth {
			return nil, at(place, fmt.Errorf("nested more than %d deep", maxDepth))
		}
		if token == '[' {
			return p.array(place, depth+1)
		}
		return p.object(place, depth+1)
	case json.Number:
		n, err := number(token)
		return n, at(place, err)
	}
	return token, nil
}

func (p *parser) array(place string, depth int) (any, error) {
	list := []any{}
	for p.dec.More() {
		v, err := p.value(index(place, len(list)), depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := p.dec.Token() // the closing bracket
	return list, at(place, err)
}

func (p *parser) object(place string, depth int) (any, error) {
	object := map[string]any{}
	for p.dec.More() {
		token, err := p.dec.Token()
		if err != nil {
			return nil, at(place, err)
		}
		key := token.(string) // valid JSON has nothing else here
		inner := member(place, key)
		if _, twice := object[key]; twice {
			return nil, at(inner, errors.New("is written twice"))
		}
		if object[key], err = p.value(inner, depth); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.Token() // the closing brace
	return object, at(place, err)
}

// number returns an int64 where n is one and a finite float64 otherwise, so
// that no exponent makes the validator count in billions of digits.
func number(n json.Number) (any, error) {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i, nil
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil {
		return nil, fmt.Errorf("%s is out of range", quote(n.String()))
	}
	return f, nil
}

// at puts the place before err; the root has none.
func at(place string, err error) error {
	if err == nil || place == "" {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

func index(place string, i int) string { return place + "[" + strconv.Itoa(i) + "]" }

func member(place, key string) string {
	if plain(key) {
		if place == "" {
			return key
		}
		return place + "." + key
	}
	return place + "[" + quote(key) + "]"
}

// plain reports whether key can stand in a place without quotes.
func plain(key string) bool {
	for _, r := range key {
		if r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return key != "" && len(key) <= 60
}
