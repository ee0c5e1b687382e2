package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/finding"
)

// categoryWords says in one sentence what each category is about.
var categoryWords = map[finding.Category]string{
	finding.Security:                 "The change opens a way to attack the system or to reach data that was out of reach.",
	finding.SecretInCode:             "The change holds a password, token or key that everybody with the code can read.",
	finding.Correctness:              "The change does something else than it should.",
	finding.ErrorHandling:            "An error that can happen is lost, hidden or answered wrongly.",
	finding.Performance:              "The change costs more time, memory or calls than the job needs.",
	finding.Architecture:             "The change crosses a border that the code base keeps.",
	finding.ContractBreak:            "The change breaks what others rely on: an API, a message, a stored format.",
	finding.MigrationNumberCollision: "Two migrations share a number, or a number is out of order.",
	finding.Testing:                  "What the change does is not tested, or a test no longer tests it.",
	finding.BestPractices:            "The change departs from what is good practice in its language or framework.",
	finding.Documentation:            "The documentation is missing or no longer true.",
	finding.Style:                    "The change departs from the style of the code base.",
}

// securitySeverity is what GitHub sorts security results by (CVSS-like, 0.1 to
// 10). A result without it is not shown among security alerts, so only findings
// of the two security categories have it.
var securitySeverity = map[finding.Severity]string{finding.Blocker: "9.0", finding.Major: "7.0", finding.Minor: "3.0"}

// sarifRules describes each rule that the findings of entries name, in
// alphabetical order. A rule's level is that of the heaviest finding under it.
func sarifRules(entries []Entry) []sarifRule {
	heaviest := map[string]finding.Finding{}
	for _, e := range entries {
		for _, f := range e.Findings {
			id := ruleName(f.Finding)
			if known, ok := heaviest[id]; !ok || f.Severity.Rank() < known.Severity.Rank() {
				heaviest[id] = f.Finding
			}
		}
	}
	rules := []sarifRule{}
	for _, id := range sortedKeys(heaviest) {
		rules = append(rules, newSARIFRule(id, heaviest[id]))
	}
	return rules
}

func newSARIFRule(id string, f finding.Finding) sarifRule {
	category := oneLine(string(f.Category))
	words := nameOr(categoryWords[f.Category], "An issue of category "+category+".")
	title := strings.ReplaceAll(category, "-", " ")
	if f.Rule != "" {
		title += ", rule " + oneLine(f.Rule)
	}
	properties := map[string]any{"tags": []string{category}, "problem.severity": problemSeverity(f.Severity)}
	if slices.Contains([]finding.Category{finding.Security, finding.SecretInCode}, f.Category) {
		properties["tags"] = slices.Compact([]string{category, string(finding.Security)})
		properties["security-severity"] = securitySeverity[f.Severity]
	}
	return sarifRule{
		ID: id, Name: pascal(category),
		ShortDescription: sarifText{sarifMessage(title)},
		FullDescription:  sarifText{sarifMessage(words)},
		Help:             sarifText{sarifMessage(words + " See the message of each result for what to do.")},
		Default:          sarifDefault{Level: sarifLevel(f.Severity, "")},
		Properties:       properties,
	}
}

// pascal writes a category as SARIF wants the name of a rule: SecretInCode.
func pascal(category string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(category, "-") {
		r, size := utf8.DecodeRuneInString(word)
		if size > 0 {
			b.WriteString(string(unicode.ToUpper(r)) + word[size:])
		}
	}
	return b.String()
}

func problemSeverity(s finding.Severity) string {
	switch s {
	case finding.Blocker:
		return "error"
	case finding.Minor:
		return "recommendation"
	}
	return "warning"
}

// sarifChanges tells the verdict of each change: SARIF has no word for it.
func sarifChanges(entries []Entry) []map[string]any {
	changes := []map[string]any{}
	for _, e := range entries {
		changes = append(changes, map[string]any{
			"change": oneLine(e.ID), "verdict": e.Verdict, "reason": oneLine(e.Reason), "verify": e.Verify.Status, "review": e.Review,
			"blockers": kinds(e.Blockers), "head": oneLine(e.Head), "base": oneLine(e.Base),
		})
	}
	return changes
}

// sarifNotices says what keeps the results from being complete.
func sarifNotices(run Run, entries []Entry) []sarifNotification {
	notices := []sarifNotification{}
	if run.Incomplete {
		notices = append(notices, notice("error", "run-interrupted", "The run was interrupted: changes are missing."))
	}
	for _, e := range entries {
		id := oneLine(e.ID)
		switch e.Review {
		case ReviewFailed:
			notices = append(notices, notice("error", "review-failed", fmt.Sprintf("The review of %s failed: %s", id, nameOr(oneLine(e.Error), "no reason was given"))))
		case Skipped:
			notices = append(notices, notice("warning", "review-skipped", id+" was not reviewed: the patch did not apply."))
		}
		for _, c := range e.Verify.Checks {
			if c.Status != change.Pass {
				notices = append(notices, notice("warning", "verify-"+string(c.Status), strings.TrimSuffix(fmt.Sprintf("%s: %s: %s: %s", id, oneLine(c.Name), c.Status, checkReason(c)), ": ")))
			}
		}
		for _, name := range e.Coverage.Unreviewed {
			notices = append(notices, notice("warning", "file-unreviewed", fmt.Sprintf("%s: %s was read by no reviewer.", id, fileName(name))))
		}
		for _, note := range e.Notes {
			notices = append(notices, notice("note", "note", id+": "+oneLine(note)))
		}
	}
	return notices
}

func notice(level, id, text string) sarifNotification {
	return sarifNotification{Level: level, Message: sarifText{sarifMessage(text)}, Descriptor: &sarifDescriptor{ID: id}}
}

var semantic = regexp.MustCompile(`^v?\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$`)

func isSemantic(version string) bool { return semantic.MatchString(version) }
