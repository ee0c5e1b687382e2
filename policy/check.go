package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewgate/reviewgate/finding"
)

// What the list of auto-block categories must and must not hold; the
// specification's.
var (
	mustAutoBlock = []finding.Category{finding.SecretInCode, finding.MigrationNumberCollision}
	mayNotBlock   = []finding.Category{finding.Style}
)

// tolerance is how many of so many changes a policy may decide differently from
// the key: 2 of the specification's 12.
const (
	toleratedOf = 12
	tolerated   = 2
)

// CheckPolicy judges a REVIEW_POLICY.md: a table "| pr | decision | reason |"
// with one row and a reason for each change; decisions that agree with the key
// in at least 10 of 12; a reason of every block that names a blocker kind or a
// category which that change really has; and a section "## Auto-block
// categories" that lists secret-in-code and migration-number-collision and not
// style. It returns the problems in the order of the document; none means that
// the policy passes.
func CheckPolicy(doc []byte, truth Truth) []Problem {
	w := read(doc)
	problems := slices.Concat(w.checkTable(truth), w.checkAgreement(truth), w.checkEvidence(truth), w.checkAutoBlock())
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return problems
}

func (w written) checkTable(t Truth) []Problem {
	if w.table == 0 {
		return []Problem{{0, "there is no table with the header | pr | decision | reason |"}}
	}
	var problems []Problem
	for _, line := range w.tooShort {
		problems = append(problems, Problem{line, "a row needs three cells: pr, decision and reason"})
	}
	ids, first := t.ids(), map[string]int{}
	for _, r := range w.rows {
		switch {
		case first[r.pr] != 0:
			problems = append(problems, Problem{r.line, fmt.Sprintf("%s has a row already, on line %d", r.pr, first[r.pr])})
		case !slices.Contains(ids, r.pr):
			problems = append(problems, Problem{r.line, fmt.Sprintf("there is no change %q", r.pr)})
		}
		if first[r.pr] == 0 {
			first[r.pr] = r.line
		}
		if _, err := ParseVerdict(r.decision); err != nil {
			problems = append(problems, Problem{r.line, fmt.Sprintf("%s: %v", r.pr, err)})
		}
		if r.reason == "" {
			problems = append(problems, Problem{r.line, r.pr + ": the reason is missing"})
		}
	}
	for _, id := range ids {
		if first[id] == 0 {
			problems = append(problems, Problem{w.table, fmt.Sprintf("the table has no row for %s", id)})
		}
	}
	return problems
}

// checkAgreement counts every change of the key whose row is missing, or says
// something else, as decided differently.
func (w written) checkAgreement(t Truth) []Problem {
	if w.table == 0 {
		return nil
	}
	key, decided := t.key(), map[string]string{}
	for _, r := range w.rows {
		if _, twice := decided[r.pr]; !twice {
			decided[r.pr] = r.decision
		}
	}
	var apart []string
	for _, id := range t.ids() {
		if want, ok := key[id]; ok && decided[id] != string(want) {
			apart = append(apart, fmt.Sprintf("%s (%s)", id, want))
		}
	}
	if most := len(key) * tolerated / toleratedOf; len(apart) > most {
		return []Problem{{w.table, fmt.Sprintf("%d of %d decisions agree with the key, at least %d must: it differs for %s",
			len(key)-len(apart), len(key), len(key)-most, strings.Join(apart, ", "))}}
	}
	return nil
}

func (w written) checkEvidence(t Truth) []Problem {
	var problems []Problem
	for _, r := range w.rows {
		if r.decision != string(Block) || r.reason == "" {
			continue
		}
		has := t.evidence(r.pr)
		if slices.ContainsFunc(has, func(word string) bool { return names(r.reason, word) }) {
			continue
		}
		text := fmt.Sprintf("%s: the reason of a block must name a blocker or category that the change has", r.pr)
		if len(has) == 0 {
			text += ", and it has none"
		} else {
			text += ": " + strings.Join(has, ", ")
		}
		problems = append(problems, Problem{r.line, text})
	}
	return problems
}

// names reports whether reason holds word as a whole word; a hyphen is part of
// a word, so "security-review" does not name security.
func names(reason, word string) bool {
	return slices.Contains(wholeWords().FindAllString(strings.ToLower(reason), -1), word)
}

var wholeWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*`) })

func (w written) checkAutoBlock() []Problem {
	if w.section == 0 {
		return []Problem{{0, fmt.Sprintf("there is no section %q", autoBlockHeading)}}
	}
	var problems []Problem
	var listed []finding.Category
	for _, b := range w.bullets {
		c := finding.Category(b.word)
		listed = append(listed, c)
		switch {
		case !slices.Contains(finding.Categories, c):
			problems = append(problems, Problem{b.line, fmt.Sprintf("%q is not a category", b.word)})
		case slices.Contains(mayNotBlock, c):
			problems = append(problems, Problem{b.line, fmt.Sprintf("%s may not block without a human", c)})
		}
	}
	for _, c := range mustAutoBlock {
		if !slices.Contains(listed, c) {
			problems = append(problems, Problem{w.section, fmt.Sprintf("the auto-block categories must include %s", c)})
		}
	}
	return problems
}
