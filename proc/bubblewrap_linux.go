package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// insideName is where a program that bwrap started finds itself.
const insideName = "/.reviewgate"

// bubblewrap returns the command by which bwrap builds the file tree and the
// namespaces of p and starts us inside to put up the rest.
func bubblewrap(p *plan) (*exec.Cmd, error) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, errors.New("bubblewrap is not installed")
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find ourselves: %w", err)
	}
	args := []string{"--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"}
	if p.Network {
		args = append(args, "--share-net")
	}
	for _, m := range p.Mounts {
		args = append(args, bubblewrapMount(m)...)
	}
	args = append(args, "--symlink", "/tmp", "/var/tmp", "--ro-bind", exe, insideName, "--remount-ro", "/", "--chdir", "/", "--", insideName, Marker)
	child := exec.Command(bwrap, args...)
	child.Env = []string{}
	child.Dir = "/"
	return child, nil
}

func bubblewrapMount(m mount) []string {
	switch m.Kind {
	case kindBind:
		if m.Write {
			return []string{"--bind", m.Host, m.At}
		}
		return []string{"--ro-bind", m.Host, m.At}
	case kindTmp:
		return []string{"--perms", "1777", "--tmpfs", m.At}
	case kindProc:
		return []string{"--proc", m.At}
	case kindDev:
		return []string{"--dev", m.At, "--perms", "1777", "--tmpfs", m.At + "/shm"}
	case kindHide:
		info, err := os.Stat(m.At)
		switch {
		case err != nil:
			return nil
		case info.IsDir():
			return []string{"--tmpfs", m.At, "--remount-ro", m.At}
		}
		return []string{"--ro-bind", "/dev/null", m.At}
	}
	return nil
}
