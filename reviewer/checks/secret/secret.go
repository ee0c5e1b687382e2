// Package secret finds credentials in text: provider tokens, private keys,
// database URLs with a password, and literals assigned to names such as
// password or token. It knows the rules that gitleaks ships and a few of its
// own, and looks only at the places that a keyword selects.
//
// Its main type is [Scanner]. It neither reads files nor decides what a hit is
// worth: [Hit.Fake] says which hits are plainly no secret.
package secret

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"
)

// Hit is one credential found in a text.
type Hit struct {
	Rule    string // id of the rule, "github-pat"
	What    string // what was found, a noun phrase: "a GitHub personal access token"
	Name    string // the identifier that the value is assigned to, when the rule knows it
	Secret  string // the credential itself: never print, log or store it
	Line    int    // first line of the match, counted from 0
	EndLine int    // last line of the match, counted from 0
	Generic bool   // the rule knows names, not the form of a provider's credential
	Excused bool   // the line carries a gitleaks:allow comment
	Context string // the line of the match, for Fake; never print it either
	Path    string // as given to Scan
}

// Scanner holds the compiled rules. The zero value is ready for use; the rules
// are prepared by the first call of Scan and each rule's expression when its
// keyword is first seen. It is safe for concurrent use.
type Scanner struct {
	once  sync.Once
	rules *ruleset
	err   error
}

// maxHits bounds the hits of one text, and those of each rule on the way there.
const maxHits = 1000

// Scan returns the credentials in text, in order of line and rule. Path is where
// the text belongs: some rules hold for some files only, and lock files, images
// and the like are left alone as gitleaks does. Of a file's patch, text is its
// added lines joined by newlines. The time is linear in the size of text; when
// ctx ends first, the error is its.
func (s *Scanner) Scan(ctx context.Context, path string, text []byte) ([]Hit, error) {
	s.once.Do(func() { s.rules, s.err = loadRules() })
	if s.err != nil {
		return nil, s.err
	}
	found, err := s.rules.scan(ctx, path, text)
	if err != nil {
		return nil, err
	}
	for _, d := range decoded(text) {
		hits, err := s.rules.scanDecoded(ctx, path, d)
		if err != nil {
			return nil, err
		}
		found = append(found, hits...)
	}
	return tidy(found), nil
}

// tidy sorts hits and keeps one for each secret: that of the rule that knows
// most about it.
func tidy(hits []Hit) []Hit {
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), compareBool(a.Generic, b.Generic), compareBool(a.Rule == genericRule, b.Rule == genericRule))
	})
	var kept []Hit
	for _, h := range hits {
		known := slices.ContainsFunc(kept[max(0, len(kept)-20):], func(k Hit) bool {
			return overlap(k, h) && (contains(k.Secret, h.Secret) || contains(h.Secret, k.Secret))
		})
		if !known && len(kept) < maxHits {
			kept = append(kept, h)
		}
	}
	return kept
}

// genericRule is the vaguest of the shipped rules.
const genericRule = "generic-api-key"

func overlap(a, b Hit) bool { return a.Line <= b.EndLine && b.Line <= a.EndLine }

func contains(outer, inner string) bool { return bytes.Contains([]byte(outer), []byte(inner)) }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// lines finds the line of a position in a text.
type lines struct{ starts []int }

func newLines(text []byte) lines {
	starts := []int{0}
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return lines{starts}
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// at returns the line of offset, counted from 0.
func (l lines) at(offset int) int {
	return sort.SearchInts(l.starts, offset+1) - 1
}

// maxContext is how much of a line is looked at on either side of a match, in
// bytes.
const maxContext = 2000

// text returns the lines from one offset to another without the last newline;
// of a very long line the part around.
func (l lines) text(text []byte, from, to int) []byte {
	first, last := l.at(from), l.at(to)
	end := len(text)
	if last+1 < len(l.starts) {
		end = l.starts[last+1] - 1
	}
	return text[max(l.starts[first], from-maxContext):max(to, min(end, to+maxContext))]
}
