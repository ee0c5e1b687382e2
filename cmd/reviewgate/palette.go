package main

import (
	"charm.land/lipgloss/v2"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
	"github.com/reviewgate/reviewgate/report"
)

// The terminal's own sixteen colours, so that they fit its theme; every word
// says the same without them.
var (
	green  = lipgloss.NewStyle().Foreground(lipgloss.Green).Bold(true)
	yellow = lipgloss.NewStyle().Foreground(lipgloss.Yellow).Bold(true)
	red    = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
	bold   = lipgloss.NewStyle().Bold(true)
	faint  = lipgloss.NewStyle().Faint(true)
)

var palette = report.Palette{
	Verdict: func(v policy.Verdict, s string) string {
		switch v {
		case policy.Merge:
			return green.Render(s)
		case policy.Hold:
			return yellow.Render(s)
		}
		return red.Render(s)
	},
	Severity: func(v finding.Severity, s string) string {
		switch v {
		case finding.Minor:
			return faint.Render(s)
		case finding.Major:
			return yellow.Render(s)
		}
		return red.Render(s)
	},
	Strong: func(s string) string { return bold.Render(s) },
	Faint:  func(s string) string { return faint.Render(s) },
}
