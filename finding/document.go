package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Document is what a reviewer hands back: schema/findings.schema.json or
// schema/review.schema.json in Go.
type Document struct {
	Findings   []Finding `json:"findings"`
	Summary    string    `json:"summary"`               // "" for a bare array, or a document of coverage alone
	FilesClean []string  `json:"files_clean,omitempty"` // files that were read and have no finding
}

// Decode reads a findings document. It accepts both schemas, a document with
// files_clean but no summary, and a bare array of findings. Words of other
// scales are mapped first (critical, HIGH, nit, code_style, …), the keys that
// the gate itself adds (id, reviewer, fingerprint) are let through, then the
// schema decides. Reviewer and Fingerprint are returned as written: whoever
// trusts them must have set them.
//
// The error names the place: findings[3].severity, or line and byte of broken
// JSON. A document beyond MaxBytes, MaxFindings or the nesting limit is an
// error, as is one key written twice.
func Decode(data []byte) (Document, error) {
	value, err := parseJSON(data)
	if err != nil {
		return Document{}, err
	}
	if list, bare := value.([]any); bare {
		value = map[string]any{"findings": list, "summary": absent}
	}
	root, ok := value.(map[string]any)
	if !ok {
		return Document{}, errors.New("neither an object with findings and a summary nor an array of findings")
	}
	items, _ := root["findings"].([]any)
	if len(items) > MaxFindings {
		return Document{}, fmt.Errorf("findings: %d are more than the %d a document may have", len(items), MaxFindings)
	}
	if v, has := root["files_clean"]; has && v == nil {
		delete(root, "files_clean")
	}
	if _, has := root["summary"]; !has && root["files_clean"] != nil {
		root["summary"] = absent
	}
	added := make([]gateKeys, len(items))
	for i, item := range items {
		if object, ok := item.(map[string]any); ok {
			added[i] = canonical(object)
		}
	}
	if err := check(value); err != nil {
		return Document{}, err
	}
	return document(root, items, added)
}

// absent stands in for a summary that the form of the document does without.
var absent = strings.Repeat(" ", MinSummary)

// gateKeys are the keys of a finding that are outside the schema.
type gateKeys struct{ reviewer, fingerprint string }

// canonical rewrites one finding to the words of the schema, in place, and
// takes out the keys that the gate adds.
func canonical(object map[string]any) gateKeys {
	if word, ok := object["severity"].(string); ok {
		if s, known := severityWord(word); known {
			object["severity"] = string(s)
		}
	}
	if word, ok := object["category"].(string); ok {
		if c, known := ParseCategory(word); known {
			object["category"] = string(c)
		}
	}
	for _, key := range []string{"rule", "title", "suggestion", "end_line"} {
		if v, has := object[key]; has && v == nil {
			delete(object, key)
		}
	}
	added := gateKeys{text(object, "reviewer"), text(object, "fingerprint")}
	delete(object, "id")
	for _, key := range []string{"reviewer", "fingerprint"} {
		if _, isText := object[key].(string); isText {
			delete(object, key)
		}
	}
	return added
}

// document turns a value that fits the schema into a Document.
func document(root map[string]any, items []any, added []gateKeys) (Document, error) {
	d := Document{Findings: make([]Finding, 0, len(items))}
	if summary := text(root, "summary"); summary != absent {
		d.Summary = summary
	}
	for i, item := range items {
		object := item.(map[string]any)
		line, errLine := lineNumber(object, "line")
		end, errEnd := lineNumber(object, "end_line")
		if err := errors.Join(errLine, errEnd); err != nil {
			return Document{}, fmt.Errorf("findings[%d].%w", i, err)
		}
		d.Findings = append(d.Findings, Finding{
			File: text(object, "file"), Line: line, EndLine: end,
			Severity: Severity(text(object, "severity")), Category: Category(text(object, "category")),
			Message: text(object, "message"), Confidence: fraction(object["confidence"]),
			Rule: text(object, "rule"), Title: text(object, "title"), Suggestion: text(object, "suggestion"),
			Reviewer: added[i].reviewer, Fingerprint: added[i].fingerprint,
		})
	}
	clean, _ := root["files_clean"].([]any)
	for _, file := range clean {
		d.FilesClean = append(d.FilesClean, file.(string))
	}
	return d, nil
}

func text(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

func fraction(v any) float64 {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	f, _ := v.(float64)
	return f
}

// lineNumber returns the integer at key, 0 when there is none. The schema has
// no upper limit; a file of two thousand million lines does not exist.
func lineNumber(object map[string]any, key string) (int, error) {
	n := fraction(object[key])
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("%s: %v is more than any file has lines", key, n)
	}
	return int(n), nil
}

// noSummary is what Encode writes for a document without a summary, so that
// what it writes is a document again.
const noSummary = "No summary was given."

// Encode writes d as indented JSON with a newline at the end. Findings are
// never null, and a missing summary is said to be missing in words. It fails on
// a finding or a summary that Decode would refuse, naming its place.
func Encode(d Document) ([]byte, error) {
	if d.Findings == nil {
		d.Findings = []Finding{}
	}
	if d.Summary == "" {
		d.Summary = noSummary
	}
	if n := utf8.RuneCountInString(d.Summary); n < MinSummary {
		return nil, fmt.Errorf("summary: %s", tooShort(n, MinSummary))
	}
	for i, f := range d.Findings {
		if err := f.Validate(); err != nil {
			return nil, fmt.Errorf("findings[%d].%w", i, err)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return nil, fmt.Errorf("encode findings: %w", err)
	}
	return out.Bytes(), nil
}
