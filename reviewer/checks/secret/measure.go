package secret

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// newlinesOf returns the most newlines that a match of re contains, or
// unbounded.
func newlinesOf(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		n := 0
		for _, r := range re.Rune {
			if r == '\n' {
				n++
			}
		}
		return n
	case syntax.OpAnyChar:
		return 1
	case syntax.OpCharClass:
		return min(1, countIn(re.Rune, '\n'))
	case syntax.OpStar, syntax.OpPlus:
		return times(newlinesOf(re.Sub[0]), unbounded)
	case syntax.OpRepeat:
		if re.Max < 0 {
			return times(newlinesOf(re.Sub[0]), unbounded)
		}
		return times(newlinesOf(re.Sub[0]), re.Max)
	case syntax.OpAlternate:
		most := 0
		for _, sub := range re.Sub {
			most = max(most, newlinesOf(sub))
		}
		return most
	}
	sum := 0
	for _, sub := range re.Sub {
		sum = min(unbounded, sum+newlinesOf(sub))
	}
	return sum
}

func times(n, factor int) int {
	if n == 0 {
		return 0
	}
	return min(unbounded, n*factor)
}

func countIn(ranges []rune, wanted rune) int {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] <= wanted && wanted <= ranges[i+1] {
			return 1
		}
	}
	return 0
}

// shortest returns the least number of bytes of a match of re.
func shortest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpStar, syntax.OpQuest:
		return 0
	case syntax.OpRepeat:
		return re.Min * shortest(re.Sub[0])
	case syntax.OpAlternate:
		least := shortest(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			least = min(least, shortest(sub))
		}
		return least
	}
	sum := 0
	for _, sub := range re.Sub {
		sum += shortest(sub)
	}
	return sum
}

// flatten returns the parts of re in sequence, captures and nested sequences
// opened.
func flatten(re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpCapture:
		return flatten(re.Sub[0])
	case syntax.OpConcat:
		var parts []*syntax.Regexp
		for _, sub := range re.Sub {
			parts = append(parts, flatten(sub)...)
		}
		return parts
	}
	return []*syntax.Regexp{re}
}

// longestRun finds neighbouring parts that match no white space and always
// contain a keyword. It returns the least length of their match and the bytes
// it is made of; 0 when there are none.
func longestRun(parts []*syntax.Regexp, keywords []string) (int, [256]bool) {
	best, class := 0, [256]bool{}
	for len(parts) > 0 {
		n := slices.IndexFunc(parts, matchesSpace)
		if n < 0 {
			n = len(parts)
		}
		run := parts[:n]
		if length := shortestOf(run); length > best && someContain(run, keywords) {
			best, class = length, classOf(run)
		}
		parts = parts[min(n+1, len(parts)):]
	}
	return best, class
}

func shortestOf(parts []*syntax.Regexp) int {
	sum := 0
	for _, part := range parts {
		sum += shortest(part)
	}
	return sum
}

func matchesSpace(re *syntax.Regexp) bool {
	var class [256]bool
	addClass(&class, re)
	return class[' '] || class['\t'] || class['\n'] || class['\r']
}

func classOf(parts []*syntax.Regexp) [256]bool {
	var class [256]bool
	for _, part := range parts {
		addClass(&class, part)
	}
	return class
}

// addClass adds every byte that can be part of a match of re.
func addClass(class *[256]bool, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		for i := range class {
			class[i] = true
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			addRange(class, re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			addRange(class, r, r)
			if re.Flags&syntax.FoldCase != 0 && r < utf8.RuneSelf && ('a' <= r|0x20 && r|0x20 <= 'z') {
				addRange(class, r^0x20, r^0x20)
				addRange(class, utf8.RuneSelf, utf8.RuneSelf) // k and s fold outside ASCII
			}
		}
	}
	for _, sub := range re.Sub {
		addClass(class, sub)
	}
}

func addRange(class *[256]bool, from, to rune) {
	for r := from; r <= to && r < utf8.RuneSelf; r++ {
		class[r] = true
	}
	if to >= utf8.RuneSelf {
		for i := utf8.RuneSelf; i < len(class); i++ {
			class[i] = true
		}
	}
}

// longest returns the most bytes of a match of re, or unbounded.
func longest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune) * utf8.UTFMax
	case syntax.OpCharClass:
		if len(re.Rune) > 0 && re.Rune[len(re.Rune)-1] < utf8.RuneSelf {
			return 1
		}
		return utf8.UTFMax
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
	case syntax.OpStar, syntax.OpPlus:
		return times(longest(re.Sub[0]), unbounded)
	case syntax.OpRepeat:
		if re.Max < 0 {
			return times(longest(re.Sub[0]), unbounded)
		}
		return times(longest(re.Sub[0]), re.Max)
	case syntax.OpAlternate:
		most := 0
		for _, sub := range re.Sub {
			most = max(most, longest(sub))
		}
		return most
	}
	sum := 0
	for _, sub := range re.Sub {
		sum = min(unbounded, sum+longest(sub))
	}
	return sum
}
