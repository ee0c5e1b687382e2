package proc

import (
	"errors"
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// dropCapabilities gives up every capability of this thread for good, for it and
// for what it starts.
func dropCapabilities() error {
	if err := dropAmbient(); err != nil {
		return err
	}
	for c := range uintptr(64) {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) {
			break // past the last one that this kernel knows
		}
		if errors.Is(err, unix.EPERM) {
			break // we have none to begin with
		}
		if err != nil {
			return err
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}

// dropAmbient lets the next program start without the capabilities that were
// meant for setting up.
func dropAmbient() error {
	return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
}

// raiseLimits sets the limits that the kernel keeps by itself; watch keeps the
// others.
func raiseLimits(p *plan) ([]string, error) {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0}
	if p.Limits.FileBytes > 0 {
		limits[unix.RLIMIT_FSIZE] = p.Limits.FileBytes
	}
	if p.Limits.Processes > 0 && p.User {
		limits[unix.RLIMIT_NPROC] = uint64(p.Limits.Processes) // counted per user namespace
	}
	for resource, limit := range limits {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return nil, fmt.Errorf("set limit %d: %w", resource, err)
		}
	}
	return []string{LayerLimits}, nil
}

// restrictPaths has the kernel refuse, for this thread and what it starts, every
// path that the plan does not name. It reports false when the kernel cannot.
func restrictPaths(p *plan) (bool, error) {
	config := landlock.V9
	config.HandledAccessNet = 0 // the network is another layer's
	read, write := landlockPaths(p)
	rules := []landlock.Rule{
		landlock.RODirs(folders(read)...).IgnoreIfMissing(),
		landlock.ROFiles(files(read)...).IgnoreIfMissing(),
		landlock.RWDirs(folders(write)...).WithRefer().WithIoctlDev().IgnoreIfMissing(),
		landlock.RWFiles(files(write)...).WithIoctlDev().IgnoreIfMissing(),
	}
	fd, flags, err := config.BestEffort().NewRulesetFD(rules...)
	if err != nil {
		return false, fmt.Errorf("restrict paths: %w", err)
	}
	if fd < 0 {
		return false, nil
	}
	defer unix.Close(fd)
	if err := ll.LandlockRestrictSelf(fd, flags); err != nil {
		return false, fmt.Errorf("restrict paths: %w", err)
	}
	return true, nil
}

// landlockPaths returns what may be read and what may be written, as this
// process sees it.
func landlockPaths(p *plan) (read, write []string) {
	if p.Means != Landlock { // the tree holds nothing else
		read = []string{"/"}
		write = []string{"/proc", "/dev", "/tmp"}
	} else {
		read = append(p.Readable, "/proc") // what lies below a process stays closed to whoever may not trace it
		write = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/shm"}
	}
	for _, m := range p.Mounts {
		switch {
		case m.Kind == kindBind && m.Write, m.Kind == kindOverlay && m.Overlay.Upper != "":
			write = append(write, m.At)
		case m.Kind == kindBind:
			read = append(read, m.At)
		}
	}
	return read, write
}

func folders(paths []string) []string { return kept(paths, true) }
func files(paths []string) []string   { return kept(paths, false) }

func kept(paths []string, folder bool) []string {
	var found []string
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() == folder {
			found = append(found, path)
		}
	}
	return found
}

// raiseLoopback brings the loopback interface of a fresh network namespace up.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}
