package proc_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/reviewgate/reviewgate/proc"
)

// walled are the means with a wall around files and network. Each must hold for
// root and for anybody else.
var walled = []proc.Means{proc.Namespaces, proc.Bubblewrap, proc.Landlock}

// asNobody names the variable by which the tests find that they run again
// without root's rights.
const asNobody = "PROC_TEST_AS_NOBODY"

// The walls of an unprivileged user are other ones than root's: a user namespace
// instead of root's rights. Everything is tested behind both.
func TestSandboxWithoutRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		return // then every other test is that test
	}
	folder := t.TempDir()
	for dir := folder; dir != os.TempDir(); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(folder, "proc.test")
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, self, 0o755); err != nil {
		t.Fatal(err)
	}
	again := exec.Command(binary, "-test.run=^TestSandbox", "-test.count=1")
	again.Dir = folder
	again.Env = append(os.Environ(), asNobody+"=1", "TMPDIR="+folder, "HOME=/nonexistent")
	again.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}

func TestSandboxKeepsTheProgramIn(t *testing.T) {
	rows := []struct {
		name, script string
		network      bool
		want         string // of standard output
	}{
		{name: "reads what it was shown", script: `cat "$SHOWN/file"; echo`, want: "shown\n"},
		{name: "does not write to it", script: `echo x >"$SHOWN/file" || echo refused; rm "$SHOWN/file" || echo refused`, want: "refused\nrefused\n"},
		{name: "writes where it may", script: `echo x >"$WORK/new" && cat "$WORK/new"`, want: "x\n"},
		{name: "does not read the user's home", script: `cat "$SECRET" || echo refused`, want: "refused\n"},
		{name: "does not write to the user's home", script: `echo x >"$SECRET" || echo refused`, want: "refused\n"},
		{name: "does not write to the system", script: `touch /usr/x || echo refused; touch /etc/x || echo refused`, want: "refused\nrefused\n"},
		{name: "does not read the system's secrets", script: `cat /etc/shadow || echo refused`, want: "refused\n"},
		{name: "does not change the kernel", script: `echo 1 >/proc/sys/kernel/sysrq || echo refused`, want: "refused\n"},
		{name: "does not read what a link in its folder leads to", script: `ln -s "$SECRET" "$WORK/link"; cat "$WORK/link" || echo refused`, want: "refused\n"},
		{name: "does not signal a process of the machine", script: `kill -0 $SLEEPER || echo refused`, want: "refused\n"},
		{name: "does not read the environment of one", script: `cat /proc/$SLEEPER/environ || echo refused`, want: "refused\n"},
		{name: "does not reach the machine's network", script: `"$SELF" helper dial tcp $LISTENER >/dev/null || echo refused`, want: "refused\n"},
		{name: "reaches the network when it may", network: true, script: `"$SELF" helper dial tcp $LISTENER`, want: "ok\n"},
		{name: "does not reach the machine's services", script: `"$SELF" helper dial unix "$SERVICE" >/dev/null || echo refused`, want: "refused\n"},
		{name: "makes no namespaces", script: `unshare -Ur true || echo refused`, want: "refused\n"},
		{name: "has no capabilities", script: `grep CapEff /proc/self/status`, want: "CapEff:\t0000000000000000\n"},
		{name: "gains no privileges", script: `grep NoNewPrivs /proc/self/status`, want: "NoNewPrivs:\t1\n"},
		{name: "is filtered", script: `grep Seccomp: /proc/self/status`, want: "Seccomp:\t2\n"},
		{name: "keeps its user", script: `id -u`, want: fmt.Sprintln(os.Geteuid())},
		{name: "can use /dev/null and /tmp", script: `echo x >/dev/null && head -c1 /dev/zero | wc -c`, want: "1\n"},
		{name: "leaves no process behind", script: `setsid sleep 600 & echo started`, want: "started\n"},
	}
	for _, means := range walled {
		for _, network := range []bool{false, true} {
			var script, want strings.Builder // all rows in one run: starting is what takes the time
			for _, row := range rows {
				if row.network == network {
					fmt.Fprintf(&script, "echo \"# %s\"; (%s)\n", row.name, row.script)
					fmt.Fprintf(&want, "# %s\n%s", row.name, row.want)
				}
			}
			t.Run(fmt.Sprintf("%s/network %v", means, network), func(t *testing.T) {
				host := newHost(t)
				cmd := host.command(t, means, script.String())
				cmd.Network = network
				got, err := proc.Run(t.Context(), cmd)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want.String(), string(got.Stdout)); diff != "" {
					t.Errorf("(-want +got):\n%s\nstderr: %s", diff, got.Stderr)
				}
				if !proc.Walled(got.Sandbox, network) {
					t.Errorf("layers = %q, want walls", got.Sandbox)
				}
				host.assertUntouched(t)
			})
		}
	}
}

func TestSandboxHasALoopbackOfItsOwn(t *testing.T) {
	for _, means := range []proc.Means{proc.Namespaces, proc.Bubblewrap} {
		cmd := newHost(t).command(t, means, `"$SELF" helper loopback`)
		got, err := proc.Run(t.Context(), cmd)
		if err != nil || string(got.Stdout) != "ok\n" {
			t.Errorf("%s: stdout %q, error %v, stderr %s", means, got.Stdout, err, got.Stderr)
		}
	}
}

func TestSandboxEndsWithItsProgram(t *testing.T) {
	for _, means := range append(walled, proc.Bare) {
		for _, tt := range []struct {
			name, script string
			timeout      time.Duration
		}{
			{"when the program ends", `setsid sh -c 'touch "$WORK/away"; exec sleep 600' & until [ -e "$WORK/away" ]; do sleep 0.01; done`, time.Minute},
			{"when time is up", `setsid sh -c 'touch "$WORK/away"; exec sleep 600' & sleep 600`, 500 * time.Millisecond},
		} {
			t.Run(string(means)+"/"+tt.name, func(t *testing.T) {
				host := newHost(t)
				// The sleeper holds the write end of this pipe: its end is the end of the file.
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				cmd := host.command(t, means, tt.script)
				cmd.Stdin = w
				cmd.Timeout = tt.timeout
				got, err := proc.Run(t.Context(), cmd)
				w.Close()
				if err != nil {
					t.Fatal(err)
				}
				if want := tt.timeout < time.Second; got.TimedOut != want {
					t.Errorf("TimedOut = %v, want %v", got.TimedOut, want)
				}
				r.SetReadDeadline(time.Now().Add(10 * time.Second))
				if _, err := r.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
					t.Error("a process outlived its sandbox")
				}
			})
		}
	}
}

func TestSandboxReportsHowTheProgramEnded(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         int
	}{
		{"exit code", "exit 7", 7},
		{"signal", "kill -9 $$", -1},
	} {
		for _, means := range append(walled, proc.Bare) {
			t.Run(tt.name+"/"+string(means), func(t *testing.T) {
				got, err := proc.Run(t.Context(), newHost(t).command(t, means, tt.script))
				if err != nil || got.ExitCode != tt.want {
					t.Errorf("ExitCode = %d, error %v, want %d", got.ExitCode, err, tt.want)
				}
			})
		}
	}
}

func TestSandboxNamesAMissingProgram(t *testing.T) {
	for _, means := range append(walled, proc.Bare) {
		cmd := newHost(t).command(t, means, "")
		cmd.Args = []string{"nosuchtool"}
		_, err := proc.Run(t.Context(), cmd)
		var missing *proc.NotFoundError
		if !errors.As(err, &missing) {
			t.Errorf("%s: error = %v, want a *NotFoundError", means, err)
		}
	}
}

func TestSandboxLimits(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		limits       proc.Limits
		want, limit  string
	}{
		{"a file", `head -c 2000000 /dev/zero >"$WORK/big" || echo refused; wc -c <"$WORK/big"`, proc.Limits{FileBytes: 1 << 20}, "refused\n1048576\n", ""},
		{"memory", `"$SELF" helper eat`, proc.Limits{MemoryBytes: 64 << 20}, "", "more than 64 MB of memory"},
		{"processes", `for i in $(seq 500); do sleep 600 & done; wait`, proc.Limits{Processes: 50}, "", "more than 50 processes"},
	} {
		for _, means := range []proc.Means{proc.Namespaces, proc.Bubblewrap} {
			t.Run(tt.name+"/"+string(means), func(t *testing.T) {
				cmd := newHost(t).command(t, means, tt.script)
				cmd.Sandbox.Limits = tt.limits
				cmd.Timeout = time.Minute
				got, err := proc.Run(t.Context(), cmd)
				if err != nil {
					t.Fatal(err)
				}
				if string(got.Stdout) != tt.want || got.TimedOut {
					t.Errorf("stdout %q, timed out %v, want %q; stderr %s", got.Stdout, got.TimedOut, tt.want, got.Stderr)
				}
				if got.Limit != tt.limit && !(tt.name == "processes" && os.Geteuid() != 0) { // the kernel refuses them first
					t.Errorf("Limit = %q, want %q", got.Limit, tt.limit)
				}
			})
		}
	}
}

func TestSandboxComposesFolders(t *testing.T) {
	for _, mode := range []proc.Mode{proc.Auto, proc.Off} {
		t.Run(string(mode), func(t *testing.T) {
			host := newHost(t)
			dir := filepath.Join(host.dir, "with, comma:colon")
			base, patch, upper, work, at := filepath.Join(dir, "base"), filepath.Join(dir, "patch"), filepath.Join(dir, "upper"), filepath.Join(dir, "work"), filepath.Join(dir, "at")
			for path, content := range map[string]string{base + "/kept": "base", base + "/changed": "base", base + "/gone": "base", base + "/d/gone": "base",
				patch + "/changed": "patch", patch + "/new": "patch", upper + "/": "", work + "/": "", at + "/": ""} {
				write(t, path, content)
			}
			for _, gone := range []string{"/gone", "/d"} {
				if err := unix.Mknod(patch+gone, unix.S_IFCHR, 0); err != nil {
					t.Fatal(err)
				}
			}
			cmd := host.command(t, "", `cat kept changed new; ls; echo x >kept; rm changed; cat kept; ls`)
			cmd.Sandbox.Mode = mode
			cmd.Sandbox.Overlays = []proc.Overlay{{At: at, Layers: []string{patch, base}, Upper: upper, Work: work}}
			cmd.Dir = at
			got, err := proc.Run(t.Context(), cmd)
			if err != nil {
				t.Fatal(err)
			}
			if want := "basepatchpatchchanged\nkept\nnew\nx\nkept\nnew\n"; string(got.Stdout) != want {
				t.Errorf("stdout = %q, want %q; stderr %s", got.Stdout, want, got.Stderr)
			}
			for path, want := range map[string]string{base + "/kept": "base", base + "/changed": "base", base + "/gone": "base", patch + "/changed": "patch", upper + "/kept": "x\n"} {
				if data, err := os.ReadFile(path); string(data) != want {
					t.Errorf("%s = %q, %v, want %q", path, data, err, want)
				}
			}
			if left, _ := os.ReadDir(at); len(left) > 0 {
				t.Errorf("the machine sees %v", left)
			}
		})
	}
}

func TestSandboxMountsNothingThroughALink(t *testing.T) {
	host := newHost(t)
	base := filepath.Join(host.dir, "base")
	write(t, base+"/file", "base")
	if err := os.Symlink(filepath.Dir(host.secret), base+"/node_modules"); err != nil {
		t.Fatal(err)
	}
	cmd := host.command(t, proc.Namespaces, "true")
	cmd.Sandbox.Overlays = []proc.Overlay{{At: "/tree", Layers: []string{base}, Upper: host.mkdir(t, "u"), Work: host.mkdir(t, "w")}}
	cmd.Sandbox.Binds = append(cmd.Sandbox.Binds, proc.Bind{Host: host.shown, At: "/tree/node_modules"})
	if _, err := proc.Run(t.Context(), cmd); err == nil || !strings.Contains(err.Error(), "symbolic link") && !strings.Contains(err.Error(), "too many levels") {
		t.Errorf("Run error = %v, want a refusal of the link", err)
	}
}

func TestSandboxSaysWhatItCannotCompose(t *testing.T) {
	for _, means := range []proc.Means{proc.Bubblewrap, proc.Landlock, proc.Bare} {
		host := newHost(t)
		cmd := host.command(t, means, "true")
		cmd.Sandbox.Overlays = []proc.Overlay{{At: "/tree", Layers: []string{host.shown}}}
		_, err := proc.Run(t.Context(), cmd)
		var compose *proc.ComposeError
		if !errors.As(err, &compose) || compose.At != "/tree" {
			t.Errorf("%s: error = %v, want a *ComposeError for /tree", means, err)
		}
	}
}

func TestSandboxRequiredRefusesWithoutWalls(t *testing.T) {
	cmd := newHost(t).command(t, proc.Bare, "echo ran")
	cmd.Sandbox.Mode = proc.Required
	got, err := proc.Run(t.Context(), cmd)
	if !errors.Is(err, proc.ErrUnwalled) || len(got.Stdout) > 0 {
		t.Errorf("Run = %q, %v, want ErrUnwalled", got.Stdout, err)
	}
	for _, means := range walled {
		cmd := newHost(t).command(t, means, "echo ran")
		cmd.Sandbox.Mode = proc.Required
		if got, err := proc.Run(t.Context(), cmd); err != nil || string(got.Stdout) != "ran\n" {
			t.Errorf("%s: Run = %q, %v", means, got.Stdout, err)
		}
	}
}

func TestSandboxOffHasNoLayers(t *testing.T) {
	cmd := newHost(t).command(t, "", "echo ran")
	cmd.Sandbox.Mode = proc.Off
	got, err := proc.Run(t.Context(), cmd)
	if err != nil || string(got.Stdout) != "ran\n" || len(got.Sandbox) > 0 {
		t.Errorf("Run = %q, layers %q, %v", got.Stdout, got.Sandbox, err)
	}
}

func TestTheMarkerIsOfNoUseByHand(t *testing.T) {
	out, err := exec.Command("/proc/self/exe", proc.Marker).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 125 || !strings.Contains(string(out), "for its own use") {
		t.Errorf("%s: %v, %q", proc.Marker, err, out)
	}
}
