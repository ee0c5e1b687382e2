package finding

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of schema/findings.schema.json that are not closed lists.
const (
	MinMessage = 10 // characters of Finding.Message
	MinSummary = 20 // characters of Document.Summary
)

// Validate reports whether f keeps the rules of the schema, so that nothing
// outside them enters the pipeline: severity and category from the closed
// lists, a line of 1 or more, a message of MinMessage characters, a confidence
// from 0 to 1. The error names the field; the first broken rule wins.
func (f Finding) Validate() error {
	switch {
	case f.Line < 1:
		return fmt.Errorf("line: %d is less than 1", f.Line)
	case !slices.Contains(Severities, f.Severity):
		return fmt.Errorf("severity: %s", notOneOf(f.Severity, Severities))
	case !slices.Contains(Categories, f.Category):
		return fmt.Errorf("category: %s", notOneOf(f.Category, Categories))
	case utf8.RuneCountInString(f.Message) < MinMessage:
		return fmt.Errorf("message: %s", tooShort(utf8.RuneCountInString(f.Message), MinMessage))
	case math.IsNaN(f.Confidence) || f.Confidence < 0 || f.Confidence > 1:
		return fmt.Errorf("confidence: %v is not between 0 and 1", f.Confidence)
	case f.EndLine < 0:
		return fmt.Errorf("end_line: %d is less than 1", f.EndLine)
	}
	return nil
}

// notOneOf says that got is outside a closed list, and what the list is.
func notOneOf[T ~string](got T, list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return fmt.Sprintf("%s is not one of %s", quote(string(got)), strings.Join(words, ", "))
}

func tooShort(got, want int) string {
	return fmt.Sprintf("%d characters are too few, at least %d are needed", got, want)
}

// quote returns s quoted on one line, cut after 60 bytes.
func quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(strings.ToValidUTF8(s[:most], "")) + "…"
	}
	return strconv.Quote(s)
}
