package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/reviewgate/reviewgate/bench/pair"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/source"
	"github.com/reviewgate/reviewgate/store"
	"github.com/reviewgate/reviewgate/verify"
)

// fixture is the project with twelve changes.
const fixture = "../fixtures/go-ts-mini"

// twelve tests changes to the fixture and returns the outcome of each, as
// "pr-03: go test fail, node --test pass".
func twelve(b *testing.B, o verify.Options, changes []change.Change) []string {
	gate, err := verify.New(o)
	if err != nil {
		b.Fatal(err)
	}
	defer gate.Close()
	base := source.Folder(fixture, "")
	outcomes := make([]string, len(changes))
	turns := make(chan struct{}, 2) // two changes at a time
	done := make(chan struct{})
	for i, c := range changes {
		go func() {
			defer func() { <-turns; done <- struct{}{} }()
			turns <- struct{}{}
			outcomes[i] = testOne(b, gate, base, c)
		}()
	}
	for range changes {
		<-done
	}
	return outcomes
}

func testOne(b *testing.B, gate *verify.Gate, base source.Tree, c change.Change) string {
	parsed, err := diff.Parse(c.Patch)
	if err != nil {
		b.Error(err)
		return ""
	}
	w, applied, err := gate.Prepare(b.Context(), base, nil, c.Patch, parsed)
	if err != nil {
		b.Error(err)
		return ""
	}
	defer w.Close()
	v, err := gate.Check(b.Context(), w)
	if err != nil {
		b.Error(err)
	}
	return outcome(c.ID, applied.OK, v)
}

func outcome(id string, applied bool, v *change.Verification) string {
	if !applied {
		return id + ": conflict"
	}
	text := id + ":"
	for _, c := range v.Checks {
		text += fmt.Sprintf(" %s %s", c.Name, c.Status)
	}
	return text
}

// naive copies the project, applies the patch and runs both sides, one change
// after another.
func naive(b *testing.B, dir string, changes []change.Change) []string {
	var outcomes []string
	for _, c := range changes {
		to := filepath.Join(dir, c.ID)
		command(b, "", nil, "cp", "-r", fixture, to)
		command(b, "", nil, "rm", "-r", filepath.Join(to, "prs"))
		apply := exec.Command("git", "apply", "-")
		apply.Dir, apply.Env = to, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+dir)
		patch, err := apply.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		go func() { patch.Write(c.Patch); patch.Close() }()
		if apply.Run() != nil {
			outcomes = append(outcomes, outcome(c.ID, false, nil))
			continue
		}
		outcomes = append(outcomes, fmt.Sprintf("%s: go test %s node --test %s", c.ID, side(to, "go", "test", "./..."), side(to, "node", "--test")))
	}
	return outcomes
}

func side(dir string, args ...string) change.Status {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	if cmd.Run() != nil {
		return change.Fail
	}
	return change.Pass
}

// BenchmarkTwelveChanges tests the twelve changes of the fixture, against doing it
// by hand; the time of testing the base first is part of it.
func BenchmarkTwelveChanges(b *testing.B) {
	changes := fixtureChanges(b)
	o := verify.Options{Environ: os.Environ(), Scratch: b.TempDir(), Warm: true}
	own, peer := twelve(b, o, changes), naive(b, b.TempDir(), changes)
	for i := range peer {
		if own[i] != peer[i] {
			b.Fatalf("outcomes differ: %q and %q (an old node finds no .ts test, which we call unknown: use 22.18 or later)", own[i], peer[i])
		}
	}
	n := 0
	copies := b.TempDir()
	pair.Ratio(b, func() { twelve(b, o, changes) }, func() {
		n++
		dir := filepath.Join(copies, fmt.Sprint(b.N, "-", n))
		if err := os.Mkdir(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		naive(b, dir, changes)
	})
}

// BenchmarkSecondRun tests a change that was tested before, against the first time.
func BenchmarkSecondRun(b *testing.B) {
	changes := fixtureChanges(b)[:1]
	known, err := store.Open(b.TempDir(), 0)
	if err != nil {
		b.Fatal(err)
	}
	o := verify.Options{Environ: os.Environ(), Scratch: b.TempDir(), Checks: []verify.Spec{{Name: "go test", Run: []string{"go", "test", "./..."}}}}
	second := o
	second.Cache = known
	first := twelve(b, second, changes)
	if again := twelve(b, second, changes); again[0] != first[0] {
		b.Fatalf("outcomes differ: %q and %q", first[0], again[0])
	}
	pair.Ratio(b, func() { twelve(b, second, changes) }, func() { twelve(b, o, changes) })
}

func fixtureChanges(b *testing.B) []change.Change {
	b.Helper()
	changes, err := source.PRs(filepath.Join(fixture, "prs"))
	if err != nil {
		b.Fatal(err)
	}
	return changes
}
