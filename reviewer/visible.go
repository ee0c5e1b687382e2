package reviewer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns text with every character that a reader would not see, or
// that would show the text in another order or move a terminal's cursor,
// written out as <U+XXXX>, and every byte that is not UTF-8 as <0xXX>. Tabs,
// newlines and the carriage return before a newline stay.
func Visible(text string) string {
	first := strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError || hidden(r) })
	if first < 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + 64)
	out.WriteString(text[:first])
	for i := first; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, "<0x%02X>", text[i])
		case r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			out.WriteByte('\r')
		case hidden(r):
			fmt.Fprintf(&out, "<U+%04X>", r)
		default:
			out.WriteString(text[i : i+size])
		}
		i += size
	}
	return out.String()
}

// hidden reports whether r is a control, a format character (bidirectional
// marks, zero-width, tags), a separator of lines that is no newline, a variation
// selector other than the one that makes an emoji colourful, or a letter that
// is drawn as nothing.
func hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r != '\n' && r != '\t' && (r < ' ' || r == 0x7f)
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Variation_Selector):
		return r != '\ufe0f'
	}
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0: // Default_Ignorable_Code_Point of DerivedCoreProperties.txt that no class above holds
		return true
	}
	return false
}

// Line returns text on one line, visible and cut after most bytes: the form in
// which the words of a program stand in an error.
func Line(text string, most int) string {
	text = Visible(strings.Join(strings.Fields(text), " "))
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
