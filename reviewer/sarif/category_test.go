package sarif

import (
	"testing"

	"github.com/reviewgate/reviewgate/finding"
)

func TestCategory(t *testing.T) {
	for _, tt := range []struct {
		rule string
		tags []string
		want finding.Category
	}{
		// golangci-lint and staticcheck
		{"gosec/G404", nil, finding.Security},
		{"gosec/G101", nil, finding.SecretInCode},
		{"G304", nil, finding.Security},
		{"errcheck", nil, finding.ErrorHandling},
		{"staticcheck/SA4006", nil, finding.Correctness},
		{"staticcheck/S1000", nil, finding.BestPractices},
		{"SA1019", nil, finding.Correctness},
		{"S1000", nil, finding.BestPractices},
		{"ST1003", nil, finding.Style},
		{"QF1008", nil, finding.BestPractices},
		{"U1000", nil, finding.BestPractices},
		{"govet", nil, finding.Correctness},
		{"gofmt", nil, finding.Style},
		{"lll", nil, finding.Style},
		{"prealloc", nil, finding.Performance},
		{"godot", nil, finding.Documentation},
		{"testifylint", nil, finding.Testing},
		{"unused", nil, finding.BestPractices},
		// eslint
		{"no-eval", nil, finding.Security},
		{"security/detect-object-injection", nil, finding.Security},
		{"no-undef", nil, finding.Correctness},
		{"no-unused-vars", nil, finding.BestPractices},
		{"@typescript-eslint/no-unused-vars", nil, finding.BestPractices},
		{"@typescript-eslint/no-floating-promises", nil, finding.ErrorHandling},
		{"prettier/prettier", nil, finding.Style},
		{"semi", nil, finding.Style},
		{"jsdoc/require-jsdoc", nil, finding.Documentation},
		{"jest/expect-expect", nil, finding.Testing},
		{"prefer-const", nil, finding.BestPractices},
		// ruff, flake8, bandit
		{"S608", nil, finding.Security},
		{"B105", nil, finding.SecretInCode},
		{"E722", nil, finding.ErrorHandling},
		{"E501", nil, finding.Style},
		{"F821", nil, finding.Correctness},
		{"D103", nil, finding.Documentation},
		// semgrep, CodeQL, Checkstyle
		{"python.django.security.injection.sql", nil, finding.Security},
		{"go/sql-injection", []string{"security", "external/cwe/cwe-089"}, finding.Security},
		{"js/useless-assignment", []string{"maintainability", "readability"}, finding.BestPractices},
		{"java/inefficient", []string{"efficiency"}, finding.Performance},
		{"com.puppycrawl.tools.checkstyle.checks.sizes.LineLength", nil, finding.Style},
		{"x/y", []string{"external/cwe/cwe-020"}, finding.Security},
		{"x/y", []string{"Documentation"}, finding.Documentation},
		// nothing is known
		{"x/y", []string{"something"}, finding.BestPractices},
		{"", nil, finding.BestPractices},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			var j judged
			if got := j.categoryOf(&result{rule: tt.rule, tags: tt.tags, level: "warning"}); got != tt.want {
				t.Errorf("categoryOf(%q, %q) = %s, want %s", tt.rule, tt.tags, got, tt.want)
			}
		})
	}
}

func TestCategoryOfAnErrorThatNothingIsKnownOf(t *testing.T) {
	var j judged
	if got := j.categoryOf(&result{rule: "x/y", level: "error"}); got != finding.Correctness {
		t.Errorf("categoryOf(an error) = %s, want %s", got, finding.Correctness)
	}
}
