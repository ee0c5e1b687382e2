package finding

import "strings"

// Category says what kind of issue a finding is.
type Category string

// The twelve categories.
const (
	Security                 Category = "security"
	SecretInCode             Category = "secret-in-code"
	Correctness              Category = "correctness"
	ErrorHandling            Category = "error-handling"
	Performance              Category = "performance"
	Architecture             Category = "architecture"
	ContractBreak            Category = "contract-break"
	MigrationNumberCollision Category = "migration-number-collision"
	Testing                  Category = "testing"
	BestPractices            Category = "best-practices"
	Documentation            Category = "documentation"
	Style                    Category = "style"
)

// Categories is the closed list, in the order of the schema.
var Categories = []Category{
	Security, SecretInCode, Correctness, ErrorHandling, Performance, Architecture,
	ContractBreak, MigrationNumberCollision, Testing, BestPractices, Documentation, Style,
}

// ParseCategory maps a word to a Category, ignoring case and accepting the
// aliases that reviewers use (code_style, naming, reliability, …). It reports
// whether the word is known.
func ParseCategory(word string) (Category, bool) {
	c := Category(strings.ToLower(strings.TrimSpace(word)))
	if alias, ok := categoryAliases[c]; ok {
		return alias, true
	}
	for _, known := range Categories {
		if c == known {
			return c, true
		}
	}
	return c, false
}

var categoryAliases = map[Category]Category{
	"code_style": Style, "code-style": Style, "naming": Style, "formatting": Style,
	"best_practices": BestPractices, "reliability": BestPractices, "maintainability": BestPractices,
	"error_handling": ErrorHandling,
}
