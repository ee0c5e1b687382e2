package verify

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fullDisk names the variable by which the test finds that it runs again, where no
// file can grow beyond 64 KB: the nearest thing to a full disk that needs no disk.
const fullDisk = "VERIFY_TEST_FULL_DISK"

// A disk that is full while the patch is written is no conflict: nothing is known
// of the change then, and nothing half-written stays.
func TestPrepareSaysThatTheDiskIsFull(t *testing.T) {
	if os.Getenv(fullDisk) == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		again := exec.Command("sh", "-c", `ulimit -f 128 && trap "" XFSZ && exec "$0" -test.run="$1"`, self, "^"+t.Name()+"$")
		again.Env = append(os.Environ(), fullDisk+"=1")
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	dir, g := t.TempDir(), newGate(t, Options{})
	makeTree(t, dir, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	patch := add("big", strings.Repeat("x", 1<<20))
	w, applied, err := g.Prepare(t.Context(), testTree(dir), nil, []byte(patch), parse(t, patch))
	if w != nil || err == nil || !strings.Contains(err.Error(), "git apply") {
		t.Errorf("Prepare = %+v, %v, want an error", applied, err)
	}
	g.removals.Wait()
	if left, _ := filepath.Glob(filepath.Join(g.scratch, "change-*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}
