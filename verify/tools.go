package verify

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reviewgate/reviewgate/proc"
)

// toolbox knows where the machine's tools are, so that programs behind walls can
// be shown them and nothing else of a home.
type toolbox struct {
	environ []string // the gate's own
	scratch string

	once  sync.Once
	goEnv map[string]string
}

// toolVariables name folders of tools in the environment.
var toolVariables = []string{"GOROOT", "JAVA_HOME", "M2_HOME", "MAVEN_HOME", "GRADLE_HOME", "SDKMAN_DIR", "ANDROID_HOME", "ANDROID_SDK_ROOT", "DOTNET_ROOT",
	"RUSTUP_HOME", "PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "RBENV_ROOT", "GEM_HOME", "NVM_DIR", "VOLTA_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR",
	"PNPM_HOME", "BUN_INSTALL", "HOMEBREW_PREFIX"}

// homeFolders are the folders of a home that hold tools and libraries but no
// credentials.
var homeFolders = []string{".rustup", ".local/lib", ".local/share/pipx", ".local/share/uv", ".local/share/mise/installs", ".pyenv", ".rbenv", ".gem/ruby", ".nvm", ".sdkman", ".dotnet/sdk"}

// secretFiles are the files below a folder of tools that may hold credentials.
var secretFiles = []string{"credentials", "credentials.toml", "credentials.json", "gradle.properties", "settings.xml", "settings-security.xml", ".npmrc"}

// reads returns the folders and files that a program needs to run program: every
// folder of PATH, the tool that it belongs to, and what the program itself is a
// link to or is interpreted by.
func (t *toolbox) reads(program string) (reads, hide []string) {
	home := t.value("HOME")
	for _, folder := range filepath.SplitList(t.value("PATH")) {
		reads = append(reads, toolFolders(folder, home)...)
	}
	for _, name := range toolVariables {
		if dir := t.value(name); filepath.IsAbs(dir) && !holds(dir, home) {
			reads = append(reads, dir)
		}
	}
	if filepath.IsAbs(home) {
		for _, folder := range homeFolders {
			reads = append(reads, filepath.Join(home, folder))
		}
	}
	reads = append(reads, programReads(program, t.environ, home, 3)...)
	for _, dir := range reads {
		for _, name := range secretFiles {
			if file := filepath.Join(dir, name); exists(file) {
				hide = append(hide, file)
			}
		}
	}
	slices.Sort(reads)
	return slices.Compact(reads), hide
}

// toolFolders returns what has to be seen of a folder of PATH: the folder, and
// what it is the bin of, unless that holds a home or other people's things too.
func toolFolders(folder, home string) []string {
	if !filepath.IsAbs(folder) || holds(folder, home) {
		return nil
	}
	folders := []string{folder}
	tool := filepath.Dir(folder)
	isBin := slices.Contains([]string{"bin", "sbin", "shims", "Scripts"}, filepath.Base(folder))
	shared := []string{"/", "/usr", "/usr/local", filepath.Join(home, ".local"), filepath.Join(home, ".cargo"), filepath.Join(home, "go")}
	if isBin && !holds(tool, home) && !slices.Contains(shared, tool) {
		folders = append(folders, tool)
	}
	return folders
}

// programReads returns what belongs to one program: where its links lead, and the
// interpreter that its first line names.
func programReads(program string, environ []string, home string, depth int) []string {
	file, err := proc.LookPath(program, environ, "/")
	if err != nil || depth == 0 {
		return nil
	}
	reads := []string{file}
	if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
		reads = append(reads, toolFolders(filepath.Dir(real), home)...)
		reads = append(reads, real)
	}
	if interpreter := shebang(file); interpreter != "" {
		reads = append(reads, toolFolders(filepath.Dir(interpreter), home)...)
		reads = append(reads, programReads(interpreter, environ, home, depth-1)...)
	}
	return reads
}

// shebang returns the interpreter of a script, "" when file is none.
func shebang(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, 512).ReadSlice('\n') // Linux reads 256 bytes
	rest, ok := strings.CutPrefix(string(line), "#!")
	fields := strings.Fields(rest)
	if !ok || len(fields) == 0 || !filepath.IsAbs(fields[0]) {
		return ""
	}
	return fields[0]
}

// holds reports whether folder is home or a folder above it.
func holds(folder, home string) bool {
	return home != "" && (folder == home || strings.HasPrefix(home, strings.TrimSuffix(folder, "/")+"/"))
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// value returns a variable of the gate's environment.
func (t *toolbox) value(name string) string { return lookup(t.environ, name) }

// lookup returns the last value of name in environ.
func lookup(environ []string, name string) string {
	found := ""
	for _, entry := range environ {
		if k, v, _ := strings.Cut(entry, "="); k == name {
			found = v
		}
	}
	return found
}

// goSettings returns what `go env` says on this machine, nil when there is no go.
// The user's own settings file is read by it, which tests do not see.
func (t *toolbox) goSettings(ctx context.Context) map[string]string {
	t.once.Do(func() {
		result, err := proc.Run(ctx, proc.Cmd{
			Args: []string{"go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOROOT", "GOFLAGS", "GOTOOLCHAIN", "GOEXPERIMENT", "GOPROXY", "GOSUMDB", "GOPRIVATE"},
			Dir:  t.scratch, Env: append(slices.Clone(t.environ), "GOWORK=off"), Timeout: time.Minute,
		})
		if err != nil || result.ExitCode != 0 {
			return
		}
		var settings map[string]string
		if json.Unmarshal(result.Stdout, &settings) == nil {
			t.goEnv = settings
		}
	})
	return t.goEnv
}
