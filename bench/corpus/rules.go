package corpus

import (
	"fmt"
	"strings"

	"github.com/reviewgate/reviewgate/finding"
)

// Patterns returns n patterns as rules have them, of which other matchers think
// the same: no pattern ends in **.
func Patterns(seed uint64, n int) []string {
	r := New(seed)
	patterns := make([]string, n)
	for i := range patterns {
		ext := strings.TrimPrefix(pick(r, extensions), ".")
		switch r.IntN(8) {
		case 0:
			patterns[i] = "**/*." + ext
		case 1:
			patterns[i] = fmt.Sprintf("%s/**/*.{%s,%s}", pick(r, tops), ext, strings.TrimPrefix(pick(r, extensions), "."))
		case 2:
			patterns[i] = fmt.Sprintf("%s/%s/**/*", pick(r, tops), pick(r, nouns))
		case 3:
			patterns[i] = fmt.Sprintf("**/%s/**/*.%s", pick(r, nouns), ext)
		case 4:
			patterns[i] = fmt.Sprintf("**/%s_*", pick(r, nouns))
		case 5:
			patterns[i] = fmt.Sprintf("{%s,%s}/**/%s*.%s", pick(r, tops), pick(r, tops), pick(r, nouns), ext)
		case 6:
			patterns[i] = fmt.Sprintf("%s/*/%s/*", pick(r, tops), pick(r, nouns))
		default:
			patterns[i] = fmt.Sprintf("**/%s_%s.%s", pick(r, nouns), pick(r, nouns), ext)
		}
	}
	return patterns
}

// Findings returns n findings on the given number of files, about as alike as
// those of several reviewers that read the same change.
func Findings(seed uint64, n, files int) []finding.Finding {
	r := New(seed)
	paths := Paths(r, files)
	findings := make([]finding.Finding, n)
	for i := range findings {
		a, b := pick(r, nouns), pick(r, nouns)
		findings[i] = finding.Finding{
			File: pick(r, paths), Line: 1 + r.IntN(max(20, 10*n/files)),
			Severity:   pick(r, finding.Severities),
			Category:   pick(r, finding.Categories),
			Message:    fmt.Sprintf("The %s is %s before the %s is checked: %s it after the %s instead, or return the error to the caller.", a, pick(r, verbs), b, pick(r, verbs), b),
			Confidence: float64(r.IntN(101)) / 100,
			Title:      fmt.Sprintf("%s of the %s is lost", a, b),
		}
	}
	return findings
}
