package rules

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/reviewgate/reviewgate/glob"
)

func TestForSelects(t *testing.T) {
	all := []Rule{
		{Name: "ts", Paths: []string{"**/*.ts"}},
		{Name: "always"},
		{Name: "two", Paths: []string{"proto/**", "web/**"}},
		{Name: "also"},
		{Name: "go", Paths: []string{"*.go"}},
	}
	for _, tt := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"unconditional rules first, each group in load order", []string{"web/api.ts", "main.go"}, []string{"always", "also", "ts", "two", "go"}},
		{"a rule once, however many patterns and files match", []string{"web/a.ts", "web/b.ts", "proto/x"}, []string{"always", "also", "ts", "two"}},
		{"any pattern and any file is enough", []string{"README", "proto/x"}, []string{"always", "also", "two"}},
		{"nothing matches", []string{"README"}, []string{"always", "also"}},
		{"no files", nil, []string{"always", "also"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, names(For(all, tt.files))); d != "" {
				t.Errorf("For (-want +got):\n%s", d)
			}
		})
	}
}

func TestForLosesNoRuleOverABadPattern(t *testing.T) {
	got := For([]Rule{{Name: "bad", Paths: []string{"{a"}}}, []string{"x"})
	if d := cmp.Diff([]string{"bad"}, names(got)); d != "" {
		t.Errorf("For (-want +got):\n%s", d)
	}
}

func TestForTakesTheNearestFileOfAName(t *testing.T) {
	all := []Rule{
		{Name: "root", Source: "AGENTS.md", Nearest: true},
		{Name: "web", Source: "web/AGENTS.md", Paths: []string{"web/**"}, Nearest: true},
		{Name: "src", Source: "web/src/AGENTS.md", Paths: []string{"web/src/**"}, Nearest: true},
		{Name: "claude", Source: "CLAUDE.md", Nearest: true},
	}
	for _, tt := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"in the root", []string{"main.go"}, []string{"root", "claude"}},
		{"in a folder that has one", []string{"web/index.ts"}, []string{"claude", "web"}},
		{"below a folder that has one", []string{"web/test/x/y.ts"}, []string{"claude", "web"}},
		{"below a nearer one", []string{"web/src/x.ts"}, []string{"claude", "src"}},
		{"files in several", []string{"web/src/x.ts", "main.go"}, []string{"root", "claude", "src"}},
		{"a folder that only begins like it", []string{"website/x"}, []string{"root", "claude"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, names(For(all, tt.files))); d != "" {
				t.Errorf("For (-want +got):\n%s", d)
			}
		})
	}
}

func TestForSaysWhatEachPatternSays(t *testing.T) {
	pattern := rapid.SampledFrom([]string{"**/*.ts", "web/**", "*.go", "{a,web}/*", "**", "a/?.ts", "x"})
	file := rapid.SampledFrom([]string{"a/b.ts", "web/x", "main.go", "x", "a/b/c.ts", "web/y/z.go"})
	rapid.Check(t, func(t *rapid.T) {
		var all []Rule
		for range rapid.IntRange(0, 6).Draw(t, "rules") {
			all = append(all, Rule{Name: string(rune('a' + len(all))), Paths: rapid.SliceOfN(pattern, 0, 3).Draw(t, "paths")})
		}
		files := rapid.SliceOfN(file, 0, 4).Draw(t, "files")
		var always, scoped []Rule
		for _, r := range all {
			hit := slices.ContainsFunc(r.Paths, func(p string) bool {
				return slices.ContainsFunc(files, func(f string) bool {
					ok, err := glob.Match(p, f)
					return ok && err == nil
				})
			})
			switch {
			case len(r.Paths) == 0:
				always = append(always, r)
			case hit:
				scoped = append(scoped, r)
			}
		}
		if d := cmp.Diff(names(append(always, scoped...)), names(For(all, files))); d != "" {
			t.Fatalf("For (-want +got):\n%s", d)
		}
	})
}
