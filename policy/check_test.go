package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
)

// twelve changes: the odd ones are to be blocked for a secret, pr-12 for a
// conflict, the other even ones are to be merged.
func truth(t *testing.T) Truth {
	t.Helper()
	labels, err := eval.ParseLabels([]byte(`
pr-01: {issues: [{file: a, category: secret-in-code, severity: blocker, start: 1}], decision: block}
pr-02: {decision: merge}
pr-03: {issues: [{file: a, category: secret-in-code, severity: blocker, start: 1}], decision: block}
pr-04: {decision: merge}
pr-05: {issues: [{file: a, category: secret-in-code, severity: blocker, start: 1}], decision: block}
pr-06: {decision: merge}
pr-07: {issues: [{file: a, category: secret-in-code, severity: blocker, start: 1}], decision: block}
pr-08: {decision: merge}
pr-09: {issues: [{file: a, category: secret-in-code, severity: blocker, start: 1}], decision: block}
pr-10: {decision: merge}
pr-11: {issues: [{file: a, category: secret-in-code, severity: blocker, start: 1}], decision: block}
pr-12: {blockers: [conflict], decision: block}
`), "LABELS.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return Truth{Labels: labels}
}

const passing = "# Review policy\n\n" +
	"| pr | decision | reason |\n" + // line 3
	"|----|:--------:|--------|\n" +
	"| pr-01 | block | secret-in-code: the token is public |\n" +
	"| pr-02 | merge | small and tested |\n" +
	"| pr-03 | block | a `secret-in-code` again |\n" +
	"| `pr-04` | **merge** | fine |\n" +
	"| pr-05 | block | Secret-in-code, once more |\n" +
	"| pr-06 | Merge | fine \\| really |\n" +
	"| pr-07 | block | secret-in-code |\n" +
	"| pr-08 | merge | fine |\n" +
	"| pr-09 | block | secret-in-code |\n" +
	"| pr-10 | merge | fine |\n" +
	"| pr-11 | block | secret-in-code |\n" +
	"| pr-12 | block | a conflict with main |\n" + // line 16
	"\n## Auto-block categories\n\n" + // line 18
	"- `secret-in-code`: what is public stays public\n" + // line 20
	"  - rotate it first\n" +
	"- migration-number-collision\n" +
	"* **contract-break** others find out first\n" +
	"\n## Held for a person\n\n- style is a matter of taste\n"

// edit replaces the first occurrence of old, which must be there.
func edit(t *testing.T, old, with string) string {
	t.Helper()
	if !strings.Contains(passing, old) {
		t.Fatalf("the policy does not hold %q", old)
	}
	return strings.Replace(passing, old, with, 1)
}

func TestCheckPolicy(t *testing.T) {
	row := func(id string) string {
		i := strings.Index(passing, "| "+id+" ")
		return passing[i : i+strings.Index(passing[i:], "\n")+1]
	}
	for _, tt := range []struct {
		name, doc string
		want      []Problem
	}{
		{"a policy that passes", passing, nil},
		{"the same with carriage returns", strings.ReplaceAll(passing, "\n", "\r\n"), nil},
		{"a table without outer pipes", edit(t, row("pr-02"), "pr-02 | merge | small\n"), nil},

		// table
		{"no table", "## Auto-block categories\n- secret-in-code\n- migration-number-collision\n", []Problem{{0, "there is no table with the header | pr | decision | reason |"}}},
		{"another header is another table", edit(t, "| pr | decision | reason |", "| pr | verdict | reason |"), []Problem{{0, "there is no table with the header | pr | decision | reason |"}}},
		{"a table in a fence is an example", "```\n" + passing[:strings.Index(passing, "\n## ")] + "```\n" + passing[strings.Index(passing, "\n## "):],
			[]Problem{{0, "there is no table with the header | pr | decision | reason |"}}},
		{"a change without a row", edit(t, row("pr-02"), ""), []Problem{{3, "the table has no row for pr-02"}}},
		{"a row twice", edit(t, row("pr-02"), row("pr-02")+row("pr-02")), []Problem{{7, "pr-02 has a row already, on line 6"}}},
		{"a row for no change", edit(t, row("pr-02"), row("pr-02")+"| pr-99 | merge | fine |\n"), []Problem{{7, `there is no change "pr-99"`}}},
		{"a decision that is none", edit(t, "| pr-02 | merge |", "| pr-02 | approve |"), []Problem{{6, `pr-02: "approve" is not one of merge, hold, block`}}},
		{"a row without a reason", edit(t, "small and tested", ""), []Problem{{6, "pr-02: the reason is missing"}}},
		{"a row of two cells", edit(t, "| small and tested |", ""), []Problem{
			{3, "the table has no row for pr-02"}, {6, "a row needs three cells: pr, decision and reason"}}},

		// agreement
		{"two decisions may differ", edit(t, row("pr-02")+row("pr-03"), "| pr-02 | hold | later |\n| pr-03 | hold | later |\n"), nil},
		{"rows that are missing differ too", edit(t, row("pr-06")+row("pr-07")+row("pr-08"), ""), []Problem{
			{3, "the table has no row for pr-06"}, {3, "the table has no row for pr-07"}, {3, "the table has no row for pr-08"},
			{3, "9 of 12 decisions agree with the key, at least 10 must: it differs for pr-06 (merge), pr-07 (block), pr-08 (merge)"},
		}},
		{"three may not", strings.Replace(edit(t, row("pr-02")+row("pr-03"), "| pr-02 | hold | later |\n| pr-03 | hold | later |\n"),
			row("pr-08"), "| pr-08 | hold | later |\n", 1), []Problem{
			{3, "9 of 12 decisions agree with the key, at least 10 must: it differs for pr-02 (merge), pr-03 (block), pr-08 (merge)"}}},

		// evidence
		{"a block that names nothing", edit(t, "| pr-07 | block | secret-in-code |", "| pr-07 | block | looks wrong |"), []Problem{
			{11, "pr-07: the reason of a block must name a blocker or category that the change has: secret-in-code"}}},
		{"a block that names what another change has", edit(t, "a conflict with main", "secret-in-code"), []Problem{
			{16, "pr-12: the reason of a block must name a blocker or category that the change has: conflict"}}},
		{"a block of a change that has nothing", edit(t, "| pr-02 | merge | small and tested |", "| pr-02 | block | style |"), []Problem{
			{6, "pr-02: the reason of a block must name a blocker or category that the change has, and it has none"}}},
		{"a longer word names nothing", edit(t, "a conflict with main", "conflicting with main"), []Problem{
			{16, "pr-12: the reason of a block must name a blocker or category that the change has: conflict"}}},
		{"a hold needs no evidence", edit(t, "| pr-07 | block | secret-in-code |", "| pr-07 | hold | ask the author |"), nil},

		// auto-block
		{"no section", passing[:strings.Index(passing, "\n## Auto")], []Problem{{0, `there is no section "## Auto-block categories"`}}},
		{"a section under another heading level", edit(t, "## Auto-block", "### Auto-block"), []Problem{{0, `there is no section "## Auto-block categories"`}}},
		{"secret-in-code is missing", edit(t, "- `secret-in-code`", "- `security`"), []Problem{{18, "the auto-block categories must include secret-in-code"}}},
		{"migration-number-collision is missing", edit(t, "- migration-number-collision", "- testing"), []Problem{{18, "the auto-block categories must include migration-number-collision"}}},
		{"style is listed", edit(t, "* **contract-break**", "- `style`"), []Problem{{23, "style may not block without a human"}}},
		{"a word that is no category", edit(t, "* **contract-break**", "- secrets:"), []Problem{{23, `"secrets" is not a category`}}},
		{"a bullet of another section does not count", edit(t, "## Held", "## Auto-block categories\n## Held"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := CheckPolicy([]byte(tt.doc), truth(t))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("CheckPolicy (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckPolicyWithoutLabels(t *testing.T) {
	const doc = "| pr | decision | reason |\n|-|-|-|\n| a | block | conflict |\n| b | block | security: SQL from the query string |\n" +
		"## Auto-block categories\n- secret-in-code\n- migration-number-collision\n"
	for _, tt := range []struct {
		name  string
		truth Truth
		want  []string
	}{
		{"what a run found is evidence", Truth{
			Key:      map[string]Verdict{"a": Block, "b": Block},
			Blockers: map[string][]blocker.Blocker{"a": {{Kind: blocker.Conflict}}},
			Findings: map[string][]finding.Finding{"b": {{Category: finding.Security}}},
		}, nil},
		{"fewer than six changes must all agree", Truth{
			Key:      map[string]Verdict{"a": Hold, "b": Block},
			Blockers: map[string][]blocker.Blocker{"a": {{Kind: blocker.Conflict}}},
			Findings: map[string][]finding.Finding{"b": {{Category: finding.Security}}},
		}, []string{"line 1: 1 of 2 decisions agree with the key, at least 2 must: it differs for a (hold)"}},
		{"a change of the key alone needs a row", Truth{
			Key:      map[string]Verdict{"a": Block, "b": Block, "c": Merge},
			Blockers: map[string][]blocker.Blocker{"a": {{Kind: blocker.Conflict}}, "b": {{Kind: "security"}}},
		}, []string{"line 1: the table has no row for c", "line 1: 2 of 3 decisions agree with the key, at least 3 must: it differs for c (merge)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range CheckPolicy([]byte(doc), tt.truth) {
				got = append(got, p.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("CheckPolicy (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzCheckPolicy(f *testing.F) {
	f.Add(passing)
	f.Add("|pr|decision|reason|\n|||\n~~~\n- \n")
	f.Fuzz(func(t *testing.T, doc string) {
		lines := strings.Count(doc, "\n") + 1
		for _, p := range CheckPolicy([]byte(doc), Truth{Key: map[string]Verdict{"a": Block}}) {
			if p.Line < 0 || p.Line > lines {
				t.Fatalf("%v is outside a document of %d lines", p, lines)
			}
		}
	})
}
