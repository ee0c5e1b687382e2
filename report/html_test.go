package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

func pageOf(t testing.TB, run Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pageVocabulary is every element, and every attribute of an element, on pages
// whose texts are harmless: what the templates write.
var pageVocabulary = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	harmless := hostileRun("plain")
	for _, review := range []ReviewStatus{Reviewed, ReviewFailed, Skipped} {
		for _, v := range policy.Verdicts {
			harmless.Entries = append(harmless.Entries, Entry{ID: "x", Review: review, Verdict: v})
		}
	}
	long := Entry{Verdict: policy.Hold, Findings: make([]Finding, maxChangeFindings+1), Files: make([]File, maxChangeFiles+1)}
	harmless.Entries = append(harmless.Entries, long)
	for _, run := range []Run{harmless, manyChanges(3, 3)} {
		var b bytes.Buffer
		if err := HTML(&b, run); err != nil {
			panic(err)
		}
		root, err := html.Parse(&b)
		if err != nil {
			panic(err)
		}
		for n := range root.Descendants() {
			known[n.Data] = known[n.Data] || n.Type == html.ElementNode
			for _, a := range n.Attr {
				known[n.Data+" "+a.Key] = true
			}
		}
	}
	return known
})

// checkPage fails when a text of the run has become an element, an attribute, a
// script, or an address that leads away from the page.
func checkPage(t testing.TB, run Run, got []byte) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	known := pageVocabulary()
	ids, scripts := map[string]bool{}, 0
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("a comment: %.100q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if !known[n.Data] {
			t.Errorf("an element that no template writes: <%s>", n.Data)
		}
		if n.Data == "script" {
			scripts++
		}
		for _, a := range n.Attr {
			key := strings.ToLower(a.Key)
			if !known[n.Data+" "+a.Key] || strings.HasPrefix(key, "on") || key == "style" || key == "src" {
				t.Errorf("an attribute that no template writes: <%s %s=%.80q>", n.Data, a.Key, a.Val)
			}
			if key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("a link away from the page: %.80q", a.Val)
			}
			if key == "id" && ids[a.Val] {
				t.Errorf("the id %q twice", a.Val)
			}
			if key == "id" {
				ids[a.Val] = true
			}
		}
	}
	if scripts != 1 {
		t.Errorf("%d scripts", scripts)
	}
	if articles := bytes.Count(got, []byte(`<article class="change"`)); articles != len(run.Entries) {
		t.Errorf("%d changes on the page, want %d", articles, len(run.Entries))
	}
}

func TestPageLinksLeadSomewhere(t *testing.T) {
	root, err := html.Parse(bytes.NewReader(pageOf(t, storedRun(t))))
	if err != nil {
		t.Fatal(err)
	}
	var links, ids []string
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "href":
				links = append(links, strings.TrimPrefix(a.Val, "#"))
			case "id":
				ids = append(ids, a.Val)
			case "aria-labelledby":
				links = append(links, strings.Fields(a.Val)...)
			}
		}
	}
	for _, l := range links {
		if !slices.Contains(ids, l) {
			t.Errorf("a link to #%s, which is not on the page", l)
		}
	}
}

func TestPageAnchorsAreUniqueForAnyIDs(t *testing.T) {
	ids := []string{"pr-01", "pr-01", "feature/x", "", "a.1", "change.2", strings.Repeat("x", 200), "été"}
	var entries []Entry
	for _, id := range ids {
		entries = append(entries, Entry{ID: id})
	}
	seen := map[string]bool{}
	for i, a := range newAnchors(entries) {
		if seen[a] || strings.ContainsAny(a, " /\"") {
			t.Errorf("anchor %q of %q", a, ids[i])
		}
		seen[a] = true
	}
	if got := newAnchors(entries)[0]; got != "change-pr-01" {
		t.Errorf("the anchor of pr-01 is %q", got)
	}
}

func TestPageShowsVerdictsInWords(t *testing.T) {
	got := string(pageOf(t, storedRun(t)))
	for _, tt := range []struct{ name, want string }{
		{"the count of each verdict", "5 block, 5 hold, 2 merge"},
		{"the reason in words", "blocker finding secret-in-code at web/src/api.ts:3"},
		{"a failed review stands on the page's head", "1 review failed: nothing is known about what the reviewer would have found there."},
		{"a failed review is no review without findings", "Not reviewed."},
		{"a skipped review says why", "Not reviewed: the patch did not apply."},
		{"a conflict names its files", "The patch does not apply: web/src/table.ts, web/src/pager.ts. Nothing was run."},
		{"an unknown check says why", "node is not on PATH"},
		{"the verify gate's word stands by the summary", "Verify gate:"},
		{"a hidden character is shown", `\u202e`},
		{"a label that nothing hit", "internal/split/split_test.go:60-71 minor testing"},
		{"a key that agrees", "key says block: agrees"},
		{"the ranking's note", RankingNote},
		{"the current threshold", "threshold 0.60"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(got, tt.want) {
				t.Errorf("the page lacks %q", tt.want)
			}
		})
	}
}

func TestPageOfNothing(t *testing.T) {
	for _, run := range []Run{{}, {Entries: []Entry{{}}}, {Entries: []Entry{{Verdict: policy.Merge}}}} {
		checkPage(t, run, pageOf(t, run))
	}
}

func TestAWordThatIsNoVerdictIsShownAsHold(t *testing.T) {
	run := Run{Entries: []Entry{{ID: "a", Verdict: "approve"}, {ID: "b"}}}
	got := pageOf(t, run)
	checkPage(t, run, got)
	if !bytes.Contains(got, []byte("0 block, 2 hold, 0 merge")) {
		t.Error("an unknown verdict is not counted as hold")
	}
}

// manyChanges is a run of n changes with findings findings each.
func manyChanges(n, findings int) Run {
	run := Run{Repo: "large"}
	for i := range n {
		e := Entry{ID: fmt.Sprintf("pr-%04d", i), Title: "Change something somewhere", Verdict: policy.Verdicts[i%3], Reason: "hold: review failed", Review: Reviewed}
		for j := range findings {
			f := Finding{Finding: finding.Finding{File: "a/b.go", Line: j + 7, Severity: finding.Severities[j%3], Category: finding.Categories[j%12], Message: "Something is not as it should be here.", Confidence: 0.8}}
			f.Excerpt = &Excerpt{Header: "@@ -1,13 +1,13 @@"}
			for k := range 13 {
				f.Excerpt.Lines = append(f.Excerpt.Lines, Line{Op: "+", New: j + k, Text: `	if err := run(ctx, "x"); err != nil { // why`, Mark: k == 6})
			}
			e.Findings = append(e.Findings, f)
		}
		run.Entries = append(run.Entries, e)
	}
	return run
}

func TestPageIsBoundedForManyChanges(t *testing.T) {
	got := pageOf(t, manyChanges(1000, 5))
	if len(got) > 40<<20 {
		t.Errorf("1,000 changes with 5 findings each make a page of %d bytes", len(got))
	}
	if n := bytes.Count(got, []byte(`<table class="diff">`)); n != maxPageExcerpts {
		t.Errorf("%d excerpts, want %d", n, maxPageExcerpts)
	}
	if n := bytes.Count(got, []byte(`<article class="finding`)); n != 5000 {
		t.Errorf("%d findings, want all 5,000", n)
	}
	if bytes.Contains(got, []byte("<details open>")) {
		t.Error("changes of a large run are open")
	}
}

func BenchmarkPage(b *testing.B) {
	run := manyChanges(1000, 10)
	for b.Loop() {
		b.SetBytes(int64(len(pageOf(b, run))))
	}
}

func TestPageOfOneChangeShowsItFirst(t *testing.T) {
	run := storedRun(t)
	run.Entries = run.Entries[1:2] // to merge: open all the same
	got := string(pageOf(t, run))
	for _, gone := range []string{`id="verdicts"`, `id="find"`, `id="ranking"`, `id="found"`, `class="tiles"`, `class="curve"`, `id="open-all"`, `href="#verdicts"`} {
		if strings.Contains(got, gone) {
			t.Errorf("the page of one change has %s", gone)
		}
	}
	change, measure := strings.Index(got, `<article class="change"`), strings.Index(got, `<section id="measure"`)
	if change < 0 || measure < change || !strings.Contains(got[change:], "<details open>") {
		t.Errorf("the change is at %d, the measures of the reviewer are at %d", change, measure)
	}
}

func TestPageListsFindingsBySeverityThenPlace(t *testing.T) {
	at := func(s finding.Severity, file string, line int) Finding {
		return Finding{Finding: finding.Finding{File: file, Line: line, Severity: s}}
	}
	in := []Finding{at(finding.Minor, "a", 1), at(finding.Major, "b", 20), at(finding.Major, "b", 3), at(finding.Blocker, "c", 1), at(finding.Major, "a", 9)}
	want := []Finding{in[3], in[4], in[2], in[1], in[0]}
	v := newChangeView(Run{}, Entry{Findings: in}, "a", newShowing(1))
	for i, f := range v.Findings {
		if f.Place != place(want[i].Finding) {
			t.Errorf("finding %d is at %s, want %s", i, f.Place, place(want[i].Finding))
		}
	}
	if in[0].Severity != finding.Minor {
		t.Error("the stored order has changed")
	}
}
