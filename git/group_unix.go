//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a process a group of its own: Ctrl-C in a terminal goes to the
// program, which decides what ends and when, and not to its git processes as
// well. When the context ends, the group ends, filters that git started
// included.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
