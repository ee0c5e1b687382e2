package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

// patchOf makes a patch of one file with one hunk from its lines.
func patchOf(t testing.TB, path string, start int, section string, lines ...string) *diff.Patch {
	t.Helper()
	olds, news := 0, 0
	for _, l := range lines {
		if l[0] != '+' {
			olds++
		}
		if l[0] != '-' {
			news++
		}
	}
	text := fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -%[2]d,%[3]d +%[2]d,%[4]d @@%[5]s\n%[6]s\n", path, start, olds, news, section, strings.Join(lines, "\n"))
	p, err := diff.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// draw writes an excerpt as its lines, the marked ones with a star.
func draw(x *Excerpt) string {
	if x == nil {
		return "none"
	}
	var b strings.Builder
	b.WriteString(x.Header + "\n")
	for _, l := range x.Lines {
		star := ""
		if l.Mark {
			star = "*"
		}
		fmt.Fprintf(&b, "%d %d %s%s%s\n", l.Old, l.New, star, l.Op, l.Text)
	}
	return b.String()
}

func numbered(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("+line %d", i+1)
	}
	return lines
}

func TestExcerptsStandAroundTheirLines(t *testing.T) {
	small := []string{" a", "-b", "+B", "+C", " d"}
	for _, tt := range []struct {
		name      string
		lines     []string
		line, end int
		want      string
	}{
		{"an added line, with removed ones around it", small, 11, 0, "@@ -10,3 +10,4 @@ func f()\n10 10  a\n11 0 -b\n0 11 *+B\n0 12 +C\n12 13  d\n"},
		{"a range", small, 11, 12, "@@ -10,3 +10,4 @@ func f()\n10 10  a\n11 0 -b\n0 11 *+B\n0 12 *+C\n12 13  d\n"},
		{"a line of context", small, 13, 0, "@@ -10,3 +10,4 @@ func f()\n10 10  a\n11 0 -b\n0 11 +B\n0 12 +C\n12 13 * d\n"},
		{"an end before the line counts as the line", small, 11, 3, "@@ -10,3 +10,4 @@ func f()\n10 10  a\n11 0 -b\n0 11 *+B\n0 12 +C\n12 13  d\n"},
		{"a line before the hunk", small, 9, 0, "none"},
		{"a line after the hunk", small, 14, 0, "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			patch := patchOf(t, "a.go", 10, " func f()", tt.lines...)
			got := Excerpts(patch, []finding.Finding{{File: "a.go", Line: tt.line, EndLine: tt.end}})
			if diff := cmp.Diff(tt.want, draw(got[0].Excerpt)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExcerptsShowSixLinesOnEachSide(t *testing.T) {
	patch := patchOf(t, "a.go", 1, "", numbered(100)...)
	got := Excerpts(patch, []finding.Finding{{File: "a.go", Line: 50}, {File: "a.go", Line: 50, EndLine: 52}, {File: "a.go", Line: 20, EndLine: 90}})
	for i, want := range []struct{ first, last, lines int }{{44, 56, 13}, {44, 58, 15}, {14, 61, excerptLines}} {
		lines := got[i].Excerpt.Lines
		if lines[0].New != want.first || lines[len(lines)-1].New != want.last || len(lines) != want.lines {
			t.Errorf("finding %d: lines %d to %d, %d of them, want %v", i, lines[0].New, lines[len(lines)-1].New, len(lines), want)
		}
	}
}

func TestExcerptsKeepTheOrderOfTheFindings(t *testing.T) {
	patch := patchOf(t, "a.go", 1, "", numbered(40)...)
	findings := []finding.Finding{{File: "a.go", Line: 30}, {File: "b.go", Line: 1}, {File: "a.go", Line: 2}, {File: "a.go", Line: 30}}
	got := Excerpts(patch, findings)
	for i, f := range got {
		if f.Finding != findings[i] {
			t.Errorf("finding %d is %+v, want %+v", i, f.Finding, findings[i])
		}
	}
	if got[1].Excerpt != nil || got[0].Excerpt == nil || got[2].Excerpt == nil || got[3].Excerpt == nil {
		t.Error("an excerpt is missing, or there is one on a file that the patch does not touch")
	}
}

func TestExcerptsAreBounded(t *testing.T) {
	patch := patchOf(t, "a.js", 1, "", "+"+strings.Repeat("x", 1<<20), "+short")
	got := Excerpts(patch, []finding.Finding{{File: "a.js", Line: 1}})
	if n := len(got[0].Excerpt.Lines[0].Text); n > excerptWidth+40 {
		t.Errorf("a line of %d bytes in an excerpt", n)
	}
	if Excerpts(nil, []finding.Finding{{File: "a"}})[0].Excerpt != nil {
		t.Error("an excerpt without a patch")
	}
	if got := Excerpts(patch, nil); got == nil || len(got) != 0 {
		t.Errorf("Excerpts of no findings = %v, want an empty list", got)
	}
}

func TestExcerptsMaskSecrets(t *testing.T) {
	lines := []string{
		`+const TOKEN = "stg_9f27c1d0e8b34a56";`, `+password: hunter2hunter`, `+db := 'postgres://app:s3cret@db/jobs'`, "+API_KEY=abc123", `+const limit = 100`,
		"+MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj", "+see internal/translation/glossary/versions.go", `-const OLD = "9f27c1d0e8b34a5600112233"`,
	}
	want := []string{
		`const TOKEN = "stg_…";`, `password: hun…`, `db := 'post…'`, "API_KEY=a…", `const limit = 100`,
		"MIIE…", "see internal/translation/glossary/versions.go", `const OLD = "9f27…"`,
	}
	findings := []finding.Finding{{File: "a", Line: 1, EndLine: 5, Category: finding.SecretInCode}, {File: "a", Line: 4, Category: finding.Style}}
	for i, f := range Excerpts(patchOf(t, "a", 1, "", lines...), findings) {
		var got []string
		for _, l := range f.Excerpt.Lines {
			got = append(got, l.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("finding %d (-want +got):\n%s", i, diff)
		}
	}
}

func TestExcerptsOfOtherFindingsMaskNothing(t *testing.T) {
	patch := patchOf(t, "a", 1, "", `+const id = "9f27c1d0e8b34a5600112233"`)
	got := Excerpts(patch, []finding.Finding{{File: "a", Line: 1, Category: finding.Style}})
	if text := got[0].Excerpt.Lines[0].Text; !strings.Contains(text, "9f27c1d0e8b34a5600112233") {
		t.Errorf("an ordinary line is masked: %s", text)
	}
}

func TestHighlightKeepsEveryCharacter(t *testing.T) {
	for _, tt := range []struct{ name, file, in, want string }{
		{"Go", "a.go", `	return nil, fmt.Errorf("x: %w", err) // why`, `	[tk:return] [tv:nil], fmt.[tf:Errorf]([ts:"x: %w"], err) [tc:// why]`},
		{"an escaped quote", "a.go", `s := "a\"b" + 'c'`, `s := [ts:"a\"b"] + [ts:'c']`},
		{"a string that is not closed ends with its line", "a.ts", `const a = "x`, `[tk:const] a = [ts:"x]`},
		{"SQL in any case", "m.sql", `select ID FROM jobs -- all`, `[tk:select] ID [tk:FROM] jobs [tc:-- all]`},
		{"numbers", "a.py", `x1 = 0x1F + 3.14 # pi`, `x1 = [tn:0x1F] + [tn:3.14] [tc:# pi]`},
		{"an apostrophe inside a word", "a.yaml", `note: don't # stop`, `note: don't [tc:# stop]`},
		{"a hash inside a word", "a.sh", `echo a#b`, `echo a#b`},
		{"an unknown language", "a.xyz", `func "x"`, `func "x"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := painter{lang: languageOf(tt.file)}
			var got strings.Builder
			for _, tok := range p.line(tt.in) {
				if tok.Class == "" {
					got.WriteString(tok.Text)
				} else {
					got.WriteString("[" + tok.Class + ":" + tok.Text + "]")
				}
			}
			if got.String() != tt.want {
				t.Errorf("%s: got %s\nwant %s", tt.in, got.String(), tt.want)
			}
		})
	}
}

func TestHighlightCarriesOpenCommentsAndStringsOn(t *testing.T) {
	p := painter{lang: languageOf("a.go")}
	p.line("x /* a")
	if got := p.line("b */ y"); got[0].Class != tokenComment || got[0].Text != "b */" {
		t.Errorf("second line of a comment: %v", got)
	}
	p.line("s := `a")
	if got := p.line("b` + c"); got[0].Class != tokenString || got[0].Text != "b`" {
		t.Errorf("second line of a raw string: %v", got)
	}
}

func FuzzHighlight(f *testing.F) {
	f.Add("a.go", "x /* \" ` ' // \\")
	f.Add("a.py", `"""a''' # \`)
	f.Fuzz(func(t *testing.T, file, text string) {
		p := painter{lang: languageOf(file)}
		for range 2 {
			var got strings.Builder
			for _, tok := range p.line(text) {
				got.WriteString(tok.Text)
			}
			if got.String() != text {
				t.Fatalf("tokens of %q joined are %q", text, got.String())
			}
		}
	})
}
