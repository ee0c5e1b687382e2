package reviewer

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"ordinary text stays", "func f() {\n\treturn \"é 漢 🙂\"\r\n}\n", "func f() {\n\treturn \"é 漢 🙂\"\r\n}\n"},
		{"bidirectional override", "a\u202eb\u2066c\u2069", "a<U+202E>b<U+2066>c<U+2069>"},
		{"zero width and soft hyphen", "pay\u200bload\u00ad\ufeff", "pay<U+200B>load<U+00AD><U+FEFF>"},
		{"tags that spell words", "x\U000E0061\U000E0062", "x<U+E0061><U+E0062>"},
		{"variation selectors that carry data", "x\ufe00\U000E0101", "x<U+FE00><U+E0101>"},
		{"the selector of a colourful emoji stays", "❤\ufe0f", "❤\ufe0f"},
		{"letters drawn as nothing", "x\u3164\u115f", "x<U+3164><U+115F>"},
		{"terminal control", "\x1b[2K\x07\x00\x7f\u009b", "<U+001B>[2K<U+0007><U+0000><U+007F><U+009B>"},
		{"a carriage return alone", "evil\rgood\r\n", "evil<U+000D>good\r\n"},
		{"separators that are no newline", "a\u2028b\u2029c\x0bd", "a<U+2028>b<U+2029>c<U+000B>d"},
		{"bytes that are not UTF-8", "a\xffb\xc3", "a<0xFF>b<0xC3>"},
		{"the replacement character itself", "a\ufffd", "a\ufffd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Visible(tt.text); got != tt.want {
				t.Errorf("Visible(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\u202eb\xff\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := Visible(text)
		if !utf8.ValidString(got) || Visible(got) != got {
			t.Errorf("Visible(%q) = %q, which is not visible", text, got)
		}
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("Visible(%q) = %q has other lines", text, got)
		}
	})
}

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		most       int
		want       string
	}{
		{"lines become one", " panic:\n\tboom\r\n", 99, "panic: boom"},
		{"a long text is cut between characters", "ééé", 3, "é…"},
		{"control characters are shown", "\x1b[31mred", 99, "<U+001B>[31mred"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.text, tt.most); got != tt.want {
				t.Errorf("Line(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
			}
		})
	}
}
