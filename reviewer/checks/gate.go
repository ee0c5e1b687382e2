package checks

import (
	"context"
	"fmt"

	"github.com/reviewgate/reviewgate/finding"
)

var gateCheck = check{
	Info: Info{
		ID:       prefix + "gate-edit",
		What:     "An edit to the rules or the settings that changes are reviewed by.",
		Why:      "It takes effect for every change after this one, so a person should want it.",
		Severity: finding.Minor,
		Category: finding.BestPractices,
	},
	needs: patchOnly,
	run:   findGateEdits,
}

var (
	// gateFiles decide what a review demands or leaves out.
	gateFiles = expr(`(?i)(?:^|/)\.claude/(?:rules/|settings[\w.]*\.json$|hooks/)|(?:^|/)(?:review\.md|\.codereview\.\w+|\.cursor/bugbot\.md|codeowners|\.gitleaks\.toml|\.gitleaksignore)$|^\.?reviewgate\.ya?ml$|^\.reviewgate/`)
	// guideFiles speak to agents, and pipelines run the checks: they change all
	// the time, so they are only mentioned.
	guideFiles = expr(`(?i)(?:^|/)(?:agents|claude|gemini)\.md$|^\.github/(?:copilot-instructions\.md|instructions/|workflows/|actions/)|^\.cursor/rules/|^\.cursorrules$|^\.windsurfrules$|^\.clinerules|^\.rules/|^\.gitlab-ci\.yml$|^\.ci/|^azure-pipelines\.yml$|^jenkinsfile$|^\.circleci/`)
)

func findGateEdits(_ context.Context, s *subject, out *sink) {
	var edited, mentioned []string
	var first *file
	for _, f := range s.files {
		name := f.path
		if !gateFiles.inString(name) && f.OldPath != "" && gateFiles.inString(f.OldPath) {
			name = f.OldPath
		}
		switch {
		case f.kind.fixture, f.kind.vendored:
		case gateFiles.inString(name):
			edited = append(edited, quoted(name))
			if first == nil {
				first = f
			}
		case guideFiles.inString(name):
			mentioned = append(mentioned, name)
		}
	}
	if first != nil {
		out.report(first.path, firstChanged(first), 0.9, fmt.Sprintf("The change edits %s, by which changes are reviewed. This review used the base's version, every later one uses this: have somebody who owns the rules agree.", enumerate(edited, 5)))
	}
	if len(mentioned) > 0 {
		out.note("the change edits what agents or pipelines are told: %s", enumerate(mentioned, 5))
	}
}

// firstChanged returns the first line that the change adds to a file, or the
// place of its first hunk; 1 when it has none.
func firstChanged(f *file) int {
	for l := range f.AddedLines() {
		return l.New
	}
	if len(f.Hunks) > 0 {
		return max(1, f.Hunks[0].NewStart)
	}
	return 1
}
