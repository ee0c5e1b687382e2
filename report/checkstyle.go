package report

import (
	"encoding/xml"
	"io"

	"github.com/reviewgate/reviewgate/finding"
)

// The checkstyle XML that most build servers read. There is no standard; the
// names are those of the tool's own XMLLogger.
// https://checkstyle.org/

type checkstyleDocument struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// Checkstyle writes the findings as checkstyle XML, by file in order of the
// first finding, heaviest first.
func Checkstyle(w io.Writer, run Run) error {
	doc := checkstyleDocument{Version: "4.3"}
	at := map[string]int{}
	for _, r := range heaviestFirst(run.Entries) {
		f := r.Finding.Finding
		name := fileName(f.File)
		i, ok := at[name]
		if !ok {
			i = len(doc.Files)
			at[name] = i
			doc.Files = append(doc.Files, checkstyleFile{Name: name})
		}
		doc.Files[i].Errors = append(doc.Files[i].Errors, checkstyleError{
			Line: max(f.Line, 1), Severity: checkstyleSeverity(f.Severity), Message: longLine(wholeMessage(f)), Source: "reviewgate." + ruleName(f),
		})
	}
	return encodeXML(w, doc)
}

func checkstyleSeverity(s finding.Severity) string {
	switch s {
	case finding.Blocker:
		return "error"
	case finding.Minor:
		return "info"
	}
	return "warning"
}

func encodeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
