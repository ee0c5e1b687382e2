package verify

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/proc"
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

// borrowed returns the borrowed folders that the tree of p is shown: those that
// fit it, where the rest of the checkout they come from is out of sight.
func (p *program) borrowed() []Borrowed {
	return slices.DeleteFunc(p.fitting(), func(b Borrowed) bool { return !p.w.gate.hidesCheckout(b) })
}

// fitting returns the borrowed folders that belong to the tree of p: those that
// the tree does not have itself, and whose lock file (or manifest, without one) is
// the same in the tree and beside the folder.
func (p *program) fitting() []Borrowed {
	var fitting []Borrowed
	for _, b := range p.w.gate.opt.Borrow {
		if _, err := fs.Lstat(p.tree(), b.Path); err != nil && fits(p.tree(), b) {
			fitting = append(fitting, b)
		}
	}
	return fitting
}

// hidesCheckout reports whether programs that are shown b see nothing else of the
// checkout around it. Otherwise an editable install or a link to a workspace in b
// would lead them to the checkout's files, which would be tested instead of the
// change.
func (g *Gate) hidesCheckout(b Borrowed) bool {
	if !slices.Contains(g.layers(), proc.LayerFiles) {
		return false
	}
	checkout := b.Host
	if folder := borrowedFolder(b.Path); folder != "" {
		checkout = cutHost(b.Host, folder)
	}
	if real, err := filepath.EvalSymlinks(checkout); err == nil {
		checkout = real
	}
	seen, _ := g.tools.reads("")
	return !slices.ContainsFunc(slices.Concat(seen, shown), func(dir string) bool { return checkout == dir || strings.HasPrefix(checkout, dir+"/") })
}

// shown are the folders of the system that every sandbox shows and that people
// put checkouts into.
var shown = []string{"/usr", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/gnu/store"}

// borrowedFolder returns which of the borrowable folders the path p names, "" for
// none.
func borrowedFolder(p string) string {
	for _, kind := range borrowable {
		if _, ok := cutFolder(p, kind.folder); ok {
			return kind.folder
		}
	}
	return ""
}

// described returns the files on the machine that say what belongs into b.
func described(b Borrowed) []string {
	var files []string
	for _, kind := range borrowable {
		if kind.folder != borrowedFolder(b.Path) {
			continue
		}
		for _, name := range slices.Concat(kind.locks, kind.manifests) {
			files = append(files, filepath.Join(cutHost(b.Host, kind.folder), name))
		}
	}
	return files
}

// neededBy are the borrowed folders that a kind of check takes its dependencies
// from.
var neededBy = map[Kind][]string{
	Node: {"node_modules"}, Script: {"node_modules"}, Pytest: {".venv", "venv"}, RSpec: {"vendor/bundle"}, Rake: {"vendor/bundle"}, PHPUnit: {"vendor"},
	Command: {"node_modules", ".venv", "venv", "vendor/bundle", "vendor"},
}

// denied returns why a check is not run: it would need a folder of the checkout
// that cannot be borrowed without showing the checkout. It is "" when nothing
// speaks against the run.
func (p *program) denied(spec Spec) string {
	if (spec.Kind == Node || spec.Kind == Script) && needsNothing(p.tree(), path.Clean(spec.Dir)) {
		return ""
	}
	for _, b := range p.fitting() {
		folder := borrowedFolder(b.Path)
		if !slices.Contains(neededBy[spec.Kind], folder) || p.w.gate.hidesCheckout(b) {
			continue
		}
		in, _ := cutFolder(b.Path, folder)
		if spec.Kind == Command || in == "." || spec.Dir == in || strings.HasPrefix(spec.Dir, in+"/") {
			return fmt.Sprintf("not run: it needs %s of the checkout, which is borrowed only where the sandbox hides the rest of the checkout (see reviewgate doctor)", b.Path)
		}
	}
	return ""
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
