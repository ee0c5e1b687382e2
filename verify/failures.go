package verify

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// maxNamed is how many failed tests a reason names, and maxReason how many
// characters it has at most: it is one cell of a table.
const (
	maxNamed  = 3
	maxReason = 200
)

// failureForms are the lines in which runners name a test that failed: the last
// group is its name.
var failureForms = sync.OnceValue(func() map[Kind][]*regexp.Regexp {
	node := forms(`^\s*not ok \d+ - (.+)$`, `^\s*✖ (.+?) \(\d[\d.]*ms\)(?: # .*)?$`)
	return map[Kind][]*regexp.Regexp{
		Go:   forms(`^--- FAIL: (\S+)`, `^FAIL\t(\S+ \[(?:build|setup) failed\])$`),
		Node: node,
		Script: append(node, forms(
			`^  ● (.+)$`,                 // jest
			`^ FAIL  (.+ > .+)$`,         // vitest
			`^ {4,}\d+\) (.+)$`,          // mocha
			`^  ✘ \[fail\]: (.+)$`,       // ava
			`^\(fail\) (.+?)(?: \[.*)?$`, // bun
		)...),
		Pytest:  forms(`^(?:FAILED|ERROR) (\S+?::.+?)(?: - .*)?$`, `^ERROR (\S+\.py)(?: - .*)?$`),
		Cargo:   forms(`^test (.+?)(?: - should panic)? \.\.\. FAILED$`),
		Maven:   forms(`^\[ERROR\] {2,}([\w$.]+\.\w+)(?::\d+| »)`),
		Gradle:  forms(`^(\S.* > .+) FAILED$`),
		DotNet:  forms(`^\s+Failed (\S.*?) \[[^\]]*\]$`),
		RSpec:   forms(`^rspec \S+ # (.+)$`),
		Rake:    forms(`^\s+\d+\) (?:Failure|Error):\n(\S+)`),
		PHPUnit: forms(`^\d+\) (\S+::.+)$`),
		Swift:   forms(`error: -\[(\S+ \S+)\] : `, `: error: (\w+\.\w+) : `),
		CTest:   forms(`^\s+\d+ - (.+?) \(\S[^()]*\)(?: .*)?$`),
	}
})

// failedTests returns the names of the tests that output says failed, each once,
// in its order.
func failedTests(kind Kind, output string) []string {
	var names []string
	seen := map[string]bool{}
	for _, form := range failureForms()[kind] {
		for _, m := range form.FindAllStringSubmatch(output, -1) {
			name := printable(m[len(m)-1])
			if strings.Contains(name, "# TODO") || strings.Contains(name, "# SKIP") || name == "" || name == "Console" || seen[name] {
				continue
			}
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// failedReason says how a failed check ended and which of its tests failed.
func failedReason(e ending) string {
	reason := exitText(e.exit)
	names := failedTests(e.kind, e.output)
	if len(names) == 0 {
		return reason
	}
	named, tail := names[:min(len(names), maxNamed)], ""
	if more := len(names) - len(named); more > 0 {
		tail = fmt.Sprintf(" and %d more", more)
	}
	return shorten(reason+": "+strings.Join(named, ", "), maxReason-len(tail)) + tail
}

// printable takes out of a name what a terminal or a page would act on instead of
// showing it.
func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar, r == '\u2028', r == '\u2029':
			return -1
		}
		return r
	}, s))
}

// shorten cuts s to at most n characters, and shows that it did.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}
