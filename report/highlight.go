package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A highlighter for excerpts: a dozen lines from the middle of a file, of which
// nobody knows how they begin. It knows comments, strings, numbers and a
// language's words; that is what helps to read a diff. It passes over a line
// once, so no text makes it slow. (Measured against chroma, which reads more
// languages more deeply: its registry costs 9 ms at each start of the program
// and its backtracking expressions have no bound on hostile text.)

// token is a piece of a line and what it is: one of the classes below, or "".
type token struct {
	Class string
	Text  string
}

// The classes of tokens, as the page's style sheet names them.
const (
	tokenComment = "tc"
	tokenString  = "ts"
	tokenNumber  = "tn"
	tokenKeyword = "tk"
	tokenConst   = "tv" // true, nil, this
	tokenType    = "tt"
	tokenCall    = "tf" // a name right before "("
)

// painter highlights the lines of one side of an excerpt in order; what a block
// comment or a long string leaves open goes on in the next line.
type painter struct {
	lang *language
	open string // what ends the open comment or string, "" when none is
	kind string // the class of what is open
}

// line splits one line into tokens. Their texts joined are the line.
func (p *painter) line(s string) []token {
	if p.lang == nil {
		return []token{{Text: s}}
	}
	var out tokens
	for len(s) > 0 {
		n, class := p.next(s, out.last())
		out.add(class, s[:n])
		s = s[n:]
	}
	return out
}

// next returns the length and class of the token that s starts with; before is
// the byte in front of it, 0 at the start of a line.
func (p *painter) next(s string, before byte) (int, string) {
	if p.open != "" {
		return p.untilClosed(s, 0)
	}
	for _, c := range p.lang.comments {
		if strings.HasPrefix(s, c) && !(c == "#" && isNameByte(before)) {
			return len(s), tokenComment
		}
	}
	for _, d := range p.lang.delimited {
		if strings.HasPrefix(s, d.start) && !(d.start == "'" && isNameByte(before)) {
			p.open, p.kind = d.end, d.class
			return p.untilClosed(s, len(d.start))
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r >= '0' && r <= '9' && !isNameByte(before):
		return prefix(s, func(r rune) bool { return r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }), tokenNumber
	case p.lang.isName(r):
		n := prefix(s, p.lang.isName)
		return n, p.lang.class(s[:n], s[n:])
	}
	return size, ""
}

// untilClosed returns the piece of s up to the end of what is open, looking from
// an offset on. A string of one line ends with its line.
func (p *painter) untilClosed(s string, from int) (int, string) {
	for i := from; i < len(s); i++ {
		if s[i] == '\\' && p.kind == tokenString && p.open != "`" {
			i++
			continue
		}
		if strings.HasPrefix(s[i:], p.open) {
			n := i + len(p.open)
			p.open = ""
			return n, p.kind
		}
	}
	if p.kind == tokenString && len(p.open) == 1 && p.open != "`" {
		p.open = ""
	}
	return len(s), p.kind
}

// prefix returns the length of the longest start of s of which every character
// satisfies ok.
func prefix(s string, ok func(rune) bool) int {
	for i, r := range s {
		if !ok(r) {
			return i
		}
	}
	return len(s)
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// tokens is a line in pieces; neighbours of one class are one piece.
type tokens []token

func (t *tokens) add(class, text string) {
	if n := len(*t); n > 0 && (*t)[n-1].Class == class {
		(*t)[n-1].Text += text
		return
	}
	*t = append(*t, token{class, text})
}

func (t tokens) last() byte {
	if len(t) == 0 || t[len(t)-1].Text == "" {
		return 0
	}
	text := t[len(t)-1].Text
	return text[len(text)-1]
}
