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
	const collecting = "____ ERROR collecting tests/test_a.py ____\n"
	const output = collecting + "E   ModuleNotFoundError: No module named 'jobs'\n1 error in 0.1s\n"
	const conftest = "ImportError while loading conftest '/t/conftest.py'.\nconftest.py:1: in <module>\n    import jobs\n"
	lacks := func(n string) bool { return n == "jobs" }
	for _, tt := range []struct {
		name string
		e    ending
		want change.Status
	}{
		{"a package that nobody installed", ending{kind: Pytest, exit: 2, output: output}, change.Unknown},
		{"a package that is missing although the others are there", ending{kind: Pytest, exit: 2, output: output, installed: true}, change.Unknown},
		{"the project's own package, which nobody installed", ending{kind: Pytest, exit: 2, output: output, local: lacks}, change.Unknown},
		{"a module of its own that the change took away", ending{kind: Pytest, exit: 2, output: output, lacks: lacks}, change.Fail},
		{"a conftest that imports what nobody installed", ending{kind: Pytest, exit: 4, output: conftest + "E   ModuleNotFoundError: No module named 'jobs'\n"}, change.Unknown},
		{"a conftest that imports a name that a module lacks", ending{kind: Pytest, exit: 4, output: conftest + "E   ImportError: cannot import name 'x' from 'jobs'\n"}, change.Fail},
		{"a module that fails inside", ending{kind: Pytest, exit: 2, output: collecting + "E   ImportError: cannot import name 'x' from 'jobs' (/t/jobs.py)\n1 error in 0.1s\n"}, change.Fail},
		{"a missing package beside a file that does not parse", ending{kind: Pytest, exit: 2, output: output + collecting + "E   SyntaxError: invalid syntax\n"}, change.Fail},
		{"a test that fails on a missing package", ending{kind: Pytest, exit: 1, output: output + "1 failed, 1 error in 0.1s\n"}, change.Fail},
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

func TestLacksModule(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, map[string]string{"src/own/__init__.py": "\n", "src/own/part.py": "x\n", "flat.py": "x\n", "tests/deep/helpers.py": "x\n"})
	w, _ := prepare(t, newGate(t, Options{}), testTree(dir), remove("src/own/part.py", "x")+remove("flat.py", "x")+remove("tests/deep/helpers.py", "x"))
	for _, tt := range []struct {
		module string
		want   bool
	}{
		{"own", false},       // there, only not installed
		{"own.part", true},   // the change removed it
		{"own.never", true},  // the change forgot it
		{"flat", true},       // removed at the top
		{"helpers", true},    // removed beside tests
		{"numpy", false},     // another's
		{"numpy.fft", false}, // and its part
	} {
		if got := w.patched.lacksModule(".", tt.module); got != tt.want {
			t.Errorf("lacksModule(%q) = %v, want %v", tt.module, got, tt.want)
		}
	}
}
