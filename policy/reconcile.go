package policy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/change"
)

// Reconcile compares what a reviewer's summary claims with what the checks
// showed. When a check failed and the summary says that the tests pass, it
// returns a note that says so, names what failed and that the gate overrides
// the summary; otherwise "". The summary itself is never changed.
func Reconcile(summary string, v *change.Verification) string {
	failed := v.Failed()
	if len(failed) == 0 || !claimsGreen(summary) {
		return ""
	}
	return "the verify gate failed (" + oneLine(strings.Join(failed, ", ")) + ") and overrides the summary, which claims that it passes"
}

// claimsGreen reports whether a sentence of text is about tests, the suite,
// checks, CI or the build and says pass, green or succeed, with no not, never,
// fail… or n't between the two, and no "no" right before what it is about. A
// "no" elsewhere does not cancel the claim. An adjective right before its noun,
// as in "a green build", claims it too.
func claimsGreen(text string) bool {
	return slices.ContainsFunc(sentences(text), sentenceClaimsGreen)
}

var (
	subject   = regexp.MustCompile(`^(?:tests?|suites?|checks?|ci|builds?)$`)
	claim     = regexp.MustCompile(`^(?:pass(?:e[sd]|ing)?|green|succeed(?:s|ed|ing)?)$`)
	adjective = regexp.MustCompile(`^(?:green|passing)$`)
	negation  = regexp.MustCompile(`^(?:not|cannot|never|fail.*|.*n['’ʼ]t)$`)
	lack      = regexp.MustCompile(`^(?:no|non|without)$`)
)

func sentenceClaimsGreen(sentence string) bool {
	var last word
	spoken := false  // a subject was named and nothing has negated it since
	denied := false  // the last subject has a "no" right before it
	negated := false // something was negated since the clause began
	for _, w := range words(sentence) {
		negated = negated && !w.newClause
		switch {
		case subject.MatchString(w.text):
			if adjective.MatchString(last.text) && !negated && !w.newClause {
				return true
			}
			denied = !w.newClause && (last.text == "no" || denied && subject.MatchString(last.text))
			spoken = spoken || !denied
		case negation.MatchString(w.text):
			spoken, negated = false, true
		case lack.MatchString(w.text):
			negated = true
		case claim.MatchString(w.text) && spoken:
			return true
		}
		last = w
	}
	return false
}

// word is a lowercase word of a sentence.
type word struct {
	text      string
	newClause bool // a comma, colon, semicolon or dash stands before it
}

var (
	wordForm = regexp.MustCompile(`[\p{L}\p{N}]+(?:[._'’ʼ][\p{L}\p{N}]+)*`)
	ending   = regexp.MustCompile(`['’ʼ](?:s|ve|re|ll|d)$`)
)

// words splits a sentence. What hangs on a word by an apostrophe is cut off
// ("CI's green"), except n't; a file name is one word ("api.test.ts").
func words(sentence string) []word {
	sentence = strings.ToLower(sentence)
	var list []word
	end := 0
	for _, at := range wordForm.FindAllStringIndex(sentence, -1) {
		gap := sentence[end:at[0]]
		list = append(list, word{
			text:      ending.ReplaceAllString(sentence[at[0]:at[1]], ""),
			newClause: strings.ContainsAny(gap, ",:;–—") || strings.Contains(gap, " - "),
		})
		end = at[1]
	}
	return list
}

// sentenceEnd is a mark that ends a sentence: a full stop, exclamation or
// question mark before a blank or the end, or a line break.
var sentenceEnd = regexp.MustCompile(`[.!?…]+["')\]*_” ]*(?:\s|$)|\n`)

// abbreviations end with a full stop that ends no sentence.
var abbreviations = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|esp|ca)\.$`)

// endsInAbbreviation looks at the last few bytes only: a text may be one long
// row of abbreviations.
func endsInAbbreviation(s string) bool {
	const longest = len(" approx. ")
	tail := s[max(0, len(s)-longest):]
	return !strings.HasSuffix(tail, "\n") && abbreviations.MatchString(strings.TrimRight(tail, " \t"))
}

// sentences splits text into its sentences.
func sentences(text string) []string {
	var list []string
	start := 0
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		if endsInAbbreviation(text[start:end[1]]) {
			continue
		}
		list = append(list, text[start:end[1]])
		start = end[1]
	}
	return append(list, text[start:])
}
