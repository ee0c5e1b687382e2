package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/bench/corpus"
	"github.com/reviewgate/reviewgate/bench/pair"
	"github.com/reviewgate/reviewgate/diff"
)

// BenchmarkFilter is goal 13: a linter's report on a whole repository, filtered
// by a patch of 28 MB. The peer is reviewdog 0.21, looked up on PATH.
func BenchmarkFilter(b *testing.B) {
	reviewdog, err := exec.LookPath("reviewdog")
	if err != nil {
		b.Skip("reviewdog is not on PATH")
	}
	dir := filterCorpus(b)
	own := filepath.Join(b.TempDir(), "filter")
	if out, err := exec.Command("go", "build", "-o", own, "github.com/reviewgate/reviewgate/bench/filter").CombinedOutput(); err != nil {
		b.Fatalf("build filter: %v\n%s", err, out)
	}
	product := []string{own, filepath.Join(dir, "patch"), filepath.Join(dir, "report")}
	peer := []string{"sh", "-c", `cd "$1" && exec "$2" -f=rdjsonl -diff='cat patch' -filter-mode=added -reporter=local -fail-level=none < report`, "sh", dir, reviewdog}
	sameLines(b, places(b, peer), places(b, product))
	pair.Processes(b, product, peer)
}

// filterCorpus writes a patch and a report with 20,000 diagnostics, every other
// one on an inserted line, into a repository.
func filterCorpus(b *testing.B) string {
	files, size, diagnostics := 9_000, 28_000_000, 20_000
	if testing.Short() {
		files, size, diagnostics = 900, 2_800_000, 2_000
	}
	dir := b.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		b.Fatalf("git init: %v\n%s", err, out)
	}
	patch := corpus.Patch(13, files, size)
	for name, data := range map[string][]byte{"patch": patch, "report": diagnosticsFor(b, patch, diagnostics)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// diagnosticsFor returns n diagnostics, one per line, about the files of patch.
func diagnosticsFor(b *testing.B, patch []byte, n int) []byte {
	p, err := diff.Parse(patch)
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	r := corpus.New(13)
	encode := json.NewEncoder(&out)
	for written := 0; written < n; {
		f := &p.Files[r.IntN(len(p.Files))]
		if len(f.Hunks) == 0 || f.NewPath == "" || f.Status == diff.Added && written%2 == 1 {
			continue // no line of a new file is an old one
		}
		h := f.Hunks[r.IntN(len(f.Hunks))]
		line := max(1, h.NewStart) + 1000*r.IntN(2)
		for l := range h.Lines() {
			if l.Op == diff.Insert && written%2 == 0 {
				line = l.New
			}
		}
		type object = map[string]any
		err := encode.Encode(object{
			"message": corpus.Line(r), "severity": "WARNING", "code": object{"value": "R1"},
			"original_output": fmt.Sprintf("%s:%d: R1", f.NewPath, line), // what reviewdog prints of it
			"location":        object{"path": f.NewPath, "range": object{"start": object{"line": line, "column": 1}}},
		})
		if err != nil {
			b.Fatal(err)
		}
		written++
	}
	return out.Bytes()
}

// place is how both programs begin a line: PATH:LINE.
var place = regexp.MustCompile(`^(.+?:\d+)(:|$)`)

// places returns what a program says, as PATH:LINE.
func places(b *testing.B, command []string) []string {
	out, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil {
		b.Fatalf("%q: %v", command, err)
	}
	var all []string
	for line := range strings.Lines(string(out)) {
		if m := place.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			all = append(all, m[1])
		}
	}
	return all
}
