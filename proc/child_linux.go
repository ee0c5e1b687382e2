package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// runBehindWalls builds the walls that the plan asks for, runs its program and
// waits for it. With namespaces it is process 1 of its own world: its end is the
// end of every process in it, however far they fled.
//
// The walls of a thread are inherited by what it starts, so everything happens
// on one thread that is never let go.
func runBehindWalls(g *gateEnd) int {
	runtime.LockOSThread()
	p := &g.plan
	if p.Means != Namespaces && p.Means != Bubblewrap {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return g.fail(fmt.Errorf("become the reaper: %w", err))
		}
	}
	layers, err := raiseWalls(p)
	if err != nil {
		return g.fail(err)
	}
	if p.Probe {
		g.say(report{Layers: layers})
		return 0
	}
	pid, err := start(p)
	if err != nil {
		return g.fail(err)
	}
	g.say(report{Layers: layers})
	stop := make(chan string, 1)
	go func() {
		io.Copy(io.Discard, g.in) // the gate says stop, or is gone
		killAll(p)
	}()
	if p.Limits.MemoryBytes > 0 || p.Limits.Processes > 0 {
		go watch(p.Limits, func(limit string) { stop <- limit; killAll(p) })
	}
	exit := reap(pid)
	if left() {
		killAll(p)
	}
	last := report{Ended: true, Exit: exit}
	select {
	case last.Limit = <-stop:
	default:
	}
	g.say(last)
	return max(exit, 0)
}

// raiseWalls puts up the walls and returns the layers that hold.
func raiseWalls(p *plan) (layers []string, err error) {
	switch p.Means {
	case Namespaces:
		if err := enterView(p); err != nil {
			return nil, err
		}
		layers = append(layers, LayerFiles, LayerProcesses)
		if !p.Network {
			if err := raiseLoopback(); err != nil {
				return nil, fmt.Errorf("bring loopback up: %w", err)
			}
			layers = append(layers, LayerNoNetwork)
		}
	case Bubblewrap: // bwrap started us behind these
		layers = append(layers, LayerBubblewrap, LayerFiles, LayerProcesses)
		if !p.Network {
			layers = append(layers, LayerNoNetwork)
		}
	case composeOnly:
		if err := composeOverlays(p); err != nil {
			return nil, err
		}
		return nil, dropAmbient()
	}
	held, err := raiseLimits(p)
	if err != nil {
		return nil, err
	}
	layers = append(layers, held...)
	if p.Means == Bare {
		return layers, nil
	}
	held, err = giveUpRights(p)
	return append(layers, held...), err
}

// giveUpRights drops every capability, forbids new ones, and has the kernel
// refuse the paths and system calls that are not needed.
func giveUpRights(p *plan) ([]string, error) {
	if err := dropCapabilities(); err != nil {
		return nil, fmt.Errorf("drop capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("forbid new privileges: %w", err)
	}
	layers := []string{LayerNoNewPrivs}
	held, err := restrictPaths(p)
	if err != nil {
		return nil, err
	}
	if held {
		layers = append(layers, LayerLandlock)
	}
	if p.Means == Landlock && !held {
		return nil, errors.New("landlock is not in this kernel")
	}
	// What holds our descriptors must not be opened by what we start.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("protect the reaper: %w", err)
	}
	held, err = filterCalls(p)
	if err != nil {
		return nil, err
	}
	if held {
		layers = append(layers, LayerSeccomp)
	}
	if p.Means == Landlock && !p.Network && held {
		layers = append(layers, LayerNoNetwork) // sockets are refused altogether
	}
	slices.Sort(layers)
	return layers, nil
}

// start starts the program of p and returns its process number.
func start(p *plan) (int, error) {
	if err := os.Chdir(p.Dir); err != nil {
		return 0, fmt.Errorf("enter the working directory: %w", err)
	}
	program, err := LookPath(p.Args[0], p.Env, p.Dir)
	if err != nil {
		return 0, err
	}
	pid, err := syscall.ForkExec(program, p.Args, &syscall.ProcAttr{Dir: p.Dir, Env: p.Env, Files: []uintptr{0, 1, 2}})
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", p.Args[0], err)
	}
	return pid, nil
}

// left reports whether a process that we answer for is still there. Those whose
// own parent died are ours, for we are the reaper.
func left() bool {
	_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
	return !errors.Is(err, syscall.ECHILD)
}

// reap waits for every process that ends until pid does, and returns its exit
// code, -1 when a signal ended it.
func reap(pid int) int {
	for {
		var status syscall.WaitStatus
		got, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return -1
		case got == pid && status.Exited():
			return status.ExitStatus()
		case got == pid && status.Signaled():
			return -1
		}
	}
}

func closeOnExec(fd int) { unix.CloseOnExec(fd) }
