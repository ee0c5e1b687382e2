package sarif

import (
	"io/fs"
	"iter"
	"net/url"
	"path"
	"slices"
	"strings"
)

// where says which kind of place a path of a report names.
type where int

const (
	touched   where = iota // a file that the change touches
	elsewhere              // another file of the repository
	outside                // no file of the repository that can be told
)

// place is what the locator found out about one path.
type place struct {
	where where
	path  string // of a touched file, relative to the repository root
	why   string // of a place that is outside
}

// locator says which file of the repository an analyzer means. Tools write
// paths relative to the root or to the folder they ran in, absolute ones of
// this machine or of another, with backslashes, or as file URIs.
type locator struct {
	has   func(path string) bool // reports whether the change touches path
	files iter.Seq[string]       // the touched files, for the rare case that only a name tells one
	tree  fs.FS                  // the tree that was analysed; nil for a patch alone
	roots []string               // absolute folders that are the root of the repository, with /
	dir   string                 // folder below the root in which the tool ran; "" for the root
	guess bool                   // an absolute path of another machine may be told by its end

	known map[key]place       // what was looked up
	mine  map[string][]string // files by their last segment; made when first needed
	all   map[string][]string // every file of tree by its last segment; made when first needed
}

type key struct {
	path string
	uri  bool
}

// find returns the place that raw names. uri says that raw is a URI reference.
func (l *locator) find(raw string, uri bool) place {
	if l.dir == "" && l.has(raw) && (!uri || !strings.Contains(raw, "%")) {
		return place{where: touched, path: raw} // as nearly all are; no need to remember it
	}
	k := key{raw, uri}
	if at, ok := l.known[k]; ok {
		return at
	}
	at := l.look(raw, uri)
	if l.known == nil {
		l.known = map[key]place{}
	}
	l.known[k] = at
	return at
}

// look tries the readings of raw until one names a file of the repository: a
// file may really be called a%20b, or have a backslash in its name.
func (l *locator) look(raw string, uri bool) place {
	at := place{where: outside, why: "no path"}
	for _, reading := range readings(raw, uri) {
		if at = l.file(reading); at.where != outside {
			return at
		}
	}
	return at
}

// readings returns what raw may mean as a path with slashes, likeliest first.
func readings(raw string, uri bool) []string {
	raw = strings.TrimSpace(raw)
	if raw == "" || strings.ContainsRune(raw, 0) {
		return nil
	}
	if rest, ok := cutScheme(raw, "file:"); ok {
		return []string{fileURI(rest)}
	}
	var list []string
	if uri {
		if decoded, err := url.PathUnescape(raw); err == nil {
			list = append(list, decoded)
		}
	}
	if len(list) == 0 || list[0] != raw {
		list = append(list, raw)
	}
	if slashed := strings.ReplaceAll(list[0], `\`, "/"); slashed != list[0] {
		list = append(list, slashed)
	}
	return list
}

func cutScheme(text, scheme string) (rest string, ok bool) {
	if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return text, false
	}
	return text[len(scheme):], true
}

// fileURI returns the path of a file URI without its scheme: ///src/a.go,
// //localhost/src/a.go, /src/a.go, ///C:/src/a.go, or the relative src/a.go
// that some tools write.
func fileURI(rest string) string {
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		host, p, _ := strings.Cut(authority, "/")
		rest = "/" + p
		if host != "" && !strings.EqualFold(host, "localhost") {
			rest = "//" + host + rest // a share of another machine
		}
	}
	if decoded, err := url.PathUnescape(rest); err == nil {
		rest = decoded
	}
	rest = strings.ReplaceAll(rest, `\`, "/")
	if len(rest) > 2 && rest[0] == '/' && drive(rest[1:]) {
		rest = rest[1:]
	}
	return rest
}

// drive reports whether p begins with a drive of Windows, as in C:/src.
func drive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}

// file finds the file that p, one reading of a path, names.
func (l *locator) file(p string) place {
	if strings.HasPrefix(p, "/") || drive(p) {
		return l.absolute(path.Clean(p))
	}
	candidate := path.Join(l.dir, p)
	if strings.HasPrefix(candidate, "../") || candidate == ".." {
		return place{where: outside, why: "outside the repository"}
	}
	if at := l.exact(candidate); at.where != outside {
		return at
	}
	p = path.Clean(p)
	if l.dir != "" && !strings.HasPrefix(p, "../") {
		if at := l.exact(p); at.where != outside {
			return at
		}
	}
	return l.below(p)
}

// exact returns the place of the file at p, outside when there is none.
func (l *locator) exact(p string) place {
	if l.has(p) {
		return place{where: touched, path: p}
	}
	if l.exists(p) {
		return place{where: elsewhere}
	}
	return place{where: outside, why: "no such file in the repository"}
}

func (l *locator) exists(p string) bool {
	if l.tree == nil || !fs.ValidPath(p) {
		return false
	}
	info, err := fs.Stat(l.tree, p)
	return err == nil && !info.IsDir()
}

// absolute finds the file at an absolute path: below a known root, or, in a
// report of another machine, the longest end of it that is a file here.
func (l *locator) absolute(p string) place {
	for _, root := range l.roots {
		if rest, ok := under(root, p); ok {
			return l.exact(rest)
		}
	}
	if !l.guess {
		return place{where: outside, why: "outside the repository"}
	}
	for rest := strings.TrimLeft(p, "/"); rest != ""; {
		if at := l.exact(rest); at.where != outside {
			return l.told(at, rest)
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return place{where: outside, why: "outside the repository"}
}

// told accepts the end of an absolute path, unless nothing but the name of the
// file speaks for it: without a tree, x/y/a.go may be the file y/a.go that the
// change does not touch.
func (l *locator) told(at place, rest string) place {
	if l.tree == nil && !strings.Contains(rest, "/") {
		return place{where: outside, why: "cannot tell which file is meant (set root)"}
	}
	return at
}

// under returns what follows root in p. Tools on macOS resolve /var and /tmp,
// which are links, to /private/var and /private/tmp.
func under(root, p string) (rest string, ok bool) {
	if drive(root) && drive(p) && strings.EqualFold(root[:1], p[:1]) {
		root, p = root[1:], p[1:]
	}
	root = strings.TrimRight(root, "/") + "/"
	if rest, ok = strings.CutPrefix(p, root); !ok {
		rest, ok = strings.CutPrefix(p, "/private"+root)
	}
	return rest, ok
}

// below finds the one file whose path ends in p: the tool ran in a folder of
// the repository that nobody named.
func (l *locator) below(p string) place {
	if l.mine == nil {
		l.mine = byName(l.files)
	}
	var mine []string
	for _, f := range l.mine[path.Base(p)] {
		if strings.HasSuffix(f, "/"+p) {
			mine = append(mine, f)
		}
	}
	switch {
	case len(mine) == 0:
		return place{where: outside, why: "no such file in the repository"}
	case len(mine) > 1 || l.others(p, mine[0]):
		return place{where: outside, why: "several files end like this (set dir)"}
	}
	return place{where: touched, path: mine[0]}
}

func byName(files iter.Seq[string]) map[string][]string {
	named := map[string][]string{}
	for f := range files {
		if name := path.Base(f); !slices.Contains(named[name], f) {
			named[name] = append(named[name], f)
		}
	}
	return named
}

// others reports whether a file of the tree other than mine ends in p.
func (l *locator) others(p, mine string) bool {
	for _, f := range l.everyFile()[path.Base(p)] {
		if f != mine && strings.HasSuffix(f, "/"+p) {
			return true
		}
	}
	return false
}

// mostFiles bounds the walk over a tree; what it does not reach cannot make a
// path ambiguous. The largest public repositories have about as many files.
const mostFiles = 500_000

func (l *locator) everyFile() map[string][]string {
	if l.all != nil || l.tree == nil {
		return l.all
	}
	l.all = map[string][]string{}
	left := mostFiles
	// A folder that cannot be read has no file that an analyzer could have read.
	_ = fs.WalkDir(l.tree, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.Name() == ".git":
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case left == 0:
			return fs.SkipAll
		case !d.IsDir():
			left--
			l.all[path.Base(p)] = append(l.all[path.Base(p)], p)
		}
		return nil
	})
	return l.all
}
