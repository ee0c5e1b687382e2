package proc

import "golang.org/x/sys/unix"

// memory returns the bytes of memory that this machine has, 0 when it is not
// known.
func memory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
