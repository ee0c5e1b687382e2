package secret

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/zricethezav/gitleaks/v8/config"
)

// rule is one kind of credential, before and after its expression is compiled.
type rule struct {
	id, what string
	keywords []string // lowercase; one of them must be in the text
	expr     string
	generic  bool
	named    bool                                    // the first group is the name, the value is in one of the others
	mixed    bool                                    // the value must hold more than letters, dots and dashes
	path     *regexp.Regexp                          // the files it holds for; nil is all
	near     func(text []byte, start, end int) bool  // a cheaper look at a keyword's surroundings, when there is one
	accepts  func(text []byte, groups []string) bool // judges a match; nil accepts
	compile  func() (config.Rule, error)

	shape
	once     sync.Once
	compiled config.Rule
	err      error
}

func (r *rule) ready() (*config.Rule, error) {
	r.once.Do(func() { r.compiled, r.err = r.compile() })
	return &r.compiled, r.err
}

// ruleset is all rules behind one automaton over their keywords.
type ruleset struct {
	rules  []*rule
	global []*config.Allowlist
	words  *automaton
	byWord [][]int // rules of each keyword, by index
}

func loadRules() (*ruleset, error) {
	shipped, global, err := loadGitleaks()
	if err != nil {
		return nil, err
	}
	set := &ruleset{rules: append(shipped, ownRules()...), global: global}
	number := map[string]int{}
	var words []string
	for i, r := range set.rules {
		r.shape = analyse(r.expr, r.keywords)
		if len(r.keywords) == 0 {
			return nil, fmt.Errorf("rule %s has no keyword", r.id)
		}
		for _, k := range r.keywords {
			n, ok := number[k]
			if !ok {
				n = len(words)
				number[k] = n
				words = append(words, k)
				set.byWord = append(set.byWord, nil)
			}
			set.byWord[n] = append(set.byWord[n], i)
		}
	}
	set.words = newAutomaton(words)
	return set, nil
}

// aside reports whether a rule does not hold for a file.
func (r *rule) aside(path string) bool { return r.path != nil && !r.path.MatchString(path) }

// skips reports whether gitleaks leaves a file alone whatever is in it: lock
// files, images, vendored modules.
func (s *ruleset) skips(path string) bool {
	for _, a := range s.global {
		if a.PathAllowed(path) {
			return true
		}
	}
	return false
}

// ownRule completes a rule of this package.
func ownRule(r *rule) *rule {
	expr, id := r.expr, r.id
	r.compile = func() (config.Rule, error) {
		re, err := regexp.Compile(expr)
		return config.Rule{RuleID: id, Regex: re}, err
	}
	return r
}

// expr returns a regular expression that is compiled when it is first used: the
// program starts without the cost of those it does not need.
func expr(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
