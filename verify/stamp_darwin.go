package verify

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{mode: info.Mode(), size: info.Size(), mtime: info.ModTime()}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode, s.changed = stat.Ino, time.Unix(stat.Ctimespec.Sec, stat.Ctimespec.Nsec)
	}
	return s
}

// cloneFile makes to share the blocks of from. It fails where the disk cannot.
func cloneFile(from, to string) error { return unix.Clonefile(from, to, unix.CLONE_NOFOLLOW) }
