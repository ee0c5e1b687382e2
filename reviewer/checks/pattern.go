package checks

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: the
// program starts without the cost of those it does not need.
type pattern struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// expr returns the pattern of an expression. A broken one panics on first use.
func expr(text string) *pattern { return &pattern{expr: text} }

func (p *pattern) compiled() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

func (p *pattern) in(text []byte) bool           { return p.compiled().Match(text) }
func (p *pattern) inString(text string) bool     { return p.compiled().MatchString(text) }
func (p *pattern) find(text []byte) []byte       { return p.compiled().Find(text) }
func (p *pattern) groups(text []byte) [][]byte   { return p.compiled().FindSubmatch(text) }
func (p *pattern) groupsOf(text string) []string { return p.compiled().FindStringSubmatch(text) }
