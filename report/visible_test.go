package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisibleShowsWhatWouldActOrHide(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain text", "Fix the queue (#12)", "Fix the queue (#12)"},
		{"other scripts", "Привет, 世界, שלום, مرحبا", "Привет, 世界, שלום, مرحبا"},
		{"an emoji with a joiner", "👩‍💻", "👩‍💻"},
		{"an ANSI escape", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"a C1 control sequence introducer", "\u009b31m", `\u009b31m`},
		{"backspace and delete", "abc\b\x7f", `abc\x08\x7f`},
		{"NUL", "a\x00b", `a\x00b`},
		{"a bidirectional override", "a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"zero width", "pass\u200bword\ufeff", `pass\u200bword\ufeff`},
		{"line and paragraph separators", "a\u2028b\u2029c", `a\u2028b\u2029c`},
		{"tag characters", "a\U000e0041", `a\U000e0041`},
		{"a byte that is no UTF-8", "a\xffb\xc3", `a\xffb\xc3`},
		{"newline and tab stay", "a\n\tb", "a\n\tb"},
		{"CRLF", "a\r\nb", "a\nb"},
		{"a lone carriage return", "good\rbad", `good\x0dbad`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := visible(tt.in); got != tt.want {
				t.Errorf("visible(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestClipCutsBetweenCharacters(t *testing.T) {
	for _, tt := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc… (1 more bytes)"},
		{"ab€", 4, "ab… (3 more bytes)"},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80… (1 more bytes)"},
		{strings.Repeat("x", 1<<20), 10, "xxxxxxxxxx… (1048566 more bytes)"},
		{"ab", 0, "… (2 more bytes)"},
	} {
		if got := clip(tt.in, tt.limit); got != tt.want && utf8.ValidString(tt.in) {
			t.Errorf("clip(%.20q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
		}
	}
}

func TestOneLineNeverBreaks(t *testing.T) {
	for _, in := range []string{"a\nb", "a\r\nb", "a\rb", "a\u2028b", "a\u0085b", "a\vb\fc", " a \t b "} {
		if got := oneLine(in); strings.ContainsAny(got, "\n\r\t\v\f\u2028\u0085") {
			t.Errorf("oneLine(%q) = %q", in, got)
		}
	}
}

func TestFileNamesThatDifferLookDifferent(t *testing.T) {
	names := []string{"a b", "a  b", "a\tb", "a\nb", "a\u00a0b", "a\u200bb", " a b", "a b "}
	seen := map[string]string{}
	for _, name := range names {
		shown := fileName(name)
		if other, ok := seen[shown]; ok {
			t.Errorf("%q and %q are both shown as %q", name, other, shown)
		}
		seen[shown] = name
	}
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"one", count(1, "change"), "1 change"},
		{"several", count(0, "change"), "0 changes"},
		{"days", count(19, "day"), "19 days"},
		{"milliseconds", span(850), "850 ms"},
		{"seconds", span(2440), "2.4 s"},
		{"minutes", span(112_000), "1 min 52 s"},
		{"hours", span(7_500_000), "2 h 5 min"},
		{"money", usd(0.0581), "0.0581"},
		{"no blockers", kinds(nil), "none"},
		{"a reviewer named after its kind", reviewerWords(ReviewerInfo{Class: "recorded", Names: []string{"recorded"}}), "recorded"},
		{"no reviewer", reviewerWords(ReviewerInfo{}), "none"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
