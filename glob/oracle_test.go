package glob

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"
)

// oracle says the same in the simplest way: braces by cutting the first innermost
// pair, the rest as a regular expression.
func oracle(pattern, path string) bool {
	if end := strings.IndexByte(pattern, '}'); end >= 0 {
		begin := strings.LastIndexByte(pattern[:end], '{')
		for choice := range strings.SplitSeq(pattern[begin+1:end], ",") {
			if oracle(pattern[:begin]+choice+pattern[end+1:], path) {
				return true
			}
		}
		return false
	}
	var re strings.Builder
	re.WriteString(`^(?s:`)
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		if !last && len(part) >= 2 && strings.Trim(part, "*") == "" {
			re.WriteString(`(?:[^/]*/)*`)
			continue
		}
		open := last && strings.HasSuffix(part, "**")
		for _, c := range part {
			switch c {
			case '*':
				re.WriteString(`[^/]*`)
			case '?':
				re.WriteString(`[^/]`)
			default:
				re.WriteString(regexp.QuoteMeta(string(c)))
			}
		}
		if open {
			re.WriteString(`.*`)
		}
		if !last {
			re.WriteString(`/`)
		}
	}
	re.WriteString(`)$`)
	return regexp.MustCompile(re.String()).MatchString(path)
}

var (
	words    = rapid.SampledFrom([]string{"a", "b", "ab", "ba", "é", "[a]", ".", "a.ts", "b.go", ""})
	atoms    = rapid.SampledFrom([]string{"a", "b", "é", "*", "?", "**", "**/", "/", ".ts", "[", "{a,b}", "{a/,}", "{**/,b*}", "{a,{b,?}}"})
	paths    = rapid.Map(rapid.SliceOfN(words, 1, 6), func(w []string) string { return strings.Join(w, "/") })
	patterns = rapid.Map(rapid.SliceOfN(atoms, 0, 8), func(a []string) string { return strings.Join(a, "") })
)

func TestMatchSaysWhatARegularExpressionSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern, path := patterns.Draw(t, "pattern"), paths.Draw(t, "path")
		got, err := Match(pattern, path)
		if want := oracle(pattern, path); err != nil || got != want {
			t.Fatalf("Match(%q, %q) = %v, %v, want %v", pattern, path, got, err, want)
		}
	})
}

func TestSetSaysWhatEachPatternSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Pattern
		for _, text := range rapid.SliceOfN(patterns, 0, 20).Draw(t, "patterns") {
			p, err := Compile(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
		m := NewSet(all...).Matcher()
		for _, path := range rapid.SliceOfN(paths, 1, 20).Draw(t, "paths") {
			next := m.Match(path)
			for id, p := range all {
				got := len(next) > 0 && next[0] == id
				if got {
					next = next[1:]
				}
				if want := p.Match(path); got != want {
					t.Fatalf("pattern %q and path %q: set %v, pattern %v", p, path, got, want)
				}
			}
		}
	})
}

// TestMatchAgreesWithDoublestar keeps to what both languages have: no class, no
// escape, no trailing **, no empty part.
func TestMatchAgreesWithDoublestar(t *testing.T) {
	shared := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "*", "?", "*.ts", "{a,b}", "**", "a*b", "{a,b{a,b}}"}), 1, 6), func(p []string) string {
		return strings.Join(append(p, "*a"), "/")
	})
	names := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "aab", "x.ts", "ba", "bb"}), 1, 6), func(w []string) string { return strings.Join(w, "/") })
	rapid.Check(t, func(t *rapid.T) {
		pattern, path := shared.Draw(t, "pattern"), names.Draw(t, "path")
		got, err := Match(pattern, path)
		if want, peerErr := doublestar.Match(pattern, path); err != nil || peerErr != nil || got != want {
			t.Fatalf("Match(%q, %q) = %v, %v, doublestar %v, %v", pattern, path, got, err, want, peerErr)
		}
	})
}

func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{{"**/*.{ts,tsx}", "web/src/api.ts"}, {"*a*a*a*a*b", "aaaaaaaaaaaa"}, {"**/a/**/a/**/b", "a/a/a/a/a"}, {"{a,{b,c}}**", "b/c"}, {"?/?", "é/é"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		p, err := Compile(pattern)
		if err != nil {
			return
		}
		got := p.Match(path)
		if inSet := len(NewSet(p).Matcher().Match(path)) == 1; inSet != got {
			t.Errorf("pattern %q and path %q: set %v, pattern %v", pattern, path, inSet, got)
		}
		if !utf8.ValidString(pattern) || !utf8.ValidString(path) || strings.Count(pattern, "{") > 4 || strings.Count(pattern, ",") > 8 || len(pattern) > 200 {
			return
		}
		if want := oracle(pattern, path); got != want {
			t.Errorf("Match(%q, %q) = %v, want %v", pattern, path, got, want)
		}
	})
}
