package report

import (
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// Palette colours the text report. A nil function leaves its text as it is, so
// the zero Palette is for pipes and files. The functions get text that holds no
// control character any more, and must not change its letters.
type Palette struct {
	Verdict  func(v policy.Verdict, s string) string
	Severity func(v finding.Severity, s string) string
	Strong   func(s string) string // ids, headings
	Faint    func(s string) string // what is read last
}

func (p Palette) verdict(v policy.Verdict) string {
	if p.Verdict == nil {
		return oneLine(string(v))
	}
	return p.Verdict(v, oneLine(string(v)))
}

func (p Palette) severity(v finding.Severity) string {
	if p.Severity == nil {
		return oneLine(string(v))
	}
	return p.Severity(v, oneLine(string(v)))
}

func (p Palette) strong(s string) string {
	if p.Strong == nil {
		return s
	}
	return p.Strong(s)
}

func (p Palette) faint(s string) string {
	if p.Faint == nil {
		return s
	}
	return p.Faint(s)
}
