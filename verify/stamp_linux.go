package verify

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{mode: info.Mode(), size: info.Size(), mtime: info.ModTime()}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode, s.changed = stat.Ino, time.Unix(stat.Ctim.Sec, stat.Ctim.Nsec)
	}
	return s
}

// cloneFile makes to share the blocks of from. It fails where the disk cannot.
func cloneFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	return unix.IoctlFileClone(int(out.Fd()), int(in.Fd()))
}
