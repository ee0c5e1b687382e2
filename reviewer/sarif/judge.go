package sarif

import (
	"strings"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/finding"
)

// DefaultConfidence is the confidence of a result whose tool gives no rank: an
// analyzer is seldom wrong about what it sees, and often about whether it
// matters.
const DefaultConfidence = 0.8

// judged is what a configuration may say about results.
type judged struct {
	severity   map[string]finding.Severity // by rule id, beginning of a rule id with *, or level
	category   map[string]finding.Category // by rule id, beginning of a rule id with *, or tag
	confidence float64
	known      map[categoryKey]finding.Category // what was told already, in one review; nil remembers nothing
}

// finding returns res, whose path is located, as a finding on the given lines.
func (j *judged) finding(res *result, line, end int) finding.Finding {
	f := finding.Finding{
		File: res.path, Line: line, EndLine: end,
		Severity: j.severityOf(res), Category: j.categoryOf(res),
		Message: message(res), Confidence: j.confidence, Rule: short(res.rule),
	}
	if res.rank >= 0 {
		f.Confidence = res.rank
	}
	if f.EndLine <= f.Line {
		f.EndLine = 0
	}
	return f
}

// severityOf maps the tool's word: an error is major, a warning or a note is
// minor; words of other scales keep their weight, and an unknown one is major.
func (j *judged) severityOf(res *result) finding.Severity {
	level := strings.ToLower(strings.TrimSpace(res.level))
	if s, ok := lookUp(j.severity, res.rule, level); ok {
		return s
	}
	switch level {
	case "error", "fatal":
		return finding.Major
	case "warning", "warn", "note", "info", "information", "notice", "none", "hint", "style", "refactor", "convention", "":
		return finding.Minor
	}
	return finding.ParseSeverity(level)
}

// lookUp returns the value for a rule by its id, by the longest beginning of it
// that stands in table with a * at its end, or for the first of words.
func lookUp[T any](table map[string]T, rule string, words ...string) (T, bool) {
	if v, ok := table[rule]; ok && rule != "" {
		return v, true
	}
	best, found := "", false
	for k := range table {
		prefix, isPrefix := strings.CutSuffix(k, "*")
		if isPrefix && strings.HasPrefix(rule, prefix) && len(k) > len(best) {
			best, found = k, true
		}
	}
	if found {
		return table[best], true
	}
	for _, w := range words {
		if v, ok := table[w]; ok {
			return v, true
		}
	}
	var none T
	return none, false
}

// message returns the words of res as a finding needs them: not empty, long
// enough, bounded, and with the rule in front of what is too short alone.
func message(res *result) string {
	text := strings.TrimSpace(strings.ToValidUTF8(res.message, "\ufffd"))
	name := short(res.rule)
	if name == "" {
		name = short(res.tool)
	}
	if text == "" {
		text = "reported without a message"
	}
	if utf8.RuneCountInString(text) < finding.MinMessage && name != "" {
		text = name + ": " + text
	}
	if utf8.RuneCountInString(text) < finding.MinMessage {
		text = "the analyzer says: " + text
	}
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}
