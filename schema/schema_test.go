package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/schema"
)

// object is a decoded JSON object.
type object = map[string]any

func decode(t *testing.T, data []byte) object {
	t.Helper()
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// findingSchema is the specified schema of one finding, its enums taken from
// the Go types, with more properties added.
func findingSchema(more object) object {
	var severities, categories []any
	for _, s := range finding.Severities {
		severities = append(severities, string(s))
	}
	for _, c := range finding.Categories {
		categories = append(categories, string(c))
	}
	properties := object{
		"file":       object{"type": "string"},
		"line":       object{"type": "integer", "minimum": 1.0},
		"severity":   object{"type": "string", "enum": severities},
		"category":   object{"type": "string", "enum": categories},
		"message":    object{"type": "string", "minLength": 10.0},
		"confidence": object{"type": "number", "minimum": 0.0, "maximum": 1.0},
		"rule":       object{"type": "string"},
	}
	for name, s := range more {
		properties[name] = s
	}
	return object{
		"type": "object", "additionalProperties": false, "properties": properties,
		"required": []any{"file", "line", "severity", "category", "message", "confidence"},
	}
}

func document(item object, more object) object {
	properties := object{
		"findings": object{"type": "array", "items": item},
		"summary":  object{"type": "string", "minLength": 20.0},
	}
	for name, s := range more {
		properties[name] = s
	}
	return object{
		"type": "object", "additionalProperties": false, "properties": properties,
		"required": []any{"findings", "summary"},
	}
}

func TestSchemasAreTheSpecifiedOnes(t *testing.T) {
	for _, tt := range []struct {
		name string
		data []byte
		want object
	}{
		{"the findings schema is exactly the specified one, categories in order", schema.Findings, document(findingSchema(nil), nil)},
		{"the review schema is that plus files_clean, title, suggestion and end_line", schema.Review, document(
			findingSchema(object{
				"title":      object{"type": "string"},
				"suggestion": object{"type": "string"},
				"end_line":   object{"type": "integer", "minimum": 1.0},
			}),
			object{"files_clean": object{"type": "array", "items": object{"type": "string"}}},
		)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, decode(t, tt.data)); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThereAreTwelveCategories(t *testing.T) {
	if got, want := len(finding.Categories), 12; got != want {
		t.Errorf("len(finding.Categories) = %d, want %d", got, want)
	}
}
