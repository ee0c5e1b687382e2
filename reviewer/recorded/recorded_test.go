package recorded_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/recorded"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
)

const answers = `# what the reviewer said last time
pr-01:
  summary: "Parses the limit; the error of Atoi is dropped."
  findings:
    - {file: page/page.go, line: 7, severity: major, category: error-handling, message: "the error of Atoi is dropped", confidence: 0.9, rule: go}
    - file: page/page.go
      line: 8
      severity: nit
      category: naming
      message: n says nothing about what it counts
      confidence: 1
pr-02: {"summary": "Nothing to say about this one.", "findings": []}
`

func parse(t testing.TB, text string) *recorded.Answers {
	t.Helper()
	a, err := recorded.Parse("FAKEREVIEW.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestConformance(t *testing.T) {
	reviewertest.Run(t, reviewertest.Kind{
		New: func(t testing.TB) reviewer.Reviewer { return recorded.New("recorded", parse(t, answers)) },
		Failing: map[string]func(testing.TB) reviewer.Reviewer{
			"a change without an answer": func(t testing.TB) reviewer.Reviewer {
				return recorded.New("recorded", parse(t, `pr-99: {summary: "Somebody else's change.", findings: []}`))
			},
		},
	})
}

func TestReview(t *testing.T) {
	r := recorded.New("recorded", parse(t, answers))
	got, err := r.Review(t.Context(), reviewertest.Task(t))
	if err != nil {
		t.Fatal(err)
	}
	want := reviewer.Result{
		Summary: "Parses the limit; the error of Atoi is dropped.",
		Findings: []finding.Finding{
			{File: "page/page.go", Line: 7, Severity: finding.Major, Category: finding.ErrorHandling, Message: "the error of Atoi is dropped", Confidence: 0.9, Rule: "go"},
			{File: "page/page.go", Line: 8, Severity: finding.Minor, Category: finding.Style, Message: "n says nothing about what it counts", Confidence: 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Review() (-want +got), zero cost and an empty run:\n%s", diff)
	}
}

func TestReviewOfAChangeWithoutAnswer(t *testing.T) {
	task := reviewertest.Task(t)
	task.Change.ID = "pr-13"
	_, err := recorded.New("recorded", parse(t, answers)).Review(t.Context(), task)
	want := "review of pr-13 by recorded: FAKEREVIEW.yaml has no answer for pr-13: add one, or ask another reviewer"
	if err == nil || err.Error() != want {
		t.Errorf("Review() = %v, want %s", err, want)
	}
}

func TestAnAnswerIsNotSharedBetweenReviews(t *testing.T) {
	r := recorded.New("recorded", parse(t, answers))
	first, _ := r.Review(t.Context(), reviewertest.Task(t))
	first.Findings[0].Message = "changed by whoever asked first"
	second, _ := r.Review(t.Context(), reviewertest.Task(t))
	if second.Findings[0].Message != "the error of Atoi is dropped" {
		t.Errorf("the second review says %q", second.Findings[0].Message)
	}
}

func TestParseKeepsTheOrderOfTheFile(t *testing.T) {
	if diff := cmp.Diff([]string{"pr-01", "pr-02"}, parse(t, answers).IDs); diff != "" {
		t.Errorf("IDs (-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", " \n", "f.yaml: empty: it must answer for a change, as in pr-01: {summary: …, findings: []}"},
		{"not YAML", "pr-01:\n  summary: \"open\n", "f.yaml:2: not YAML: found unexpected end of stream"},
		{"a list", "- pr-01\n", "f.yaml:1: a map from ids of changes to answers is needed, as in pr-01: {summary: …, findings: []}"},
		{"two documents", "pr-01: {}\n---\npr-02: {}\n", "f.yaml: more than one document: put all answers in one"},
		{"an answer that is a text", "\npr-01: fine\n", "f.yaml:2: pr-01: an answer with summary and findings is needed"},
		{"an id twice", "pr-01: {summary: Nothing was found here., findings: []}\npr-01: {}\n", "f.yaml:2: pr-01 is answered twice"},
		{"an unknown category", "pr-01:\n  summary: Nothing was found here.\n  findings:\n    - {file: a, line: 1, severity: minor, category: style, message: too long a line, confidence: 1}\n    - file: a\n      line: 2\n      severity: minor\n      category: taste\n      message: too long a line\n      confidence: 1\n", "f.yaml:8: pr-01: findings[1].category: \"taste\" is not one of security, secret-in-code, correctness, error-handling, performance, architecture, contract-break, migration-number-collision, testing, best-practices, documentation, style"},
		{"nothing but a comment", "# later\n", "f.yaml: empty: it must answer for a change, as in pr-01: {summary: …, findings: []}"},
		{"a key that is a list", "[a, b]: {}\n", "f.yaml:1: the id of a change must be a word"},
		{"a place inside a finding", "pr-01:\n  summary: Nothing was found here.\n  findings:\n    - file: a\n      line: 0\n      severity: minor\n      category: style\n      message: too long a line\n      confidence: 1\n", "f.yaml:5: pr-01: findings[0].line: 0 is less than 1"},
		{"a key missing", "pr-01:\n  summary: Nothing was found here.\n  findings:\n    - file: a\n      line: 1\n      severity: minor\n      category: style\n      message: too long a line\n", "f.yaml:4: pr-01: findings[0].confidence: is missing"},
		{"a key misspelt", "pr-01:\n  summery: Nothing was found here.\n  findings: []\n", "f.yaml:2: pr-01: summary: is missing (and 1 more)"},
		{"a summary too short", "pr-01:\n  findings: []\n  summary: fine\n", "f.yaml:3: pr-01: summary: 4 characters are too few, at least 20 are needed"},
		{"a key twice", "pr-01:\n  findings: []\n  findings: []\n", "f.yaml:3: findings is written twice"},
		{"not a number", "pr-01:\n  summary: Nothing was found here.\n  findings:\n    - {file: a, line: 1, severity: minor, category: style, message: too long a line, confidence: .nan}\n", "f.yaml:4: pr-01: findings[0].confidence: is a string, not a number"},
		{"an alias", "a: &a {summary: Nothing was found here., findings: []}\nb:\n  summary: x\n  findings: *a\n", "f.yaml:4: an alias is not read here: write the value out"},
		{"nested without end", "pr-01: {a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}\n", "f.yaml:1: nested more than 16 deep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := recorded.Parse("f.yaml", []byte(tt.text))
			if err == nil || err.Error() != tt.want {
				t.Errorf("Parse() = %v\nwant      %s", err, tt.want)
			}
		})
	}
}

func TestParseRefusesAliasBombs(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		prev, next := string(rune('0'+i)), string(rune('1'+i))
		bomb.WriteString("a" + next + ": &a" + next + " [*a" + prev + strings.Repeat(", *a"+prev, 9) + "]\n")
	}
	if _, err := recorded.Parse("bomb.yaml", []byte(bomb.String())); err == nil {
		t.Error("Parse() = nil, want an error")
	}
}

func TestParseRefusesALargeFile(t *testing.T) {
	_, err := recorded.Parse("f.yaml", make([]byte, recorded.MaxBytes+1))
	if want := "f.yaml: larger than 16 MiB: split it"; err == nil || err.Error() != want {
		t.Errorf("Parse() = %v, want %s", err, want)
	}
}

func TestOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "FAKEREVIEW.yaml")
	if _, err := recorded.Open(file); err == nil || err.Error() != file+" does not exist: name the file with the recorded answers" {
		t.Errorf("Open() of no file = %v", err)
	}
	if err := os.WriteFile(file, []byte(answers), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := recorded.Open(file)
	if err != nil || len(got.IDs) != 2 {
		t.Errorf("Open() = %v, %v, want two answers", got, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(answers))
	f.Add([]byte("a: &a {b: *a}"))
	f.Add([]byte("pr-01: {findings: [{line: 1e400}], summary: !!binary aGk=}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := recorded.Parse("f.yaml", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has lines: %q", err)
			}
			return
		}
		for _, id := range got.IDs {
			for _, finding := range got.ByID[id].Findings {
				if err := finding.Validate(); err != nil {
					t.Errorf("%s: %v", id, err)
				}
			}
		}
	})
}
