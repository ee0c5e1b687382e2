package pair

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// Processes runs two programs in turn and reports the ratios of wall time
// ("ratio"), of processor time ("cpu-ratio") and of peak memory ("rss-ratio").
// It measures from a small program of its own, bench/procs: a child's peak
// counts what its parent had when it was started.
func Processes(b *testing.B, product, peer []string) {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "procs")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/reviewgate/reviewgate/bench/procs").CombinedOutput(); err != nil {
		b.Fatalf("build procs: %v\n%s", err, out)
	}
	args := append([]string{"-json", "-n", strconv.Itoa(Pairs), "--"}, product...)
	args = append(append(args, "--"), peer...)
	out, err := exec.Command(binary, args...).Output()
	if err != nil {
		b.Fatalf("procs %q: %v", args, err)
	}
	var result struct{ Wall, CPU, RSS float64 }
	if err := json.Unmarshal(out, &result); err != nil {
		b.Fatalf("procs: %v: %s", err, out)
	}
	for b.Loop() { // measured there
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(result.Wall, "ratio")
	b.ReportMetric(result.CPU, "cpu-ratio")
	b.ReportMetric(result.RSS, "rss-ratio")
}
