package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/store"
)

// service is a project with two sides, as in the specification: Go at the top and
// scripts beside it.
var service = map[string]string{
	"go.mod": "module example.com/service\n\ngo 1.24\n", "job/job.go": "package job\n\n// Size is fixed.\nconst Size = 3\n",
	"job/job_test.go": "package job\n\nimport \"testing\"\n\nfunc TestSize(t *testing.T) {\n\tif Size != 3 {\n\t\tt.Fatal(Size)\n\t}\n}\n",
	"other/other.go":  "package other\n", "other/other_test.go": "package other\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n",
	"package.json": `{"type": "module", "scripts": {"test": "node --test"}}`, "web/api.js": "export const url = 'a';\n",
	"web/api.test.js": "import test from 'node:test';\nimport assert from 'node:assert';\nimport { url } from './api.js';\ntest('url', () => assert.equal(url, 'a'));\n",
}

const (
	docPatch  = "diff --git a/README b/README\nnew file mode 100644\n--- /dev/null\n+++ b/README\n@@ -0,0 +1 @@\n+hello\n"
	goPatch   = "diff --git a/job/job.go b/job/job.go\n--- a/job/job.go\n+++ b/job/job.go\n@@ -3,2 +3,2 @@\n // Size is fixed.\n-const Size = 3\n+const Size = 4\n"
	nodePatch = "diff --git a/web/api.js b/web/api.js\n--- a/web/api.js\n+++ b/web/api.js\n@@ -1 +1 @@\n-export const url = 'a';\n+export const url = 'b';\n"
	noScript  = "diff --git a/package.json b/package.json\n--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n" +
		"-{\"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n\\ No newline at end of file\n+{\"type\": \"module\", \"scripts\": {\"test\": \"exit 0\"}}\n\\ No newline at end of file\n"
	moveTests = "diff --git a/web/api.test.js b/web/api.spec.js\nsimilarity index 100%\nrename from web/api.test.js\nrename to web/api.spec.js\n"
)

func TestCheckRunsTheRealTools(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	for _, tt := range []struct {
		name, patch string
		want        []change.Check
	}{
		{"both sides pass", docPatch, []change.Check{{Name: "go test", Status: change.Pass}, {Name: "node --test", Status: change.Pass}}},
		{"a red Go side", goPatch, []change.Check{{Name: "go test", Status: change.Fail, Reason: "exit status 1: TestSize"}, {Name: "node --test", Status: change.Pass}}},
		{"a red script side", nodePatch, []change.Check{{Name: "go test", Status: change.Pass}, {Name: "node --test", Status: change.Fail, Reason: "exit status 1: url"}}},
		{"tests that no runner finds any more", moveTests, []change.Check{{Name: "go test", Status: change.Pass}, {Name: "node --test", Status: change.Unknown, Reason: "no test ran"}}},
		{"a change that takes its own test script away", noScript + moveTests, []change.Check{{Name: "go test", Status: change.Pass},
			{Name: "node --test", Status: change.Unknown, Reason: "the base is tested with it; the change leaves nothing to run (see package.json)"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGate(t, Options{})
			w, _ := prepare(t, g, testTree(dir), tt.patch)
			got := check(t, g, w)
			if diff := cmp.Diff(tt.want, got.Checks, onlyOutcome); diff != "" {
				t.Errorf("Check (-want +got):\n%s\n%s", diff, outputs(got))
			}
			if !proc.Walled(got.Sandbox, false) {
				t.Errorf("layers = %q, want walls", got.Sandbox)
			}
			if want := []string{"go.mod", "package.json"}; tt.patch == docPatch && !cmp.Equal(want, got.Detected) {
				t.Errorf("Detected = %q, want %q", got.Detected, want)
			}
		})
	}
}

func TestCheckRunsNothingOnAConflict(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	g := newGate(t, Options{Checks: []Spec{{Name: "any", Run: []string{"touch", filepath.Join(dir, "ran")}}}, Sandbox: proc.Off})
	w, applied := prepare(t, g, testTree(dir), modify("job/job.go", "no", "x"))
	got, err := g.Check(t.Context(), w)
	if applied.OK || got != nil || err != nil {
		t.Errorf("Check = %+v, %v for %+v, want nil", got, err, applied)
	}
	if exists(filepath.Join(dir, "ran")) {
		t.Error("something ran on the unpatched copy")
	}
}

func TestCheckOutcomes(t *testing.T) {
	for _, tt := range []struct {
		name string
		spec Spec
		want change.Check
	}{
		{"a missing tool is not a failure", Spec{Name: "x", Run: []string{"nosuchtool", "--all"}}, change.Check{Name: "x", Status: change.Unknown, Reason: "nosuchtool is not on PATH", NoTool: true}},
		{"the second choice when the first is missing", Spec{Name: "x", Run: []string{"nosuchtool"}, Or: [][]string{{"true"}}}, change.Check{Name: "x", Status: change.Pass}},
		{"a deadline is a failure", Spec{Name: "x", Run: []string{"sleep", "600"}, Timeout: 300 * time.Millisecond}, change.Check{Name: "x", Status: change.Fail, Reason: "timed out after 300ms"}},
		{"a signal is a failure", Spec{Name: "x", Run: []string{"sh", "-c", "kill -9 $$"}}, change.Check{Name: "x", Status: change.Fail, Reason: "killed by a signal"}},
		{"a file of more than the limit", Spec{Name: "x", Run: []string{"sh", "-c", "head -c 3000000 /dev/zero >big || exit 1"}}, change.Check{Name: "x", Status: change.Fail, Reason: "exit status 1"}},
		{"a folder of the tree", Spec{Name: "x", Run: []string{"sh", "-c", "test $(basename $PWD) = job"}, Dir: "job"}, change.Check{Name: "x", Status: change.Pass}},
		{"a folder outside of it", Spec{Name: "x", Run: []string{"test", "-e", "job"}, Dir: "../../.."}, change.Check{Name: "x", Status: change.Pass}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, service)
			g := newGate(t, Options{Checks: []Spec{tt.spec}, Limits: proc.Limits{FileBytes: 1 << 20}})
			w, _ := prepare(t, g, testTree(dir), docPatch)
			if diff := cmp.Diff([]change.Check{tt.want}, check(t, g, w).Checks, onlyOutcome); diff != "" {
				t.Errorf("Check (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckKeepsHeadAndTailOfAFlood(t *testing.T) {
	got := checkOne(t, Options{MaxOutput: 1000}, "echo first; head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo last; exit 1")
	if len(got.Output) > 1100 || !strings.HasPrefix(got.Output, "first\n") || !strings.HasSuffix(got.Output, "last\n") || !strings.Contains(got.Output, "bytes cut") {
		t.Errorf("kept %d bytes: %.100q", len(got.Output), got.Output)
	}
}

func TestCompareBase(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	for _, tt := range []struct {
		name, script string
		want         change.Check
	}{
		{"red on both", "exit 1", change.Check{Name: "x", Status: change.Fail, Reason: "exit status 1, also red on the base", AlsoRedOnBase: true}},
		{"red with the change only", "test ! -e README", change.Check{Name: "x", Status: change.Fail, Reason: "exit status 1"}},
		{"green with the change", "test -e README", change.Check{Name: "x", Status: change.Pass}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGate(t, Options{CompareBase: true, Checks: []Spec{{Name: "x", Run: []string{"sh", "-c", tt.script}}}})
			w, _ := prepare(t, g, testTree(dir), docPatch)
			if diff := cmp.Diff([]change.Check{tt.want}, check(t, g, w).Checks, onlyOutcome); diff != "" {
				t.Errorf("Check (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARunIsNotRepeated(t *testing.T) {
	dir, cacheDir, counter := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "count")
	makeTree(t, dir, service)
	cache, err := store.Open(cacheDir, 0)
	if err != nil {
		t.Fatal(err)
	}
	runs := func(o Options, patch, script string) (cached bool, status change.Status) {
		o.Cache, o.Sandbox = cache, proc.Off
		o.Checks = []Spec{{Name: "x", Run: []string{"sh", "-c", "echo >>" + counter + "; " + script}, Timeout: o.Timeout}}
		g := newGate(t, o)
		w, _ := prepare(t, g, testTree(dir), patch)
		c := check(t, g, w).Checks[0]
		return c.Cached, c.Status
	}
	for _, tt := range []struct {
		name, patch, script string
		options             Options
		cached              bool
		status              change.Status
	}{
		{"the first run", docPatch, "true", Options{}, false, change.Pass},
		{"the same again", docPatch, "true", Options{}, true, change.Pass},
		{"another patch", goPatch, "true", Options{}, false, change.Pass},
		{"another command", docPatch, "false", Options{}, false, change.Fail},
		{"a failure is remembered too", docPatch, "false", Options{}, true, change.Fail},
		{"another network", docPatch, "true", Options{Network: true}, false, change.Pass},
		{"another environment", docPatch, "true", Options{PassEnv: []string{"X"}, Environ: append(os.Environ(), "X=1")}, false, change.Pass},
		{"an unknown outcome", docPatch, "sh -c nosuchtool", Options{}, false, change.Unknown},
		{"is asked again", docPatch, "sh -c nosuchtool", Options{}, false, change.Unknown},
		{"a deadline", docPatch, "sleep 600", Options{Timeout: 200 * time.Millisecond}, false, change.Fail},
		{"is asked again too", docPatch, "sleep 600", Options{Timeout: 200 * time.Millisecond}, false, change.Fail},
	} {
		cached, status := runs(tt.options, tt.patch, tt.script)
		if cached != tt.cached || status != tt.status {
			t.Errorf("%s: cached %v %s, want %v %s", tt.name, cached, status, tt.cached, tt.status)
		}
	}
	if count, err := os.ReadFile(counter); len(count) != 9 {
		t.Errorf("ran %d times, %v, want 9", len(count), err)
	}
	makeTree(t, dir, map[string]string{"late": "x"})
	if cached, _ := runs(Options{}, docPatch, "true"); cached {
		t.Error("the result of another base was taken")
	}
}

func TestWarmBaseSharesWhatItCompiled(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	g := newGate(t, Options{Warm: true, Checks: []Spec{{Name: "go test", Run: []string{"go", "test", "./..."}}}})
	for _, patch := range []string{docPatch, goPatch} {
		w, _ := prepare(t, g, testTree(dir), patch)
		got := check(t, g, w)
		if !strings.Contains(got.Checks[0].Output, "example.com/service/other\t(cached)") {
			t.Errorf("a package that the change does not touch was tested again:\n%s", outputs(got))
		}
	}
}

// The go command does not see what the programs that a test starts depend on.
func TestACachedResultIsNotTakenForATestThatStartsPrograms(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "data": "one\ntwo\nthree\n", "pure/pure_test.go": "package pure\n\nimport \"testing\"\n\nfunc TestPure(t *testing.T) {}\n",
		"run/run.go":      "package run\n\nimport \"os/exec\"\n\n// Show prints the data.\nfunc Show() ([]byte, error) { return exec.Command(\"cat\", \"../data\").Output() }\n",
		"e2e/e2e_test.go": "package e2e\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/run\"\n)\n\nfunc TestShow(t *testing.T) {\n\tif got, err := run.Show(); string(got) != \"one\\ntwo\\nthree\\n\" {\n\t\tt.Errorf(\"%q %v\", got, err)\n\t}\n}\n"})
	g := newGate(t, Options{Warm: true})
	for _, tt := range []struct {
		patch string
		want  change.Status
	}{{add("README", "x"), change.Pass}, {modify("data", "two", "TWO"), change.Fail}} {
		w, _ := prepare(t, g, testTree(dir), tt.patch)
		got := check(t, g, w)
		if got.Checks[0].Status != tt.want || !strings.Contains(got.Checks[0].Output, "example.com/m/pure\t(cached)") || strings.Contains(got.Checks[0].Output, "m/pure\t0") {
			t.Errorf("want %s, got %s", tt.want, outputs(got))
		}
	}
}

func TestBorrowedDependencies(t *testing.T) {
	checkout := t.TempDir()
	project := map[string]string{"package.json": `{"scripts": {"test": "leftpad-test"}, "devDependencies": {"leftpad": "1"}}`, "package-lock.json": "{}\n"}
	makeTree(t, checkout, project)
	makeTree(t, checkout, map[string]string{"node_modules/.bin/leftpad-test!": "#!/bin/sh\ntouch node_modules/.cache && echo '1 passing'\n"})
	base := t.TempDir()
	makeTree(t, base, project)
	lockPatch := "diff --git a/package-lock.json b/package-lock.json\n--- a/package-lock.json\n+++ b/package-lock.json\n@@ -1 +1 @@\n-{}\n+{\"x\": 1}\n"
	for _, tt := range []struct {
		name, patch string
		want        change.Check
	}{
		{"the lock file is the same", docPatch, change.Check{Name: "npm test", Status: change.Pass}},
		{"the change edits the lock file", lockPatch, change.Check{Name: "npm test", Status: change.Unknown, Reason: "leftpad-test is not installed: install the dependencies in the checkout (npm install)"}},
	} {
		for _, how := range everyHow {
			t.Run(tt.name+"/"+how.name, func(t *testing.T) {
				o := how.options
				o.Borrow = FindBorrowed(checkout, []string{"web/x.js"})
				g := newGate(t, o)
				w, _ := prepare(t, g, testTree(base), tt.patch)
				got := check(t, g, w)
				want := tt.want
				if want.Status == change.Pass && !slices.Contains(got.Sandbox, proc.LayerFiles) {
					want = change.Check{Name: "npm test", Status: change.Unknown, Reason: "not run: it needs node_modules of the checkout, which is borrowed only where the sandbox hides the rest of the checkout (see reviewgate doctor)"}
				}
				if diff := cmp.Diff([]change.Check{want}, got.Checks, onlyOutcome); diff != "" {
					t.Errorf("Check (-want +got):\n%s\n%s", diff, outputs(got))
				}
				if exists(filepath.Join(checkout, "node_modules/.cache")) {
					t.Error("the checkout was written to")
				}
			})
		}
	}
}

func TestRequiredSandboxRefusesToBegin(t *testing.T) {
	if _, err := New(Options{Sandbox: proc.Required, Means: proc.Bare, Scratch: t.TempDir()}); !errors.Is(err, proc.ErrUnwalled) {
		t.Errorf("New error = %v, want ErrUnwalled", err)
	}
}

func TestCheckStopsWhenTheContextEnds(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	ready := filepath.Join(t.TempDir(), "ready")
	g := newGate(t, Options{Checks: []Spec{{Name: "x", Run: []string{"sh", "-c", "touch " + ready + "; sleep 600"}}}, Sandbox: proc.Off})
	w, _ := prepare(t, g, testTree(dir), docPatch)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !exists(ready) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if got, err := g.Check(ctx, w); !errors.Is(err, context.Canceled) {
		t.Errorf("Check = %+v, %v, want context.Canceled", got, err)
	}
}

func TestRunnerRunsInBothTrees(t *testing.T) {
	for _, how := range everyHow {
		t.Run(how.name, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, service)
			w, _ := prepare(t, newGate(t, how.options), testTree(dir), nodePatch)
			for _, tt := range []struct {
				runner Runner
				want   string
			}{{w, "b"}, {w.BaseRunner(), "a"}} {
				got, err := tt.runner.Run(t.Context(), proc.Cmd{Args: []string{"sh", "-c", "cat api.js; echo $MORE; pwd; test _$HOME != _/mine && test _$GOCACHE != _/mine"}, Dir: "web",
					Env: []string{"MORE=more", "HOME=/mine", "GOCACHE=/mine"}})
				want := "export const url = '" + tt.want + "';\nmore\n" + tt.runner.Dir() + "/web\n"
				if err != nil || got.ExitCode != 0 || string(got.Stdout) != want {
					t.Errorf("Run = %d %q %q, %v, want %q", got.ExitCode, got.Stdout, got.Stderr, err, want)
				}
			}
		})
	}
}

// everyHow are the ways in which a tree is shown to programs.
var everyHow = []struct {
	name    string
	options Options
}{
	{"composed behind walls", Options{}},
	{"composed without walls", Options{Sandbox: proc.Off}},
	{"copied for bubblewrap", Options{Means: proc.Bubblewrap}},
	{"copied for landlock", Options{Means: proc.Landlock}},
	{"copied without walls", Options{Means: proc.Bare}},
}

var onlyOutcome = cmpopts.IgnoreFields(change.Check{}, "Command", "Duration", "DurationMS", "Output")

func check(t *testing.T, g *Gate, w *Workspace) *change.Verification {
	t.Helper()
	v, err := g.Check(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// checkOne runs one script as the only check of a small project.
func checkOne(t *testing.T, o Options, script string) change.Check {
	t.Helper()
	dir := t.TempDir()
	makeTree(t, dir, service)
	o.Checks = []Spec{{Name: "x", Run: []string{"sh", "-c", script}}}
	g := newGate(t, o)
	w, _ := prepare(t, g, testTree(dir), docPatch)
	return check(t, g, w).Checks[0]
}

func outputs(v *change.Verification) string {
	var b strings.Builder
	for _, c := range v.Checks {
		b.WriteString(c.Name + ": " + string(c.Status) + " " + c.Reason + "\n" + c.Output + "\n")
	}
	return b.String()
}
