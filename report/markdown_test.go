package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

func markdownOf(t testing.TB, run Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := Markdown(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// specified is a run that shows every part of the report that stage 08 names.
func specified() Run {
	return Run{
		Repo: "go-ts-mini",
		Entries: []Entry{{
			ID: "pr-01", Title: "Add the client", Verdict: policy.Block, Reason: "block: verify-failed: go test", Review: Reviewed, CostUSD: 0.0581, Turns: 7,
			Verify: Verify{Status: VerifyFail}, VerifyNote: "the verify gate failed (go test)", Summary: "All tests pass.",
			Blockers: []blocker.Blocker{{Kind: blocker.VerifyFailed, Weight: 90, Detail: "go test"}, {Kind: blocker.UnreviewedAge, Weight: 30, Detail: "19 days"}},
			Findings: []Finding{{Finding: finding.Finding{File: "web/src/api.ts", Line: 3, Severity: finding.Blocker, Category: finding.SecretInCode, Message: "A token in the code.", Confidence: 0.97}}},
		}},
		Ranking: []blocker.Ranked{{ID: "pr-01", Score: 120, Kinds: []blocker.Kind{blocker.VerifyFailed, blocker.UnreviewedAge}}},
		Metrics: &eval.Report{Overall: eval.Score{Precision: 0.6875, Recall: 11.0 / 12}, BlockerRecall: 1, Trusted: true},
	}
}

func TestMarkdownHoldsWhatStage08Names(t *testing.T) {
	got := markdownOf(t, specified())
	for _, tt := range []struct{ name, want string }{
		{"the table's header", "| pr | verdict | reason | verify | blockers | findings | cost_usd | turns |\n"},
		{"a row per change", "| pr-01 | block | block: verify-failed: go test | fail | verify-failed, unreviewed-age | 1 | 0.0581 | 7 |\n"},
		{"the ranking with its note, then its table", "## Blocker ranking\n\n" + RankingNote + "\n\n| pr | score | blockers |\n| --- | --- | --- |\n| pr-01 | 120 | verify-failed, unreviewed-age |\n"},
		{"the note says that the ranking covers repository signals only", "repository signals only"},
		{"the metrics when labels are given", "\n## Metrics against the labels\n"},
		{"overall precision and recall", "| overall | 0.69 | 0.92 |"},
		{"a section per change with its title", "\n## pr-01: Add the client\n"},
		{"the verdict", "\nVerdict: **block**\n"},
		{"the verify status", "\nVerify: fail\n"},
		{"the reason, with a full stop", "\nReason: block: verify-failed: go test.\n"},
		{"the blockers, heaviest first", "- **verify-failed** (90): go test\n- **unreviewed-age** (30): 19 days\n"},
		{"a finding as `file:line`", "- `web/src/api.ts:3` **blocker** secret-in-code: A token in the code."},
		{"the verify-gate note next to the summary", "> All tests pass.\n\n**Verify gate:** the verify gate failed (go test)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(got, tt.want) {
				t.Errorf("REPORT.md lacks %q:\n%s", tt.want, got)
			}
		})
	}
}

func TestMarkdownLeavesOutWhatIsNotThere(t *testing.T) {
	run := specified()
	run.Metrics = nil
	run.Entries[0].Blockers, run.Entries[0].Findings = nil, nil
	got := markdownOf(t, run)
	if strings.Contains(got, "## Metrics") {
		t.Error("metrics without labels")
	}
	for _, want := range []string{"\nBlockers: none\n", "\nFindings: none\n", "| fail | none | 0 |"} {
		if !strings.Contains(got, want) {
			t.Errorf("REPORT.md lacks %q", want)
		}
	}
	run.Entries[0].Review = ReviewFailed
	if got := markdownOf(t, run); !strings.Contains(got, "Findings: none, because the change was not reviewed") {
		t.Error("a failed review looks like a review without findings")
	}
}

func TestMarkdownTextRendersAsItsCharacters(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"ordinary words stay readable", "Fix a_b in web/src/api.ts: retry 3.5 times (2026-10-17)", "Fix a_b in web/src/api.ts: retry 3.5 times (2026-10-17)"},
		{"a heading", "# Approved", `\# Approved`},
		{"a heading's end", "Title ##", `Title \#\#`},
		{"a list", "- item", `\- item`},
		{"a numbered list", "1. item", `1\. item`},
		{"a quotation", "> quote", `&gt; quote`},
		{"a table cell", "a | b", `a \| b`},
		{"code", "`x`", "\\`x\\`"},
		{"emphasis", "*a* __b__ ~~c~~", `\*a\* \_\_b\_\_ \~\~c\~\~`},
		{"a link and an image", "[a](b) ![c](d)", `\[a\](b) !\[c\](d)`},
		{"HTML", "<img src=x onerror=alert(1)>", `&lt;img src=x onerror=alert(1)&gt;`},
		{"a character reference", "&lt;b&gt; a & b", `&amp;lt;b&amp;gt; a & b`},
		{"a mention", "@everyone me@x", "@&#8203;everyone me@&#8203;x"},
		{"a reference to an issue", "fixes #12, !7, GH-3", "fixes #&#8203;12, !&#8203;7, GH-&#8203;3"},
		{"a bare address", "see http://x.test and www.x.test", `see http\://x.test and www\.x.test`},
		{"a formula", "$x$", `\$x\$`},
		{"a slash command", "/merge", `\/merge`},
		{"lines", "a\n\n# b", `a \# b`},
		{"an escape", "\x1b[1m", `\\x1b\[1m`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := markdownText(tt.in); got != tt.want {
				t.Errorf("markdownText(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestMarkdownCodeSpansHoldAnyName(t *testing.T) {
	for _, name := range []string{"a.go:1", "a`b", "``", "`", "a`` ` ```b", " a", "a|b", "a\nb", "*a*", ""} {
		rendered := renderMarkdown(t, "- "+markdownCode(name)+" end\n")
		if !strings.Contains(rendered, "<code>") || !strings.Contains(rendered, "</code> end") {
			t.Errorf("markdownCode(%q) = %s renders as %s", name, markdownCode(name), rendered)
		}
	}
}

// markdownElements is what the report's own Markdown renders to.
var markdownElements = []string{"html", "head", "body", "h1", "h2", "h3", "p", "strong", "pre", "code", "blockquote", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}

// checkMarkdown fails when a text of the run has become structure: an element
// that the report does not write, another number of sections or changes, a row
// with another number of cells.
func checkMarkdown(t testing.TB, run Run, got string) {
	t.Helper()
	page := renderMarkdown(t, got)
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	headings, blocks, wantBlocks := 0, 0, 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !slices.Contains(markdownElements, n.Data) || len(n.Attr) > 0 {
			t.Errorf("the text has become an element <%s %v>", n.Data, n.Attr)
		}
		if n.Data == "h2" {
			headings++
		}
		if n.Data == "pre" {
			blocks++
		}
	}
	for _, e := range run.Entries {
		for _, c := range failedChecks(e) {
			if tail := outputTail(c.Output, markdownOutput); len(tail) > 0 {
				wantBlocks += strings.Count(got, "\n"+markdownFence(tail))
				got = strings.ReplaceAll(got, "\n"+markdownFence(tail), "")
			}
		}
	}
	if blocks != wantBlocks {
		t.Errorf("%d blocks of code, want %d", blocks, wantBlocks)
	}
	if want := countLines(got, regexp.MustCompile(`(?m)^## `)); headings != want {
		t.Errorf("%d headings, want %d", headings, want)
	}
	checkTables(t, root)
}

func checkTables(t testing.TB, root *html.Node) {
	t.Helper()
	for n := range root.Descendants() {
		if n.Data != "table" {
			continue
		}
		width := -1
		for row := range n.Descendants() {
			if row.Data != "tr" {
				continue
			}
			cells := 0
			for c := range row.ChildNodes() {
				if c.Data == "td" || c.Data == "th" {
					cells++
				}
			}
			if width < 0 {
				width = cells
			}
			if cells != width {
				t.Errorf("a row with %d cells in a table of %d", cells, width)
			}
		}
	}
}

func countLines(s string, re *regexp.Regexp) int { return len(re.FindAllString(s, -1)) }

func renderMarkdown(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	if err := md.Convert([]byte(s), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdownRowsKeepTheirColumns(t *testing.T) {
	run := storedRun(t)
	got := markdownOf(t, run)
	checkMarkdown(t, run, got)
	unescaped := regexp.MustCompile(`(^|[^\\])\|`)
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "| pr-") && strings.Count(line, "|") > 6 {
			if cells := len(unescaped.FindAllString(strings.TrimSpace(line), -1)) - 1; cells != 8 {
				t.Errorf("%d cells in %s", cells, line)
			}
		}
	}
}
