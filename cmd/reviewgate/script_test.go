package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reviewgate/reviewgate/proc"
)

func TestMain(m *testing.M) {
	if code, handled := proc.Child(os.Args[1:]); handled { // this binary stands in for reviewgate, its sandbox included
		os.Exit(code)
	}
	testscript.Main(suite{m}, map[string]func(){"reviewgate": main})
}

// suite runs the tests with a cache that they share, and removes it.
type suite struct{ m *testing.M }

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "reviewgate-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	sharedCache = dir
	return s.m.Run()
}

// sharedCache is the cache of all tests of this package, so that the fixture's
// tests run once.
var sharedCache string

// TestScripts runs the commands as a user would. Every scenario is a file of
// testdata/script; set TESTSCRIPT_UPDATE=1 to rewrite what they compare with.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       os.Getenv("TESTSCRIPT_UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, ".home")
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			env.Setenv("HOME", home)
			env.Setenv("REVIEWGATE_CACHE_DIR", sharedCache)
			env.Setenv("ROOT", root)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "dev-a")
				env.Setenv("GIT_"+who+"_EMAIL", "dev-a@example.com")
				env.Setenv("GIT_"+who+"_DATE", "2026-10-01T12:00:00Z")
			}
			for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // or every script compiles the standard library
				if value := goEnv[name]; value != "" {
					env.Setenv(name, value)
				}
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// exits runs a command line and compares its exit code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("%s exits with %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}
