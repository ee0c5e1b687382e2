package secret

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

// plainWords is the allowlist expression by which gitleaks' generic rule drops
// values made of letters only.
const plainWords = `^[a-zA-Z_.-]+$`

// loadGitleaks reads the rules that gitleaks ships, and the lists of what it
// leaves alone everywhere. Expressions are compiled when a rule is first used:
// all of them at once cost 40 ms.
func loadGitleaks() ([]*rule, []*config.Allowlist, error) {
	var file config.ViperConfig
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &file); err != nil {
		return nil, nil, fmt.Errorf("read the rules of gitleaks: %v", err)
	}
	file.MinVersion = ""
	each := file.Rules
	file.Rules = nil
	global, err := file.Translate()
	if err != nil {
		return nil, nil, fmt.Errorf("read the allowlist of gitleaks: %v", err)
	}
	var rules []*rule
	for i, raw := range each {
		if raw.Regex == "" {
			continue // a rule about a file's name: the caller sees names
		}
		var path *regexp.Regexp
		if raw.Path != "" {
			if path, err = regexp.Compile(raw.Path); err != nil {
				return nil, nil, fmt.Errorf("rule %s of gitleaks: %v", raw.ID, err)
			}
		}
		mixed := false
		for _, a := range raw.Allowlists {
			mixed = mixed || a.RegexTarget == "" && a.Condition == "" && slices.Contains(a.Regexes, plainWords)
		}
		rules = append(rules, &rule{
			id:       raw.ID,
			what:     describe(raw.ID),
			keywords: lower(raw.Keywords),
			expr:     raw.Regex,
			generic:  strings.Contains(raw.ID, "generic") || strings.HasPrefix(raw.ID, "curl-"),
			mixed:    mixed,
			path:     path,
			compile: func() (config.Rule, error) {
				one := config.ViperConfig{Rules: each[i : i+1]}
				compiled, err := one.Translate()
				return compiled.Rules[raw.ID], err
			},
		})
	}
	return rules, global.Allowlists, nil
}

func lower(words []string) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = strings.ToLower(w)
	}
	return all
}

// brands spells the words of rule ids that are not plain English.
var brands = map[string]string{
	"api": "API", "aws": "AWS", "gcp": "GCP", "jwt": "JSON Web Token", "pat": "personal access token", "oauth": "OAuth",
	"github": "GitHub", "gitlab": "GitLab", "openai": "OpenAI", "npm": "npm", "pypi": "PyPI", "ad": "AD", "url": "URL", "id": "ID",
}

// describe turns the id of a rule into a noun phrase: "a GitHub personal access
// token".
func describe(id string) string {
	words := strings.Split(id, "-")
	for i, w := range words {
		if b, ok := brands[w]; ok {
			words[i] = b
		} else if i == 0 && id != "private-key" && id != "generic-api-key" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return article(strings.Join(words, " "))
}

func article(phrase string) string {
	if strings.ContainsRune("aeiouAEIO", rune(phrase[0])) {
		return "an " + phrase
	}
	return "a " + phrase
}
