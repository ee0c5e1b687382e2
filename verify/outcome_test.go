package verify

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/reviewgate/reviewgate/change"
)

// Each file of testdata/output is what one runner printed in one situation, with
// the outcome that it must be taken for.
func TestJudgeReadsWhatRunnersPrint(t *testing.T) {
	samples, err := filepath.Glob("testdata/output/*.txtar")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range samples {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for line := range strings.Lines(string(archive.Comment)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
				want[name] = strings.TrimSpace(value)
			}
			exit, err := strconv.Atoi(want["exit"])
			if err != nil {
				t.Fatal(err)
			}
			got := judge(ending{kind: Kind(want["kind"]), exit: exit, output: string(archive.Files[0].Data)})
			if got.status != change.Status(want["status"]) || got.reason != want["reason"] {
				t.Errorf("judge = %s %q, want %s %q", got.status, got.reason, want["status"], want["reason"])
			}
		})
	}
}

func TestJudgeBlamesTheChangeForWhatIsItsOwn(t *testing.T) {
	const output = "E   ModuleNotFoundError: No module named 'jobs'\n1 error in 0.1s\n"
	for _, tt := range []struct {
		name string
		e    ending
		want change.Status
	}{
		{"a package that nobody installed", ending{kind: Pytest, exit: 2, output: output}, change.Unknown},
		{"a package that is missing although the others are there", ending{kind: Pytest, exit: 2, output: output, installed: true}, change.Fail},
		{"a module of the project itself", ending{kind: Pytest, exit: 2, output: output, local: func(n string) bool { return n == "jobs" }}, change.Fail},
		{"colours do not hide the summary", ending{kind: Script, exit: 0, output: "\x1b[1mTests:\x1b[22m  \x1b[32m3 passed\x1b[39m, 3 total\r\n"}, change.Pass},
		{"an unknown runner is its exit code", ending{kind: "other", exit: 0}, change.Pass},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge(tt.e); got.status != tt.want {
				t.Errorf("judge = %+v, want %s", got, tt.want)
			}
		})
	}
}

// Whatever a program prints, reading it ends, and a failing exit code is never a
// pass.
func FuzzJudge(f *testing.F) {
	samples, _ := filepath.Glob("testdata/output/*.txtar")
	for _, file := range samples {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), 1)
	}
	f.Fuzz(func(t *testing.T, output string, exit int) {
		for kind := range readers() {
			got := judge(ending{kind: kind, exit: exit, output: output})
			if got.status == change.Pass && exit != 0 || got.status != change.Pass && got.reason == "" {
				t.Errorf("judge(%s, %d, %q) = %+v", kind, exit, output, got)
			}
		}
	})
}
