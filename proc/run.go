package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// grace is how long a program's pipes may stay open after its whole process
// group was killed: a grandchild that left the group can hold them for ever.
// Empirical: the pipes of a killed test run close within milliseconds.
const grace = 2 * time.Second

// Run runs cmd to its end and returns how it ended. A program that exits
// non-zero, is killed by a signal or runs out of time is a Result without an
// error. The error is for a program that could not be run at all (it is a
// *NotFoundError when there is no such program), and for a ctx that ended first:
// then it wraps ctx.Err() and the Result holds what was read until then.
//
// The program leads a process group of its own, without a terminal. The whole
// group is killed when the program ends, when Timeout passes and when ctx ends.
// Run is safe for concurrent use.
func Run(ctx context.Context, cmd Cmd) (Result, error) {
	if len(cmd.Args) == 0 || cmd.Args[0] == "" {
		return Result{ExitCode: -1}, errors.New("run: no program given")
	}
	if err := ctx.Err(); err != nil {
		return Result{ExitCode: -1}, fmt.Errorf("run %s: %w", cmd.Args[0], err)
	}
	if cmd.Env == nil {
		cmd.Env = CleanEnv(os.Environ())
	}
	if cmd.Sandbox == nil {
		return runPlain(ctx, cmd)
	}
	return runSandboxed(ctx, cmd)
}

// runPlain runs cmd without walls.
func runPlain(ctx context.Context, cmd Cmd) (Result, error) {
	program, err := LookPath(cmd.Args[0], cmd.Env, cmd.Dir)
	if err != nil {
		return Result{ExitCode: -1}, err
	}
	child := exec.Command(program)
	child.Args = cmd.Args
	child.Dir = cmd.Dir
	child.Env = cmd.Env
	return runChild(ctx, cmd, child, nil)
}

// runChild starts child, which stands for cmd, and waits for its end. With a link
// child is ourselves, and told to stop before it is killed.
func runChild(ctx context.Context, cmd Cmd, child *exec.Cmd, link *link) (Result, error) {
	limited, cancel := withTimeout(ctx, cmd.Timeout)
	defer cancel()
	streams, err := openStreams(cmd, child)
	if err != nil {
		return Result{ExitCode: -1}, fmt.Errorf("run %s: %w", cmd.Args[0], err)
	}
	leadGroup(child)
	child.WaitDelay = grace // for a Stdin that blocks
	began := time.Now()
	err = child.Start()
	streams.started()
	link.started()
	if err != nil {
		streams.close(0)
		return Result{ExitCode: -1}, fmt.Errorf("start %s: %w", cmd.Args[0], err)
	}
	stopped := waitGroup(limited, child, link)
	streams.close(grace)

	result := Result{
		ExitCode:  child.ProcessState.ExitCode(),
		Stdout:    streams.stdout.Bytes(),
		Stderr:    streams.stderr.Bytes(),
		Truncated: streams.stdout.Truncated() || streams.stderr.Truncated(),
		Duration:  time.Since(began),
	}
	killed := stopped && (result.ExitCode == -1 || link.endsItself())
	if killed {
		result.ExitCode = -1
	}
	if killed && ctx.Err() != nil {
		return result, fmt.Errorf("run %s: %w", cmd.Args[0], ctx.Err())
	}
	result.TimedOut = killed
	return result, nil
}

// waitGroup waits for the end of child, kills what is left of its process
// group, and reaps it. It reports whether limited ended first.
func waitGroup(limited context.Context, child *exec.Cmd, link *link) (stopped bool) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		awaitExit(child)
	}()
	select {
	case <-ended:
	case <-limited.Done():
		stopped = true
		link.stop(ended)
		killGroup(child.Process.Pid)
		<-ended
	}
	killGroup(child.Process.Pid) // before the leader is reaped: its number is still its own
	child.Wait()                 // how it ended is in ProcessState
	return stopped
}

func withTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}
