package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// Decode reads a stored run, or the stored entry of one change, back: the entry
// alone or with the evidence it was made from, as runs/<id>.json holds it. An error
// is one line that names the place: the line of broken JSON, the field of a
// value that no report can be made from. Fields it does not know are left out,
// so that a newer file can be read; a verdict it does not know is an error.
func Decode(data []byte) (Run, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var shape struct {
		PRs     json.RawMessage `json:"prs"`
		ID      json.RawMessage `json:"id"`
		Verdict json.RawMessage `json:"verdict"`
		Entry   json.RawMessage `json:"entry"`
	}
	if err := unmarshal(data, &shape); err != nil {
		return Run{}, err
	}
	switch {
	case shape.PRs != nil:
		var run Run
		if err := unmarshal(data, &run); err != nil {
			return Run{}, err
		}
		return checked(run)
	case shape.ID != nil && shape.Verdict != nil:
		var e Entry
		if err := unmarshal(data, &e); err != nil {
			return Run{}, err
		}
		return checked(runOf(e))
	case shape.Entry != nil:
		var record struct {
			Entry *Entry `json:"entry"`
		}
		if err := unmarshal(data, &record); err != nil {
			return Run{}, err
		}
		if record.Entry != nil {
			return checked(runOf(*record.Entry))
		}
	}
	return Run{}, errors.New(`stored run: neither "prs" nor "entry" nor "id" and "verdict" at the top: give it the JSON that run or review has written`)
}

// runOf is the run of one stored entry.
func runOf(e Entry) Run {
	return Run{Entries: []Entry{e}, Totals: Total([]Entry{e}, e.DurationMS), Reviewer: ReviewerInfo{Names: e.Reviewers}}
}

// unmarshal decodes JSON and turns an error into one line with its place.
func unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("stored run: the file is empty")
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("stored run: line %d: got %s, want an object", lineAt(data, kind.Offset), kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("stored run: line %d: %s: got %s, want %s", lineAt(data, kind.Offset), kind.Field, kind.Value, kind.Type)
	case errors.As(err, &syntax):
		return fmt.Errorf("stored run: line %d: %v", lineAt(data, syntax.Offset), err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("stored run: line %d: the file ends too early", lineAt(data, int64(len(data))))
	}
	return fmt.Errorf("stored run: %s", oneLine(err.Error()))
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
}

// checked returns run with its lists filled, or an error when a word that a
// report's meaning hangs on is not of the vocabulary.
func checked(run Run) (Run, error) {
	for _, e := range run.Entries {
		if err := checkEntry(e); err != nil {
			return Run{}, fmt.Errorf("stored run: change %q: %w", clip(e.ID, 80), err)
		}
	}
	return run.filled(), nil
}

func checkEntry(e Entry) error {
	if err := oneOf("verdict", e.Verdict, policy.Verdicts...); err != nil {
		return err
	}
	if err := oneOf("review", e.Review, Reviewed, ReviewFailed, Skipped); err != nil {
		return err
	}
	if err := oneOf("verify.status", e.Verify.Status, VerifyPass, VerifyFail, VerifyConflict, VerifySkipped, VerifyUnknown, VerifyNotRun); err != nil {
		return err
	}
	for i, c := range e.Verify.Checks {
		if err := oneOf(fmt.Sprintf("verify.checks[%d].status", i), c.Status, change.Pass, change.Fail, change.Unknown); err != nil {
			return err
		}
	}
	for i, r := range e.Requirements {
		if err := oneOf(fmt.Sprintf("requirements[%d].status", i), r.Status, policy.Satisfied, policy.Unsatisfied, policy.Overridden, policy.NotApplicable, policy.Errored); err != nil {
			return err
		}
	}
	for i, f := range e.Findings {
		if err := oneOf(fmt.Sprintf("findings[%d].severity", i), f.Severity, finding.Severities...); err != nil {
			return err
		}
		if err := oneOf(fmt.Sprintf("findings[%d].category", i), f.Category, finding.Categories...); err != nil {
			return err
		}
	}
	return nil
}

func oneOf[T ~string](field string, got T, known ...T) error {
	if slices.Contains(known, got) {
		return nil
	}
	return fmt.Errorf("%s: %q is not one of %s", field, clip(string(got), 80), joined(known))
}

func joined[T ~string](words []T) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += string(w)
	}
	return out
}
