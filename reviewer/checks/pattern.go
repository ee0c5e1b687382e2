package checks

import (
	"bytes"
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: the
// program starts without the cost of those it does not need.
type pattern struct {
	expr  string
	words [][]byte
	once  sync.Once
	re    *regexp.Regexp
}

// expr returns the pattern of an expression. A broken one panics on first use.
func expr(text string) *pattern { return &pattern{expr: text} }

// with names words one of which is in everything that p matches, as written.
// Texts without them are told apart a hundred times faster.
func (p *pattern) with(words ...string) *pattern {
	for _, w := range words {
		p.words = append(p.words, []byte(w))
	}
	return p
}

// possible reports whether text has one of p's words.
func (p *pattern) possible(text []byte) bool {
	for _, w := range p.words {
		if bytes.Contains(text, w) {
			return true
		}
	}
	return len(p.words) == 0
}

func (p *pattern) compiled() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

func (p *pattern) in(text []byte) bool           { return p.possible(text) && p.compiled().Match(text) }
func (p *pattern) inString(text string) bool     { return p.compiled().MatchString(text) }
func (p *pattern) find(text []byte) []byte       { return p.compiled().Find(text) }
func (p *pattern) groups(text []byte) [][]byte   { return p.compiled().FindSubmatch(text) }
func (p *pattern) groupsOf(text string) []string { return p.compiled().FindStringSubmatch(text) }
