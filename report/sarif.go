package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// What GitHub's code scanning accepts of one file: more runs or results are
// refused or dropped without a word.
// https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
const (
	maxSARIFRuns    = 20
	maxSARIFResults = 25_000
)

// homepage is where a reader of a foreign format learns what wrote it.
const homepage = "https://github.com/reviewgate/reviewgate"

// SARIF writes a SARIF 2.1.0 log: one run per change, or one run for all of them
// when there are more than a service accepts. A finding that leaves the
// repository, or is one too many, is left out with a notification that says so.
//
// Level "error" makes a forge's own code scanning check fail, whatever the gate
// decided. So only a blocker finding of a change whose verdict is block has it.
func SARIF(w io.Writer, run Run) error {
	doc := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{}}
	if len(run.Entries) > maxSARIFRuns {
		doc.Runs = append(doc.Runs, newSARIFRun(run, run.Entries, "all"))
	} else {
		for _, e := range run.Entries {
			doc.Runs = append(doc.Runs, newSARIFRun(run, []Entry{e}, oneLine(e.ID)))
		}
	}
	return encode(w, doc)
}

func newSARIFRun(run Run, entries []Entry, name string) sarifRun {
	out := sarifRun{
		Tool:              sarifTool{Driver: sarifDriver{Name: "Reviewgate", InformationURI: homepage, Rules: sarifRules(entries)}},
		AutomationDetails: &sarifAutomation{ID: "reviewgate/" + strings.ReplaceAll(name, "/", "-") + "/"},
		BaseIDs:           map[string]sarifArtifactPlace{"%SRCROOT%": {Description: &sarifText{"The root of the repository."}}},
		ColumnKind:        "unicodeCodePoints",
		Results:           []sarifResult{},
		Properties:        map[string]any{"changes": sarifChanges(entries)},
	}
	if isSemantic(run.Version) {
		out.Tool.Driver.SemanticVersion = strings.TrimPrefix(run.Version, "v")
	}
	notices := sarifNotices(run, entries)
	seen := identities{}
	leftOut := 0
	for _, raised := range heaviestFirst(entries) {
		result, ok := newSARIFResult(raised, out.Tool.Driver.Rules, seen)
		if !ok || len(out.Results) == maxSARIFResults {
			leftOut++
			continue
		}
		out.Results = append(out.Results, result)
	}
	if leftOut > 0 {
		notices = append(notices, notice("warning", "findings-left-out", fmt.Sprintf("%s left out: outside the repository, or beyond the limit of %d results.", count(leftOut, "finding"), maxSARIFResults)))
	}
	invocation := sarifInvocation{Successful: !run.Incomplete && failedReviews(entries) == 0, Notifications: notices}
	if !run.StartedAt.IsZero() {
		invocation.StartTime = run.StartedAt.UTC().Format(time.RFC3339)
	}
	out.Invocations = []sarifInvocation{invocation}
	return out
}

// raised is a finding with the change it was raised on.
type raised struct {
	*Entry
	*Finding
}

// heaviestFirst returns the findings of entries by severity, in input order
// within one severity.
func heaviestFirst(entries []Entry) []raised {
	var all []raised
	for i := range entries {
		for j := range entries[i].Findings {
			all = append(all, raised{&entries[i], &entries[i].Findings[j]})
		}
	}
	slices.SortStableFunc(all, func(a, b raised) int { return cmp.Compare(a.Severity.Rank(), b.Severity.Rank()) })
	return all
}

func newSARIFResult(r raised, rules []sarifRule, seen identities) (sarifResult, bool) {
	f := r.Finding.Finding
	uri, inside := relativeURI(f.File)
	if !inside {
		return sarifResult{}, false
	}
	place := sarifArtifactPlace{URI: uri, BaseID: "%SRCROOT%"}
	key := seen.of(f)
	id := ruleName(f)
	result := sarifResult{
		RuleID:       id,
		RuleIndex:    slices.IndexFunc(rules, func(rule sarifRule) bool { return rule.ID == id }),
		Level:        sarifLevel(f.Severity, r.Verdict),
		Message:      sarifText{sarifMessage(wholeMessage(f))},
		Locations:    []sarifLocation{{sarifPhysical{Artifact: place, Region: sarifRegionOf(*r.Finding)}}},
		Fingerprints: map[string]string{"primaryLocationLineHash": key, "reviewgate/v1": key},
		Rank:         100 * min(max(f.Confidence, 0), 1),
		Properties:   map[string]any{"change": oneLine(r.ID), "severity": f.Severity, "category": f.Category},
	}
	if f.Reviewer != "" {
		result.Properties["reviewer"] = oneLine(f.Reviewer)
	}
	if text, ok := replacement(f); ok {
		result.Fixes = []sarifFix{{
			Description: sarifText{"Suggested by the reviewer."},
			Changes: []sarifChange{{Artifact: place, Replacements: []sarifReplacement{{
				Deleted: sarifRegion{StartLine: f.Line, EndLine: lastLine(f)}, Inserted: sarifText{text}}}}},
		}}
	}
	return result, true
}

func sarifLevel(s finding.Severity, v policy.Verdict) string {
	switch {
	case s == finding.Blocker && v == policy.Block:
		return "error"
	case s == finding.Minor:
		return "note"
	}
	return "warning"
}

// sarifMessage keeps a plain text message from holding an embedded link, which
// the standard writes as [text](target).
func sarifMessage(s string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(lines(s))
}

func sarifRegionOf(f Finding) *sarifRegion {
	if f.Line < 1 {
		return nil
	}
	region := sarifRegion{StartLine: f.Line, EndLine: lastLine(f.Finding)}
	if f.Excerpt != nil {
		var marked []string
		for _, l := range f.Excerpt.Lines {
			if l.Mark {
				marked = append(marked, visible(clip(l.Text, excerptWidth)))
			}
		}
		if len(marked) > 0 {
			region.Snippet = &sarifText{strings.Join(marked, "\n")}
		}
	}
	return &region
}
