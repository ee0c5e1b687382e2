package proc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/reviewgate/reviewgate/proc"
)

func TestSandboxLeavingsAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "left")
	if err := os.MkdirAll(dir+"/closed/deep/inner", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir + "/closed/deep", dir + "/closed"} {
		if err := os.Chmod(d, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := proc.RemoveAll(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
}
