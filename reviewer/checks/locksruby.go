package checks

import (
	"bytes"
	"encoding/json"
	"strings"
)

var gemLine = expr(`^\s*gem\s*\(?\s*["']([\w.-]+)["']`)

// readGemfile returns the gems that are named on lines of their own, without a
// folder or an address.
func readGemfile(data []byte) (map[string]dependency, error) {
	all := map[string]dependency{}
	for raw := range bytes.Lines(data) {
		m := gemLine.groups(raw)
		if m == nil || bytes.Contains(raw, []byte("path:")) || bytes.Contains(raw, []byte(":path")) || indentation(raw) > 0 && bytes.Contains(raw, []byte(" if ")) {
			continue
		}
		all[string(m[1])] = dependency{}
	}
	return all, nil
}

// gemfileLockHas reads the DEPENDENCIES of a Gemfile.lock, which repeat the
// Gemfile.
func gemfileLockHas(lock []byte, _, _ string) (func(string, dependency) bool, error) {
	locked := map[string]bool{}
	inside := false
	for raw := range bytes.Lines(lock) {
		text := strings.TrimRight(string(raw), "\r\n")
		if !strings.HasPrefix(text, " ") {
			inside = text == "DEPENDENCIES"
			continue
		}
		if words := strings.Fields(text); inside && len(words) > 0 {
			locked[strings.TrimSuffix(words[0], "!")] = true
		}
	}
	return func(name string, _ dependency) bool { return locked[name] }, nil
}

func readComposer(data []byte) (map[string]dependency, error) {
	var manifest struct {
		Require    map[string]string `json:"require"`
		RequireDev map[string]string `json:"require-dev"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, err
	}
	all := map[string]dependency{}
	for _, packages := range []map[string]string{manifest.Require, manifest.RequireDev} {
		for name := range packages {
			if strings.Contains(name, "/") { // php, ext-json and lib-curl are not installed
				all[strings.ToLower(name)] = dependency{written: name}
			}
		}
	}
	return all, nil
}

func composerLockHas(lock []byte, _, _ string) (func(string, dependency) bool, error) {
	type entry struct {
		Name    string            `json:"name"`
		Replace map[string]string `json:"replace"`
		Provide map[string]string `json:"provide"`
	}
	var file struct {
		Packages    []entry `json:"packages"`
		PackagesDev []entry `json:"packages-dev"`
	}
	if err := json.Unmarshal(lock, &file); err != nil {
		return nil, err
	}
	locked := map[string]bool{}
	for _, p := range append(file.Packages, file.PackagesDev...) {
		locked[strings.ToLower(p.Name)] = true
		for name := range p.Replace {
			locked[strings.ToLower(name)] = true
		}
		for name := range p.Provide {
			locked[strings.ToLower(name)] = true
		}
	}
	return func(name string, _ dependency) bool { return locked[name] }, nil
}
