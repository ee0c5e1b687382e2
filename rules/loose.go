package rules

import "strings"

// copilot reads the frontmatter of .github/instructions/**/*.instructions.md:
// applyTo has patterns with commas between them; excludeAgent may keep it from
// reviews.
func (l *foreignLoader) copilot(source string, keys map[string][]string) ([]string, bool) {
	for _, agent := range keys["excludeAgent"] {
		if agent == "code-review" {
			l.note(source, "left out: its excludeAgent says code-review")
			return nil, false
		}
	}
	if len(keys["applyTo"]) == 0 {
		l.note(source, "left out: it has no applyTo")
		return nil, false
	}
	return keys["applyTo"], true
}

// cursor reads the frontmatter of .cursor/rules/**/*.mdc: alwaysApply, or globs.
// A glob without a slash means any folder there. A rule with neither is one that
// a person or a model asks for.
func (l *foreignLoader) cursor(source string, keys map[string][]string) ([]string, bool) {
	if always := keys["alwaysApply"]; len(always) == 1 && always[0] == "true" {
		return nil, true
	}
	if len(keys["globs"]) == 0 {
		l.note(source, "left out: it has neither alwaysApply nor globs")
		return nil, false
	}
	var patterns []string
	for _, g := range keys["globs"] {
		if !strings.Contains(g, "/") {
			g = "**/" + g
		}
		patterns = append(patterns, g)
	}
	return patterns, true
}

// looseFrontmatter reads "key: value" lines between two --- lines. It is not
// YAML, because what these tools write is not: their patterns begin with a star
// and have no quotes. A value may be quoted, have commas between its parts, or be
// a list in brackets or on the lines below.
func looseFrontmatter(text string) (keys map[string][]string, body string) {
	keys = map[string][]string{}
	front, body, begin, err := splitFrontmatter("", text)
	if err != nil || begin == 0 {
		return keys, text
	}
	key := ""
	for line := range strings.SplitSeq(front, "\n") {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && key != "" {
			keys[key] = append(keys[key], splitPatterns(bare(item))...)
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || name != strings.TrimSpace(name) {
			continue
		}
		key = name
		value = bare(value)
		if list, ok := strings.CutPrefix(value, "["); ok && strings.HasSuffix(list, "]") {
			for _, item := range splitPatterns(strings.TrimSuffix(list, "]")) {
				keys[key] = append(keys[key], bare(item))
			}
			continue
		}
		keys[key] = append(keys[key], splitPatterns(value)...)
	}
	return keys, body
}

// bare takes the spaces, a comment and the quotes off a value.
func bare(value string) string {
	value = strings.TrimSpace(value)
	if len(value) > 1 && (value[0] == '"' || value[0] == '\'') {
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			return value[1 : end+1]
		}
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}
