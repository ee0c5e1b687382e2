package glob

import (
	"fmt"
	"strings"
)

// maxExpanded bounds the bytes of all patterns that one pattern's braces expand
// to: 1,024 of 256 bytes each.
const maxExpanded = 1 << 18

// expand writes out the braces of a pattern, in the order they are written and
// each result once.
func expand(pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "{}") {
		return []string{pattern}, nil
	}
	r := braceReader{pattern: pattern}
	whole, err := r.sequence(0)
	if err != nil {
		return nil, err
	}
	if r.pos < len(pattern) {
		return nil, &Error{pattern, r.pos, "a } that no { opens"}
	}
	if whole.count > MaxAlternatives {
		return nil, &Error{pattern, 0, fmt.Sprintf("braces that expand to more than %d patterns", MaxAlternatives)}
	}
	seen := make(map[string]bool, whole.count)
	var unique []string
	size := 0
	for n := range whole.count {
		text := string(whole.write(nil, n))
		if size += len(text); size > maxExpanded {
			return nil, &Error{pattern, 0, fmt.Sprintf("braces that expand to more than %d bytes", maxExpanded)}
		}
		if !seen[text] {
			seen[text] = true
			unique = append(unique, text)
		}
	}
	return unique, nil
}

// sequence is a run of plain texts and braces.
type sequence struct {
	items []item
	count int // texts it stands for, at most MaxAlternatives+1
}

// item is plain text, or the choices of a pair of braces.
type item struct {
	text    string
	choices []sequence
	count   int
}

// write appends the n-th of the texts that the sequence stands for.
func (s sequence) write(to []byte, n int) []byte {
	count := s.count
	for _, it := range s.items {
		count /= it.count
		k := n / count
		n %= count
		if it.choices == nil {
			to = append(to, it.text...)
			continue
		}
		for _, choice := range it.choices {
			if k < choice.count {
				to = choice.write(to, k)
				break
			}
			k -= choice.count
		}
	}
	return to
}

// braceReader is a cursor over a pattern with braces.
type braceReader struct {
	pattern string
	pos     int
}

// sequence reads up to the end, or inside braces up to a comma or the closing
// brace.
func (r *braceReader) sequence(depth int) (sequence, error) {
	s := sequence{count: 1}
	for r.pos < len(r.pattern) {
		it := item{count: 1}
		switch c := r.pattern[r.pos]; {
		case c == '}', c == ',' && depth > 0:
			return s, nil
		case c == '{':
			var err error
			if it, err = r.braces(depth + 1); err != nil {
				return s, err
			}
		default:
			it.text = r.plain(depth)
			r.pos += len(it.text)
		}
		s.items = append(s.items, it)
		s.count = min(s.count*it.count, MaxAlternatives+1)
	}
	return s, nil
}

// braces reads from an opening brace past its closing one.
func (r *braceReader) braces(depth int) (item, error) {
	begin := r.pos
	var it item
	for {
		r.pos++ // the brace or the comma
		choice, err := r.sequence(depth)
		if err != nil {
			return it, err
		}
		it.choices = append(it.choices, choice)
		it.count = min(it.count+choice.count, MaxAlternatives+1)
		if r.pos >= len(r.pattern) {
			return it, &Error{r.pattern, begin, "a { that no } closes"}
		}
		if r.pattern[r.pos] == '}' {
			r.pos++
			return it, nil
		}
	}
}

// plain returns the text at the cursor up to the next character that means
// something for braces. A comma outside of them means nothing.
func (r *braceReader) plain(depth int) string {
	stops := "{}"
	if depth > 0 {
		stops = "{},"
	}
	rest := r.pattern[r.pos:]
	if end := strings.IndexAny(rest, stops); end >= 0 {
		return rest[:end]
	}
	return rest
}
