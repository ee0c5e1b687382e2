package glob

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name, pattern, path string
		want                bool
	}{
		{"* stays within one part", "*.json", "CHANGELOG.json", true},
		{"* does not cross a slash", "*.json", "web/tsconfig.json", false},
		{"* may match nothing", "a*b", "ab", true},
		{"* matches a leading dot", "*", ".gitignore", true},
		{"* matches a whole part", "web/*/api.ts", "web/src/api.ts", true},
		{"* must match a part", "web/*/api.ts", "web/api.ts", false},
		{"several stars", "*a*b*", "xaybz", true},
		{"several stars in the wrong order", "*a*b*", "xbyaz", false},
		{"? is one character", "?.go", "a.go", true},
		{"? is one character of more bytes", "?.go", "ä.go", true},
		{"? is not none", "?.go", ".go", false},
		{"? is not two", "?.go", "ab.go", false},
		{"? is not a slash", "a?b", "a/b", false},
		{"**/ is no folder", "**/*.ts", "api.ts", true},
		{"**/ is one folder", "**/*.ts", "src/api.ts", true},
		{"**/ is many folders", "**/*.ts", "web/src/api.ts", true},
		{"**/ in the middle is none", "src/**/c.go", "src/c.go", true},
		{"**/ in the middle is many", "src/**/c.go", "src/a/b/c.go", true},
		{"**/ is whole folders only", "src/**/c.go", "src/a/bc.go", false},
		{"**/ then *", "src/**/*", "src/c.go", true},
		{"**/ elsewhere", "src/**/*", "web/x", false},
		{"src/**/* is not src", "src/**/*", "src", false},
		{"several **/", "**/a/**/b", "x/a/y/z/b", true},
		{"several **/ that meet", "**/a/**/b", "a/b", true},
		{"several **/ in the wrong order", "**/a/**/b", "b/a", false},
		{"**/ twice is once", "**/**/x", "x", true},
		{"**/ must try later folders", "**/a/b", "a/a/b", true},
		{"trailing ** is anything", "src/**", "src/a/b.go", true},
		{"trailing ** is not the folder itself", "src/**", "src", false},
		{"trailing ** behind a name", "src/api**", "src/api_test/x.go", true},
		{"trailing ** behind a name, within a part", "src/api**", "src/api.go", true},
		{"trailing ** behind a name, no more", "src/api**", "src/api", true},
		{"trailing ** behind another name", "src/api**", "src/ap/x.go", false},
		{"** alone", "**", "a/b/c", true},
		{"** within a part is one star", "a**b", "axxb", true},
		{"** within a part does not cross a slash", "a**b", "ax/xb", false},
		{"**/ behind a name is one star", "a**/b", "axx/b", true},
		{"**/ behind a name is one folder", "a**/b", "ax/y/b", false},
		{"braces", "web/**/*.{ts,tsx}", "web/src/App.tsx", true},
		{"braces, the other", "web/**/*.{ts,tsx}", "web/api.ts", true},
		{"braces, neither", "web/**/*.{ts,tsx}", "web/api.js", false},
		{"nested braces", "{a,b{c,d{e,f}}}.go", "bdf.go", true},
		{"nested braces, not the outer alone", "{a,b{c,d}}.go", "b.go", false},
		{"braces with a slash", "{src,lib/x}/*.go", "lib/x/a.go", true},
		{"braces with an empty choice", "api{,_test}.go", "api.go", true},
		{"braces with one choice", "{api}.go", "api.go", true},
		{"a comma outside of braces", "a,b{c,d}", "a,bd", true},
		{"the whole path must match", "src", "src/a.go", false},
		{"the whole path must match from its start", "a.go", "src/a.go", false},
		{"case counts", "*.MD", "a.md", false},
		{"[ is a character", "app/[id]/page.tsx", "app/[id]/page.tsx", true},
		{"[ is no class", "app/[id]/page.tsx", "app/i/page.tsx", false},
		{"\\ is a character", `a\*`, `a\b`, true},
		{"a pattern with a leading slash matches no relative path", "/src", "src", false},
		{"a dot is a dot", "a.go", "axgo", false},
		{"spaces", "my dir/*", "my dir/a b", true},
		{"the empty pattern", "", "a", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Match(tt.pattern, tt.path)
			if err != nil || got != tt.want {
				t.Errorf("Match(%q, %q) = %v, %v, want %v", tt.pattern, tt.path, got, err, tt.want)
			}
			p, err := Compile(tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if inSet := len(NewSet(p).Matcher().Match(tt.path)) == 1; inSet != tt.want {
				t.Errorf("a set of %q matches %q: %v, want %v", tt.pattern, tt.path, inSet, tt.want)
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, pattern string
		pos           int
		says          string
	}{
		{"a brace that is not closed", "src/{a,b", 4, "no } closes"},
		{"a nested brace that is not closed", "{a,{b}", 0, "no } closes"},
		{"a brace that is not opened", "src/a}b", 5, "no { opens"},
		{"braces that expand too far", strings.Repeat("{a,b}", 11), 0, "more than 1024 patterns"},
		{"braces that expand beyond all numbers", strings.Repeat("{a,b,c,d}", 400), 0, "more than 1024 patterns"},
		{"braces that expand to too much text", strings.Repeat("x", 3000) + strings.Repeat("{a,b}", 10), 0, "more than 262144 bytes"},
		{"a pattern that is too long", strings.Repeat("x", 4097), 4096, "longer than 4096 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Compile(tt.pattern)
			var bad *Error
			if !errors.As(err, &bad) || bad.Pos != tt.pos || !strings.Contains(bad.Msg, tt.says) {
				t.Errorf("Compile = %v, want position %d and %q", err, tt.pos, tt.says)
			}
		})
	}
}

func TestCompileAcceptsTheLargestPatterns(t *testing.T) {
	for _, pattern := range []string{strings.Repeat("{a,b}", 10), strings.Repeat("x", 4096), strings.Repeat("{", 2048) + strings.Repeat("}", 2048)} {
		if _, err := Compile(pattern); err != nil {
			t.Errorf("Compile(%.20q…) = %v", pattern, err)
		}
	}
}

func TestErrorNamesPatternAndPlace(t *testing.T) {
	_, err := Compile("src/{a")
	if want := `pattern "src/{a": a { that no } closes at character 5`; err == nil || err.Error() != want {
		t.Errorf("Compile = %v, want %s", err, want)
	}
	_, err = Compile(strings.Repeat("x", 5000))
	if len(err.Error()) > 300 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

func TestMatchOfABadPatternIsFalseAndAnError(t *testing.T) {
	if ok, err := Match("{", "{"); ok || err == nil {
		t.Errorf("Match = %v, %v, want false and an error", ok, err)
	}
	if (Pattern{}).Match("") {
		t.Error("the zero Pattern matches")
	}
}

func TestSetTellsWhichPatternsMatch(t *testing.T) {
	var patterns []Pattern
	for _, text := range []string{"**/*.ts", "web/**", "*.go", "web/src/{api,app}.ts", "**", "proto/*.proto", "w?b/**/*.ts", "web/s**"} {
		p, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, p)
	}
	m := NewSet(patterns...).Matcher()
	for _, tt := range []struct {
		path string
		want []int
	}{
		{"web/src/api.ts", []int{0, 1, 3, 4, 6, 7}},
		{"main.go", []int{2, 4}},
		{"proto/jobs.proto", []int{4, 5}},
		{"web/src/api.ts", []int{0, 1, 3, 4, 6, 7}},
		{"web/x", []int{1, 4}},
		{"web", []int{4}},
		{"", []int{4}},
		{"/web/x", []int{4}},
	} {
		if d := cmp.Diff(tt.want, m.Match(tt.path)); d != "" {
			t.Errorf("Match(%q) (-want +got):\n%s", tt.path, d)
		}
	}
}
