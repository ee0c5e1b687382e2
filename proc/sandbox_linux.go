package proc

import (
	"context"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// runSandboxed runs cmd behind the walls that its Sandbox asks for.
func runSandboxed(ctx context.Context, cmd Cmd) (Result, error) {
	s := cmd.Sandbox
	failed := Result{ExitCode: -1}
	if s.Mode == Off {
		if len(s.Overlays) == 0 {
			return runPlain(ctx, cmd)
		}
		return runPlan(ctx, cmd, composeOnly, false)
	}
	support, err := Probe(ctx, s.Means)
	if err != nil {
		return failed, err
	}
	if s.Mode == Required && !Walled(support.Layers, cmd.Network) {
		return failed, ErrUnwalled
	}
	if support.Means == Bare && !childInstalled.Load() {
		return runPlain(ctx, cmd) // nobody to re-execute
	}
	result, err := runPlan(ctx, cmd, support.Means, false)
	if err == nil && s.Mode == Required && !Walled(result.Sandbox, cmd.Network) {
		return failed, ErrUnwalled // never true unless the machine changed meanwhile
	}
	return result, err
}

// reexec returns the command that starts this program again as p asks.
func reexec(p *plan) (*exec.Cmd, error) {
	switch p.Means {
	case Bubblewrap:
		return bubblewrap(p)
	case Namespaces, composeOnly:
		child := self()
		child.SysProcAttr = namespaces(p)
		return child, nil
	}
	return self(), nil
}

func self() *exec.Cmd {
	child := exec.Command("/proc/self/exe", Marker)
	child.Env = []string{}
	child.Dir = "/"
	return child
}

// namespaces are what p's program does not share with the machine. Our own
// number is kept in a user namespace: a test that looks must not find root.
func namespaces(p *plan) *syscall.SysProcAttr {
	flags := uintptr(unix.CLONE_NEWNS)
	if p.Means == Namespaces {
		flags |= unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
		if !p.Network {
			flags |= unix.CLONE_NEWNET
		}
	}
	attr := &syscall.SysProcAttr{Cloneflags: flags}
	if p.User {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		for c := range uintptr(unix.CAP_LAST_CAP + 1) {
			attr.AmbientCaps = append(attr.AmbientCaps, c) // for the setting up; dropped before the program starts
		}
	}
	return attr
}

// privileged reports whether we may mount without a user namespace.
func privileged() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if unix.Capget(&header, &have[0]) != nil {
		return false
	}
	return os.Geteuid() == 0 && have[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}
