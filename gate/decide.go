package gate

import (
	"io/fs"
	"slices"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
	"github.com/reviewgate/reviewgate/report"
	"github.com/reviewgate/reviewgate/rules"
)

// decide turns the evidence about a change into its entry, and returns the
// clean findings beside it. It asks nobody and runs nothing.
func (g *Gate) decide(c *candidate, ev Evidence) (report.Entry, []finding.Finding) {
	e := g.describe(c, ev)
	clean := []finding.Finding{}
	if a := ev.Answer; a != nil {
		var dropped []finding.Dropped
		clean, dropped = finding.Sift(a.Findings, c.changed, g.MinConfidence)
		clean = finding.Stamp(clean, c.lineText)
		e.Dropped = finding.Count(dropped)
		e.Summary, e.CostUSD, e.Turns, e.Error = a.Summary, a.CostUSD, a.Turns, a.Error
		e.VerifyNote = policy.Reconcile(a.Summary, ev.Verification)
		e.Notes = append(e.Notes, a.Notes...)
	}
	e.Findings = report.Excerpts(c.patch, clean)
	e.Blockers = blocker.Detect(blocker.Evidence{
		Change: c.Change.Change, Base: c.base(), Changed: c.changed,
		Applied: ev.Applied, Verification: ev.Verification, AsOf: g.AsOf,
	})
	d := policy.Decide(policy.Evidence{
		Change: c.Change.Change, Findings: clean, Blockers: e.Blockers,
		Reviewed: e.Review == report.Reviewed, ReviewError: e.Error,
		Applied: ev.Applied, Verification: ev.Verification, VerifyOff: !g.RunTests, PatchAlone: c.Base == nil,
		Unreviewed: e.Coverage.Unreviewed, Unknown: unknown(ev.Answer),
	})
	e.Verdict, e.Reason, e.Requirements = d.Verdict, d.Reason, d.Requirements
	return e, clean
}

// unknown is what the reviewer could not read.
func unknown(a *Answer) []policy.Unknown {
	var list []policy.Unknown
	if a != nil {
		for _, unread := range a.Unread {
			list = append(list, policy.Unknown{What: "review", Why: unread})
		}
	}
	return list
}

// describe fills in what needs no judgement.
func (g *Gate) describe(c *candidate, ev Evidence) report.Entry {
	e := report.Entry{
		ID: c.ID, Title: c.Title, Author: c.Author, CreatedAt: c.CreatedAt, Approvals: nonNil(c.Approvals),
		Dropped: map[string]int{}, Notes: nonNil(c.notes), Rules: ruleNames(c), Files: files(c.patch),
		Reviewers: nonNil(g.Names), DurationMS: ev.DurationMS, Stages: ev.Stages, Head: c.Head, Base: c.Change.Change.Base,
	}
	switch {
	case ev.Answer == nil:
		e.Review = report.Skipped
	case ev.Answer.Error != "":
		e.Review = report.ReviewFailed
	default:
		e.Review = report.Reviewed
	}
	e.Verify = g.verification(ev)
	e.Coverage = coverage(c, e.Review)
	if c.Base == nil {
		e.Notes = append(e.Notes, "a patch alone: it was neither applied nor tested, and what needs the repository was not looked at")
	}
	return e
}

// lineText returns the text of a line of the new version as the patch shows it,
// or "" when no hunk holds it.
func (c *candidate) lineText(path string, line int) string {
	file := c.patch.File(path)
	if file == nil {
		return ""
	}
	hunk, ok := file.HunkAt(line)
	if !ok {
		return ""
	}
	for l := range hunk.Lines() {
		if l.New == line {
			return string(l.Text)
		}
	}
	return ""
}

// verification gives the verify gate's answer its one word.
func (g *Gate) verification(ev Evidence) report.Verify {
	v := report.Verify{Status: report.VerifyNotRun, Applied: change.Applied{OK: true}, Checks: []change.Check{}, Sandbox: []string{}}
	if ev.Applied != nil {
		v.Applied = *ev.Applied
	}
	v.Applied.Conflicts = nonNil(v.Applied.Conflicts)
	if ev.Verification != nil {
		v.Checks, v.Sandbox = nonNil(ev.Verification.Checks), nonNil(ev.Verification.Sandbox)
		v.DurationMS, v.OK = ev.Verification.DurationMS, ev.Verification.OK()
	}
	v.Status = verifyStatus(ev)
	return v
}

func verifyStatus(ev Evidence) report.VerifyStatus {
	v := ev.Verification
	switch {
	case ev.Applied != nil && !ev.Applied.OK:
		return report.VerifyConflict
	case v == nil:
		return report.VerifyNotRun
	case len(v.Failed()) > 0:
		return report.VerifyFail
	case len(v.Checks) == 0:
		return report.VerifySkipped
	case v.OK() != nil:
		return report.VerifyPass
	case !slices.ContainsFunc(v.Checks, func(c change.Check) bool { return !c.NoTool }):
		return report.VerifySkipped
	}
	return report.VerifyUnknown
}

// coverage counts every changed file as read when the review succeeded: the
// reviewers of this gate are given the whole patch or fail.
func coverage(c *candidate, status report.ReviewStatus) report.Coverage {
	cov := report.Coverage{Files: len(c.patch.Files), Unreviewed: []string{}}
	if status == report.Reviewed {
		cov.Reviewed = cov.Files
		return cov
	}
	for i := range c.patch.Files {
		cov.Unreviewed = append(cov.Unreviewed, c.patch.Files[i].Path())
	}
	return cov
}

func files(patch *diff.Patch) []report.File {
	list := make([]report.File, len(patch.Files))
	for i := range patch.Files {
		f := &patch.Files[i]
		list[i] = report.File{Path: f.Path(), OldPath: f.OldPath, Status: string(f.Status), Added: f.Added, Deleted: f.Deleted, Binary: f.Binary}
	}
	return list
}

func ruleNames(c *candidate) []string {
	names := []string{}
	for _, r := range rules.For(c.rules, c.changed) {
		names = append(names, r.Name)
	}
	return names
}

// base keeps a nil Tree from turning into an fs.FS that is not nil.
func (c *candidate) base() fs.FS {
	if c.Base == nil {
		return nil
	}
	return c.Base
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
