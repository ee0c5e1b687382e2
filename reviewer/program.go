package reviewer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/proc"
)

// Program is a configured command that a reviewer runs over the patched tree.
type Program struct {
	Args    []string      // program and arguments
	Dir     string        // folder below the root of the tree to run it in; "" for the root
	Environ []string      // environment of the gate, "K=V"; the program sees what is harmless of it
	Pass    []string      // names of variables that it sees besides: its key, its endpoint
	Timeout time.Duration // of one run; 0 means DefaultTimeout
	Network bool          // it may use the network
}

// DefaultTimeout bounds one run of a program. A model that reads a large change
// takes minutes; twice that long it hangs.
const DefaultTimeout = 10 * time.Minute

// maxStderr is how much a program may say besides its answer.
const maxStderr = 4 << 20

// Run runs p over task with stdin as its input and returns how it ended: in the
// tree through task.Run, or, for a patch alone, in the working directory of the
// gate. An answer longer than maxStdout bytes, a program that does not exist or
// does not end in time, and one that the change itself could have written are
// errors, worded for people and with the values of Pass taken out. A ctx that
// ended is an error that wraps ctx.Err().
func (p Program) Run(ctx context.Context, task Task, run Runner, stdin io.Reader, maxStdout int) (proc.Result, error) {
	if len(p.Args) == 0 || p.Args[0] == "" {
		return proc.Result{}, errors.New("no command is configured")
	}
	if err := p.steered(task); err != nil {
		return proc.Result{}, err
	}
	cmd := proc.Cmd{
		Args: p.Args, Stdin: stdin, Timeout: p.timeout(task),
		MaxStdout: maxStdout, MaxStderr: maxStderr, Network: p.Network,
	}
	var result proc.Result
	var err error
	if run != nil {
		cmd.Dir, cmd.Env = path.Join(run.Dir(), p.Dir), p.passed()
		result, err = run.Run(ctx, cmd)
	} else {
		cmd.Env = proc.CleanEnv(p.Environ, p.Pass...)
		result, err = proc.Run(ctx, cmd)
	}
	return result, p.trouble(ctx, result, err, cmd)
}

func (p Program) timeout(task Task) time.Duration {
	timeout := p.Timeout
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	if task.Limits.Time > 0 {
		timeout = min(timeout, task.Limits.Time)
	}
	return timeout
}

// passed returns the variables of Pass that are set.
func (p Program) passed() []string {
	var env []string
	for _, entry := range p.Environ {
		if name, _, _ := strings.Cut(entry, "="); slices.Contains(p.Pass, name) {
			env = append(env, entry)
		}
	}
	return env
}

// trouble says what went wrong with a run, if anything but its exit code did.
func (p Program) trouble(ctx context.Context, result proc.Result, err error, cmd proc.Cmd) error {
	var missing *proc.NotFoundError
	switch {
	case errors.As(err, &missing):
		return fmt.Errorf("%w: install it, or correct command", missing)
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%s was stopped: %w", p.Args[0], ctx.Err())
	case err != nil:
		return errors.New(p.Quote(err.Error()))
	case result.TimedOut:
		return fmt.Errorf("%s did not end within %s%s: raise timeout, or find out what it waits for", p.Args[0], cmd.Timeout, p.Said(result))
	case result.Truncated:
		return fmt.Errorf("%s printed more than %s, or more than %s on standard error: only the answer may be printed", p.Args[0], bytesText(cmd.MaxStdout), bytesText(cmd.MaxStderr))
	}
	return nil
}

// Exit returns how the program ended, in words: "exited with status 2".
func Exit(result proc.Result) string {
	if result.ExitCode < 0 {
		return "was killed"
	}
	return fmt.Sprintf("exited with status %d", result.ExitCode)
}

// Said returns the first words that the program wrote to its standard error, or
// to its standard output when there are none, as the tail of a sentence: ` and
// said "…"`. It is empty when the program said nothing.
func (p Program) Said(result proc.Result) string {
	for _, text := range [][]byte{result.Stderr, result.Stdout} {
		const enough = 4096 // no more than the first words is wanted
		text = text[:min(len(text), enough)]
		if words := p.Quote(string(text)); words != "" {
			return fmt.Sprintf(" and said %q", words)
		}
	}
	return ""
}

// Quote returns text of the program on one line, visible, cut, and without the
// values that were passed to it.
func (p Program) Quote(text string) string {
	const most = 300 // bytes of a program's words in an error; empirical: the cause stands in the first line
	return Line(p.Redact(text), most)
}

// Redact takes the values of the passed variables out of text.
func (p Program) Redact(text string) string {
	const shortest = 6 // a shorter value is no secret, and occurs in ordinary text
	for _, entry := range p.passed() {
		if name, value, _ := strings.Cut(entry, "="); len(value) >= shortest {
			text = strings.ReplaceAll(text, value, "["+name+"]")
		}
	}
	return text
}

// steered returns an error when the change touches what is about to be run: a
// program of the repository, or a file of it that is named on the command line.
// A change may not write what it is judged by, and the program that stands in
// the patched tree would be the change's own.
func (p Program) steered(task Task) error {
	changed := Changed(task)
	for i, arg := range p.Args {
		file := path.Clean(path.Join(p.Dir, arg))
		ours := i == 0 && strings.Contains(arg, "/") && !path.IsAbs(arg)
		if !ours && (i == 0 || strings.HasPrefix(arg, "-") || path.IsAbs(arg) || !isFile(task, file)) {
			continue
		}
		for _, c := range changed {
			if c == file || ours && path.Dir(file) != "." && strings.HasPrefix(c, path.Dir(file)+"/") {
				return fmt.Errorf("the change touches %s, and %s is what would judge it: have a human review this change, or keep the program outside the repository", c, arg)
			}
		}
	}
	return nil
}

// isFile reports whether file is a file of the tree before or after the change.
func isFile(task Task, file string) bool {
	for _, tree := range []fs.FS{task.Base, task.Tree} {
		if tree == nil || !fs.ValidPath(file) {
			continue
		}
		if info, err := fs.Stat(tree, file); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// bytesText returns n in the unit that people say it in.
func bytesText(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
