package verify

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Borrowed is a folder with installed dependencies in the user's checkout, which
// a tree out of git does not hold.
type Borrowed struct {
	Path string // in the tree, with slashes: "web/node_modules"
	Host string // on the machine, absolute
}

// borrowable are the folders that package managers install into, and the files
// beside them that say what belongs in there: locks first, then manifests.
var borrowable = []struct {
	folder           string
	locks, manifests []string
}{
	{"node_modules", []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"}, []string{"package.json"}},
	{".venv", []string{"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"}, []string{"pyproject.toml", "requirements.txt", "requirements-dev.txt", "setup.py", "setup.cfg", "Pipfile"}},
	{"venv", []string{"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"}, []string{"pyproject.toml", "requirements.txt", "requirements-dev.txt", "setup.py", "setup.cfg", "Pipfile"}},
	{"vendor/bundle", []string{"Gemfile.lock"}, []string{"Gemfile"}},
	{"vendor", []string{"composer.lock"}, []string{"composer.json"}},
}

// FindBorrowed returns the installed dependencies that the checkout holds beside
// the changed paths, in the folders above them and at the top. It returns none
// when a relative checkout is given and the working directory is gone.
func FindBorrowed(checkout string, changed []string) []Borrowed {
	checkout, err := filepath.Abs(checkout) // a copy links to it from elsewhere
	if err != nil {
		return nil
	}
	folders := []string{"."}
	for _, p := range changed {
		for dir := path.Dir(p); dir != "." && fs.ValidPath(dir); dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	var found []Borrowed
	for _, dir := range slices.Compact(folders) {
		for _, b := range borrowable {
			host := filepath.Join(checkout, filepath.FromSlash(dir), filepath.FromSlash(b.folder))
			if info, err := os.Lstat(host); err == nil && info.IsDir() && describedIn(os.DirFS(checkout), dir, b.manifests) {
				found = append(found, Borrowed{Path: path.Join(dir, b.folder), Host: host})
			}
		}
	}
	return found
}

// borrowed returns the borrowed folders that belong to the tree of p: those that
// the tree does not have itself, and whose lock file (or manifest, without one) is
// the same in the tree and beside the folder.
func (p *program) borrowed() []Borrowed {
	var fitting []Borrowed
	for _, b := range p.w.gate.opt.Borrow {
		if _, err := fs.Lstat(p.tree(), b.Path); err != nil && fits(p.tree(), b) {
			fitting = append(fitting, b)
		}
	}
	return fitting
}

// fits reports whether what is installed in b is what tree asks for.
func fits(tree fs.FS, b Borrowed) bool {
	for _, kind := range borrowable {
		dir, ok := cutFolder(b.Path, kind.folder)
		if !ok {
			continue
		}
		checkout := os.DirFS(cutHost(b.Host, kind.folder))
		names := kind.locks
		if !describedIn(tree, dir, names) {
			names = kind.manifests
		}
		if describedIn(tree, dir, names) && sameFiles(tree, dir, checkout, names) {
			return true
		}
	}
	return false
}

// cutFolder returns the folder that holds the borrowed folder named folder.
func cutFolder(p, folder string) (string, bool) {
	if p == folder {
		return ".", true
	}
	if n := len(p) - len(folder); n > 1 && p[n:] == folder && p[n-1] == '/' {
		return p[:n-1], true
	}
	return "", false
}

func cutHost(host, folder string) string {
	for range len(segments(folder)) {
		host = filepath.Dir(host)
	}
	return host
}

// describedIn reports whether dir holds one of the files.
func describedIn(tree fs.FS, dir string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		_, err := fs.Stat(tree, path.Join(dir, n))
		return err == nil
	})
}

// sameFiles reports whether the files have the same content, or are missing, in
// dir of the tree and at the top of the checkout.
func sameFiles(tree fs.FS, dir string, checkout fs.FS, names []string) bool {
	for _, n := range names {
		here, errHere := fs.ReadFile(tree, path.Join(dir, n))
		there, errThere := fs.ReadFile(checkout, n)
		if (errHere == nil) != (errThere == nil) || !bytes.Equal(here, there) {
			return false
		}
	}
	return true
}
