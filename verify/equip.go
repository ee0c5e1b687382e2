package verify

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/proc"
)

// equip shows the program of cmd its tools and caches, and sets the environment
// that leads to them.
func (g *Gate) equip(ctx context.Context, r *oneRun, cmd proc.Cmd) error {
	if len(cmd.Args) > 0 {
		r.sandbox.Read, r.sandbox.Hide = g.tools.reads(cmd.Args[0])
	}
	for _, entry := range proc.CleanEnv(g.opt.Environ, g.opt.PassEnv...) {
		name, value, _ := strings.Cut(entry, "=")
		if _, ours := r.env[name]; !ours {
			r.env[name] = value
		}
	}
	maps.Copy(r.env, map[string]string{
		"CI":                                "true", // runs once, asks nothing
		"TERM":                              "dumb",
		"npm_config_update_notifier":        "false",
		"npm_config_audit":                  "false",
		"npm_config_fund":                   "false",
		"PIP_DISABLE_PIP_VERSION_CHECK":     "1",
		"DOTNET_CLI_TELEMETRY_OPTOUT":       "1",
		"DOTNET_NOLOGO":                     "1",
		"DOTNET_SKIP_FIRST_TIME_EXPERIENCE": "1",
	})
	if r.env["LANG"] == "" && r.env["LC_ALL"] == "" {
		r.env["LANG"] = "C.UTF-8"
	}
	if !g.opt.Network && !cmd.Network {
		maps.Copy(r.env, map[string]string{"GOPROXY": "off", "CARGO_NET_OFFLINE": "true", "npm_config_offline": "true", "PIP_NO_INDEX": "1", "UV_OFFLINE": "1"})
	}
	return g.equipCaches(ctx, r)
}

// confined are the variables that no caller can set: they lead to what was made
// for the run.
var confined = []string{"HOME", "TMPDIR", "XDG_CACHE_HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOENV", "CARGO_HOME", "GRADLE_USER_HOME", "NUGET_PACKAGES", "DOTNET_CLI_HOME"}

// environ returns the environment of the run with what the caller adds.
func (r *oneRun) environ(more []string) []string {
	env := maps.Clone(r.env)
	for _, entry := range more {
		name, value, _ := strings.Cut(entry, "=")
		if !slices.Contains(confined, name) {
			env[name] = value
		}
	}
	all := make([]string, 0, len(env))
	for name, value := range env {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return all
}

// cache is a folder that tools share between projects.
type cache struct {
	name  string // of its place and its layers
	host  string // the user's own
	under string // the folder of the place that it is shown as; "" is the place itself
	warm  bool   // what a base's run writes is shown to the runs of changes
}

// equipCaches shows the program the machine's caches: it reads what is there and
// keeps what it writes to itself, so that no change can plant what another one
// would take for its own result.
func (g *Gate) equipCaches(ctx context.Context, r *oneRun) error {
	r.env["GOENV"] = "off"
	if settings := g.tools.goSettings(ctx); settings != nil {
		if err := g.equipGo(r, settings); err != nil {
			return err
		}
	}
	home := g.tools.value("HOME")
	first := func(variable, fallback string) string {
		if dir := g.tools.value(variable); dir != "" {
			return dir
		}
		return filepath.Join(home, fallback)
	}
	places := []struct {
		variable string
		caches   []cache
	}{
		{"CARGO_HOME", []cache{{name: "cargo", host: filepath.Join(first("CARGO_HOME", ".cargo"), "registry"), under: "registry"},
			{name: "cargo", host: filepath.Join(first("CARGO_HOME", ".cargo"), "git"), under: "git"}}},
		{"GRADLE_USER_HOME", []cache{{name: "gradle", host: filepath.Join(first("GRADLE_USER_HOME", ".gradle"), "caches"), under: "caches"},
			{name: "gradle", host: filepath.Join(first("GRADLE_USER_HOME", ".gradle"), "wrapper"), under: "wrapper"}}},
		{"NUGET_PACKAGES", []cache{{name: "nuget", host: first("NUGET_PACKAGES", ".nuget/packages"), under: "packages"}}},
		{"", []cache{{name: "m2", host: filepath.Join(home, ".m2/repository"), under: "repository"}}},
	}
	for _, p := range places {
		var at string
		for _, c := range p.caches {
			if home == "" || !exists(c.host) {
				continue
			}
			var err error
			if at, err = g.share(r, c); err != nil {
				return err
			}
		}
		switch {
		case at != "" && p.variable == "NUGET_PACKAGES":
			r.env[p.variable] = filepath.Join(at, "packages")
		case at != "" && p.variable != "":
			r.env[p.variable] = at
		case at != "": // Java finds its home in the list of users, whatever HOME says
			r.env["MAVEN_OPTS"] = strings.TrimSpace(r.env["MAVEN_OPTS"] + " -Dmaven.repo.local=" + filepath.Join(at, "repository"))
		}
	}
	if dir := filepath.Join(home, ".rustup"); r.env["RUSTUP_HOME"] == "" && home != "" && exists(dir) {
		r.env["RUSTUP_HOME"] = dir
	}
	if dir := filepath.Join(home, ".local"); home != "" && exists(filepath.Join(dir, "lib")) {
		r.env["PYTHONUSERBASE"] = dir
	}
	r.env["DOTNET_CLI_HOME"] = r.env["HOME"]
	return nil
}

// equipGo shows the go command its build cache and the modules that are on the
// machine. The modules stay where they are: their folder is part of what the
// build cache remembers.
func (g *Gate) equipGo(r *oneRun, settings map[string]string) error {
	for _, name := range []string{"GOFLAGS", "GOTOOLCHAIN", "GOEXPERIMENT"} {
		if v := settings[name]; v != "" {
			r.env[name] = v
		}
	}
	r.env["GOPATH"] = filepath.Join(r.env["HOME"], "go")
	r.sandbox.Read = append(r.sandbox.Read, settings["GOROOT"])
	modules := settings["GOMODCACHE"]
	switch {
	case !exists(modules):
	case r.env["GOPROXY"] == "off" || !g.composes():
		r.env["GOMODCACHE"] = modules
		r.sandbox.Read = append(r.sandbox.Read, modules)
	default: // modules may be fetched, into a layer of their own
		r.env["GOMODCACHE"] = modules
		if _, err := r.compose("modules", modules, []string{modules}); err != nil {
			return err
		}
	}
	at, err := g.share(r, cache{name: "go-build", host: settings["GOCACHE"], warm: true})
	r.env["GOCACHE"] = at
	return err
}

// share shows a cache at its place, which it returns. Where folders cannot be
// composed, it is a folder of the run's own: with a link to what can only be
// read, or, for the build cache, empty.
func (g *Gate) share(r *oneRun, c cache) (string, error) {
	at := g.place(c.name)
	key := filepath.Join(c.name, c.under)
	if g.composes() {
		if err := os.MkdirAll(filepath.Join(g.scratch, "at", key), 0o755); err != nil {
			return "", err
		}
		layers := g.warmLayers(key)
		if exists(c.host) {
			layers = append(layers, c.host)
		}
		if len(layers) == 0 {
			return r.private(g, c.name, "")
		}
		upper, err := r.compose(key, filepath.Join(at, c.under), layers)
		if c.warm {
			r.caches[key] = upper
		}
		return at, err
	}
	dir, err := r.folder("private", c.name)
	if err != nil {
		return "", err
	}
	if c.under != "" {
		r.sandbox.Read = append(r.sandbox.Read, c.host)
		if err := os.Symlink(c.host, filepath.Join(dir, c.under)); err != nil {
			return "", err
		}
	}
	return r.bindPrivate(g, c.name, dir), nil
}

// warmLayers returns what runs of a base left in the cache of that name, the
// latest first.
func (g *Gate) warmLayers(key string) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.warm[key])
}

// maxWarm bounds how many layers of a cache are kept: the kernel looks through
// all of them.
const maxWarm = 8

// keepWarm keeps what a run of a base wrote to its caches for the runs of
// changes. A base is code that was accepted; a change never leaves anything.
func (g *Gate) keepWarm(r *oneRun) {
	for key, upper := range r.caches {
		g.mu.Lock()
		if len(g.warm[key]) < maxWarm {
			kept := filepath.Join(g.scratch, "warm-"+filepath.Base(r.dir)+"-"+strings.ReplaceAll(key, "/", "-"))
			if os.Rename(upper, kept) == nil {
				g.warm[key] = append([]string{kept}, g.warm[key]...)
			}
		}
		g.mu.Unlock()
	}
}
