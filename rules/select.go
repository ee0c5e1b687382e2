package rules

import (
	"path"

	"github.com/reviewgate/reviewgate/glob"
)

// For returns the rules that apply to the files: first those that apply always,
// then those of which any pattern matches any of the files, each group in the
// order given and each rule once. Of [Rule.Nearest] ones it takes those that are
// the nearest to some file.
//
// A rule with a pattern that cannot be compiled, which [Load] never returns,
// applies: no rule is lost over its scope.
func For(rules []Rule, files []string) []Rule {
	applies := matching(rules, files)
	near := nearest(rules, files)
	var always, scoped []Rule
	for i, r := range rules {
		switch {
		case r.Nearest && !near[i]:
		case len(r.Paths) == 0:
			always = append(always, r)
		case applies[i]:
			scoped = append(scoped, r)
		}
	}
	return append(always, scoped...)
}

// matching tells of each rule whether a pattern of it matches a file.
func matching(rules []Rule, files []string) []bool {
	applies := make([]bool, len(rules))
	var patterns []glob.Pattern
	var owners []int // of each pattern, the index of its rule
	for i, r := range rules {
		for _, text := range r.Paths {
			p, err := glob.Compile(text)
			if err != nil {
				applies[i] = true
				continue
			}
			patterns = append(patterns, p)
			owners = append(owners, i)
		}
	}
	m := glob.NewSet(patterns...).Matcher()
	for _, file := range files {
		for _, id := range m.Match(file) {
			applies[owners[id]] = true
		}
	}
	return applies
}

// nearest tells of each rule whether it is a Nearest one that stands in the
// nearest folder, among those of its file name, to some file.
func nearest(rules []Rule, files []string) []bool {
	near := make([]bool, len(rules))
	byName := map[string]map[string]int{} // file name, folder, index
	for i, r := range rules {
		if !r.Nearest {
			continue
		}
		name := path.Base(r.Source)
		if byName[name] == nil {
			byName[name] = map[string]int{}
		}
		byName[name][path.Dir(r.Source)] = i
	}
	for _, folders := range byName {
		for _, file := range files {
			for dir := path.Dir(file); ; dir = path.Dir(dir) {
				if i, ok := folders[dir]; ok {
					near[i] = true
					break
				}
				if dir == "." || dir == "/" {
					break
				}
			}
		}
	}
	return near
}
