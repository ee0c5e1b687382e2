package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what a report shows of one text, in bytes. A change or a reviewer
// can send a megabyte; a reader is helped by the first screen of it, and the
// stored run keeps the rest. Empirical: the longest honest message seen in
// reviews of public repositories was below 3 KiB.
const (
	maxMessage = 8 << 10
	maxLine    = 600 // titles, reasons, details: what stands on one line
)

// visible returns s with everything that a terminal or a browser would obey or
// hide written out: control characters and ANSI escapes (\x1b), bidirectional
// overrides (\u202e), zero-width characters, and bytes that are not UTF-8
// (\xff). Newlines and tabs stay; CRLF becomes a newline.
func visible(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if strings.IndexFunc(s, mustShow) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case !mustShow(r):
			b.WriteString(s[:size])
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

// mustShow reports whether r acts on what is around it, or cannot be seen. The
// joiners U+200C and U+200D stay as they are: several scripts and emoji need
// them. Private use characters are left to the font.
func mustShow(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == 0x200c || r == 0x200d:
		return false
	case r < 0x20 || r == 0x7f:
		return true
	case r < 0x80:
		return false
	case r == 0x2028 || r == 0x2029 || r == 0xfffe || r == 0xffff:
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags and other default-ignorable characters
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) && r != 0xfe0e && r != 0xfe0f
}

// oneLine returns s as one visible line of at most maxLine bytes: every run of
// white space is one space.
func oneLine(s string) string {
	return visible(strings.Join(strings.Fields(clip(s, maxLine)), " "))
}

// longLine returns s as one visible line of at most maxMessage bytes.
func longLine(s string) string {
	return visible(strings.Join(strings.Fields(clip(s, maxMessage)), " "))
}

// lines returns s with its lines, visible, of at most maxMessage bytes.
func lines(s string) string {
	return strings.TrimSpace(visible(clip(s, maxMessage)))
}

// fileName returns a file name as one visible line. Unlike oneLine it keeps every
// space: two names that differ are never shown as the same one.
func fileName(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(visible(clip(s, maxPath)))
}

// clip cuts s to at most limit bytes, between characters, and says how much it
// left out.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > limit-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d more bytes)", s[:cut], len(s)-cut)
}
