package finding

import "strings"

// Severity says how much a finding weighs: Blocker over Major over Minor.
type Severity string

// The three severities, heaviest first.
const (
	Blocker Severity = "blocker"
	Major   Severity = "major"
	Minor   Severity = "minor"
)

// Severities lists the severities, heaviest first.
var Severities = []Severity{Blocker, Major, Minor}

// ParseSeverity maps a word of any scale that reviewers use to a Severity,
// ignoring case. An unknown word is Major: a finding never gets lighter by
// being misspelt.
func ParseSeverity(word string) Severity {
	if s, ok := severityWord(word); ok {
		return s
	}
	return Major
}

// severityWord maps a word of any known scale and reports whether it is known.
func severityWord(word string) (Severity, bool) {
	s, ok := severityWords[strings.ToLower(strings.TrimSpace(word))]
	return s, ok
}

// severityWords holds the canonical words and the three other scales
// (critical/warning/suggestion, CRITICAL/HIGH/MEDIUM/LOW, blocker/major/minor/nit).
var severityWords = map[string]Severity{
	"blocker": Blocker, "critical": Blocker,
	"major": Major, "warning": Major, "high": Major,
	"minor": Minor, "suggestion": Minor, "medium": Minor, "low": Minor, "nit": Minor,
}

// Rank orders severities: 0 for Blocker, 1 for Major, 2 for Minor. Any other
// value ranks as Major.
func (s Severity) Rank() int {
	switch s {
	case Blocker:
		return 0
	case Minor:
		return 2
	}
	return 1
}
