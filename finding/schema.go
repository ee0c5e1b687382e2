package finding

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/schema"
)

// rule is one schema object, as far as the published schemas use the language.
// A general validator costs 10 ms at every start of the program and of every
// sandbox, for schemas of nine keywords; the tests hold this one against it.
type rule struct {
	Type                 string           `json:"type"`
	AdditionalProperties *bool            `json:"additionalProperties"`
	Required             []string         `json:"required"`
	Properties           map[string]*rule `json:"properties"`
	Items                *rule            `json:"items"`
	Enum                 []string         `json:"enum"`
	MinLength            int              `json:"minLength"`
	Minimum              *float64         `json:"minimum"`
	Maximum              *float64         `json:"maximum"`
}

// reviewRule is schema.Review, read when the first document is.
var reviewRule = sync.OnceValue(func() *rule { return parseRule(schema.Review) })

// parseRule panics when a schema of the program itself is broken or uses a
// keyword that rule lacks, which a test would have shown.
func parseRule(text []byte) *rule {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.DisallowUnknownFields()
	var r rule
	if err := dec.Decode(&r); err != nil {
		panic(fmt.Sprintf("published schema: %v", err))
	}
	return &r
}

// violations appends to into what is wrong with v at path.
func (r *rule) violations(v any, path []string, into []violation) []violation {
	if got := typeOf(v); got != r.Type && !(got == "integer" && r.Type == "number") {
		return append(into, violation{path, fmt.Sprintf("is %s, not %s", article(got), article(r.Type))})
	}
	switch v := v.(type) {
	case map[string]any:
		return r.object(v, path, into)
	case []any:
		for i, item := range v {
			into = r.Items.violations(item, below(path, fmt.Sprint(i)), into)
		}
	case string:
		switch {
		case r.Enum != nil && !slices.Contains(r.Enum, v):
			into = append(into, violation{path, fmt.Sprintf("%s is not one of %s", quote(v), strings.Join(r.Enum, ", "))})
		case utf8.RuneCountInString(v) < r.MinLength:
			into = append(into, violation{path, tooShort(utf8.RuneCountInString(v), r.MinLength)})
		}
	case int64, float64:
		switch n := fraction(v); {
		case r.Minimum != nil && n < *r.Minimum:
			into = append(into, violation{path, fmt.Sprintf("%v is less than %v", v, *r.Minimum)})
		case r.Maximum != nil && n > *r.Maximum:
			into = append(into, violation{path, fmt.Sprintf("%v is more than %v", v, *r.Maximum)})
		}
	}
	return into
}

func (r *rule) object(v map[string]any, path []string, into []violation) []violation {
	for _, key := range r.Required {
		if _, has := v[key]; !has {
			into = append(into, violation{below(path, key), "is missing"})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v)) {
		property, known := r.Properties[key]
		switch {
		case known:
			into = property.violations(v[key], below(path, key), into)
		case r.AdditionalProperties != nil && !*r.AdditionalProperties:
			into = append(into, violation{below(path, key), "is not a key of the schema"})
		}
	}
	return into
}

// typeOf names the JSON type of a value that parseJSON made.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v != float64(int64(v)) {
			return "number"
		}
	}
	return "integer"
}

func below(path []string, key string) []string { return append(slices.Clone(path), key) }
