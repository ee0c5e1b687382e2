package checks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

func readCargo(data []byte) (map[string]dependency, error) {
	var manifest map[string]any
	if err := decodeTOML(data, &manifest); err != nil {
		return nil, err
	}
	all := map[string]dependency{}
	workspace, _ := manifest["workspace"].(map[string]any)
	for _, group := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
		addCrates(all, workspace[group], true)
		addCrates(all, manifest[group], false)
	}
	return all, nil
}

// addCrates adds the entries of one table. What a workspace offers need not be
// in the lock file: no member may use it yet.
func addCrates(all map[string]dependency, table any, offered bool) {
	entries, _ := table.(map[string]any)
	for name, entry := range entries {
		if crate, wants, ok := crate(name, entry); ok {
			all[crate] = dependency{wants, name, offered}
		}
	}
}

// crate returns the name and version of an entry; false for one that lies in a
// folder, comes from git, or is described by the workspace.
func crate(name string, entry any) (string, string, bool) {
	switch e := entry.(type) {
	case string:
		return name, e, true
	case map[string]any:
		if e["path"] != nil || e["git"] != nil || e["workspace"] != nil {
			return "", "", false
		}
		if real, ok := e["package"].(string); ok {
			name = real
		}
		version, _ := e["version"].(string)
		return name, version, true
	}
	return "", "", false
}

func cargoLockHas(lock []byte, _, _ string) (func(string, dependency) bool, error) {
	versions, err := lockedPackages(lock, func(name string) string { return name })
	if err != nil {
		return nil, err
	}
	return func(name string, d dependency) bool {
		if d.offered && len(versions[name]) == 0 {
			return true
		}
		for _, v := range versions[name] {
			if caret(d.wants, v) {
				return true
			}
		}
		return false
	}, nil
}

// lockedPackages returns the versions of each [[package]] of a lock file.
func lockedPackages(lock []byte, normal func(string) string) (map[string][]string, error) {
	var file struct {
		Package []struct {
			Name    string `toml:"name"`
			Version string `toml:"version"`
		} `toml:"package"`
	}
	if err := decodeTOML(lock, &file); err != nil {
		return nil, err
	}
	versions := map[string][]string{}
	for _, p := range file.Package {
		versions[normal(p.Name)] = append(versions[normal(p.Name)], p.Version)
	}
	return versions, nil
}

var plainVersion = expr(`^\^?(\d+(?:\.\d+){0,2})$`)

// caret reports whether a version satisfies a plain requirement such as 1.2 or
// ^0.3.1. Any other requirement counts as satisfied: only the name is known.
func caret(wants, version string) bool {
	m := plainVersion.groupsOf(strings.TrimSpace(wants))
	if m == nil {
		return true
	}
	version, _, _ = strings.Cut(version, "+")
	version, pre, _ := strings.Cut(version, "-")
	if pre != "" {
		return true
	}
	want, have := numbers(m[1]), numbers(version)
	for i := 0; i < 3 && i < len(have); i++ {
		w := 0
		if i < len(want) {
			w = want[i]
		}
		if have[i] != w {
			fixed := true // no number before this one is more than zero: this one may not move
			for _, before := range want[:min(i, len(want))] {
				fixed = fixed && before == 0
			}
			return have[i] > w && (!fixed || i >= len(want))
		}
	}
	return true
}

func numbers(version string) []int {
	var all []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		all = append(all, n)
	}
	return all
}

// maxNesting is how deep the brackets of a TOML file may be nested: the parser
// calls itself for each.
const maxNesting = 200

// decodeTOML reads a file that may be hostile.
func decodeTOML(data []byte, into any) error {
	depth := 0
	for _, c := range data {
		switch c {
		case '[', '{':
			if depth++; depth > maxNesting {
				return fmt.Errorf("its brackets are nested more than %d deep", maxNesting)
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return toml.Unmarshal(data, into)
}
