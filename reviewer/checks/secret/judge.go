package secret

import (
	"math"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
)

type allowlist = config.Allowlist

// secretOf returns the part of a match that is the credential: the group that
// the rule names, or the first that is not empty, or all of it.
func secretOf(groups []string, group int, whole string) string {
	if len(groups) < 2 {
		return whole
	}
	if group > 0 {
		return groups[min(group, len(groups)-1)]
	}
	for _, g := range groups[1:] {
		if g != "" {
			return g
		}
	}
	return whole
}

// nameOf returns the identifier that a match assigns the value to, or "".
func nameOf(whole, value string) string {
	before, _, ok := strings.Cut(whole, value)
	if !ok {
		return ""
	}
	before = strings.TrimLeft(before, " \t\"'`")
	end := strings.IndexFunc(before, func(c rune) bool {
		return !(c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z')
	})
	if end < 0 {
		return ""
	}
	return before[:end]
}

// entropy returns the Shannon entropy of a text, in bits for each character.
func entropy(text string) float64 {
	counts := map[rune]int{}
	n := 0
	for _, c := range text {
		counts[c]++
		n++
	}
	sum := 0.0
	for _, count := range counts {
		p := float64(count) / float64(n)
		sum -= p * math.Log2(p)
	}
	return sum
}

// pathAllowed reports whether a list leaves a file alone because of its path
// alone.
func pathAllowed(a *allowlist, path string) bool {
	if a.MatchCondition == config.AllowlistMatchAnd && (len(a.Regexes) > 0 || len(a.StopWords) > 0 || len(a.Commits) > 0) {
		return false
	}
	return a.PathAllowed(path)
}

// allowed reports whether one of lists leaves a match alone.
func allowed(lists []*allowlist, path, value, whole, line string) bool {
	for _, a := range lists {
		target := value
		switch a.RegexTarget {
		case "match":
			target = whole
		case "line":
			target = line
		}
		byExpression := a.RegexAllowed(target)
		byWord, _ := a.ContainsStopWord(value)
		if a.MatchCondition != config.AllowlistMatchAnd {
			if byExpression || byWord {
				return true
			}
			continue
		}
		if len(a.Commits) == 0 && (len(a.Paths) == 0 || a.PathAllowed(path)) &&
			(len(a.Regexes) == 0 || byExpression) && (len(a.StopWords) == 0 || byWord) {
			return true
		}
	}
	return false
}
