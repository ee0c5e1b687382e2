//go:build !linux

package proc

import "os/exec"

// awaitExit returns when child has exited, and reaps it.
func awaitExit(child *exec.Cmd) {
	child.Wait() // how it ended is in ProcessState
}
