package reviewer

import "github.com/reviewgate/reviewgate/rules"

// Changed returns the paths that task changes, in patch order, each once; both
// paths of a rename.
func Changed(task Task) []string {
	if task.Patch == nil {
		return nil
	}
	return task.Patch.ChangedPaths()
}

// Applicable returns the rules of task that apply to the files it changes, in
// the order in which they are to be read.
func Applicable(task Task) []rules.Rule {
	return rules.For(task.Rules, Changed(task))
}
