package report

import "io"

// Format is one way to write a run.
type Format struct {
	Name  string                         // what --format takes
	File  string                         // the name such a file usually has
	About string                         // one line for help texts
	Write func(w io.Writer, r Run) error // bounded, and safe against any text in r
}

// Formats lists every format, the ones for people first.
var Formats = []Format{
	{"markdown", "REPORT.md", "the report as Markdown", Markdown},
	{"html", "report.html", "the report as one self-contained page", HTML},
	{"text", "report.txt", "what the command line prints", textRun},
	{"step-summary", "step-summary.md", "Markdown for GITHUB_STEP_SUMMARY, at most 1 MiB", StepSummary},
	{"json", "run.json", "the stored run, from which every other format can be made", JSON},
	{"aggregate", "live.json", "the figures of the run, without its findings", Aggregate},
	{"sarif", "reviewgate.sarif", "SARIF 2.1.0 for code scanning", SARIF},
	{"code-quality", "gl-code-quality-report.json", "GitLab Code Quality", CodeQuality},
	{"rdjson", "reviewgate.rdjson", "Reviewdog Diagnostic Format", RDJSON},
	{"rdjsonl", "reviewgate.rdjsonl", "Reviewdog Diagnostic Format, one diagnostic per line", RDJSONL},
	{"checkstyle", "checkstyle.xml", "checkstyle XML", Checkstyle},
	{"junit", "junit.xml", "JUnit XML: checks, requirements and verdicts as test cases", JUnit},
	{"annotations", "annotations.txt", "GitHub workflow commands", Annotations},
}

// FormatNamed returns the format of a name, and false when there is none.
func FormatNamed(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
