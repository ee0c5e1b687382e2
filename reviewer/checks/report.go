package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// maxFindings is how many findings one check may report; one more says how many
// were left out.
const maxFindings = 20

// sink takes what one check has to say.
type sink struct {
	check    check
	findings []finding.Finding
	notes    []string
	missed   []string        // see unread
	more     int             // findings beyond maxFindings
	moreIn   map[string]bool // the files they are in
}

// report adds a finding of the check's own severity and category.
func (s *sink) report(file string, line int, confidence float64, message string) {
	s.add(finding.Finding{File: file, Line: line, Confidence: confidence, Message: message})
}

// reportAs adds a finding of another severity.
func (s *sink) reportAs(severity finding.Severity, file string, line int, confidence float64, message string) {
	s.add(finding.Finding{File: file, Line: line, Severity: severity, Confidence: confidence, Message: message})
}

// add completes f from the check. Messages may quote the change: what is
// invisible in them is written out.
func (s *sink) add(f finding.Finding) {
	f.Severity = cmp.Or(f.Severity, s.check.Severity)
	f.Category = cmp.Or(f.Category, s.check.Category)
	f.Rule = s.check.ID
	f.Line = max(1, f.Line)
	f.Message = reviewer.Line(f.Message, 1000)
	if len(s.findings) < maxFindings {
		s.findings = append(s.findings, f)
		return
	}
	s.more++
	if s.moreIn == nil {
		s.moreIn = map[string]bool{}
	}
	s.moreIn[f.File] = true
	last := &s.findings[maxFindings-1]
	if f.Severity.Rank() < last.Severity.Rank() {
		*last = f // what weighs more is never what was left out
	}
}

func (s *sink) note(format string, args ...any) {
	s.notes = append(s.notes, s.check.ID+": "+reviewer.Line(fmt.Sprintf(format, args...), 400))
}

// unread says that something of the change could not be looked at: what would
// have been found there is not known, so the change cannot pass on it.
func (s *sink) unread(format string, args ...any) {
	s.missed = append(s.missed, s.check.ID+": "+reviewer.Line(fmt.Sprintf(format, args...), 400))
}

// quoted quotes a piece of the change, cut after 60 bytes.
func quoted(text string) string {
	return "`" + strings.ReplaceAll(reviewer.Line(text, 60), "`", "'") + "`"
}

// report gathers what all checks said.
type report struct {
	order    map[string]int // place of each path in the patch
	findings []finding.Finding
	notes    []string
	missed   []string // see sink.unread
}

func (r *report) add(s *sink) {
	r.missed = append(r.missed, s.missed...)
	r.findings = append(r.findings, s.findings...)
	r.notes = append(r.notes, s.notes...)
	if s.more == 0 {
		return
	}
	last := s.findings[len(s.findings)-1]
	last.Line, last.EndLine, last.Title, last.Suggestion = 1, 0, "", ""
	last.Severity = s.findings[0].Severity
	for _, f := range s.findings {
		if f.Severity.Rank() < last.Severity.Rank() {
			last.Severity = f.Severity
		}
	}
	last.Message = fmt.Sprintf("%s has %d more findings of this kind in %s, which are not listed one by one. Fix the listed ones and run it again.",
		s.check.ID, s.more, plural(len(s.moreIn), "file"))
	r.findings = append(r.findings, last)
}

// sorted returns the findings in patch order, by file, line and check.
func (r *report) sorted() []finding.Finding {
	slices.SortStableFunc(r.findings, func(a, b finding.Finding) int {
		return cmp.Or(cmp.Compare(r.order[a.File], r.order[b.File]), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return r.findings
}
