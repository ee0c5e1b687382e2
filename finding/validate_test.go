package finding

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		name string
		f    Finding
		want string
	}{
		{"a valid finding", token(), ""},
		{"line 0", with(func(f *Finding) { f.Line = 0 }), "line: 0 is less than 1"},
		{"a severity outside the three", with(func(f *Finding) { f.Severity = "HIGH" }), `severity: "HIGH" is not one of blocker, major, minor`},
		{"no severity", with(func(f *Finding) { f.Severity = "" }), `severity: "" is not one of blocker, major, minor`},
		{"a category outside the twelve", with(func(f *Finding) { f.Category = "naming" }), `category: "naming" is not one of security, secret-in-code, ` +
			"correctness, error-handling, performance, architecture, contract-break, migration-number-collision, testing, best-practices, documentation, style"},
		{"a message of nine characters", with(func(f *Finding) { f.Message = "too short" }), "message: 9 characters are too few, at least 10 are needed"},
		{"a confidence above 1", with(func(f *Finding) { f.Confidence = 1.1 }), "confidence: 1.1 is not between 0 and 1"},
		{"a confidence below 0", with(func(f *Finding) { f.Confidence = -1 }), "confidence: -1 is not between 0 and 1"},
		{"a confidence that is no number", with(func(f *Finding) { f.Confidence = math.NaN() }), "confidence: NaN is not between 0 and 1"},
		{"a negative last line", with(func(f *Finding) { f.EndLine = -1 }), "end_line: -1 is less than 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := tt.f.Validate(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Validate() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestValidateAndTheSchemaAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Finding{
			File:       rapid.String().Draw(t, "file"),
			Line:       rapid.IntRange(-1, 3).Draw(t, "line"),
			Severity:   rapid.SampledFrom(append([]Severity{"", "fatal"}, Severities...)).Draw(t, "severity"),
			Category:   rapid.SampledFrom(append([]Category{"", "typos"}, Categories...)).Draw(t, "category"),
			Message:    rapid.StringN(8, 12, -1).Draw(t, "message"),
			Confidence: rapid.SampledFrom([]float64{-0.1, 0, 0.5, 1, 1.1}).Draw(t, "confidence"),
			EndLine:    rapid.IntRange(-1, 3).Draw(t, "end"),
		}
		data, err := json.Marshal([]Finding{f})
		if err != nil {
			t.Fatal(err)
		}
		_, decoded := Decode(data)
		if valid := f.Validate(); (valid == nil) != (decoded == nil) {
			t.Errorf("Validate() = %v, Decode(%s) = %v", valid, data, decoded)
		}
	})
}
