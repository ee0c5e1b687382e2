package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown is read by GitHub, GitLab, Gitea and editors, each with extensions
// of its own: tables, strikethrough, autolinks, math, @mentions, references such
// as #12 and !12, slash commands. Text from a change or a reviewer is data for
// all of them. Mentions and references are found after rendering, so a
// backslash does not stop them: a zero-width space does.
const zeroWidthSpace = "&#8203;"

// markdownText returns s as one line of Markdown that renders as the plain
// characters of s: it starts no heading, list, quote, code, emphasis, link,
// image, HTML, table cell, mention or reference.
func markdownText(s string) string { return escapeMarkdown(oneLine(s)) }

// markdownMessage is markdownText for a text that may be longer than a line.
func markdownMessage(s string) string { return escapeMarkdown(longLine(s)) }

// markdownQuote returns s as a quotation that keeps its lines.
func markdownQuote(s string) string {
	var b strings.Builder
	for l := range strings.SplitSeq(lines(s), "\n") {
		b.WriteString(strings.TrimRight("> "+escapeMarkdown(strings.TrimSpace(strings.ReplaceAll(l, "\t", " "))), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// markdownCode returns s as a code span, for file names: longer fences than any
// run of backticks in s, and no line break.
func markdownCode(s string) string {
	s = fileName(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if s == "" || s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// markdownFence returns lines as a block of code. Its fence is longer than any
// run of backticks in them, so none of them can end it.
func markdownFence(lines []string) string {
	text, fence := strings.Join(lines, "\n"), "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + "\n" + fence + "\n"
}

// references writes the backslash escapes of Markdown as character references.
func references(s string) string {
	var b strings.Builder
	for rest, escaped := s, false; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case escaped:
			fmt.Fprintf(&b, "&#%d;", r)
			escaped = false
		case r == '\\':
			escaped = true
		default:
			b.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return b.String()
}

func escapeMarkdown(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	e := escaper{runes: []rune(s)}
	list := true // only digits, or nothing, so far: "1." starts a list
	for i, r := range e.runes {
		e.i = i
		b.WriteString(e.escape(r, list))
		list = list && isDigit(r)
	}
	return b.String()
}

// escaper looks around one character of a line.
type escaper struct {
	runes []rune
	i     int
}

// escape returns the Markdown of the character r at e.i.
func (e escaper) escape(r rune, list bool) string {
	plain, first, next := string(r), e.i == 0, e.at(1)
	switch r {
	case '\\', '`', '*', '[', ']', '|', '~', '$':
		return `\` + plain
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '&':
		return choose(e.entity(), "&amp;", plain)
	case '_':
		return choose(isWord(e.at(-1)) && isWord(next), plain, `\_`)
	case '@', '!', '%':
		return plain + choose(isWord(next), zeroWidthSpace, "")
	case '#': // a heading, the end of a heading, a reference
		return choose(first || !isWord(next), `\#`, plain) + choose(isWord(next), zeroWidthSpace, "")
	case ':':
		return choose(next == '/' && e.follows("http", "https", "ftp"), `\:`, plain)
	case '.', ')':
		return choose(list || e.follows("www"), `\`+plain, plain)
	case '-':
		return choose(first, `\-`, plain) + choose(isDigit(next) && e.follows("gh"), zeroWidthSpace, "")
	case '+', '=', '/': // a list, the underline of a heading, a slash command
		return choose(first, `\`+plain, plain)
	}
	return plain
}

// at returns the character at a distance from the current one, 0 outside.
func (e escaper) at(distance int) rune {
	if j := e.i + distance; j >= 0 && j < len(e.runes) {
		return e.runes[j]
	}
	return 0
}

// entity reports whether the current & starts a character reference: &lt; or &#60;
func (e escaper) entity() bool {
	for _, r := range e.runes[e.i+1 : min(e.i+40, len(e.runes))] {
		if r != '#' && !isWord(r) {
			return r == ';'
		}
	}
	return false
}

// follows reports whether the current character stands right behind one of
// words, in any case.
func (e escaper) follows(words ...string) bool {
	tail := strings.ToLower(string(e.runes[max(0, e.i-5):e.i]))
	for _, w := range words {
		if strings.HasSuffix(tail, w) {
			return true
		}
	}
	return false
}

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isWord(r rune) bool  { return unicode.IsLetter(r) || unicode.IsDigit(r) }
