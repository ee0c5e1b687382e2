package reviewer

// Changed returns the paths that task changes, in patch order, each once; both
// paths of a rename.
func Changed(task Task) []string {
	if task.Patch == nil {
		return nil
	}
	return task.Patch.ChangedPaths()
}
