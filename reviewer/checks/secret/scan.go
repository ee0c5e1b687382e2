package secret

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// reach bounds how far from its keyword a match without a limit is looked for,
// in bytes: four times the longest private key in use.
const reach = 64 << 10

// scope is how far from a keyword a rule holds that does not contain it, in
// bytes: gitleaks reads files in chunks of 100,000 bytes and a little.
const scope = 128 << 10

// span is a piece of a text, from and to in bytes.
type span struct{ from, to int }

// scan finds the credentials in text: one pass over all keywords, then each
// rule on the surroundings of its own.
func (s *ruleset) scan(ctx context.Context, path string, text []byte) ([]Hit, error) {
	low := lowered(text)
	spans := make([][]span, len(s.rules))
	s.words.find(low, func(word, start, end int) {
		for _, i := range s.byWord[word] {
			r := s.rules[i]
			if r.covered(spans[i], text, start, end) {
				continue
			}
			if r.assigned {
				if value, ok := assigns(low, end, r.mixed); ok && !r.aside(path) {
					spans[i] = join(spans[i], span{nameStart(low, start), lineEnd(text, value, min(len(text), value+4), 0)})
				}
			} else if r.promising(low, start, end) && !r.aside(path) {
				spans[i] = r.extend(spans[i], text, start, end)
			}
		}
	})
	var hits []Hit
	var index lines
	for i, r := range s.rules {
		if len(spans[i]) == 0 {
			continue
		}
		if index.starts == nil {
			index = newLines(text)
		}
		first := len(hits)
		for _, piece := range spans[i] {
			if len(hits)-first >= maxHits {
				break
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			found, err := s.match(r, path, text, piece, index)
			if err != nil {
				return nil, fmt.Errorf("compile the secret rule %s: %v", r.id, err)
			}
			hits = append(hits, found...)
		}
	}
	if len(hits) > 0 && s.skips(path) {
		return nil, nil
	}
	return hits, nil
}

// lowered returns text with A to Z in lower case and every offset kept.
func lowered(text []byte) []byte {
	low := make([]byte, len(text))
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		low[i] = c
	}
	return low
}

// promising reports whether the keyword at start can be part of a match.
func (r *rule) promising(low []byte, start, end int) bool {
	if r.near != nil {
		return r.near(low, start, end)
	}
	return r.run <= end-start || r.inRun(low, start, end)
}

// inRun reports whether the keyword stands in a run of r.run bytes of r.class.
// The text is in lower case, so a letter counts in either case.
func (r *rule) inRun(low []byte, start, end int) bool {
	for start > 0 && end-start < r.run && r.has(low[start-1]) {
		start--
	}
	for end < len(low) && end-start < r.run && r.has(low[end]) {
		end++
	}
	return end-start >= r.run
}

func (r *rule) has(c byte) bool {
	return r.class[c] || 'a' <= c && c <= 'z' && r.class[c^0x20]
}

// far returns how many bytes beyond its keyword a match is looked for.
func (r *rule) far() int { return min(r.length, reach) + 4 } // the neighbours of a match decide word boundaries

// covered reports whether the last of pieces holds every match of r that
// contains the keyword at start.
func (r *rule) covered(pieces []span, text []byte, start, end int) bool {
	if len(pieces) == 0 || start < pieces[len(pieces)-1].from {
		return false
	}
	to := pieces[len(pieces)-1].to
	if r.assigned {
		return false // a piece ends with its value
	}
	if !r.local {
		return to == len(text) || to-end >= scope
	}
	wholeLine := r.newlines == 0 && end <= to && text[to-1] == '\n'
	return to == len(text) || to-end >= r.far() || wholeLine
}

// extend adds to pieces, which are in order, the piece of text that holds every
// match of r that contains the keyword at start. It looks ahead twice as far as
// needed, so that many keywords in one line stay cheap.
func (r *rule) extend(pieces []span, text []byte, start, end int) []span {
	if !r.local {
		return join(pieces, span{max(0, start-scope), min(len(text), end+scope)})
	}
	to := lineEnd(text, end, min(len(text), end+2*r.far()), r.newlines)
	if n := len(pieces); n > 0 && start <= pieces[n-1].to {
		return join(pieces, span{start, to})
	}
	return join(pieces, span{lineStart(text, max(0, start-r.far()), start, r.newlines), to})
}

// join adds a piece to pieces, which are in order, or to the last of them when
// they touch.
func join(pieces []span, piece span) []span {
	if n := len(pieces); n > 0 && piece.from <= pieces[n-1].to {
		pieces[n-1].from = min(pieces[n-1].from, piece.from)
		pieces[n-1].to = max(pieces[n-1].to, piece.to)
		return pieces
	}
	return append(pieces, piece)
}

// lineStart goes back from at over at most newlines newlines, not before limit.
func lineStart(text []byte, limit, at, newlines int) int {
	for {
		n := bytes.LastIndexByte(text[limit:at], '\n')
		if n < 0 {
			return limit
		}
		if newlines == 0 {
			return limit + n + 1
		}
		newlines--
		at = limit + n
	}
}

// lineEnd goes on from at over at most newlines newlines, not beyond limit. The
// newline that ends the piece belongs to it.
func lineEnd(text []byte, at, limit, newlines int) int {
	for {
		n := bytes.IndexByte(text[at:limit], '\n')
		if n < 0 {
			return limit
		}
		at += n + 1
		if newlines == 0 {
			return at
		}
		newlines--
	}
}

// match runs one rule over one piece of text.
func (s *ruleset) match(r *rule, path string, text []byte, piece span, index lines) ([]Hit, error) {
	compiled, err := r.ready()
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(compiled.Allowlists, func(a *allowlist) bool { return pathAllowed(a, path) }) {
		return nil, nil
	}
	var hits []Hit
	for _, m := range compiled.Regex.FindAllIndex(text[piece.from:piece.to], maxHits) {
		from, to := piece.from+m[0], piece.from+m[1]
		if !r.assigned && atCut(text, piece, from, to) {
			continue
		}
		whole := strings.Trim(string(text[from:to]), "\n")
		from += bytes.IndexFunc(text[from:to], func(c rune) bool { return c != '\n' })
		to = from + len(whole)
		groups := compiled.Regex.FindStringSubmatch(whole)
		line := string(index.text(text, from, to))
		value, name := secretOf(groups, compiled.SecretGroup, whole), ""
		if r.named {
			value, name = secretOf(groups[1:], 0, whole), groups[1]
		}
		if r.accepts != nil && !r.accepts(text[from:min(len(text), to+4096)], groups) {
			continue
		}
		if compiled.Entropy != 0 && entropy(value) <= compiled.Entropy {
			continue
		}
		if allowed(s.global, path, value, whole, line) || allowed(compiled.Allowlists, path, value, whole, line) {
			continue
		}
		hits = append(hits, Hit{
			Rule: r.id, What: r.what, Secret: value, Generic: r.generic, Path: path, Context: line,
			Name: cmp.Or(name, nameOf(whole, value)), Line: index.at(from), EndLine: index.at(max(from, to-1)),
			Excused: strings.Contains(line, "gitleaks:allow"),
		})
	}
	return hits, nil
}

// atCut reports whether a match touches the end of a piece in the middle of a
// line, where its expression could not see what follows.
func atCut(text []byte, piece span, from, to int) bool {
	cutBefore := from == piece.from && from > 0 && text[from-1] != '\n'
	cutAfter := to == piece.to && to < len(text) && text[to-1] != '\n'
	return cutBefore || cutAfter
}
