package verify

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Without root's rights folders are composed in a user namespace. Everything that
// needs no toolchain is tested there too.
func TestWithoutRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		return // then every other test is that test
	}
	folder := t.TempDir()
	for dir := folder; dir != os.TempDir(); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(folder, "verify.test")
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, self, 0o755); err != nil {
		t.Fatal(err)
	}
	const tests = "TestPrepare|TestFS|TestCheckOutcomes|TestCheckNever|TestChangesDoNot|TestATestCannot|TestBorrowed|TestRunner|TestCompareBase"
	again := exec.Command(binary, "-test.run=^("+tests+")", "-test.count=1")
	again.Dir = folder
	again.Env = append(os.Environ(), "TMPDIR="+folder, "HOME="+folder, "PATH=/usr/local/bin:/usr/bin:/bin")
	again.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}
