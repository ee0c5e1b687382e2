package checks

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

// nodeGroups are the parts of package.json whose packages are installed.
var nodeGroups = []string{"dependencies", "devDependencies", "optionalDependencies"}

func readPackageJSON(data []byte) (map[string]dependency, error) {
	var manifest map[string]json.RawMessage
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, err
	}
	all := map[string]dependency{}
	for _, group := range nodeGroups {
		var packages map[string]string
		if raw, ok := manifest[group]; !ok || json.Unmarshal(raw, &packages) != nil {
			continue
		}
		for name, wants := range packages {
			if fromRegistry(wants) {
				all[name] = dependency{wants: wants}
			}
		}
	}
	return all, nil
}

// fromRegistry reports whether a specification is a range of versions, not a
// folder, an address, an alias or a name of the workspace.
func fromRegistry(wants string) bool { return !strings.ContainsAny(wants, ":/") && wants != "" }

func nodeLockHas(lock []byte, name, folder string) (func(string, dependency) bool, error) {
	switch name {
	case "pnpm-lock.yaml":
		return pnpmHas(lock, folder)
	case "yarn.lock":
		return func(name string, d dependency) bool {
			return bytes.Contains(lock, []byte(name+"@"+d.wants)) || bytes.Contains(lock, []byte(name+"@npm:"+d.wants))
		}, nil
	case "bun.lock":
		return func(name string, d dependency) bool {
			return bytes.Contains(lock, []byte(`"`+name+`": "`+d.wants+`"`))
		}, nil
	}
	return npmHas(lock, folder)
}

func anything(string, dependency) bool { return true }

type npmPackage struct {
	Dependencies         map[string]string `json:"dependencies"`
	DevDependencies      map[string]string `json:"devDependencies"`
	OptionalDependencies map[string]string `json:"optionalDependencies"`
}

// npmHas reads a package-lock.json. From version 2 on it repeats the manifest,
// which npm ci compares word by word; version 1 only lists what is installed.
func npmHas(lock []byte, folder string) (func(string, dependency) bool, error) {
	var file struct {
		Packages     map[string]json.RawMessage `json:"packages"`
		Dependencies map[string]json.RawMessage `json:"dependencies"`
	}
	if err := json.Unmarshal(lock, &file); err != nil {
		return nil, err
	}
	if file.Packages == nil {
		return func(name string, _ dependency) bool { _, ok := file.Dependencies[name]; return ok }, nil
	}
	if folder == "." {
		folder = ""
	}
	raw, ok := file.Packages[folder]
	if !ok {
		return anything, nil // not one of the packages that this lock file is for
	}
	var own npmPackage
	if err := json.Unmarshal(raw, &own); err != nil {
		return nil, err
	}
	return func(name string, d dependency) bool {
		return own.Dependencies[name] == d.wants || own.DevDependencies[name] == d.wants || own.OptionalDependencies[name] == d.wants
	}, nil
}

// pnpmHas reads a pnpm-lock.yaml: by importer, or in old ones for one package.
func pnpmHas(lock []byte, folder string) (func(string, dependency) bool, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(lock, &document); err != nil {
		return nil, err
	}
	root := child(&document)
	own := root
	if importers := value(root, "importers"); importers != nil {
		if own = value(importers, path.Clean(folder)); own == nil {
			return anything, nil
		}
	}
	specifiers := map[string]string{}
	for _, p := range pairs(value(own, "specifiers")) {
		specifiers[p.key.Value] = p.value.Value
	}
	for _, group := range nodeGroups {
		for _, p := range pairs(value(own, group)) {
			if s := value(p.value, "specifier"); s != nil {
				specifiers[p.key.Value] = s.Value
			}
		}
	}
	return func(name string, d dependency) bool { return specifiers[name] == d.wants }, nil
}
