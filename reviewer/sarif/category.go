package sarif

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reviewgate/reviewgate/finding"
)

// categoryOf tells what kind of issue res is: as configured, else by the id of
// its rule, else by its tags. What nothing is known of is correctness when the
// tool calls it an error, and best-practices otherwise.
func (j *judged) categoryOf(res *result) finding.Category {
	k := categoryKey{res.rule, res.level, strings.Join(res.tags, "\n")}
	c, ok := j.known[k]
	if !ok {
		c = j.tell(res)
		if j.known != nil {
			j.known[k] = c
		}
	}
	return c
}

// categoryKey is all that a category is told by.
type categoryKey struct{ rule, level, tags string }

func (j *judged) tell(res *result) finding.Category {
	if c, ok := lookUp(j.category, res.rule, res.tags...); ok {
		return c
	}
	for _, r := range ruleCategories() {
		if r.rule.MatchString(res.rule) {
			return r.category
		}
	}
	for _, tag := range res.tags {
		if c, ok := tagCategory(tag); ok {
			return c
		}
	}
	if j.severityOf(&result{level: res.level}) != finding.Minor {
		return finding.Correctness
	}
	return finding.BestPractices
}

// ruleCategories tells the categories of well-known rules by their ids; the
// first that matches wins. The names are those of the tools' own lists of rules.
// They are compiled when the first result is judged.
var ruleCategories = sync.OnceValue(func() []ruleCategory {
	return []ruleCategory{
		// gosec, bandit, brakeman and eslint plugins; semgrep and CodeQL say "security" in the id or by tag
		{regexp.MustCompile(`(^|/)(G101|[BS]10[567])$|(?i)(^|[/.])(gitleaks|detect-secrets|(generic|hardcoded|hard-coded)[\w.-]*(secret|token|password|credential)s?)`), finding.SecretInCode},
		{regexp.MustCompile(`^(gosec/)?(G\d{3}|B[1-7]\d{2}|S\d{3}|CWE-?\d+)$|^gosec$|(?i)(^|[/._-])(security|injection|xss|csrf|ssrf|crypto|cwe|no-eval|no-implied-eval|no-new-func|no-script-url)([/._-]|$)`), finding.Security},
		{regexp.MustCompile(`^(errcheck|errorlint|wrapcheck|nilerr|rowserrcheck|bodyclose|sqlclosecheck|err113)\b|(?i)(no-floating-promises|handle-callback-err|no-empty-catch|EmptyCatchBlock|BLE001|E722)`), finding.ErrorHandling},
		{regexp.MustCompile(`^(prealloc|perfsprint|maligned|fieldalignment)\b|(^|/)PERF\d|(?i)\bperf(ormance)?\b`), finding.Performance},
		{regexp.MustCompile(`^(testifylint|paralleltest|tparallel|thelper|usetesting)\b|(^|/)(jest|vitest|testing-library|PT\d)`), finding.Testing},
		{regexp.MustCompile(`^(godot|godoclint|misspell|godox)\b|(^|/)D\d{3}$|(?i)(^|[/.])(jsdoc|javadoc)|MissingJavadoc`), finding.Documentation},
		{regexp.MustCompile(`^(gofmt|gofumpt|goimports|gci|golines|whitespace|wsl(_v5)?|nlreturn|lll|dupword|tagalign)\b|(^|/)ST1\d{3}$|^[EW]\d{3}$|(?i)(^|[/.])(prettier|stylistic|indent(ation)?|quotes|semi|comma-dangle|max-len|LineLength|Whitespace\w*|naming\w*|camelcase)([/.]|$)`), finding.Style},
		{regexp.MustCompile(`^(staticcheck/)?(SA\d{4}|compile)$|^(govet|typecheck|ineffassign|copyloopvar|nilness|makezero|durationcheck)\b|^F\d{3}$|^no-(undef|unreachable|dupe-keys|dupe-args|const-assign|redeclare|unsafe-finally|fallthrough|self-assign|cond-assign|func-assign|import-assign|obj-calls|sparse-arrays|use-before-define|compare-neg-zero|loss-of-precision|unsafe-negation|unsafe-optional-chaining)$|^(use-isnan|valid-typeof|getter-return|for-direction|constructor-super)$`), finding.Correctness},
		{regexp.MustCompile(`^(staticcheck/)?(S1\d{3}|QF1\d{3}|U1000)$|^(unused|revive|gocritic|gosimple|dupl|gocyclo|cyclop|funlen|gocognit|nestif|unparam|unconvert|usestdlibvars|modernize|intrange)\b|^(no-unused-vars|no-var|eqeqeq|curly|complexity)$|(^|/)(prefer-[\w-]+|no-unused-vars)$`), finding.BestPractices},
	}
})

type ruleCategory struct {
	rule     *regexp.Regexp
	category finding.Category
}

// tagCategory tells a category by the word that tools tag their rules with, the
// names of our own categories first.
func tagCategory(tag string) (finding.Category, bool) {
	tag = strings.ToLower(strings.TrimSpace(tag))
	if c, ok := finding.ParseCategory(tag); ok {
		return c, true
	}
	if strings.HasPrefix(tag, "external/cwe") || strings.HasPrefix(tag, "cwe") || strings.HasPrefix(tag, "owasp") {
		return finding.Security, true
	}
	c, ok := tagCategories[tag]
	return c, ok
}

var tagCategories = map[string]finding.Category{
	"vulnerability": finding.Security, "secrets": finding.SecretInCode, "secret": finding.SecretInCode,
	"bug": finding.Correctness, "bugs": finding.Correctness, "problem": finding.Correctness, "suspicious": finding.Correctness,
	"efficiency": finding.Performance, "design": finding.Architecture, "exceptions": finding.ErrorHandling, "errors": finding.ErrorHandling,
	"tests": finding.Testing, "test": finding.Testing, "docs": finding.Documentation, "comments": finding.Documentation,
	"readability": finding.Style, "complexity": finding.BestPractices, "convention": finding.Style, "layout": finding.Style, "whitespace": finding.Style,
}
