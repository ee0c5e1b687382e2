package sarif

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// settings are the files that decide what well-known analyzers report, by the
// word that their commands have in common. Only files that hold nothing else are
// listed: a package.json changes too often to mean this. The names are those of
// the tools' own documentation; one that ends in * is a beginning.
var settings = []analyzer{
	{"golangci", []string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"}},
	{"staticcheck", []string{"staticcheck.conf"}},
	{"eslint", []string{".eslintrc*", ".eslintignore", "eslint.config.*"}},
	{"biome", []string{"biome.json", "biome.jsonc"}},
	{"oxlint", []string{".oxlintrc.json"}},
	{"stylelint", []string{".stylelintrc*", "stylelint.config.*", ".stylelintignore"}},
	{"ruff", []string{"ruff.toml", ".ruff.toml"}},
	{"flake8", []string{".flake8"}},
	{"pylint", []string{".pylintrc", "pylintrc"}},
	{"mypy", []string{"mypy.ini", ".mypy.ini"}},
	{"bandit", []string{".bandit"}},
	{"semgrep", []string{".semgrep.yml", ".semgrep.yaml", ".semgrepignore"}},
	{"rubocop", []string{".rubocop.yml", ".rubocop_todo.yml"}},
	{"brakeman", []string{"brakeman.ignore", "brakeman.yml"}},
	{"checkstyle", []string{"checkstyle.xml", "checkstyle-suppressions.xml"}},
	{"detekt", []string{"detekt.yml", "detekt.yaml"}},
	{"ktlint", []string{".ktlint"}},
	{"phpstan", []string{"phpstan.neon", "phpstan.neon.dist", "phpstan-baseline.neon"}},
	{"swiftlint", []string{".swiftlint.yml"}},
	{"clippy", []string{"clippy.toml", ".clippy.toml"}},
	{"clang-tidy", []string{".clang-tidy"}},
	{"hadolint", []string{".hadolint.yaml", ".hadolint.yml"}},
	{"shellcheck", []string{".shellcheckrc"}},
	{"yamllint", []string{".yamllint", ".yamllint.yml", ".yamllint.yaml"}},
}

type analyzer struct {
	tool  string
	files []string
}

// steered returns a finding for each file of the change that decides what the
// analyzer reports about it. The analyzer read the settings of the patched tree,
// so its silence proves nothing before somebody has read them too.
func (r *Reviewer) steered(task reviewer.Task) []finding.Finding {
	var found []finding.Finding
	for i := range task.Patch.Files {
		file := task.Patch.Files[i].Path()
		if !r.settles(path.Base(file)) {
			continue
		}
		found = append(found, finding.Finding{
			File: file, Line: 1, Severity: finding.Major, Category: finding.BestPractices, Confidence: 1, Rule: "settings-of-the-analyzer",
			Message: fmt.Sprintf("This change edits %s, which decides what %s reports about it. Read the edit before trusting that nothing else was reported.", file, r.opts.Name),
		})
	}
	return found
}

// settles reports whether a file of that name steers the analyzer. When the
// command does not tell which analyzer runs, as in npm run lint, any will do.
func (r *Reviewer) settles(name string) bool {
	any := false
	for _, s := range settings {
		if listed(s.files, name) {
			if r.runs(s.tool) {
				return true
			}
			any = true
		}
	}
	return any && !slices.ContainsFunc(settings, func(s analyzer) bool { return r.runs(s.tool) })
}

// runs reports whether the command, the file or the format has the name of tool.
func (r *Reviewer) runs(tool string) bool {
	return strings.Contains(strings.ToLower(r.source()+" "+string(r.opts.Format)), tool)
}

func listed(files []string, name string) bool {
	for _, f := range files {
		if prefix, ok := strings.CutSuffix(f, "*"); f == name || ok && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
