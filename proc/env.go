package proc

import (
	"net/url"
	"slices"
	"strings"
)

// NoHome is the HOME of a program that has none. It does not exist, so that
// nothing is read from or written to the user's own.
const NoHome = "/nonexistent"

// passed are the variables that CleanEnv lets through: what a program needs to
// find its tools, to speak the right language and to know its machine. A name
// that ends in an underscore stands for all that begin with it.
var passed = []string{
	// the machine
	"PATH", "LANG", "LANGUAGE", "LC_", "TZ", "SYSTEMROOT", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "SOURCE_DATE_EPOCH",
	// C
	"CC", "CXX", "AR", "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "SDKROOT", "DEVELOPER_DIR", "MACOSX_DEPLOYMENT_TARGET",
	// Go
	"GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOTOOLCHAIN", "GOOS", "GOARCH", "GOAMD64", "GOARM", "GOARM64", "GO386",
	"GOEXPERIMENT", "GODEBUG", "GOMAXPROCS", "GOMEMLIMIT", "GOGC", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOWORK", "GO111MODULE", "CGO_",
	// JavaScript
	"NODE_ENV", "NODE_PATH", "NODE_VERSION", "NVM_DIR", "NVM_BIN", "VOLTA_HOME", "FNM_DIR", "FNM_MULTISHELL_PATH", "COREPACK_HOME", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR",
	// Python
	"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION",
	// Rust
	"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTFLAGS",
	// JVM
	"JAVA_HOME", "M2_HOME", "MAVEN_HOME", "MAVEN_OPTS", "GRADLE_HOME", "GRADLE_USER_HOME", "SDKMAN_DIR", "ANDROID_HOME", "ANDROID_SDK_ROOT", "KOTLIN_HOME",
	// .NET, Ruby, PHP, Swift
	"DOTNET_ROOT", "DOTNET_CLI_HOME", "NUGET_PACKAGES", "GEM_HOME", "GEM_PATH", "RBENV_ROOT", "RBENV_VERSION", "RUBY_VERSION", "COMPOSER_HOME", "SWIFT_VERSION",
	// tool managers
	"ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "NIX_PATH", "NIX_SSL_CERT_FILE", "HOMEBREW_PREFIX",
}

// never lists what no caller can let through: sockets and settings that act with
// the user's rights, and the gate's own variables.
var never = []string{"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "GIT_", "REVIEWGATE_"}

// secretWords mark a variable that is never passed unless it is named in full.
var secretWords = []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "APIKEY", "API_KEY", "PRIVATE_KEY", "ACCESS_KEY", "AUTH"}

// CleanEnv returns the part of environ that a program which is not trusted may
// see: an allow-list of harmless names, and the names in allow. HOME is NoHome
// unless allow has it. No token, key or password passes by being overlooked: a
// name that sounds like one needs to be in allow in full, and a URL that carries
// a password is dropped whatever its name. The agent's sockets, GIT_* and
// REVIEWGATE_* never pass. The answer is sorted and each name is in it once,
// with the value that came last.
func CleanEnv(environ []string, allow ...string) []string {
	kept := map[string]string{"HOME": NoHome}
	for _, entry := range environ {
		name, val, ok := strings.Cut(entry, "=")
		if !ok || name == "" || matchesName(never, name) {
			continue
		}
		if slices.Contains(allow, name) || harmless(name, val) {
			kept[name] = val
		}
	}
	clean := make([]string, 0, len(kept))
	for name, val := range kept {
		clean = append(clean, name+"="+val)
	}
	slices.Sort(clean)
	return clean
}

func harmless(name, val string) bool {
	if !matchesName(passed, name) || carriesPassword(val) {
		return false
	}
	upper := strings.ToUpper(name)
	return !slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(upper, word) })
}

func matchesName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == name || strings.HasSuffix(n, "_") && strings.HasPrefix(name, n)
	})
}

// carriesPassword reports whether one of the URLs in val has user information.
func carriesPassword(val string) bool {
	if !strings.Contains(val, "://") {
		return false
	}
	for _, part := range strings.FieldsFunc(val, func(r rune) bool { return r == ',' || r == '|' || r == ' ' || r == ';' }) {
		if u, err := url.Parse(part); err != nil || u.User != nil {
			return true
		}
	}
	return false
}
