package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// tree is the file tree that a sandboxed program will see while it is built. Its
// paths are resolved below root and never through a symbolic link: what lies in
// an overlay belongs to a change that may put a link where we want to mount.
type tree struct {
	root int // open folder that becomes /
	user bool
}

// enterView builds the file tree that p asks for on p.Root and makes it the root
// of this process. It needs a mount namespace of its own.
func enterView(p *plan) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make the mounts private: %w", err)
	}
	if err := unix.Mount("reviewgate", p.Root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755"); err != nil {
		return fmt.Errorf("mount a file tree: %w", err)
	}
	root, err := unix.Open(p.Root, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open the file tree: %w", err)
	}
	t := &tree{root: root, user: p.User}
	for _, m := range p.Mounts {
		if err := t.add(m); err != nil {
			return err
		}
	}
	for _, link := range [][2]string{{"/tmp", "var/tmp"}, {"/proc/self/mounts", "etc/mtab"}} {
		t.link(link[0], link[1])
	}
	if err := unix.MountSetattr(root, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("make the file tree read-only: %w", err)
	}
	return t.enter()
}

// add makes one path of the tree.
func (t *tree) add(m mount) error {
	var err error
	switch m.Kind {
	case kindBind:
		err = t.bind(m.Host, m.At, m.Write)
	case kindTmp:
		err = t.fresh("tmpfs", m.At, unix.MS_NOSUID|unix.MS_NODEV, "mode=1777")
	case kindProc:
		err = t.proc(m.At)
	case kindDev:
		err = t.dev(m.At)
	case kindHide:
		err = t.hide(m.At)
	case kindOverlay:
		if err := t.overlay(m.Overlay); err != nil {
			return &ComposeError{At: m.At, Err: err.Error()}
		}
	}
	if err != nil {
		return fmt.Errorf("show %s: %w", m.At, err)
	}
	return nil
}

// bind shows host, with all that is mounted in it, at the path at.
func (t *tree) bind(host, at string, write bool) error {
	fd, err := unix.OpenTree(unix.AT_FDCWD, host, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return fmt.Errorf("open %s: %w", host, err)
	}
	defer unix.Close(fd)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	if !write {
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		return err
	}
	return t.place(fd, at)
}

// place puts the mount that fd stands for at the path at.
func (t *tree) place(fd int, at string) error {
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	target, err := t.point(at, stat.Mode&unix.S_IFMT == unix.S_IFDIR)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	return unix.MoveMount(fd, "", target, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// fresh mounts a new file system of the given type at the path at.
func (t *tree) fresh(fstype, at string, flags uintptr, data string) error {
	target, err := t.point(at, true)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	return unix.Mount(fstype, fdPath(target), fstype, flags, data)
}

// procReadOnly and procHidden are what a program without capabilities but with
// the number of root could still use against the machine.
var (
	procReadOnly = []string{"bus", "fs", "irq", "sys", "sysrq-trigger"}
	procHidden   = []string{"acpi", "kcore", "keys", "latency_stats", "sched_debug", "scsi", "timer_list", "timer_stats"}
)

func (t *tree) proc(at string) error {
	if err := t.fresh("proc", at, unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	for _, name := range procReadOnly {
		if err := t.readOnlyAgain(filepath.Join(at, name)); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	for _, name := range procHidden {
		if err := t.hide(filepath.Join(at, name)); err != nil {
			return err
		}
	}
	return nil
}

// readOnlyAgain lays a read-only copy of the path at over itself.
func (t *tree) readOnlyAgain(at string) error {
	there, err := t.open(at)
	if err != nil {
		return err
	}
	defer unix.Close(there)
	return t.bindFD(there, at)
}

func (t *tree) bindFD(host int, at string) error {
	fd, err := unix.OpenTree(host, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &attr); err != nil {
		return err
	}
	return t.place(fd, at)
}

// hide lays something empty over the path at, which may not exist.
func (t *tree) hide(at string) error {
	there, err := t.open(at)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(there)
	var stat unix.Stat_t
	if err := unix.Fstat(there, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		return unix.Mount("tmpfs", fdPath(there), "tmpfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0555")
	}
	return unix.Mount("/dev/null", fdPath(there), "", unix.MS_BIND, "")
}

// devices are the nodes of /dev that programs expect everywhere.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

func (t *tree) dev(at string) error {
	if err := t.fresh("tmpfs", at, unix.MS_NOSUID, "mode=0755"); err != nil {
		return err
	}
	for _, name := range devices {
		target, err := t.point(filepath.Join(at, name), false)
		if err != nil {
			return err
		}
		err = unix.Mount("/dev/"+name, fdPath(target), "", unix.MS_BIND, "")
		unix.Close(target)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := t.fresh("tmpfs", filepath.Join(at, "shm"), unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"); err != nil {
		return err
	}
	// Terminals are for the few tests that open one: a kernel without them is fine.
	if t.fresh("devpts", filepath.Join(at, "pts"), unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620") == nil {
		t.link("pts/ptmx", filepath.Join(at, "ptmx"))
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		t.link(to, filepath.Join(at, name))
	}
	return nil
}

// link makes a symbolic link where nothing is yet; one that cannot be made is
// missed by nobody we know.
func (t *tree) link(to, at string) {
	if dir, err := t.point(filepath.Dir(at), true); err == nil {
		unix.Symlinkat(to, dir, filepath.Base(at))
		unix.Close(dir)
	}
}

// point returns an open folder or file at the path at, made when it is missing.
func (t *tree) point(at string, folder bool) (int, error) {
	dir, err := unix.Dup(t.root)
	if err != nil {
		return -1, err
	}
	parts := strings.FieldsFunc(at, func(r rune) bool { return r == '/' })
	for i, part := range parts {
		last := i == len(parts)-1
		next, err := openBelow(dir, part)
		if errors.Is(err, unix.ENOENT) {
			if err = makeBelow(dir, part, folder || !last); err == nil {
				next, err = openBelow(dir, part)
			}
		}
		unix.Close(dir)
		if err != nil {
			return -1, err
		}
		dir = next
	}
	return dir, nil
}

// open returns an open path that must exist.
func (t *tree) open(at string) (int, error) {
	return openBelow(t.root, strings.TrimPrefix(at, "/"))
}

func openBelow(dir int, path string) (int, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_IN_ROOT}
	fd, err := unix.Openat2(dir, path, &how)
	if err != nil {
		return -1, err
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil || stat.Mode&unix.S_IFMT == unix.S_IFLNK {
		unix.Close(fd)
		return -1, fmt.Errorf("%s is a symbolic link: %w", path, unix.ELOOP)
	}
	return fd, nil
}

func makeBelow(dir int, name string, folder bool) error {
	if folder {
		return unix.Mkdirat(dir, name, 0o755)
	}
	fd, err := unix.Openat(dir, name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// enter makes the tree the root of this process and lets go of the old one.
func (t *tree) enter() error {
	if err := unix.Fchdir(t.root); err != nil {
		return fmt.Errorf("enter the file tree: %w", err)
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("let go of the old root: %w", err)
	}
	return os.Chdir("/")
}

// fdPath names an open file for calls that take a path.
func fdPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }
