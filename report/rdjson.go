package report

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/reviewgate/reviewgate/finding"
)

// The Reviewdog Diagnostic Format.
// https://github.com/reviewdog/reviewdog/tree/master/proto/rdf

type rdDocument struct {
	Source      rdSource       `json:"source"`
	Severity    string         `json:"severity"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdSource struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type rdDiagnostic struct {
	Message     string         `json:"message"`
	Location    rdLocation     `json:"location"`
	Severity    string         `json:"severity"`
	Source      *rdSource      `json:"source,omitempty"` // rdjsonl only: a line stands alone
	Code        rdCode         `json:"code"`
	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
}

type rdLocation struct {
	Path  string  `json:"path"`
	Range rdRange `json:"range"`
}

// rdRange without columns means whole lines.
type rdRange struct {
	Start rdPosition  `json:"start"`
	End   *rdPosition `json:"end,omitempty"`
}

type rdPosition struct {
	Line int `json:"line"`
}

type rdCode struct {
	Value string `json:"value"`
}

type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

var rdReviewgate = rdSource{Name: "reviewgate", URL: homepage}

// RDJSON writes one document of the Reviewdog Diagnostic Format.
func RDJSON(w io.Writer, run Run) error {
	doc := rdDocument{Source: rdReviewgate, Severity: "INFO", Diagnostics: []rdDiagnostic{}}
	for i, r := range heaviestFirst(run.Entries) {
		d := newDiagnostic(r.Finding.Finding)
		if i == 0 {
			doc.Severity = d.Severity
		}
		doc.Diagnostics = append(doc.Diagnostics, d)
	}
	return encode(w, doc)
}

// RDJSONL writes the Reviewdog Diagnostic Format with one diagnostic per line.
func RDJSONL(w io.Writer, run Run) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, r := range heaviestFirst(run.Entries) {
		d := newDiagnostic(r.Finding.Finding)
		d.Source = &rdReviewgate
		if err := enc.Encode(d); err != nil {
			return err
		}
	}
	return b.Flush()
}

func newDiagnostic(f finding.Finding) rdDiagnostic {
	lines := rdRange{Start: rdPosition{max(f.Line, 1)}}
	if f.EndLine > f.Line {
		lines.End = &rdPosition{f.EndLine}
	}
	d := rdDiagnostic{
		Message:  longLine(wholeMessage(f)),
		Location: rdLocation{Path: fileName(f.File), Range: lines},
		Severity: rdSeverity(f.Severity),
		Code:     rdCode{ruleName(f)},
	}
	if text, ok := replacement(f); ok {
		d.Suggestions = []rdSuggestion{{Range: rdRange{Start: lines.Start, End: &rdPosition{lastLine(f)}}, Text: text}}
	}
	return d
}

func rdSeverity(s finding.Severity) string {
	switch s {
	case finding.Blocker:
		return "ERROR"
	case finding.Minor:
		return "INFO"
	}
	return "WARNING"
}
