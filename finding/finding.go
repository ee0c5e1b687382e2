// Package finding holds what a reviewer says about a change: the Finding, its
// severity and category, the JSON document it travels in, and the hygiene that
// turns a noisy list into one worth reading (touched files, threshold, dedupe,
// clean). It judges nothing: what a finding means for a merge is package policy's.
//
// Its main type is [Finding]. Every function here is pure and returns a new
// slice in input order.
package finding

// Finding is one issue that a reviewer reports on the new version of a file.
// The JSON names are those of schema/findings.schema.json; the fields after
// Rule belong to schema/review.schema.json or are filled in by the gate.
type Finding struct {
	File       string   `json:"file"`       // relative to the repository root, with /
	Line       int      `json:"line"`       // 1-based, in the new version of File
	Severity   Severity `json:"severity"`   // blocker, major or minor
	Category   Category `json:"category"`   // one of Categories
	Message    string   `json:"message"`    // what, why and what to do; 10 characters at least
	Confidence float64  `json:"confidence"` // 0 to 1
	Rule       string   `json:"rule,omitempty"`

	Title      string `json:"title,omitempty"`
	Suggestion string `json:"suggestion,omitempty"` // replacement text for Line to EndLine
	EndLine    int    `json:"end_line,omitempty"`   // last line, inclusive; 0 means Line

	Reviewer    string `json:"reviewer,omitempty"`    // who raised it; set by the gate
	Fingerprint string `json:"fingerprint,omitempty"` // see Fingerprint; set by the gate
}
