package checks

import (
	"bytes"
	"strings"
)

// readGoMod returns the required modules. A module that is replaced is known
// under its replacement; a replacement by a folder needs no sum.
func readGoMod(data []byte) (map[string]dependency, error) {
	all, replaced := map[string]dependency{}, map[string][]string{}
	block := ""
	for raw := range bytes.Lines(data) {
		text, _, _ := strings.Cut(strings.TrimSpace(string(raw)), "//")
		words := strings.Fields(text)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case len(words) >= 2 && words[1] == "(":
			block = words[0]
		default:
			if block == "" {
				block, words = words[0], words[1:]
				goModLine(block, words, all, replaced)
				block = ""
				continue
			}
			goModLine(block, words, all, replaced)
		}
	}
	for from, to := range replaced {
		if _, ok := all[from]; !ok {
			continue
		}
		delete(all, from)
		if len(to) == 2 {
			all[to[0]] = dependency{wants: to[1]}
		}
	}
	return all, nil
}

func goModLine(block string, words []string, all map[string]dependency, replaced map[string][]string) {
	switch {
	case block == "require" && len(words) >= 2:
		all[unquote(words[0])] = dependency{wants: unquote(words[1])}
	case block == "replace":
		for i, w := range words {
			if w == "=>" && i > 0 {
				replaced[unquote(words[0])] = words[i+1:]
			}
		}
	}
}

func unquote(word string) string { return strings.Trim(word, "\"`'") }

func goSumHas(lock []byte, _, _ string) (func(string, dependency) bool, error) {
	sums := map[string]bool{}
	for raw := range bytes.Lines(lock) {
		if words := strings.Fields(string(raw)); len(words) == 3 {
			sums[words[0]+" "+strings.TrimSuffix(words[1], "/go.mod")] = true
		}
	}
	return func(name string, d dependency) bool { return sums[name+" "+d.wants] }, nil
}
