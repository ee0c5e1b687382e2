package policy

import (
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/change"
)

func checks(statuses ...change.Status) *change.Verification {
	names := []string{"go test", "node --test", "lint"}
	v := &change.Verification{Checks: []change.Check{}}
	for i, s := range statuses {
		v.Checks = append(v.Checks, change.Check{Name: names[i], Status: s, Reason: "why " + names[i]})
	}
	return v
}

func TestReconcileClaims(t *testing.T) {
	for _, tt := range []struct {
		name, summary string
		want          bool
	}{
		// what a claim is about, and what it says
		{"tests pass", "All tests pass.", true},
		{"a test passes", "The new test passes.", true},
		{"tests passed", "I ran it and the tests passed.", true},
		{"tests are passing", "Tests are passing.", true},
		{"the suite", "The suite is green.", true},
		{"suites", "Both suites pass.", true},
		{"checks", "All checks succeed.", true},
		{"a check succeeded", "The last check succeeded.", true},
		{"CI", "CI is green.", true},
		{"ci in lower case", "ci passes", true},
		{"the build", "The build succeeds.", true},
		{"builds", "Builds are green on both machines.", true},
		{"shouting", "ALL TESTS PASS!", true},
		{"words between", "The tests that were added for the new column all pass.", true},
		{"the name of a check", "go test passes.", true},
		{"the other check", "`node --test` is green.", true},
		{"an adjective before its noun", "Reviewed on top of a green build.", true},
		{"passing tests", "A small change with passing tests.", true},
		{"a claim in the second sentence", "The change adds a column. Tests pass.", true},
		{"a claim on the second line", "Adds a column\n- tests pass\n- docs updated", true},
		{"a question is taken for a claim", "Do the tests pass?", true},

		// no claim
		{"nothing about tests", "Adds a column to the jobs table.", false},
		{"tests without an outcome", "The change comes with tests.", false},
		{"an outcome without a subject", "Looks green to me, it passes review.", false},
		{"a password is no pass", "Tests the password reset.", false},
		{"a bypass is no pass", "The test covers the bypass.", false},
		{"a latest release is no test", "The latest release passes.", false},
		{"rebuild is no build", "Rebuild it and it passes.", false},
		{"a file name is one word", "The options that api.test.ts passes on are new.", false},
		{"subject and outcome in two sentences", "I looked at the tests. The login passes.", false},
		{"subject and outcome on two lines", "Reads the tests\nPasses the locale on", false},
		{"nothing", "", false},

		// negations between
		{"not", "The tests do not pass.", false},
		{"not, in capitals", "Tests do NOT pass.", false},
		{"never", "The suite never passes.", false},
		{"cannot", "The tests cannot pass.", false},
		{"fail", "The tests fail to pass.", false},
		{"fails", "The build fails and nothing is green.", false},
		{"failed", "Checks failed before they could succeed.", false},
		{"failing", "The tests are failing, not passing.", false},
		{"failure", "CI shows a failure where it was green.", false},
		{"don't", "The tests don't pass.", false},
		{"don’t with a typographic apostrophe", "The tests don’t pass.", false},
		{"doesnʼt with a letter apostrophe", "The build doesnʼt succeed.", false},
		{"isn't", "The build isn't green.", false},
		{"won't", "CI won't pass.", false},
		{"didn't", "The suite didn't succeed.", false},
		{"a negation before the subject does not count", "I did not run it locally but the tests pass.", true},
		{"a negation after the outcome does not count", "Tests pass, but the docs do not mention it.", true},
		{"a failure of something else after it", "Tests pass and the linter fails.", true},
		{"another subject after the negation", "The tests fail but the build passes.", true},
		{"a negation in another sentence", "The docs do not say so. Tests pass.", true},

		// no
		{"no right before the subject", "No tests pass.", false},
		{"no right before the check", "No check passes.", false},
		{"no before two subjects in a row", "No CI checks pass.", false},
		{"a no elsewhere in the sentence", "No regressions, tests pass.", true},
		{"a no with a comma", "No, tests pass.", true},
		{"a no later", "Tests pass with no warnings.", true},
		{"a no between is elsewhere too", "The tests show no regression and pass.", true},
		{"no green build", "There is no green build to look at.", false},
		{"not a green build", "This is not a green build.", false},
		{"a negation in the clause before an adjective", "The change is not large, and it has a green build.", true},
		{"non-passing tests", "It comes with non-passing tests.", false},

		// contractions, abbreviations, marks
		{"CI's green", "CI's green.", true},
		{"the build’s green", "The build’s green.", true},
		{"tests've passed", "The tests've passed.", true},
		{"an abbreviation ends no sentence", "The tests (e.g. those of the queue) pass.", true},
		{"i.e. ends no sentence", "The suite, i.e. Both halves, is green.", true},
		{"etc. ends no sentence", "Tests, docs etc. pass.", true},
		{"a version ends no sentence", "Tests on Go 1.26 pass.", true},
		{"an exclamation mark ends one", "Look at the tests! Login passes.", false},
		{"a question mark ends one", "Where are the tests? Login passes.", false},
		{"an ellipsis ends one", "About the tests… Login passes.", false},
		{"a quoted end", "He said \"look at the tests.\" Login passes.", false},
		{"emphasis", "**Tests** pass.", true},
		{"a colon", "Tests: green.", true},
		{"a slash", "tests/build pass", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			note := Reconcile(tt.summary, checks(change.Fail, change.Pass))
			if got := note != ""; got != tt.want {
				t.Errorf("Reconcile(%q) = %q, want a note: %v", tt.summary, note, tt.want)
			}
		})
	}
}

func TestReconcileNote(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    *change.Verification
		want string
	}{
		{"the Go side failed", checks(change.Fail, change.Pass), "the verify gate failed (go test) and overrides the summary, which claims that it passes"},
		{"the TypeScript side failed", checks(change.Pass, change.Fail), "the verify gate failed (node --test) and overrides the summary, which claims that it passes"},
		{"both failed", checks(change.Fail, change.Fail), "the verify gate failed (go test, node --test) and overrides the summary, which claims that it passes"},
		{"everything passed", checks(change.Pass, change.Pass), ""},
		{"unknown is no failure", checks(change.Pass, change.Unknown), ""},
		{"nothing ran", checks(), ""},
		{"no verification", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Reconcile("All tests pass.", tt.v); got != tt.want {
				t.Errorf("Reconcile = %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzReconcile(f *testing.F) {
	f.Add("No regressions, tests pass.")
	f.Add("e.g. … “tests.” don’t")
	f.Fuzz(func(t *testing.T, summary string) {
		if got := strings.Join(sentences(summary), ""); got != summary {
			t.Fatalf("the sentences of %q are %q", summary, got)
		}
		Reconcile(summary, checks(change.Fail))
	})
}
