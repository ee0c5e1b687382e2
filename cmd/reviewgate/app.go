package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/store"
)

// app is the one composition root: everything that a command needs from the
// outside is handed in here and passed on from here.
type app struct {
	env    []string
	stdin  io.Reader
	stdout io.Writer // colours are taken out when it is not a terminal
	stderr io.Writer
	tty    bool // stderr is a terminal, so progress may be shown
	now    func() time.Time
	began  bool // a command runs: the command line was understood

	cacheAt   string // the cache folder in use; "" until it is needed
	cacheTemp string // the same when it is to be removed at the end
}

// run is the whole program. It returns the exit code.
func run(ctx context.Context, env []string, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	a := &app{
		env: env, stdin: stdin, now: time.Now,
		stdout: colorprofile.NewWriter(stdout, env),
		stderr: colorprofile.NewWriter(stderr, env),
		tty:    isTerminal(stderr),
	}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	defer a.removeTemp()
	err := root.ExecuteContext(ctx)
	if err != nil && !a.began {
		err = usageError(err)
	}
	a.complain(ctx, err)
	return a.exitCode(ctx, err)
}

// removeTemp removes a cache folder that was made for this run alone.
func (a *app) removeTemp() {
	if a.cacheTemp == "" {
		return
	}
	if err := os.RemoveAll(a.cacheTemp); err != nil {
		a.warn("%v", err)
	}
}

// complain prints err in one line, and what to do about it in another.
func (a *app) complain(ctx context.Context, err error) {
	var exit *exitError
	switch {
	case err == nil:
		return
	case errors.As(err, &exit) && exit.err == nil:
		return
	case ctx.Err() != nil:
		err = errors.New("interrupted")
	}
	fmt.Fprintf(a.stderr, "reviewgate: %s\n", oneLine(err.Error()))
	if h := hint(err); h != "" {
		fmt.Fprintf(a.stderr, "reviewgate: %s\n", h)
	}
}

// warn prints one line for the person at the terminal.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.stderr, "reviewgate: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// getenv returns the value of key in the environment that was handed in.
func (a *app) getenv(key string) string {
	for i := len(a.env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(a.env[i], key+"="); ok {
			return value
		}
	}
	return ""
}

// cacheDir returns the folder for what is kept between runs. Where the
// environment names none that can be written to, it is a temporary one, removed
// when the program ends: everything is only slower then.
func (a *app) cacheDir() string {
	if a.cacheAt != "" {
		return a.cacheAt
	}
	dir := a.namedCacheDir()
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		temp, err := os.MkdirTemp(a.getenv("TMPDIR"), "reviewgate-cache-")
		if err != nil {
			a.warn("no cache: %v", err)
			return ""
		}
		dir, a.cacheTemp = temp, temp
	}
	a.cacheAt = dir
	return dir
}

// namedCacheDir returns the cache folder that the environment names, or "".
func (a *app) namedCacheDir() string {
	if dir := a.getenv("REVIEWGATE_CACHE_DIR"); dir != "" {
		return dir
	}
	if dir := a.getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "reviewgate")
	}
	home := a.getenv("HOME")
	switch {
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Caches", "reviewgate")
	}
	return filepath.Join(home, ".cache", "reviewgate")
}

// command builds the command tree. Every command is listed here.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "reviewgate",
		Short: "Review a change, test it on a copy, and say merge, hold or block",
		Long: `Reviewgate stands between a change and the place it wants to go. It reads the
change with the repository's own rules, has it reviewed, tests it on a copy,
and answers merge, hold or block, with the reason and the evidence.

Exit codes: 0 merge (or what was asked for was done), 1 it could not be done,
2 wrong usage or configuration, 3 hold, 4 block, 130 interrupted.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("reviewgate {{.Version}}\n")
	root.AddGroup(
		&cobra.Group{ID: "people", Title: "For people:"},
		&cobra.Group{ID: "stages", Title: "One stage each, for scripts (all take --json):"},
	)
	for _, c := range []*cobra.Command{a.reviewCommand(), a.runCommand(), a.renderCommand(), a.doctorCommand(), a.initCommand()} {
		c.GroupID = "people"
		root.AddCommand(c)
	}
	for _, c := range []*cobra.Command{
		a.rulesCommand(), a.diffCommand(), a.promptCommand(), a.findingsCommand(), a.verifyCommand(),
		a.blockersCommand(), a.metricsCommand(), a.verdictCommand(), a.policyCommand(), a.checksCommand(), a.configCommand(),
	} {
		c.GroupID = "stages"
		root.AddCommand(c)
	}
	root.AddCommand(a.manCommand(), a.versionCommand())
	a.note(root)
	return root
}

// note makes every command note that it began.
func (a *app) note(c *cobra.Command) {
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			a.began = true
			return run(c, args)
		}
	}
	for _, sub := range c.Commands() {
		a.note(sub)
	}
}

// cache opens the cache of results, or returns nil when it is not wanted or
// cannot be had: without it everything is only slower.
func (a *app) cache(wanted bool) *store.Cache {
	dir := a.cacheDir()
	if !wanted || dir == "" {
		return nil
	}
	c, err := store.Open(filepath.Join(dir, "results"), 0)
	if err != nil {
		a.warn("no cache: %v", err)
		return nil
	}
	return c
}
