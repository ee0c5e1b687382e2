package secret

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// shape is what can be known about every match of an expression without
// running it. It decides how much of a text the expression has to see.
type shape struct {
	local    bool      // a match always contains one of the keywords
	newlines int       // the most newlines that a match spans; unbounded when it has no limit
	length   int       // the most bytes of a match; unbounded when it has no limit
	run      int       // a keyword of a match stands in a run of at least this many bytes of class
	class    [256]bool // the bytes of that run
	assigned bool      // the keyword is part of a name, followed by an assignment sign and a value
}

// unbounded stands for a number of newlines that has no limit.
const unbounded = 1 << 20

// assignment is the middle of the rules that look for name, sign and value, as
// gitleaks writes it; the name ends with a keyword before it.
const assignment = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`

// analyse returns the shape of an expression that is selected by keywords
// (lowercase). It claims too little rather than too much.
func analyse(expr string, keywords []string) shape {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || len(keywords) == 0 {
		return shape{newlines: unbounded, length: unbounded}
	}
	s := shape{
		local:    mustContain(re, keywords),
		newlines: newlinesOf(re),
		length:   longest(re),
		assigned: re.Op == syntax.OpConcat && namesKeyword(expr, keywords),
	}
	s.run, s.class = longestRun(flatten(re), keywords)
	return s
}

// namesKeyword reports whether expr is a name, a sign and a value, and the name
// always contains a keyword.
func namesKeyword(expr string, keywords []string) bool {
	name, _, ok := strings.Cut(strings.ReplaceAll(expr, "{0,3})(?:=", "{0,3}(?:="), assignment)
	if !ok {
		return false
	}
	re, err := syntax.Parse(name, syntax.Perl)
	if err != nil {
		re, err = syntax.Parse(name+")", syntax.Perl) // the bracket that ReplaceAll took away
	}
	if err != nil {
		return false
	}
	class := classOf([]*syntax.Regexp{re})
	for c := range class {
		if class[c] && sign[c] {
			return false // a sign in the name would be taken for the one after it
		}
	}
	return mustContain(re, keywords)
}

// mustContain reports whether every match of re, without case, contains one of
// the keywords.
func mustContain(re *syntax.Regexp, keywords []string) bool {
	if texts, ok := texts(re); ok {
		return allContain(texts, keywords)
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return mustContain(re.Sub[0], keywords)
	case syntax.OpRepeat:
		return re.Min > 0 && mustContain(re.Sub[0], keywords)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !mustContain(sub, keywords) })
	case syntax.OpConcat:
		return someContain(re.Sub, keywords)
	}
	return false
}

// someContain reports whether a sequence always contains a keyword: in one of
// its parts, or in neighbouring parts whose texts are known.
func someContain(parts []*syntax.Regexp, keywords []string) bool {
	known := []string{""}
	for _, part := range parts {
		texts, ok := texts(part)
		if ok {
			known, ok = product(known, texts)
		}
		if !ok {
			known = []string{""}
		}
		if allContain(known, keywords) || mustContainPart(part, keywords) {
			return true
		}
	}
	return false
}

func mustContainPart(part *syntax.Regexp, keywords []string) bool {
	if _, ok := texts(part); ok {
		return false // looked at already
	}
	return mustContain(part, keywords)
}

func allContain(texts, keywords []string) bool {
	for _, t := range texts {
		if !slices.ContainsFunc(keywords, func(k string) bool { return strings.Contains(t, k) }) {
			return false
		}
	}
	return len(texts) > 0
}

// maxTexts bounds the texts that are written out for one expression.
const maxTexts = 256

// texts returns every text, in lower case, that re matches, when they are few.
func texts(re *syntax.Regexp) ([]string, bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}, true
	case syntax.OpCharClass:
		return classTexts(re.Rune)
	case syntax.OpCapture:
		return texts(re.Sub[0])
	case syntax.OpQuest:
		sub, ok := texts(re.Sub[0])
		return append(sub, ""), ok
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			t, ok := texts(sub)
			if !ok || len(all)+len(t) > maxTexts {
				return nil, false
			}
			all = append(all, t...)
		}
		return all, true
	case syntax.OpConcat:
		all, ok := []string{""}, true
		for _, sub := range re.Sub {
			t, known := texts(sub)
			if !known {
				return nil, false
			}
			if all, ok = product(all, t); !ok {
				return nil, false
			}
		}
		return all, true
	}
	return nil, false
}

func classTexts(ranges []rune) ([]string, bool) {
	var all []string
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > 64 || len(all) > 64 {
			return nil, false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			all = append(all, string(unicode.ToLower(r)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), true
}

func product(left, right []string) ([]string, bool) {
	if len(left)*len(right) > maxTexts {
		return nil, false
	}
	all := make([]string, 0, len(left)*len(right))
	for _, l := range left {
		for _, r := range right {
			all = append(all, l+r)
		}
	}
	return all, true
}
