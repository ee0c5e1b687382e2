package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const goals = `[
 {"goal": "1", "what": "fast", "limit": 0.5, "benchmark": "BenchmarkA/x", "quick": true},
 {"goal": "2", "what": "slow", "limit": 0.5, "benchmark": "BenchmarkB"},
 {"goal": "3", "what": "small", "limit": 10, "benchmark": "BenchmarkA/x", "metric": "heap", "quick": true},
 {"goal": "4", "what": "no peer", "limit": 1, "benchmark": "BenchmarkC"},
 {"goal": "5", "what": "wrong", "limit": 1, "benchmark": "BenchmarkD/y"}
]`

const output = `goos: linux
BenchmarkA/x-2         	       7	         0 ns/op	         3.5 heap	         0.25 ratio
BenchmarkB-2           	       7	         0 ns/op	         0.75 ratio
--- SKIP: BenchmarkC-2
--- FAIL: BenchmarkD/y-2
`

func TestTableJudgesEachGoal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "goals.json")
	if err := os.WriteFile(file, []byte(goals), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, output string
		args, want   []string
		missed       bool
	}{
		{"full", output, []string{file}, []string{"1 fast 0.5 0.25 ok", "2 slow 0.5 0.75 missed", "3 small 10 3.5 ok", "4 no peer 1 - skipped", "5 wrong 1 - failed"}, true},
		{"quick", output, []string{"-quick", file}, []string{"1 fast 0.5 0.25 ok", "3 small 10 3.5 ok"}, false},
		{"quick, but something else failed", output + "FAIL\n", []string{"-quick", file}, []string{"1 fast 0.5 0.25 ok", "3 small 10 3.5 ok", "- go test failed: see above failed"}, true},
		{"nothing measured", "", []string{"-quick", file}, []string{"1 fast 0.5 - skipped", "3 small 10 - skipped"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			missed, err := run(tt.args, strings.NewReader(tt.output), &out)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
				got = append(got, strings.Join(strings.Fields(line), " "))
			}
			if d := cmp.Diff(tt.want, got); d != "" || missed != tt.missed {
				t.Errorf("missed %v, want %v (-want +got):\n%s", missed, tt.missed, d)
			}
		})
	}
}

func TestListIsThePatternOfTheBenchmarks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "goals.json")
	if err := os.WriteFile(file, []byte(goals), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := run([]string{"-list", file}, strings.NewReader(""), &out); err != nil {
		t.Fatal(err)
	}
	if want := "^BenchmarkA$/^x$|^BenchmarkB$|^BenchmarkC$|^BenchmarkD$/^y$\n"; out.String() != want {
		t.Errorf("-list = %q, want %q", out.String(), want)
	}
}
