package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limits of one git process. They are chosen to be far above what honest
// repositories need and below what hurts the machine.
const (
	maxAnswer = 64 << 20        // bytes of standard output, for answers that are parsed
	maxStderr = 4 << 20         // bytes of standard error kept; the rest is dropped
	waitDelay = 2 * time.Second // for pipes that a child of git still holds after git ended
)

// ErrNoGit says that there is no git program to run.
var ErrNoGit = errors.New("git is not on PATH: install git 2.31 or later")

// passedOn lists the environment variables that a git process is given besides
// the pinned ones. Everything else stays behind: a filter or a helper that git
// starts has no use for the tokens of the program around it.
var passedOn = []string{
	"PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH",
	"SUDO_UID", // root under sudo owns what SUDO_UID owns: git's ownership check asks for it
	"USERPROFILE", "SYSTEMROOT", "COMSPEC", "PATHEXT",
	"GIT_CONFIG_GLOBAL", "GIT_EXEC_PATH",
}

// pinnedEnv makes git answer the same way on every machine.
var pinnedEnv = []string{
	"LC_ALL=C",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_CONFIG_NOSYSTEM=1",
	"GIT_ATTR_NOSYSTEM=1",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_GRAFT_FILE=" + os.DevNull,
	"GIT_NO_LAZY_FETCH=1",     // git 2.44 and later
	"GIT_ALLOW_PROTOCOL=none", // the same for older ones: no transport has this name
}

// pinnedArgs stand before every subcommand.
var pinnedArgs = []string{
	"--no-pager", "--literal-pathspecs",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.quotePath=true",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
}

// runner runs git in one folder with one environment.
type runner struct {
	program string
	dir     string
	env     []string
}

// newRunner returns a runner for dir. environ is where PATH and the passed-on
// variables come from; extra is set on top of the pinned environment.
func newRunner(dir string, environ []string, extra ...string) (runner, error) {
	program, err := lookPath(environ)
	if err != nil {
		return runner{}, err
	}
	env := slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !slices.Contains(passedOn, name)
	})
	env = append(env, pinnedEnv...)
	return runner{program: program, dir: dir, env: append(env, extra...)}, nil
}

// with returns a runner whose environment has extra on top.
func (r runner) with(extra ...string) runner {
	r.env = append(slices.Clone(r.env), extra...)
	return r
}

// call is one git process.
type call struct {
	args  []string
	stdin io.Reader // nil is an empty input
	max   int       // bytes of output; more is an error. 0 means maxAnswer
	okay  []int     // exit codes besides 0 that are an answer, not an error
}

// read runs git with args and returns what it prints. Nothing that it runs may
// change a repository.
func (r runner) read(ctx context.Context, args ...string) ([]byte, error) {
	out, _, err := r.run(ctx, call{args: args})
	return out, err
}

// run runs one git process to its end and returns its output and exit code.
// The error is an [*Error] when git refused, [ErrNoGit], an error that wraps
// the context's, or one that says that the output was too long.
func (r runner) run(ctx context.Context, c call) ([]byte, int, error) {
	limit := c.max
	if limit == 0 {
		limit = maxAnswer
	}
	stdout := &capped{max: limit, strict: true}
	stderr := &capped{max: maxStderr}
	cmd := r.command(ctx, c.args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, stdout, stderr
	err := cmd.Run()
	code := cmd.ProcessState.ExitCode()
	switch {
	case ctx.Err() != nil:
		return nil, code, fmt.Errorf("git %s: %w", subcommand(c.args), context.Cause(ctx))
	case stdout.overflowed:
		return nil, code, fmt.Errorf("git %s: answer is longer than %d MiB", subcommand(c.args), limit>>20)
	case err == nil || slices.Contains(c.okay, code):
		return stdout.buffer.Bytes(), code, nil
	case code < 0:
		return stdout.buffer.Bytes(), code, startError(c.args, err)
	}
	return stdout.buffer.Bytes(), code, newError(c.args, code, stderr.buffer.String())
}

// command prepares a git process that dies with ctx.
func (r runner) command(ctx context.Context, args []string) *exec.Cmd {
	full := append(slices.Clone(pinnedArgs), args...)
	if r.dir != "" {
		full = append([]string{"-C", r.dir}, full...)
	}
	cmd := exec.CommandContext(ctx, r.program, full...)
	cmd.Env = r.env
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)
	return cmd
}

// lookPath finds git on the PATH of environ. Folders relative to the working
// directory are passed over: a repository must not bring its own git.
func lookPath(environ []string) (string, error) {
	path := ""
	for _, kv := range environ {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if program, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return program, nil
		}
	}
	return "", ErrNoGit
}

// capped keeps the first max bytes that are written to it. A strict one makes
// the writer fail beyond them, so that the process behind it stops. The buffer
// is not embedded: its ReadFrom would go around the limit.
type capped struct {
	buffer     bytes.Buffer
	max        int
	strict     bool
	overflowed bool
}

func (c *capped) Write(p []byte) (int, error) {
	room := c.max - c.buffer.Len()
	if len(p) <= room {
		return c.buffer.Write(p)
	}
	c.overflowed = true
	c.buffer.Write(p[:room])
	if c.strict {
		return room, errors.New("too much output")
	}
	return len(p), nil
}
