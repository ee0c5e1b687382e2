package policy

import (
	"regexp"
	"slices"
	"strings"
	"sync"

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

// The words that a claim is made of.
var (
	subjects   = []string{"test", "tests", "suite", "suites", "check", "checks", "ci", "build", "builds"}
	claims     = []string{"pass", "passes", "passed", "passing", "green", "succeed", "succeeds", "succeeded", "succeeding"}
	adjectives = []string{"green", "passing"}
	lacks      = []string{"no", "non", "without"}
)

// negates reports whether w turns a claim around: not, never, fail…, …n't.
func negates(w string) bool {
	return w == "not" || w == "cannot" || w == "never" || strings.HasPrefix(w, "fail") ||
		strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t") || strings.HasSuffix(w, "nʼt")
}

func sentenceClaimsGreen(sentence string) bool {
	var last word
	spoken := false  // a subject was named and nothing has negated it since
	denied := false  // the last subject has a "no" right before it
	negated := false // something was negated since the clause began
	for _, w := range words(sentence) {
		negated = negated && !w.newClause
		switch {
		case slices.Contains(subjects, w.text):
			if slices.Contains(adjectives, last.text) && !negated && !w.newClause {
				return true
			}
			denied = !w.newClause && (last.text == "no" || denied && slices.Contains(subjects, last.text))
			spoken = spoken || !denied
		case negates(w.text):
			spoken, negated = false, true
		case slices.Contains(lacks, w.text):
			negated = true
		case slices.Contains(claims, w.text) && spoken:
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
	wordForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}\p{N}]+(?:[._'’ʼ][\p{L}\p{N}]+)*`) })
	ending   = regexp.MustCompile(`['’ʼ](?:s|ve|re|ll|d)$`)
)

// words splits a sentence. What hangs on a word by an apostrophe is cut off
// ("CI's green"), except n't; a file name is one word ("api.test.ts").
func words(sentence string) []word {
	sentence = strings.ToLower(sentence)
	var list []word
	end := 0
	for _, at := range wordForm().FindAllStringIndex(sentence, -1) {
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
var abbreviations = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|esp|ca)\.$`)
})

// endsInAbbreviation looks at the last few bytes only: a text may be one long
// row of abbreviations.
func endsInAbbreviation(s string) bool {
	const longest = len(" approx. ")
	tail := s[max(0, len(s)-longest):]
	return !strings.HasSuffix(tail, "\n") && abbreviations().MatchString(strings.TrimRight(tail, " \t"))
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
