package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/proc"
)

func TestCheckNeverTouchesTheCheckout(t *testing.T) {
	for _, how := range everyHow {
		t.Run(how.name, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, service)
			before := tree(t, os.DirFS(dir))
			o := how.options
			o.Checks = []Spec{
				{Name: "writes", Run: []string{"sh", "-c", "cat README && echo x >job/job.go && echo x >>web/api.js && mkdir new && echo x >new/file"}},
				{Name: "deletes", Run: []string{"sh", "-c", "rm -rf ./* && test ! -e job"}},
			}
			g := newGate(t, o)
			w, _ := prepare(t, g, testTree(dir), docPatch)
			for _, c := range check(t, g, w).Checks {
				if c.Status != change.Pass {
					t.Errorf("%s: %s %s\n%s", c.Name, c.Status, c.Reason, c.Output)
				}
			}
			if diff := cmp.Diff(before, tree(t, os.DirFS(dir))); diff != "" {
				t.Errorf("the checkout changed (-before +after):\n%s", diff)
			}
		})
	}
}

// A copy is used again for the next change: whatever a test did to it is undone.
func TestChangesDoNotSeeEachOther(t *testing.T) {
	for _, how := range everyHow {
		t.Run(how.name, func(t *testing.T) {
			dir := t.TempDir()
			makeTree(t, dir, service)
			o := how.options
			o.Checks = []Spec{{Name: "spoil", Run: []string{"sh", "-c", `
				test "$(cat job/job.go | wc -l)" = 4 && test ! -e planted && grep -q "url = '$(cat WANT)'" web/api.js || { ls -R; cat web/api.js; exit 1; }
				cp -p job/job.go keep && echo 'package jab' >job/job.go && touch -r keep job/job.go
				touch planted; rm -rf other; mkdir other.go; chmod 000 other.go; rm -rf web; ln -s /etc web`}}}
			g := newGate(t, o)
			want := func(url string) string { return add("WANT", url) }
			for _, patch := range []string{want("a"), want("b") + nodePatch, want("a")} {
				w, _, err := g.Prepare(t.Context(), testTree(dir), nil, []byte(patch), parse(t, patch))
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range check(t, g, w).Checks {
					if c.Status != change.Pass {
						t.Errorf("%s: %s %s\n%s", c.Name, c.Status, c.Reason, c.Output)
					}
				}
				w.Close()
			}
		})
	}
}

func TestChangesThatAreTestedAtOnceDoNotSeeEachOther(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	meeting := t.TempDir() // each waits here until both have begun
	script := `echo x >mine-$(cat WHO); touch ` + meeting + `/$(cat WHO); until [ $(ls ` + meeting + ` | wc -l) = 2 ]; do sleep 0.01; done; ls; test $(ls mine-* | wc -l) = 1`
	g := newGate(t, Options{Checks: []Spec{{Name: "x", Run: []string{"sh", "-c", script}}}, Sandbox: proc.Off, Timeout: time.Minute})
	var workspaces []*Workspace
	for _, who := range []string{"a", "b"} {
		w, _ := prepare(t, g, testTree(dir), add("WHO", who))
		workspaces = append(workspaces, w)
	}
	results := make(chan *change.Verification, 2)
	for _, w := range workspaces {
		go func() {
			v, err := g.Check(t.Context(), w)
			if err != nil {
				t.Error(err)
			}
			results <- v
		}()
	}
	for range 2 {
		if v := <-results; v.OK() == nil || !*v.OK() {
			t.Errorf("%s", outputs(v))
		}
	}
}

func TestATestCannotReachTheMachine(t *testing.T) {
	home, outside := t.TempDir(), t.TempDir()
	makeTree(t, home, map[string]string{".ssh/id": "secret\n", ".netrc": "secret\n"})
	environ := append(os.Environ(), "HOME="+home, "GITHUB_TOKEN=secret", "REVIEWGATE_KEY=secret", "SSH_AUTH_SOCK=/run/agent", "EXTRA=shown")
	for _, tt := range []struct{ name, script string }{
		{"read the user's keys", "cat " + home + "/.ssh/id"},
		{"find the user's home", "cat ~/.netrc || cat $HOME/.netrc"},
		{"write outside", "echo x >" + outside + "/file"},
		{"reach the network", "node -e \"require('net').connect(53, '8.8.8.8').on('error', () => process.exit(1)).on('connect', () => process.exit(0))\""},
		{"see the gate's secrets", "env | grep secret"},
		{"see an agent", "env | grep SSH_AUTH_SOCK"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := checkOne(t, Options{Environ: environ, PassEnv: []string{"EXTRA", "REVIEWGATE_KEY"}}, tt.script)
			if got.Status != change.Fail || strings.Contains(got.Output, "secret\n") {
				t.Errorf("%q: %s %s\n%s", tt.script, got.Status, got.Reason, got.Output)
			}
		})
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("wrote %v", left)
	}
	if got := checkOne(t, Options{Environ: environ, PassEnv: []string{"EXTRA"}}, `test "$EXTRA" = shown && touch ~/x /tmp/x`); got.Status != change.Pass {
		t.Errorf("a home and a temporary folder of its own: %+v", got)
	}
}

// The tests of one change must not be able to leave an "ok (cached)" for another.
func TestAChangeCannotForgeTheCacheOfAnother(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	g := newGate(t, Options{})
	const spoil = `package job

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestSpoil(t *testing.T) {
	cache := os.Getenv("PLACE")
	if cache == "" {
		t.Fatal("no cache")
	}
	os.WriteFile(filepath.Join(cache, "planted"), nil, 0o644)
	for _, part := range []string{"00", "01"} {
		filepath.WalkDir(filepath.Join(cache, part), func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				os.Chmod(p, 0o644)
				os.WriteFile(p, []byte("forged"), 0o644)
			}
			return nil
		})
	}
}
`
	patch := add("job/spoil_test.go", strings.Split(strings.TrimSuffix(strings.ReplaceAll(spoil, `os.Getenv("PLACE")`, `"`+g.place("go-build")+`"`), "\n"), "\n")...)
	w, _ := prepare(t, g, testTree(dir), patch)
	if got := check(t, g, w); got.Checks[0].Status != change.Pass {
		t.Fatalf("the spoiler itself: %s", outputs(got))
	}
	w, _ = prepare(t, g, testTree(dir), goPatch)
	got, err := w.Run(t.Context(), proc.Cmd{Args: []string{"sh", "-c", `test ! -e "$GOCACHE/planted" && ! grep -rlx forged "$GOCACHE"/0*`}})
	if err != nil || got.ExitCode != 0 {
		t.Errorf("the next change sees what was planted: %s %v", got.Stdout, err)
	}
	if v := check(t, g, w); v.Checks[0].Status != change.Fail {
		t.Errorf("the next change: %s", outputs(v))
	}
	if host := g.tools.goSettings(t.Context())["GOCACHE"]; exists(filepath.Join(host, "planted")) {
		t.Error("the user's own cache was written to")
	}
}

// A folder that the machine cannot compose, such as one on a drive that overlays
// refuse, is copied instead, for whoever runs at that moment too.
func TestAFolderThatCannotBeComposedIsCopied(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, service)
	g := newGate(t, Options{Checks: []Spec{{Name: "a", Run: []string{"test", "-e", "README"}}, {Name: "b", Run: []string{"test", "!", "-e", "prs"}}}})
	w, _ := prepare(t, g, testTree(dir), docPatch)
	w.gone = filepath.Join(dir, "nowhere") // a layer that is not there
	for _, c := range check(t, g, w).Checks {
		if c.Status != change.Pass {
			t.Errorf("%s: %s %s\n%s", c.Name, c.Status, c.Reason, c.Output)
		}
	}
	if g.composes() {
		t.Error("the gate still tries to compose")
	}
}
