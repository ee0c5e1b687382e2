package finding

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/reviewgate/reviewgate/schema"
)

func TestADocumentIsValidExactlyWhenAGeneralValidatorSaysSo(t *testing.T) {
	oracle := compile(t, schema.Review)
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(drawDocument(t))
		if err != nil {
			t.Fatal(err)
		}
		value, err := parseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		got, want := check(value), oracle.Validate(value)
		if (got == nil) != (want == nil) {
			t.Errorf("check(%s) = %v, a general validator says %v", text, got, want)
		}
	})
}

func compile(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("review", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("review")
}

// drawDocument draws a document that is right or nearly so.
func drawDocument(t *rapid.T) any {
	doc := object(t, map[string]*rapid.Generator[any]{
		"findings":    rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(rapid.Custom(drawFinding), 0, 3).Draw(t, "findings") }),
		"summary":     mostly("a summary of twenty characters", "too short"),
		"files_clean": mostly([]any{"a.go"}, []any{1}),
	})
	return doc
}

func drawFinding(t *rapid.T) any {
	return object(t, map[string]*rapid.Generator[any]{
		"file": mostly("a.go", 7), "line": mostly(1, 0), "severity": mostly("major", "MAJOR"), "category": mostly("style", "taste"),
		"message": mostly("ten characters", "nine char"), "confidence": mostly(0.5, 1.5), "rule": mostly("r", nil),
		"title": mostly("t", true), "suggestion": mostly("s", []any{}), "end_line": mostly(2, 2.5), "more": mostly("x", "y"),
	})
}

// object draws an object that has most of the keys.
func object(t *rapid.T, keys map[string]*rapid.Generator[any]) map[string]any {
	o := map[string]any{}
	for key, value := range keys {
		if key == "more" && rapid.IntRange(0, 9).Draw(t, key+"?") > 0 || rapid.IntRange(0, 14).Draw(t, key+"?") == 0 {
			continue
		}
		o[key] = value.Draw(t, key)
	}
	return o
}

// mostly draws right, and wrong or a value of another kind once in a while.
func mostly(right, wrong any) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 29).Draw(t, "how") {
		case 0:
			return wrong
		case 1:
			return rapid.SampledFrom([]any{nil, true, 3, 1.0, 1e300, -0.5, "", "text", []any{}, map[string]any{}}).Draw(t, "odd")
		}
		return right
	})
}
