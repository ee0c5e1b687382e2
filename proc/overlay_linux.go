package proc

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// overlay shows o.Layers as one folder. Upper on a file system that cannot hold
// what is written (another overlay, a network drive) is replaced by memory.
func (t *tree) overlay(o Overlay) error {
	target, err := t.point(o.At, true)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	err = mountOverlay(target, o, t.user)
	if err == nil || o.Upper == "" {
		return err
	}
	return t.overlayInMemory(target, o)
}

// overlayInMemory is overlay with an upper folder in memory, which is unmounted
// at once: the overlay keeps it.
func (t *tree) overlayInMemory(target int, o Overlay) error {
	const at = "/.upper"
	if err := t.fresh("tmpfs", at, unix.MS_NOSUID|unix.MS_NODEV, "mode=0700"); err != nil {
		return err
	}
	memory, err := t.open(at)
	if err != nil {
		return err
	}
	defer unix.Close(memory)
	for _, name := range []string{"upper", "work"} {
		if err := unix.Mkdirat(memory, name, 0o755); err != nil {
			return err
		}
	}
	o.Upper, o.Work = fdPath(memory)+"/upper", fdPath(memory)+"/work"
	err = mountOverlay(target, o, t.user)
	if err2 := unix.Unmount(fdPath(memory), unix.MNT_DETACH); err == nil {
		err = err2
	}
	return err
}

// mountOverlay names every folder by an open file: a path may hold the commas
// and colons that separate options, and options may not exceed a page.
func mountOverlay(target int, o Overlay, user bool) error {
	var lower []string
	for _, layer := range o.Layers {
		fd, err := unix.Open(layer, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", layer, err)
		}
		defer unix.Close(fd)
		lower = append(lower, fdPath(fd))
	}
	options, flags := []string{"lowerdir=" + strings.Join(lower, ":")}, uintptr(unix.MS_NOSUID|unix.MS_NODEV)
	switch {
	case o.Upper == "":
		flags |= unix.MS_RDONLY
		if len(lower) == 1 { // an overlay of one folder is a bind
			return bindReadOnly(o.Layers[0], target)
		}
	default:
		upper, err := unix.Open(o.Upper, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", o.Upper, err)
		}
		defer unix.Close(upper)
		work, err := unix.Open(o.Work, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", o.Work, err)
		}
		defer unix.Close(work)
		// What is written is thrown away: it need not reach the disk.
		options = append(options, "upperdir="+fdPath(upper), "workdir="+fdPath(work), "volatile")
	}
	if user {
		options = append(options, "userxattr")
	}
	return unix.Mount("overlay", fdPath(target), "overlay", flags, strings.Join(options, ","))
}

func bindReadOnly(host string, target int) error {
	fd, err := unix.OpenTree(unix.AT_FDCWD, host, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		return err
	}
	return unix.MoveMount(fd, "", target, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// composeOverlays shows the overlays and binds of p in the machine's own file
// tree, for this process and what it starts. Their places must exist.
func composeOverlays(p *plan) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make the mounts private: %w", err)
	}
	var composed []string
	for _, m := range p.Mounts {
		if m.Kind != kindOverlay && (m.Kind != kindBind || m.Host == m.At) {
			continue
		}
		inside := slices.ContainsFunc(composed, func(c string) bool { return within(m.At, c) })
		if err := composeAt(m, inside, p.User); err != nil {
			return &ComposeError{At: m.At, Err: err.Error()}
		}
		composed = append(composed, m.At)
	}
	return nil
}

// composeAt mounts m at its place, which must exist unless it is inside of what
// was composed before: nothing is made in the machine's own tree.
func composeAt(m mount, inside, user bool) error {
	root, err := unix.Open("/", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(root)
	t := &tree{root: root, user: user}
	find := t.open
	if inside {
		find = func(at string) (int, error) { return t.point(at, true) }
	}
	target, err := find(m.At)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	if m.Kind == kindOverlay {
		return mountOverlay(target, m.Overlay, user)
	}
	return unix.Mount(m.Host, fdPath(target), "", unix.MS_BIND|unix.MS_REC, "")
}
