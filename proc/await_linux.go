package proc

import (
	"errors"
	"os/exec"

	"golang.org/x/sys/unix"
)

// awaitExit returns when child has exited, without reaping it.
func awaitExit(child *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, child.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
