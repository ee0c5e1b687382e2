package secret

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"
)

// TestEveryHitOfGitleaksIsFound writes texts that match each shipped rule among
// ordinary lines, and asks gitleaks' own detector what it finds there.
func TestEveryHitOfGitleaksIsFound(t *testing.T) {
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	scanner := &Scanner{}
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for _, rule := range rules.rules {
		re, err := syntax.Parse(rule.expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			text := surround(r, sample(r, re), rule.keywords)
			got, err := scanner.Scan(t.Context(), "src/app.go", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range detector.DetectString(text) {
				hits++
				if !finds(got, want.Secret) {
					t.Errorf("rule %s: gitleaks finds %q with %s, Scan does not, in\n%s", rule.id, want.Secret, want.RuleID, text)
				}
			}
		}
	}
	if hits < 1500 {
		t.Errorf("gitleaks found only %d secrets in the samples: the test shows little", hits)
	}
}

func finds(hits []Hit, secret string) bool {
	for _, h := range hits {
		if contains(h.Secret, secret) || contains(secret, h.Secret) {
			return true
		}
	}
	return false
}

// surround puts a sample and, sometimes, its keyword on lines of their own
// among ordinary code.
func surround(r *rand.Rand, sample string, keywords []string) string {
	lines := []string{
		"package main", "", "import \"fmt\"", "// this changes the access path of a task",
		"func main() {", "\tfmt.Println(\"hello\", apiVersion)", "}", "token := next(ctx)", "",
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	at := r.IntN(len(lines))
	before := []string{"", "x := \"", " "}[r.IntN(3)]
	after := []string{"", "\"", "\n", " "}[r.IntN(4)]
	lines[at] = before + sample + after
	if len(keywords) > 0 && r.IntN(2) == 0 {
		lines[r.IntN(len(lines))] += "\n// about " + keywords[0]
	}
	return strings.Join(lines, "\n")
}
