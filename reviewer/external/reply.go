package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// reply is the document on standard output: a findings document, and what the
// review cost when the program knows.
type reply struct {
	finding.Document
	about
}

// about are the keys of an answer that are not part of the findings document.
type about struct {
	CostUSD   float64 // 0 or more
	Turns     int     // 0 or more
	SessionID string
}

// decode reads an answer. What it cost is returned with the error when that
// could be read.
func decode(output []byte) (reply, error) {
	document, about, err := split(output)
	if err != nil {
		return reply{about: about}, err
	}
	doc, err := finding.Decode(document)
	return reply{doc, about}, err
}

// split takes the keys of about out of the object in output and returns the
// rest. Anything but one object is returned as it is: finding.Decode says what
// is wrong with it.
func split(output []byte) ([]byte, about, error) {
	var said about
	dec := json.NewDecoder(bytes.NewReader(output))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') || !utf8.Valid(output) {
		return output, said, nil
	}
	rest := bytes.NewBufferString("{")
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		key, isKey := token.(string)
		var value json.RawMessage
		if err != nil || !isKey || dec.Decode(&value) != nil {
			return output, said, nil
		}
		switch key {
		case "cost_usd", "turns", "session_id":
			if seen[key] {
				return nil, said, fmt.Errorf("%s: is written twice", key)
			}
			seen[key] = true
			if err := said.set(key, value); err != nil {
				return nil, said, fmt.Errorf("%s: %w", key, err)
			}
			continue
		}
		if rest.Len() > 1 {
			rest.WriteByte(',')
		}
		name, _ := json.Marshal(key) // a string can always be written
		rest.Write(name)
		rest.WriteByte(':')
		rest.Write(value)
	}
	if _, err := dec.Token(); err != nil || len(bytes.TrimSpace(output[dec.InputOffset():])) > 0 {
		return output, said, nil
	}
	rest.WriteByte('}')
	return rest.Bytes(), said, nil
}

// set takes one key; null is as good as none.
func (a *about) set(key string, value json.RawMessage) error {
	var err error
	switch key {
	case "cost_usd":
		cost := 0.0
		if err = json.Unmarshal(value, &cost); err == nil && cost < 0 {
			err = errors.New("is less than 0")
		} else if err == nil {
			a.CostUSD = cost
		}
	case "turns":
		turns := 0
		if err = json.Unmarshal(value, &turns); err == nil && turns < 0 {
			err = errors.New("is less than 0")
		} else if err == nil {
			a.Turns = turns
		}
	case "session_id":
		err = json.Unmarshal(value, &a.SessionID)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("is a JSON %s, which does not belong there", kind.Value)
	}
	return err
}

// confined returns findings with paths relative to the root of the tree: a
// program that reads the tree may name its files by where it found them.
func confined(findings []finding.Finding, task reviewer.Task) []finding.Finding {
	root := ""
	if task.Run != nil {
		root = path.Clean(strings.ReplaceAll(task.Run.Dir(), `\`, "/")) + "/"
	}
	for i, f := range findings {
		if rest, ok := strings.CutPrefix(f.File, root); ok && root != "" {
			findings[i].File = rest
		}
	}
	return findings
}
