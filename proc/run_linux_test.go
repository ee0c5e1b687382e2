package proc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"golang.org/x/sys/unix"

	"github.com/reviewgate/reviewgate/proc"
)

func TestRunSaysHowTheProgramEnded(t *testing.T) {
	for _, tt := range []struct {
		name string
		cmd  proc.Cmd
		want proc.Result
	}{
		{"exit 0", shell("echo out; echo err >&2"), proc.Result{Stdout: []byte("out\n"), Stderr: []byte("err\n")}},
		{"a non-zero exit is a result, not an error", shell("exit 3"), proc.Result{ExitCode: 3}},
		{"death by a signal is -1", shell("kill -9 $$"), proc.Result{ExitCode: -1}},
		{"stderr joins stdout in the order written", merged(shell("echo 1; echo 2 >&2; echo 3")), proc.Result{Stdout: []byte("1\n2\n3\n")}},
		{"standard input is empty", shell("cat; echo end"), proc.Result{Stdout: []byte("end\n")}},
		{"standard input as given", withStdin(shell("cat"), "hello"), proc.Result{Stdout: []byte("hello")}},
		{"a program that does not read its input", withStdin(shell("echo done"), strings.Repeat("x", 1<<20)), proc.Result{Stdout: []byte("done\n")}},
		{"no terminal", shell("tty -s </dev/tty || echo none"), proc.Result{Stdout: []byte("none\n"), Stderr: []byte("sh: 1: cannot open /dev/tty: No such device or address\n")}},
		{"timeout", timed(shell("echo begun; sleep 600"), 200*time.Millisecond), proc.Result{ExitCode: -1, TimedOut: true, Stdout: []byte("begun\n")}},
		{"output over the cap", limited(shell("seq 1000"), 16), proc.Result{Truncated: true, Stdout: []byte("1\n2\n3\n4\n[… 3880 bytes cut …]\n1000\n")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := proc.Run(t.Context(), tt.cmd)
			if err != nil {
				t.Fatal(err)
			}
			ignore := cmpopts.IgnoreFields(proc.Result{}, "Duration")
			if diff := cmp.Diff(tt.want, got, ignore, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Run(%q) (-want +got):\n%s", tt.cmd.Args, diff)
			}
		})
	}
}

func TestRunFailsWhenNothingCouldBeRun(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "plain"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, want string
		cmd        proc.Cmd
	}{
		{"no program", "run: no program given", proc.Cmd{}},
		{"not installed", "nosuchtool is not on PATH", proc.Cmd{Args: []string{"nosuchtool"}}},
		{"not executable", "./plain is not an executable file", proc.Cmd{Args: []string{"./plain"}, Dir: folder}},
		{"PATH entries that are not absolute do not count", "plain is not on PATH", proc.Cmd{Args: []string{"plain"}, Dir: folder, Env: []string{"PATH=.:"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := proc.Run(t.Context(), tt.cmd)
			if err == nil || err.Error() != tt.want {
				t.Errorf("Run(%q) error = %v, want %q", tt.cmd.Args, err, tt.want)
			}
			if got.ExitCode != -1 {
				t.Errorf("Run(%q).ExitCode = %d, want -1", tt.cmd.Args, got.ExitCode)
			}
		})
	}
}

func TestRunNamesAMissingProgram(t *testing.T) {
	_, err := proc.Run(t.Context(), proc.Cmd{Args: []string{"nosuchtool"}})
	var missing *proc.NotFoundError
	if !errors.As(err, &missing) || missing.Program != "nosuchtool" {
		t.Errorf("Run error = %v, want a *NotFoundError for nosuchtool", err)
	}
}

func TestRunStopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cmd := shell("echo begun; sleep 600")
	cmd.Stdin = readerFunc(func([]byte) (int, error) { cancel(); return 0, errors.New("over") })
	got, err := proc.Run(ctx, cmd)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run error = %v, want context.Canceled", err)
	}
	if got.TimedOut || got.ExitCode != -1 {
		t.Errorf("Run = %+v, want a killed program that did not time out", got)
	}
	if _, err := proc.Run(ctx, shell("exit 0")); !errors.Is(err, context.Canceled) {
		t.Errorf("Run with an ended context: error = %v, want context.Canceled", err)
	}
}

func TestRunKillsWhatTheProgramLeavesBehind(t *testing.T) {
	got, err := proc.Run(t.Context(), shell("sleep 600 & echo $!"))
	if err != nil {
		t.Fatal(err)
	}
	assertGone(t, string(got.Stdout))
}

func TestRunDoesNotWaitForAProcessThatLeftTheGroup(t *testing.T) {
	cmd := shell("setsid sh -c 'echo $$; touch away; exec sleep 600' & until [ -e away ]; do sleep 0.01; done")
	cmd.Dir = t.TempDir()
	got, err := proc.Run(t.Context(), cmd)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(got.Stdout)))
	if err != nil {
		t.Fatalf("stdout = %q", got.Stdout)
	}
	syscall.Kill(pid, syscall.SIGKILL)
}

func TestRunDrainsAFloodInConstantMemory(t *testing.T) {
	cmd := shell("echo first; head -c 1000000000 /dev/zero; echo; echo last")
	cmd.MaxStdout = 1000
	got, err := proc.Run(t.Context(), cmd)
	if err != nil {
		t.Fatal(err)
	}
	text := string(got.Stdout)
	if !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "last\n") || !got.Truncated || len(text) > 1100 {
		t.Errorf("flood kept %d bytes, truncated %v: %.40q … %q", len(text), got.Truncated, text, text[max(0, len(text)-40):])
	}
}

// assertGone waits for the end of a process that was killed, and fails when it
// does not come.
func assertGone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.PidfdOpen(n, 0)
	if err != nil {
		return // gone already
	}
	defer unix.Close(fd)
	ready, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 10_000)
	if ready != 1 {
		t.Errorf("process %d is still there (%v)", n, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func shell(script string) proc.Cmd { return proc.Cmd{Args: []string{"sh", "-c", script}} }

func merged(c proc.Cmd) proc.Cmd                 { c.Merge = true; return c }
func withStdin(c proc.Cmd, in string) proc.Cmd   { c.Stdin = strings.NewReader(in); return c }
func timed(c proc.Cmd, d time.Duration) proc.Cmd { c.Timeout = d; return c }
func limited(c proc.Cmd, n int) proc.Cmd         { c.MaxStdout = n; return c }
