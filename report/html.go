package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/reviewgate/reviewgate/policy"
)

//go:embed page
var pageFiles embed.FS

// HTML writes one self-contained page: no network, no font, image or script of
// elsewhere, readable without scripts, in light and dark, on paper and on a
// phone. Its content security policy allows its own style and script by their
// hashes and nothing else.
//
// It is bounded: what one change shows has limits (see showing), and all
// excerpts and outputs together have one; what does not fit is counted.
func HTML(w io.Writer, run Run) error {
	t, err := pageTemplate()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if err := t.ExecuteTemplate(b, "page", newPage(run)); err != nil {
		return err
	}
	return b.Flush()
}

// pageTemplate parses the page once, at its first use: most invocations write
// no page.
var pageTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.ParseFS(pageFiles, "page/*.tmpl")
})

// page is what page.tmpl shows. Its texts are visible and clipped; the template
// escapes them.
type page struct {
	Policy      string
	Style       template.CSS
	Script      template.JS
	Version     string
	Heading     string
	Counts      string // of verdicts, in words
	Single      bool   // one change: its section stands first, and nothing is compared or counted
	Facts       []string
	Warnings    []string
	Tiles       []tile
	Strip       []bar
	Groups      []group
	Ranking     *bars
	RankingNote string
	Severities  *bars
	Categories  *bars
	Measure     *measure
	Notes       []string
	Closing     string
}

// tile is a verdict with its number; it switches the changes of that verdict.
type tile struct {
	Verdict policy.Verdict
	Count   int
	Means   string
}

// group is the changes of one verdict.
type group struct {
	Verdict policy.Verdict
	Changes []changeView
}

var verdictMeans = map[policy.Verdict]string{
	policy.Block: "must not merge",
	policy.Hold:  "a person must look first",
	policy.Merge: "nothing stands against it",
}

func newPage(run Run) page {
	style, script := pageAsset("page/page.css")+pageAsset("page/change.css"), pageAsset("page/page.js")
	p := page{
		Policy: "default-src 'none'; style-src '" + hashSource(style) + "'; script-src '" + hashSource(script) + "'; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style), Script: template.JS(script),
		Version: oneLine(run.Version), Heading: oneLine(nameOr(run.Repo, "Review")), Counts: verdictCounts(run.Entries),
		Facts: runFacts(run), Warnings: warnings(run), Notes: longLines(run.Notes), RankingNote: RankingNote,
		Closing: strings.TrimSpace("Written by Reviewgate " + oneLine(run.Version) + ". This page loads nothing and sends nothing."),
	}
	p.Single = len(run.Entries) == 1
	anchors, room := newAnchors(run.Entries), newShowing(len(run.Entries))
	counts := countVerdicts(run.Entries)
	for _, v := range []policy.Verdict{policy.Block, policy.Hold, policy.Merge} {
		p.Tiles = append(p.Tiles, tile{v, counts[v], verdictMeans[v]})
		g := group{Verdict: v}
		for i, e := range run.Entries {
			if settled(e.Verdict) == v {
				g.Changes = append(g.Changes, newChangeView(run, e, anchors[i], room))
			}
		}
		if len(g.Changes) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	p.Measure = newMeasure(run)
	if p.Single {
		return p
	}
	if len(run.Entries) > 0 {
		p.Strip = scaled(len(run.Entries), []part{{"block", counts[policy.Block]}, {"hold", counts[policy.Hold]}, {"merge", counts[policy.Merge]}})
	}
	p.Ranking = rankingBars(run, anchors)
	p.Severities, p.Categories = severityBars(run.Entries), categoryBars(run.Entries)
	return p
}

func runFacts(run Run) []string {
	facts := []string{count(len(run.Entries), "change")}
	if !run.AsOf.IsZero() {
		facts = append(facts, "as of "+run.AsOf.UTC().Format("2 January 2006"))
	}
	facts = append(facts, "reviewer "+reviewerWords(run.Reviewer), "confidence at least "+ratio(run.Threshold))
	if run.Totals.CostUSD > 0 {
		facts = append(facts, "cost "+usd(run.Totals.CostUSD)+" USD")
	}
	if run.Totals.Turns > 0 {
		facts = append(facts, count(run.Totals.Turns, "turn"))
	}
	if run.Totals.WallMS > 0 {
		facts = append(facts, "took "+span(run.Totals.WallMS))
	}
	return facts
}

// pageAsset returns an embedded file of the page.
func pageAsset(name string) string {
	data, err := pageFiles.ReadFile(name)
	if err != nil {
		panic(err) // embedded: missing only when the build is wrong
	}
	return string(data)
}

// hashSource is the content security policy's name for an inline text.
func hashSource(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// newAnchors gives each entry an id of the page: readable where the change's id
// allows it, unique always.
func newAnchors(entries []Entry) []string {
	out, seen := make([]string, len(entries)), map[string]bool{}
	for i, e := range entries {
		anchor := "change-" + e.ID
		if !isPlainID(e.ID) || seen[anchor] {
			anchor = fmt.Sprintf("change.%d", i+1)
		}
		seen[anchor] = true
		out[i] = anchor
	}
	return out
}

// isPlainID reports whether id can stand in an anchor as it is. A dot cannot: it
// sets the anchors apart that are made from a number.
func isPlainID(id string) bool {
	for _, r := range id {
		if !(r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return false
		}
	}
	return id != "" && len(id) <= 80
}

func longLines(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, longLine(t))
	}
	return out
}
