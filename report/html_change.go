package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// showing is how much of a run the page still has room for. A run of a thousand
// changes makes a page of some ten megabytes, not of hundreds.
type showing struct {
	open     bool // changes that need a person are open: there are few
	single   bool // there is one change: it is open
	excerpts int  // of all findings together
	output   int  // bytes of all checks together
}

// Limits of one page and of one change on it. Empirical: a page of this size
// opens within a second or two in a browser.
const (
	maxOpenChanges    = 16
	maxPageExcerpts   = 1500
	maxPageOutput     = 4 << 20
	maxChangeFindings = 100
	maxChangeFiles    = 300
	maxCheckOutput    = 16 << 10
)

func newShowing(changes int) *showing {
	return &showing{open: changes <= maxOpenChanges, single: changes == 1, excerpts: maxPageExcerpts, output: maxPageOutput}
}

// changeView is one change as the page shows it.
type changeView struct {
	Anchor                                     string
	ID, Title, Reason, WholeReason, Cost, Find string
	Verdict                                    policy.Verdict
	Open                                       bool
	Verify, VerifyClass, VerifyIcon, NoChecks  string
	Counts                                     []severityCount
	Facts                                      []string
	ReviewProblem                              string
	Requirements                               []requirementView
	Checks                                     []checkView
	Sandbox                                    string
	Blockers                                   []blockerView
	Summary, VerifyNote                        string
	Findings                                   []findingView
	NoFindings, MoreFindings, Dropped          string
	Missed, Unseen, Notes                      []string
	Files                                      []fileView
	FilesWords, MoreFiles, Rules               string
}

type severityCount struct{ Class, Text string }

type requirementView struct{ Name, Status, Detail, Class, Icon string }

type checkView struct {
	Name, Status, Reason, Took, Output, Class, Icon string
	Open                                            bool
}

type blockerView struct {
	Class, Kind, Detail string
	Weight              int
}

type fileView struct {
	Path, From, Status string
	Added, Deleted     string
}

func newChangeView(run Run, e Entry, anchor string, room *showing) changeView {
	r := newRemarks(e)
	v := changeView{
		Anchor: anchor, ID: oneLine(e.ID), Title: oneLine(nameOr(e.Title, "(no title)")), Reason: reasonWords(e), WholeReason: oneLine(e.Reason), Cost: usd(e.CostUSD),
		Verdict: settled(e.Verdict), Open: room.single || room.open && e.Verdict != policy.Merge,
		Verify: oneLine(string(e.Verify.Status)), Facts: changeFacts(run, e), ReviewProblem: reviewProblem(e, r.failed),
		Summary: lines(e.Summary), VerifyNote: longLine(e.VerifyNote), Unseen: r.unseen, Notes: r.notes, FilesWords: filesWords(e),
	}
	v.VerifyClass, v.VerifyIcon = verifyLook(e.Verify.Status)
	v.NoChecks = noChecks(e)
	v.Counts, v.NoFindings = severityCounts(e), choose(e.Review == Reviewed, "None.", "Not reviewed.")
	for _, r := range e.Requirements {
		class, icon := requirementLook(r.Status)
		v.Requirements = append(v.Requirements, requirementView{oneLine(r.Name), oneLine(string(r.Status)), oneLine(r.Detail), class, icon})
	}
	for _, c := range e.Verify.Checks {
		v.Checks = append(v.Checks, newCheckView(c, room))
	}
	if layers := strings.Join(linesOf(e.Verify.Sandbox), ", "); layers != "" {
		v.Sandbox = "Ran inside: " + layers + "."
	}
	for _, b := range e.Blockers {
		v.Blockers = append(v.Blockers, blockerView{kindClass(b.Kind), oneLine(string(b.Kind)), oneLine(b.Detail), b.Weight})
	}
	for _, f := range bySeverity(e.Findings)[:min(len(e.Findings), maxChangeFindings)] {
		v.Findings = append(v.Findings, newFindingView(e, f, room))
	}
	if rest := len(e.Findings) - len(v.Findings); rest > 0 {
		v.MoreFindings = count(rest, "more finding") + " in the stored run."
	}
	if dropped := droppedWords(e); dropped != "" {
		v.Dropped = "Left out of the reviewer's findings: " + dropped + "."
	}
	v.addFiles(e)
	v.Missed = missedLabels(e)
	v.Find = findText(v, e)
	return v
}

func (v *changeView) addFiles(e Entry) {
	for _, f := range e.Files[:min(len(e.Files), maxChangeFiles)] {
		view := fileView{Path: fileName(f.Path), From: fileName(f.OldPath), Status: statusWord(f.Status), Added: "+" + strconv.Itoa(f.Added), Deleted: "−" + strconv.Itoa(f.Deleted)}
		if f.Binary {
			view.Added, view.Deleted = "binary", ""
		}
		if f.OldPath == f.Path {
			view.From = ""
		}
		v.Files = append(v.Files, view)
	}
	if rest := len(e.Files) - len(v.Files); rest > 0 {
		v.MoreFiles = count(rest, "more file") + " in the stored run."
	}
	if names := strings.Join(linesOf(e.Rules), ", "); names != "" {
		v.Rules = "Rules that applied: " + clip(names, maxLine) + "."
	}
}

func newCheckView(c change.Check, room *showing) checkView {
	v := checkView{Name: oneLine(c.Name), Status: oneLine(string(c.Status)), Reason: checkReason(c), Took: span(c.DurationMS), Open: c.Status == change.Fail}
	switch c.Status {
	case change.Pass:
		v.Class, v.Icon = "good", "ok"
	case change.Fail:
		v.Class, v.Icon = "bad", "no"
	default:
		v.Class, v.Icon = "ask", "ask"
	}
	v.Output = strings.Trim(visible(clip(c.Output, min(maxCheckOutput, max(room.output, 0)))), "\n")
	room.output -= len(v.Output)
	return v
}

func verifyLook(s VerifyStatus) (class, icon string) {
	switch s {
	case VerifyPass:
		return "good", "ok"
	case VerifyFail, VerifyConflict:
		return "bad", "no"
	}
	return "ask", "ask"
}

func requirementLook(s policy.Status) (class, icon string) {
	switch s {
	case policy.Satisfied, policy.Overridden:
		return "good", "ok"
	case policy.NotApplicable:
		return "none", "none"
	case policy.Unsatisfied:
		return "bad", "no"
	}
	return "ask", "ask"
}

// bySeverity returns a copy of findings, heaviest first, then by file and line.
func bySeverity(findings []Finding) []Finding {
	return slices.SortedStableFunc(slices.Values(findings), func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

func severityCounts(e Entry) []severityCount {
	n := map[finding.Severity]int{}
	for _, f := range e.Findings {
		n[f.Severity]++
	}
	var out []severityCount
	for _, s := range finding.Severities {
		if n[s] > 0 {
			out = append(out, severityCount{string(s), fmt.Sprintf("%d %s", n[s], s)})
		}
	}
	return out
}

// findText is what the search looks through: small letters, bounded.
func findText(v changeView, e Entry) string {
	parts := []string{v.ID, v.Title, v.WholeReason, string(v.Verdict), oneLine(e.Author), kinds(e.Blockers)}
	for _, f := range v.Files {
		parts = append(parts, f.Path)
	}
	return strings.ToLower(clip(strings.Join(parts, " "), 4096))
}
