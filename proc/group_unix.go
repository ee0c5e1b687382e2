//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

// leadGroup makes child the leader of a new session, and so of a new process
// group without a terminal that it could read from or type into.
func leadGroup(child *exec.Cmd) {
	if child.SysProcAttr == nil {
		child.SysProcAttr = &syscall.SysProcAttr{}
	}
	child.SysProcAttr.Setsid = true
}

// killGroup kills every process of the group that pid leads.
func killGroup(pid int) {
	syscall.Kill(-pid, syscall.SIGKILL) // fails when nobody is left
}
