// Package checks is the reviewer that is built in: a table of deterministic
// checks that read what a change adds and say what is certainly worth a look.
// It needs no configuration, no key and no network, and on an ordinary good
// change it says nothing.
//
// Its main type is [Reviewer]; [List] describes the checks. It runs no program
// and never reads a file through a symlink.
package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/checks/secret"
)

// DefaultTime is how long a review may take when the task sets no limit.
const DefaultTime = 2 * time.Minute

// Options configures a Reviewer. The zero value runs every check.
type Options struct {
	Name    string   // configured name; "checks" when empty
	Disable []string // ids of checks not to run, with or without "checks/"
}

// Reviewer runs the built-in checks. It is safe for concurrent use.
type Reviewer struct {
	name    string
	checks  []check
	off     []string // ids that Options disables
	secrets *secret.Scanner
}

var _ reviewer.Reviewer = (*Reviewer)(nil)

// New returns a Reviewer. An id in options.Disable that no check has is an
// error that lists the ids.
func New(options Options) (*Reviewer, error) {
	r := &Reviewer{name: options.Name, secrets: &secret.Scanner{}}
	if r.name == "" {
		r.name = "checks"
	}
	disabled := map[string]bool{}
	for _, id := range options.Disable {
		id = prefix + strings.TrimPrefix(strings.TrimSpace(id), prefix)
		if !slices.ContainsFunc(table, func(c check) bool { return c.ID == id }) {
			return nil, fmt.Errorf("disable check %q: there is no such check; there are %s", id, strings.Join(ids(table), ", "))
		}
		disabled[id] = true
	}
	for _, c := range table {
		if disabled[c.ID] {
			r.off = append(r.off, c.ID)
		} else {
			r.checks = append(r.checks, c)
		}
	}
	return r, nil
}

// Review runs the checks over task. A task without a parsed patch, or with an
// empty one, is an error: nothing was read. Notes say which checks did not run
// and what none of them reads; Unread says what a check should have read and
// could not.
func (r *Reviewer) Review(ctx context.Context, task reviewer.Task) (reviewer.Result, error) {
	if err := ctx.Err(); err != nil {
		return reviewer.Result{}, reviewer.Fail(task, r.name, err)
	}
	if task.Patch == nil || len(task.Patch.Files) == 0 {
		return reviewer.Result{}, reviewer.Fail(task, r.name, errors.New("there is no patch to read"))
	}
	limit := task.Limits.Time
	if limit <= 0 {
		limit = DefaultTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not done after %v: %w", limit, context.DeadlineExceeded))
	defer cancel()

	s := newSubject(task, r.secrets)
	all := &report{order: s.order()}
	all.notes = append(all.notes, s.notes()...)
	var skipped []string
	ran := 0
	for _, c := range r.checks {
		if !c.needs.met(s) {
			skipped = append(skipped, c.ID)
			continue
		}
		ran++
		all.add(run(ctx, c, s))
		if ctx.Err() != nil {
			return reviewer.Result{}, reviewer.Fail(task, r.name, context.Cause(ctx))
		}
	}
	return all.result(s, ran, skipped, r.off), nil
}

// run runs one check. A panic in a parser ends the check, and what it would have
// found is unknown.
func run(ctx context.Context, c check, s *subject) (out *sink) {
	out = &sink{check: c}
	defer func() {
		if p := recover(); p != nil {
			out.unread("stopped by a fault of its own (%s): what it would have found is not known", reviewer.Line(fmt.Sprint(p), 200))
		}
	}()
	c.run(ctx, s, out)
	return out
}

// result turns what the checks said into a reviewer's answer.
func (r *report) result(s *subject, ran int, skipped, off []string) reviewer.Result {
	if len(skipped) > 0 {
		r.notes = append(r.notes, "not run, for want of the trees before and after the change: "+strings.Join(skipped, ", "))
	}
	if len(off) > 0 {
		r.notes = append(r.notes, "switched off: "+strings.Join(off, ", "))
	}
	findings := r.sorted()
	return reviewer.Result{
		Findings:   findings,
		Summary:    summary(findings, ran, len(s.files)),
		FilesClean: s.clean(findings),
		Notes:      r.notes,
		Unread:     r.missed,
	}
}

// summary says in one sentence what ran and what it found.
func summary(findings []finding.Finding, ran, files int) string {
	what := "nothing to report"
	if len(findings) > 0 {
		counts := map[finding.Severity]int{}
		for _, f := range findings {
			counts[f.Severity]++
		}
		var parts []string
		for _, severity := range finding.Severities {
			if n := counts[severity]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, severity))
			}
		}
		what = plural(len(findings), "finding") + " (" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprintf("%s read %s: %s.", plural(ran, "built-in check"), plural(files, "changed file"), what)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
