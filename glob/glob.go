// Package glob matches paths against the patterns of review rules.
//
// Paths are relative to the root of a repository, with / between their parts,
// and a pattern must match the whole of one. The language is small:
//
//   - any characters of one part, also none
//     ?       one character of a part
//     **/     any number of whole folders, also none
//     **      at the end of a pattern: anything
//     {a,b}   either; may be nested, may contain /
//
// Two or more stars elsewhere are one star. Every other character stands for
// itself: there are no classes, so app/[id]/page.tsx is a path, and no escapes.
//
// [Match] is for one pattern and one path, [Pattern] for one pattern and several,
// [Set] for many of both. Matching never takes longer than the length of the
// pattern times that of the path.
package glob

import (
	"fmt"
	"slices"
	"strings"
)

// Limits of a pattern. Nobody writes longer ones by hand; they bound what a
// hostile rule file can cost.
const (
	MaxLength       = 4096 // bytes of a pattern
	MaxAlternatives = 1024 // patterns that its braces expand to
)

// Error says why a pattern cannot be compiled.
type Error struct {
	Pattern string
	Pos     int // byte of the pattern where it goes wrong, from 0
	Msg     string
}

func (e *Error) Error() string {
	shown := e.Pattern
	if len(shown) > 100 {
		shown = shown[:100] + "…"
	}
	return fmt.Sprintf("pattern %q: %s at character %d", shown, e.Msg, e.Pos+1)
}

// Pattern is a compiled pattern. The zero value matches nothing. It is safe for
// concurrent use.
type Pattern struct {
	source       string
	alternatives []alternative
}

// Compile reads a pattern. Its errors are of type [*Error]: a brace that is never
// closed or never opened, and what exceeds [MaxLength] or [MaxAlternatives].
func Compile(pattern string) (Pattern, error) {
	if len(pattern) > MaxLength {
		return Pattern{}, &Error{pattern, MaxLength, fmt.Sprintf("longer than %d bytes", MaxLength)}
	}
	expanded, err := expand(pattern)
	if err != nil {
		return Pattern{}, err
	}
	p := Pattern{source: pattern, alternatives: make([]alternative, 0, len(expanded))}
	for _, text := range expanded {
		p.alternatives = append(p.alternatives, newAlternative(text))
	}
	return p, nil
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.source }

// Match reports whether the pattern matches the whole path.
func (p Pattern) Match(path string) bool {
	return slices.ContainsFunc(p.alternatives, func(a alternative) bool { return a.match(path) })
}

// Match reports whether the pattern matches the whole path. Its error is that of
// [Compile].
func Match(pattern, path string) (bool, error) {
	p, err := Compile(pattern)
	return err == nil && p.Match(path), err
}

// alternative is a pattern without braces, as its parts between the slashes.
type alternative struct {
	parts []part
}

func newAlternative(text string) alternative {
	var a alternative
	texts := strings.Split(text, "/")
	for i, t := range texts {
		last := i == len(texts)-1
		folders := !last && len(t) >= 2 && strings.Trim(t, "*") == ""
		if folders && len(a.parts) > 0 && a.parts[len(a.parts)-1].folders {
			continue // **/**/ is **/
		}
		a.parts = append(a.parts, newPart(t, folders, last))
	}
	return a
}

// match walks the path once; when it gets stuck it lets the last **/ take one
// more folder. Earlier ones never need to: what the last one can reach does not
// depend on them.
func (a alternative) match(path string) bool {
	i, rest, more := 0, path, true // part, what is left of the path, whether anything is
	back, backRest := -1, ""       // the part after the last **/, and the path it was tried at
	for {
		switch {
		case i < len(a.parts) && a.parts[i].folders:
			i++
			back, backRest = i, rest
			continue
		case i < len(a.parts) && more:
			name, after, slash := strings.Cut(rest, "/")
			if a.parts[i].match(name) {
				if a.parts[i].open {
					return true
				}
				i, rest, more = i+1, after, slash
				continue
			}
		case i == len(a.parts) && !more:
			return true
		}
		if back < 0 {
			return false
		}
		_, after, slash := strings.Cut(backRest, "/")
		if !slash {
			return false
		}
		i, rest, more, backRest = back, after, true, after
	}
}
