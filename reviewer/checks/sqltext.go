package checks

import (
	"bytes"
	"strings"
)

// statement is one SQL statement of a script: lower case, white space single,
// comments gone, what stands in quotes emptied, names without quotes.
type statement struct {
	text  string
	lines []int // the line of each byte of text, from 1
}

// at returns the line of an offset in the statement's text.
func (s statement) at(offset int) int {
	if len(s.lines) == 0 {
		return 1
	}
	return s.lines[min(offset, len(s.lines)-1)]
}

// statements splits a script. Function bodies in dollar quotes are emptied:
// what they do is done later. Only the part that leads forward is read; the way
// back, which goose, dbmate and others keep in the same file, is not.
func statements(script []byte) []statement {
	l := &lexer{in: script, number: 1}
	for l.pos < len(l.in) && !l.back {
		l.step()
	}
	l.end()
	return l.done
}

type lexer struct {
	in     []byte
	pos    int
	number int
	back   bool // the part that undoes the step has begun
	now    strings.Builder
	lines  []int
	done   []statement
}

func (l *lexer) emit(c byte) {
	if c == ' ' && (l.now.Len() == 0 || strings.HasSuffix(l.now.String()[max(0, l.now.Len()-1):], " ")) {
		return
	}
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	l.now.WriteByte(c)
	l.lines = append(l.lines, l.number)
}

func (l *lexer) end() {
	if text := strings.TrimSpace(l.now.String()); text != "" {
		l.done = append(l.done, statement{text, l.lines})
	}
	l.now.Reset()
	l.lines = nil
}

// skip moves on by n bytes and counts their newlines.
func (l *lexer) skip(n int) {
	n = min(n, len(l.in)-l.pos)
	l.number += bytes.Count(l.in[l.pos:l.pos+n], []byte("\n"))
	l.pos += n
}

func (l *lexer) step() {
	rest := l.in[l.pos:]
	switch c := rest[0]; {
	case bytes.HasPrefix(rest, []byte("--")), c == '#' && (l.pos == 0 || l.in[l.pos-1] == '\n'):
		l.lineComment(rest)
	case bytes.HasPrefix(rest, []byte("/*")):
		l.skip(until(rest, "*/"))
		l.emit(' ')
	case c == '\'':
		l.emit('\'')
		l.skip(quotedLength(rest, '\''))
		l.emit('\'')
	case c == '$' && dollarTag.in(rest):
		tag := dollarTag.find(rest)
		l.emit('\'')
		l.skip(len(tag) + until(rest[len(tag):], string(tag)))
		l.emit('\'')
	case c == '"', c == '`', c == '[' && len(rest) > 1 && isLetter(rest[1]):
		l.name(rest)
	case c == ';':
		l.skip(1)
		l.end()
	case c == ' ', c == '\t', c == '\r', c == '\n':
		l.emit(' ')
		l.skip(1)
	default:
		l.emit(c)
		l.skip(1)
	}
}

var (
	dollarTag = expr(`^\$[A-Za-z_]*\$`)
	wayBack   = expr(`(?i)^--\s*(?:\+(?:goose|migrate)\s+down|migrate:\s*down|\+?\s*down\b|rollback\s*$|//@undo|@down|undo\b)`)
)

func (l *lexer) lineComment(rest []byte) {
	text, _, _ := bytes.Cut(rest, []byte("\n"))
	l.back = wayBack.in(text)
	l.skip(len(text))
	l.emit(' ')
}

// name copies a name without its quotes.
func (l *lexer) name(rest []byte) {
	closing := rest[0]
	if closing == '[' {
		closing = ']'
	}
	n := quotedLength(rest, closing)
	for _, c := range rest[1:max(1, n-1)] {
		if c == ' ' || c == '\n' {
			c = '_'
		}
		l.emit(c)
	}
	l.skip(n)
}

// until returns the length up to and with a mark, or all when it is missing.
func until(rest []byte, mark string) int {
	if n := bytes.Index(rest, []byte(mark)); n >= 0 {
		return n + len(mark)
	}
	return len(rest)
}

// quotedLength returns the length of a quoted piece; a doubled quote is part of
// it.
func quotedLength(rest []byte, closing byte) int {
	for i := 1; i < len(rest); i++ {
		if rest[i] != closing {
			continue
		}
		if i+1 < len(rest) && rest[i+1] == closing {
			i++
			continue
		}
		return i + 1
	}
	return len(rest)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

// clause is one of the parts of a statement that commas separate.
type clause struct {
	text string
	at   int // its offset in the statement
}

// clauses splits at the commas that are outside of brackets.
func clauses(text string, from int) []clause {
	var all []clause
	depth, start := 0, from
	for i := from; i <= len(text); i++ {
		if i == len(text) || text[i] == ',' && depth == 0 {
			all = append(all, clause{strings.TrimSpace(text[start:i]), start})
			start = i + 1
			continue
		}
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return all
}
