package git

// The trees without files. git knows them in every repository.
const (
	emptyTree1   = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	emptyTree256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
)

// EmptyTree returns the id of the tree without files.
func (r *Repo) EmptyTree() string {
	if r.format == "sha256" {
		return emptyTree256
	}
	return emptyTree1
}
