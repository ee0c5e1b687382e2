package proc_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/proc"
)

// host is a machine with something to lose.
type host struct {
	dir, secret, shown, work string
	listener, service        net.Listener
	sleeper                  *exec.Cmd
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{dir: t.TempDir()}
	h.secret, h.shown, h.work = filepath.Join(h.dir, "home/.ssh/id"), filepath.Join(h.dir, "shown"), filepath.Join(h.dir, "work")
	write(t, h.secret, "secret")
	write(t, filepath.Join(h.shown, "file"), "shown")
	write(t, h.work+"/", "")
	var err error
	if h.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	short, err := os.MkdirTemp("", "s") // the name of a socket has room for 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	if h.service, err = net.Listen("unix", filepath.Join(short, "s")); err != nil {
		t.Fatal(err)
	}
	h.sleeper = exec.Command("sleep", "600")
	h.sleeper.Env = []string{"TOKEN=secret"}
	if err := h.sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.listener.Close()
		h.service.Close()
		os.Remove(short)
		proc.RemoveAll(h.dir)
		h.sleeper.Process.Kill()
		h.sleeper.Wait()
	})
	return h
}

// command runs script behind the walls of means, which leave a place to write,
// one to read, and this test's own program.
func (h *host) command(t *testing.T, means proc.Means, script string) proc.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := shell(script)
	cmd.Dir = h.work
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "SHOWN=" + h.shown, "WORK=" + h.work, "SECRET=" + h.secret, "SELF=" + self,
		"SLEEPER=" + fmt.Sprint(h.sleeper.Process.Pid), "LISTENER=" + h.listener.Addr().String(), "SERVICE=" + h.service.Addr().String()}
	cmd.Sandbox = &proc.Sandbox{Means: means, Read: []string{h.shown, self}, Binds: []proc.Bind{{Host: h.work, At: h.work, Write: true}}, Scratch: h.dir}
	return cmd
}

func (h *host) mkdir(t *testing.T, name string) string {
	t.Helper()
	write(t, filepath.Join(h.dir, name)+"/", "")
	return filepath.Join(h.dir, name)
}

func (h *host) assertUntouched(t *testing.T) {
	t.Helper()
	for path, want := range map[string]string{h.secret: "secret", filepath.Join(h.shown, "file"): "shown"} {
		if data, err := os.ReadFile(path); string(data) != want {
			t.Errorf("%s = %q, %v, want %q", path, data, err, want)
		}
	}
}

// write makes a file, or, when path ends in a slash, a folder.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, "/") {
		return
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
