package report

import (
	"io"

	"github.com/reviewgate/reviewgate/finding"
)

// codeQualityIssue is one element of gl-code-quality-report.json.
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type codeQualityIssue struct {
	Description string              `json:"description"`
	CheckName   string              `json:"check_name"`
	Fingerprint string              `json:"fingerprint"`
	Severity    string              `json:"severity"`
	Location    codeQualityLocation `json:"location"`
}

type codeQualityLocation struct {
	Path  string           `json:"path"`
	Lines codeQualityLines `json:"lines"`
}

type codeQualityLines struct {
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`
}

// CodeQuality writes GitLab's Code Quality report: one JSON array for
// artifacts:reports:codequality. Fingerprints are unique within it and do not
// hold the line, so that an edit further up does not open an issue again.
func CodeQuality(w io.Writer, run Run) error {
	issues := []codeQualityIssue{}
	seen := identities{}
	for _, r := range heaviestFirst(run.Entries) {
		f := r.Finding.Finding
		issue := codeQualityIssue{
			Description: longLine(wholeMessage(f)),
			CheckName:   "reviewgate/" + ruleName(f),
			Fingerprint: seen.of(f),
			Severity:    codeQualitySeverity(f.Severity),
			Location:    codeQualityLocation{Path: fileName(f.File), Lines: codeQualityLines{Begin: max(f.Line, 1)}},
		}
		if f.EndLine > f.Line {
			issue.Location.Lines.End = f.EndLine
		}
		issues = append(issues, issue)
	}
	return encode(w, issues)
}

// codeQualitySeverity keeps to GitLab's five words; ours are among them.
func codeQualitySeverity(s finding.Severity) string {
	switch s {
	case finding.Blocker, finding.Minor:
		return string(s)
	}
	return string(finding.Major)
}
