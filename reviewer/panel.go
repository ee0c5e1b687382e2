package reviewer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/reviewgate/reviewgate/finding"
)

// Member is one reviewer of a [Panel].
type Member struct {
	Name     string // as configured; every finding of the panel carries one
	Reviewer Reviewer
}

// Panel is several reviewers that are asked about one change at once.
type Panel []Member

// Said is the Data of an [Event] of a panel: who said what.
type Said struct {
	Reviewer string `json:"reviewer"`
	Message  any    `json:"message"`
}

// Review asks every member and waits for all. Findings stand in the order of
// the members, each with its Reviewer; summaries are joined under their names;
// costs and turns are added up.
//
// A panel of one says what its member says, in its own words.
//
// A panel is as good as its weakest answer: when one member fails, the panel
// fails with an *Error that names it, and what the others found is in the
// Result. A panel without members fails.
func (p Panel) Review(ctx context.Context, task Task) (Result, error) {
	if len(p) == 0 {
		return Result{}, Fail(task, "the panel", errors.New("no reviewer is configured, so nobody read the change: name one under reviewers"))
	}
	if len(p) == 1 {
		result, err := p[0].Reviewer.Review(ctx, task)
		result.Findings = signed(result.Findings, p[0].Name)
		return result, p.failure(task, []error{err})
	}
	results, errs := make([]Result, len(p)), make([]error, len(p))
	var asked sync.WaitGroup
	for i, m := range p {
		asked.Go(func() { results[i], errs[i] = m.Reviewer.Review(ctx, task) })
	}
	asked.Wait()
	var joined Result
	for i, r := range results {
		joined.add(p[i].Name, r)
	}
	joined.FilesClean = withoutFindings(joined)
	slices.SortStableFunc(joined.Run, func(a, b Event) int { return cmp.Compare(a.MS, b.MS) })
	return joined, p.failure(task, errs)
}

// add appends what the member called name answered to r.
func (r *Result) add(name string, answer Result) {
	r.Findings = append(r.Findings, signed(answer.Findings, name)...)
	if s := strings.TrimSpace(answer.Summary); s != "" {
		r.Summary = join(r.Summary, "\n\n", name+": "+s)
	}
	if answer.SessionID != "" {
		r.SessionID = join(r.SessionID, " ", name+":"+answer.SessionID)
	}
	for _, e := range answer.Run {
		r.Run = append(r.Run, Event{MS: e.MS, Data: Said{Reviewer: name, Message: e.Data}})
	}
	for _, note := range answer.Notes {
		r.Notes = append(r.Notes, name+": "+note)
	}
	for _, unread := range answer.Unread {
		r.Unread = append(r.Unread, name+": "+unread)
	}
	r.FilesClean = append(r.FilesClean, answer.FilesClean...)
	r.CostUSD += answer.CostUSD
	r.Turns += answer.Turns
}

// signed returns findings as raised by the member called name.
func signed(findings []finding.Finding, name string) []finding.Finding {
	findings = slices.Clone(findings)
	for i := range findings {
		findings[i].Reviewer = name
	}
	return findings
}

func join(text, separator, more string) string {
	if text == "" {
		return more
	}
	return text + separator + more
}

// withoutFindings returns the clean files of r, each once, without those that
// another member has a finding on.
func withoutFindings(r Result) []string {
	seen := map[string]bool{}
	for _, f := range r.Findings {
		seen[f.File] = true
	}
	var clean []string
	for _, file := range r.FilesClean {
		if !seen[file] {
			seen[file] = true
			clean = append(clean, file)
		}
	}
	return clean
}

// failure returns nil when every member answered, the error of the one that did
// not, or one error for all that did not.
func (p Panel) failure(task Task, errs []error) error {
	var names []string
	var failed failures
	for i, err := range errs {
		if err != nil {
			names = append(names, p[i].Name)
			failed = append(failed, err)
		}
	}
	switch len(failed) {
	case 0:
		return nil
	case 1:
		return Fail(task, names[0], failed[0])
	}
	return &Error{Change: task.Change.ID, Reviewer: strings.Join(names, ", "), Err: failed}
}

// failures are the errors of several members on one line.
type failures []error

func (f failures) Error() string {
	words := make([]string, len(f))
	for i, err := range f {
		words[i] = err.Error()
	}
	return strings.Join(words, "; ")
}

func (f failures) Unwrap() []error { return f }
