package proc

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// kind is how a path of the program's file tree is made.
type kind string

const (
	kindBind    kind = "bind"    // the host's, read-only or not
	kindTmp     kind = "tmp"     // an empty folder in memory
	kindProc    kind = "proc"    // the program's own processes
	kindDev     kind = "dev"     // null, zero, full, random, urandom, tty, shm and terminals
	kindOverlay kind = "overlay" // several folders as one
	kindHide    kind = "hide"    // an empty, read-only place
)

// mount is one path of the program's file tree.
type mount struct {
	Kind    kind    `json:"kind"`
	At      string  `json:"at"`
	Host    string  `json:"host,omitempty"`  // of a bind
	Write   bool    `json:"write,omitempty"` // of a bind
	Overlay Overlay `json:"overlay,omitzero"`
}

// system lists what every program sees of the machine: its programs and
// libraries, and nothing that belongs to a user.
var system = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store", "/run/current-system",
	"/sys/fs/cgroup", "/sys/devices/system/cpu"}

// systemEtc lists what every program sees of /etc, as patterns: what libraries
// look up, and nothing that can hold a secret.
var systemEtc = []string{"alternatives", "ca-certificates*", "crypto-policies", "debian_version", "dotnet", "fonts", "group", "host.conf", "hostname", "hosts",
	"inputrc", "java*", "ld.so.*", "locale*", "localtime", "lsb-release", "magic", "mailcap", "maven*", "mime.types", "nsswitch.conf", "os-release",
	"passwd", "perl", "php*", "pki/ca-trust", "pki/tls/certs", "pki/tls/cert.pem", "profile", "protocols", "python*", "rpc", "services", "shells", "ssl/cert.pem",
	"ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "xdg"}

// view returns the file tree that s asks for, parents before what lies in them.
// The paths of the machine that do not exist are passed over.
func view(s *Sandbox, network bool) []mount {
	mounts := []mount{{Kind: kindProc, At: "/proc"}, {Kind: kindDev, At: "/dev"}, {Kind: kindTmp, At: "/tmp"}}
	var taken []string
	for _, b := range s.Binds {
		mounts = append(mounts, mount{Kind: kindBind, At: filepath.Clean(b.At), Host: b.Host, Write: b.Write})
		taken = append(taken, filepath.Clean(b.At))
	}
	for _, o := range s.Overlays {
		mounts = append(mounts, mount{Kind: kindOverlay, At: filepath.Clean(o.At), Overlay: o})
		taken = append(taken, filepath.Clean(o.At))
	}
	mounts = slices.DeleteFunc(mounts, func(m mount) bool { return m.Kind == kindTmp && slices.Contains(taken, m.At) })
	for _, at := range readable(s.Read, network) {
		if !slices.Contains(taken, at) {
			mounts = append(mounts, mount{Kind: kindBind, At: at, Host: at})
		}
	}
	slices.SortStableFunc(mounts, func(a, b mount) int { return cmp.Compare(a.At, b.At) })
	for _, at := range s.Hide {
		mounts = append(mounts, mount{Kind: kindHide, At: filepath.Clean(at)})
	}
	return mounts
}

// readable returns what the program sees read-only where it is: the system's own
// folders and what is in more.
func readable(more []string, network bool) []string {
	if network {
		more = append(slices.Clone(more), "/etc/resolv.conf")
	}
	return outermost(append(slices.Clone(systemPaths()), resolve(more)...))
}

// systemPaths are the folders and files of this machine that every program sees.
var systemPaths = sync.OnceValue(func() []string {
	paths := slices.Clone(system)
	for _, pattern := range systemEtc {
		found, _ := filepath.Glob(filepath.Join("/etc", pattern)) // the patterns are ours
		paths = append(paths, found...)
	}
	return resolve(paths)
})

// resolve returns each path that exists, and every place that symbolic links
// on the way lead through.
func resolve(paths []string) []string {
	var all []string
	for _, path := range paths {
		path = filepath.Clean(path)
		real, err := filepath.EvalSymlinks(path)
		if err != nil || path == "/" || real == "/" {
			continue
		}
		all = append(append(all, hops(path)...), real)
	}
	return all
}

// maxHops is how many symbolic links the kernel follows.
const maxHops = 40

// hops returns path and what it becomes with each symbolic link on it followed
// in turn, the last one without any.
func hops(path string) []string {
	places := []string{path}
	for range maxHops {
		next, more := follow(path)
		if !more {
			break
		}
		places = append(places, next)
		path = next
	}
	return places
}

// follow replaces the first symbolic link on the way to path by where it leads,
// and reports whether there was one.
func follow(path string) (string, bool) {
	for end := 1; end <= len(path); end++ {
		if end < len(path) && path[end] != '/' {
			continue
		}
		target, err := os.Readlink(path[:end])
		if err != nil {
			continue // no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path[:end]), target)
		}
		return filepath.Join(target, path[end:]), true
	}
	return path, false
}

// outermost returns the paths, each once, without those that are seen already
// because a folder they lie in is: a symbolic link in a folder that is shown is
// seen as the link it is.
func outermost(paths []string) []string {
	slices.Sort(paths)
	var kept []string
	for _, path := range slices.Compact(paths) {
		if !slices.ContainsFunc(kept, func(k string) bool { return within(path, k) }) {
			kept = append(kept, path)
		}
	}
	return kept
}

// within reports whether path is folder or lies in it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}
