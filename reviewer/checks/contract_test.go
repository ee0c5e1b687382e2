package checks

import (
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
)

func TestReviewerKeepsTheContract(t *testing.T) {
	reviewertest.Run(t, reviewertest.Kind{
		New: func(t testing.TB) reviewer.Reviewer {
			r, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			return r
		},
	})
}

func TestNoPatchIsAnError(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	task := reviewertest.Task(t)
	task.Patch = nil
	if _, err := r.Review(t.Context(), task); err == nil || !strings.Contains(err.Error(), "pr-01") {
		t.Errorf("Review() without a patch = %v, want an error that names the change", err)
	}
}

func TestNewRefusesAnUnknownCheck(t *testing.T) {
	_, err := New(Options{Disable: []string{"secrets"}})
	if err == nil || !strings.Contains(err.Error(), `"checks/secrets"`) || !strings.Contains(err.Error(), "checks/secret,") {
		t.Errorf("New() = %v, want an error that lists the checks", err)
	}
}

func TestDisabledChecksAreNamedInTheNotes(t *testing.T) {
	r, err := New(Options{Disable: []string{"secret", "checks/hidden-text"}})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Review(t.Context(), reviewertest.Task(t))
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(result.Notes, "\n"); !strings.Contains(notes, "switched off: checks/secret, checks/hidden-text") {
		t.Errorf("Notes = %q, want the checks that are switched off", notes)
	}
}

func TestListDescribesEveryCheck(t *testing.T) {
	seen := map[string]bool{}
	for _, info := range List() {
		if seen[info.ID] {
			t.Errorf("two checks are called %s", info.ID)
		}
		seen[info.ID] = true
		f := finding.Finding{Line: 1, Severity: info.Severity, Category: info.Category, Message: info.What, Confidence: 1}
		if err := f.Validate(); err != nil {
			t.Errorf("%s: %v", info.ID, err)
		}
		if !strings.HasPrefix(info.ID, "checks/") || !strings.HasSuffix(info.What, ".") || !strings.HasSuffix(info.Why, ".") {
			t.Errorf("%s is not described in sentences: %+v", info.ID, info)
		}
	}
}
