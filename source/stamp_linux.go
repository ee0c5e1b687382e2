package source

import (
	"io/fs"
	"syscall"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), modified: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.changed, s.inode = sys.Ctim.Nano(), sys.Ino
	}
	return s
}
