package eval

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/finding"
)

const sample = `# what is true
pr-01: {issues: [{file: web/src/api.ts, category: secret-in-code, severity: blocker, start: 3, end: 3}], blockers: [], verify: pass, decision: block}
pr-02:
  issues:
    - file: internal/jobs/store.go
      category: correctness
      severity: major
      start: 10
      end: 14
    - {file: a.go, category: style, severity: minor, start: 7}
  blockers: [conflict, unreviewed-age]
  verify: conflict
  decision: block
pr-03:
  decision: merge
`

func TestParseLabels(t *testing.T) {
	want := Labels{Name: "LABELS.yaml", Changes: []Labelled{
		{ID: "pr-01", At: 2, Verify: "pass", Decision: "block", Blockers: []blocker.Kind{}, Issues: []Label{
			{"web/src/api.ts", finding.SecretInCode, finding.Blocker, 3, 3, 2},
		}},
		{ID: "pr-02", At: 3, Verify: "conflict", Decision: "block", Blockers: []blocker.Kind{blocker.Conflict, blocker.UnreviewedAge}, Issues: []Label{
			{"internal/jobs/store.go", finding.Correctness, finding.Major, 10, 14, 5},
			{"a.go", finding.Style, finding.Minor, 7, 7, 10},
		}},
		{ID: "pr-03", At: 14, Decision: "merge", Issues: []Label{}},
	}}
	got, err := ParseLabels([]byte(sample), "LABELS.yaml")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("ParseLabels: %v (-want +got):\n%s", err, diff)
	}
	if _, ok := got.Of("pr-04"); ok {
		t.Error("Of(pr-04) is labelled, want not")
	}
}

func TestOutside(t *testing.T) {
	labels, err := ParseLabels([]byte(sample), "LABELS.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, id string
		changed  []string
		want     []string
	}{
		{"every label on a touched file", "pr-02", []string{"a.go", "internal/jobs/store.go"}, nil},
		{"a label on an untouched file, with its line", "pr-02", []string{"internal/jobs/store.go"}, []string{"LABELS.yaml:10: pr-02 does not touch a.go"}},
		{"a change without labels", "pr-04", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, labels.Outside(tt.id, tt.changed)); diff != "" {
				t.Errorf("Outside(%q, %q) (-want +got):\n%s", tt.id, tt.changed, diff)
			}
		})
	}
}

func TestParseLabelsNamesThePlace(t *testing.T) {
	issue := func(more string) string {
		return "pr-01:\n  issues:\n    - {file: a.go, category: style, severity: minor, start: 3, " + more + "}\n"
	}
	for _, tt := range []struct{ name, data, want string }{
		{"nothing", "", `L.yaml: empty: an entry per change is needed, as in "pr-01: …"`},
		{"comments alone", "# later\n", `L.yaml: empty: an entry per change is needed, as in "pr-01: …"`},
		{"an empty mapping", "{}", `L.yaml: empty: an entry per change is needed, as in "pr-01: …"`},
		{"a list", "- pr-01\n", "L.yaml:1: the file: a mapping is needed, not a list"},
		{"broken YAML", "pr-01:\n  issues: [}\n", "L.yaml:2: not YAML: did not find expected node content"},
		{"broken YAML on the first line", "pr-01: [}\n", "L.yaml:1: not YAML: did not find expected node content"},
		{"a tab for a blank", "pr-01:\n\tdecision: hold\n", "L.yaml:2: not YAML: found character that cannot start any token"},
		{"a change listed twice", "pr-01: {decision: hold}\npr-02: {}\npr-01: {decision: merge}\n", `L.yaml:3: the file: "pr-01" is listed twice, first on line 1`},
		{"a key twice", "pr-01:\n  decision: hold\n  decision: merge\n", `L.yaml:3: pr-01: "decision" is listed twice, first on line 2`},
		{"an unknown key near a known one", "pr-01:\n  isues: []\n", `L.yaml:2: pr-01: unknown key "isues", did you mean issues?`},
		{"an unknown key near none", "pr-01:\n  zzz: []\n", `L.yaml:2: pr-01: unknown key "zzz", known are issues, blockers, verify, decision`},
		{"an unknown key of an issue", issue("stat: 3"), `L.yaml:3: issues[0]: unknown key "stat", did you mean start?`},
		{"a category outside the twelve", "pr-01: {issues: [{category: typos}]}", `L.yaml:1: issues[0].category: "typos" is not one of security, secret-in-code, ` +
			"correctness, error-handling, performance, architecture, contract-break, migration-number-collision, testing, best-practices, documentation, style"},
		{"a severity outside the three", "pr-01: {issues: [{severity: HIGH}]}", `L.yaml:1: issues[0].severity: "HIGH" is not one of blocker, major, minor`},
		{"a blocker outside the five", "pr-01:\n  blockers: [conflicts]", `L.yaml:2: blockers[0]: "conflicts" is not one of conflict, verify-failed, ` +
			"stale-migration, missing-second-approval, unreviewed-age"},
		{"an unknown decision", "pr-01: {decision: approve}", `L.yaml:1: decision: "approve" is not one of merge, hold, block`},
		{"an unknown verify", "pr-01: {verify: green}", `L.yaml:1: verify: "green" is not one of pass, fail, conflict, skipped, unknown, not run`},
		{"no file", "pr-01: {issues: [{category: style, severity: minor, start: 3}]}", "L.yaml:1: issues[0]: file is missing"},
		{"no category", "pr-01: {issues: [{file: a.go, severity: minor, start: 3}]}", "L.yaml:1: issues[0]: category is missing"},
		{"no severity", "pr-01: {issues: [{file: a.go, category: style, start: 3}]}", "L.yaml:1: issues[0]: severity is missing"},
		{"no start", "pr-01: {issues: [{file: a.go, category: style, severity: minor}]}", "L.yaml:1: issues[0]: start is missing"},
		{"an end before the start", issue("end: 2"), "L.yaml:3: issues[0]: end 2 is before start 3"},
		{"a line of words", issue("end: three"), `L.yaml:3: issues[0].end: a line number is needed, not "three"`},
		{"line 0", issue("end: 0"), `L.yaml:3: issues[0].end: a line number is needed, not "0"`},
		{"a file that is nothing", "pr-01: {issues: [{file: }]}", "L.yaml:1: issues[0].file: text is needed, not nothing"},
		{"an issue that is text", "pr-01: {issues: [secret]}", `L.yaml:1: issues[0]: a mapping is needed, not "secret"`},
		{"issues that are a mapping", "pr-01: {issues: {file: a.go}}", "L.yaml:1: issues: a list is needed, not a mapping"},
		{"an alias", "pr-01: &a {decision: hold}\npr-02: *a\n", "L.yaml:2: pr-02: a mapping is needed, not an alias"},
		{"a merge key", "pr-01: &a {decision: hold}\npr-02: {<<: *a}\n", "L.yaml:2: pr-02: a key must be plain text"},
		{"two documents", "pr-01: {}\n---\npr-02: {}\n", "L.yaml:2: a second YAML document begins: only one is read"},
		{"too many bytes", strings.Repeat("#", 8<<20+1), "L.yaml: 8388609 bytes are more than the 8 MiB it may have"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseLabels([]byte(tt.data), "L.yaml")
			if err == nil || err.Error() != tt.want {
				t.Errorf("ParseLabels(%.100q) = %v, error\n\t%v, want\n\t%s", tt.data, got, err, tt.want)
			}
		})
	}
}

func TestParseKey(t *testing.T) {
	got, err := ParseKey([]byte("pr-01: block\npr-02: merge\n"), "KEY.yaml")
	if diff := cmp.Diff(map[string]string{"pr-01": "block", "pr-02": "merge"}, got); diff != "" || err != nil {
		t.Errorf("ParseKey: %v (-want +got):\n%s", err, diff)
	}
	_, err = ParseKey([]byte("pr-01: block\npr-02: wait\n"), "KEY.yaml")
	if want := `KEY.yaml:2: pr-02: "wait" is not one of merge, hold, block`; err == nil || err.Error() != want {
		t.Errorf("ParseKey: %v, want %s", err, want)
	}
}

func FuzzParseLabels(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("a: &x [*x]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		labels, err := ParseLabels(data, "L.yaml")
		if err != nil && !strings.HasPrefix(err.Error(), "L.yaml:") {
			t.Fatalf("ParseLabels(%q): %v names no place", data, err)
		}
		for _, c := range labels.Changes {
			for _, issue := range c.Issues {
				if issue.Start < 1 || issue.End < issue.Start || issue.At < 1 || issue.File == "" {
					t.Fatalf("ParseLabels(%q) has %v", data, issue)
				}
			}
		}
	})
}
