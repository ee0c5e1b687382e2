package checks

import (
	"encoding/json"
	"strings"
)

// readPyproject returns the packages of [project] and of Poetry's and uv's
// tables, by normal name. Versions are not compared: their languages differ.
func readPyproject(data []byte) (map[string]dependency, error) {
	var manifest struct {
		Project struct {
			Dependencies []string            `toml:"dependencies"`
			Optional     map[string][]string `toml:"optional-dependencies"`
		} `toml:"project"`
		Groups map[string][]any `toml:"dependency-groups"`
		Tool   struct {
			Poetry struct {
				Dependencies map[string]any `toml:"dependencies"`
				Dev          map[string]any `toml:"dev-dependencies"`
				Group        map[string]struct {
					Dependencies map[string]any `toml:"dependencies"`
				} `toml:"group"`
			} `toml:"poetry"`
		} `toml:"tool"`
	}
	if err := decodeTOML(data, &manifest); err != nil {
		return nil, err
	}
	all := map[string]dependency{}
	add := func(name string) {
		if name != "" && pythonName(name) != "python" {
			all[pythonName(name)] = dependency{written: name}
		}
	}
	lists := [][]string{manifest.Project.Dependencies}
	for _, list := range manifest.Project.Optional {
		lists = append(lists, list)
	}
	for _, list := range lists {
		for _, requirement := range list {
			add(requirementName(requirement))
		}
	}
	for _, list := range manifest.Groups {
		for _, entry := range list {
			if requirement, ok := entry.(string); ok {
				add(requirementName(requirement))
			}
		}
	}
	tables := []map[string]any{manifest.Tool.Poetry.Dependencies, manifest.Tool.Poetry.Dev}
	for _, group := range manifest.Tool.Poetry.Group {
		tables = append(tables, group.Dependencies)
	}
	for _, table := range tables {
		for name, entry := range table {
			if t, ok := entry.(map[string]any); !ok || t["path"] == nil {
				add(name)
			}
		}
	}
	return all, nil
}

var requirement = expr(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)`)

func requirementName(text string) string {
	if m := requirement.groupsOf(text); m != nil && !strings.Contains(text, "@ file:") {
		return m[1]
	}
	return ""
}

var pythonSeparators = expr(`[-_.]+`)

// pythonName is a package's name as PEP 503 writes it.
func pythonName(name string) string {
	return strings.ToLower(pythonSeparators.compiled().ReplaceAllString(name, "-"))
}

func pythonLockHas(lock []byte, _, _ string) (func(string, dependency) bool, error) {
	versions, err := lockedPackages(lock, pythonName)
	if err != nil {
		return nil, err
	}
	return func(name string, _ dependency) bool { return len(versions[name]) > 0 }, nil
}

func readPipfile(data []byte) (map[string]dependency, error) {
	var manifest map[string]any
	if err := decodeTOML(data, &manifest); err != nil {
		return nil, err
	}
	all := map[string]dependency{}
	for _, group := range []string{"packages", "dev-packages"} {
		table, _ := manifest[group].(map[string]any)
		for name, entry := range table {
			if t, ok := entry.(map[string]any); !ok || t["path"] == nil && t["git"] == nil {
				all[pythonName(name)] = dependency{written: name}
			}
		}
	}
	return all, nil
}

func pipfileLockHas(lock []byte, _, _ string) (func(string, dependency) bool, error) {
	var file map[string]map[string]json.RawMessage
	var loose map[string]json.RawMessage
	if err := json.Unmarshal(lock, &loose); err != nil {
		return nil, err
	}
	file = map[string]map[string]json.RawMessage{}
	for group, raw := range loose {
		var packages map[string]json.RawMessage
		if json.Unmarshal(raw, &packages) == nil {
			file[group] = packages
		}
	}
	return func(name string, _ dependency) bool {
		for _, group := range []string{"default", "develop"} {
			for locked := range file[group] {
				if pythonName(locked) == name {
					return true
				}
			}
		}
		return false
	}, nil
}
