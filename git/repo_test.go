package git

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testRepo runs a script in a new folder that is a repository on branch main,
// and opens it.
func testRepo(t *testing.T, script string) *Repo {
	t.Helper()
	dir := t.TempDir()
	initRepo(t, dir)
	sh(t, dir, script)
	return open(t, dir, Options{})
}

// open opens a repository without the machine's configuration and closes it
// with the test.
func open(t *testing.T, dir string, o Options) *Repo {
	t.Helper()
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	o.Environ = append(o.Environ, "GIT_CONFIG_GLOBAL="+os.DevNull)
	r, err := Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if _, err := os.Stat(r.scratch); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Close left the scratch folder: %v", err)
		}
	})
	return r
}

// place is what Open finds out, with the test's folder cut off.
type place struct {
	Dir, Common, Work, Branch, Upstream, Name string
	Shallow, Partial                          bool
}

func TestOpen(t *testing.T) {
	const commit = "git commit -q --allow-empty -m x;"
	for _, tt := range []struct {
		name, script string // the script runs in an empty folder
		dir          string // what is opened in it
		options      Options
		want         place
	}{
		{name: "a working copy", script: "git init -q -b main r; cd r;" + commit, dir: "r",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Branch: "refs/heads/main", Name: "r"}},
		{name: "a folder of it", script: "git init -q -b main r; cd r;" + commit + "mkdir -p a/b", dir: "r/a/b",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Branch: "refs/heads/main", Name: "r"}},
		{name: "a folder of it through a link", script: "git init -q -b main r; cd r;" + commit + "mkdir -p a/b; cd ..; ln -s r/a/b link", dir: "link",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Branch: "refs/heads/main", Name: "r"}},
		{name: "a folder of it before the first commit", script: "git init -q -b main r; mkdir -p r/a/b", dir: "r/a/b",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Name: "r"}},
		{name: "a folder of a linked worktree", script: "git init -q -b main r; cd r;" + commit + "git worktree add -q -b w ../linked; mkdir ../linked/a", dir: "linked/a",
			want: place{Dir: "/r/.git/worktrees/linked", Common: "/r/.git", Work: "/linked", Branch: "refs/heads/w", Name: "r"}},
		{name: "no commit yet", script: "git init -q -b main r", dir: "r",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Name: "r"}},
		{name: "a detached HEAD", script: "git init -q -b main r; cd r;" + commit + "git checkout -q --detach", dir: "r",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Name: "r"}},
		{name: "a local upstream", script: "git init -q -b main r; cd r;" + commit + "git checkout -q -b f --track main 2>&1", dir: "r",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Branch: "refs/heads/f", Upstream: "refs/heads/main", Name: "r"}},
		{name: "a clone with its upstream", script: "git init -q -b main o; cd o;" + commit + "cd ..; git clone -q o r", dir: "r",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Branch: "refs/heads/main", Upstream: "refs/remotes/origin/main", Name: "r"}},
		{name: "a linked worktree", script: "git init -q -b main r; cd r;" + commit + "git worktree add -q -b w ../linked", dir: "linked",
			want: place{Dir: "/r/.git/worktrees/linked", Common: "/r/.git", Work: "/linked", Branch: "refs/heads/w", Name: "r"}},
		{name: "a bare repository", script: "git init -q -b main o; cd o;" + commit + "cd ..; git clone -q --bare o r.git", dir: "r.git",
			want: place{Dir: "/r.git", Common: "/r.git", Branch: "refs/heads/main", Name: "r"}},
		{name: "inside the git directory", script: "git init -q -b main r; cd r;" + commit, dir: "r/.git/refs",
			want: place{Dir: "/r/.git", Common: "/r/.git", Branch: "refs/heads/main", Name: "r"}},
		{name: "a submodule", script: "git init -q -b main s; cd s;" + commit + "cd ..; git init -q -b main r; cd r; git -c protocol.file.allow=always submodule -q add ../s sub", dir: "r/sub",
			want: place{Dir: "/r/.git/modules/sub", Common: "/r/.git/modules/sub", Work: "/r/sub", Branch: "refs/heads/main", Upstream: "refs/remotes/origin/main", Name: "sub"}},
		{name: "a shallow clone", script: "git init -q -b main o; cd o;" + commit + commit + "cd ..; git clone -q --depth=1 file://$PWD/o r", dir: "r",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Branch: "refs/heads/main", Upstream: "refs/remotes/origin/main", Name: "r", Shallow: true}},
		{name: "a partial clone", script: "git init -q -b main o; cd o;" + commit + "git config uploadpack.allowFilter true; cd ..; git clone -q --filter=blob:none file://$PWD/o r", dir: "r",
			want: place{Dir: "/r/.git", Common: "/r/.git", Work: "/r", Branch: "refs/heads/main", Upstream: "refs/remotes/origin/main", Name: "r", Partial: true}},
		{name: "a path with a colon, a quote and a backslash", script: `mkdir 'a:b"c\d'; git init -q -b main 'a:b"c\d'; cd 'a:b"c\d';` + commit, dir: `a:b"c\d`,
			want: place{Dir: `/a:b"c\d/.git`, Common: `/a:b"c\d/.git`, Work: `/a:b"c\d`, Branch: "refs/heads/main", Name: `a:b"c\d`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := realTempDir(t)
			sh(t, top, tt.script)
			r := open(t, filepath.Join(top, tt.dir), tt.options)
			cut := func(path string) string { return strings.TrimPrefix(path, top) }
			got := place{cut(r.Dir), cut(r.Common), cut(r.Work), r.Branch, r.Upstream, r.Name(), r.Shallow, r.Partial}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Open (-want +got):\n%s", diff)
			}
			if tt.want.Branch == "" {
				return
			}
			if _, err := r.Tree(t.Context(), "HEAD"); err != nil {
				t.Errorf("Tree(HEAD): %v", err)
			}
		})
	}
}

func TestOpenWithAnExplicitGitDirectory(t *testing.T) {
	top := realTempDir(t)
	sh(t, top, "git init -q -b main r; cd r; git commit -q --allow-empty -m x; mv .git ../store; mkdir ../elsewhere")
	r := open(t, filepath.Join(top, "elsewhere"), Options{GitDir: filepath.Join(top, "store"), WorkTree: filepath.Join(top, "r")})
	got := place{Dir: r.Dir, Common: r.Common, Work: r.Work, Branch: r.Branch, Name: r.Name()}
	want := place{Dir: top + "/store", Common: top + "/store", Work: top + "/r", Branch: "refs/heads/main", Name: "store"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Open (-want +got):\n%s", diff)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	plain := t.TempDir()
	write(t, plain, map[string]string{"file": "x"})
	noGit := Options{Environ: []string{"PATH=" + plain}}
	for _, tt := range []struct {
		name, dir string
		options   Options
		want      string
		is        error
	}{
		{name: "no repository", dir: plain, is: ErrNotRepository, want: "not a git repository, nor is any folder above it"},
		{name: "a folder that is not there", dir: plain + "/nosuch", is: os.ErrNotExist, want: "no such file or directory"},
		{name: "a file", dir: plain + "/file", want: "is a file: name the folder that holds the repository"},
		{name: "no git program", dir: plain, options: noGit, is: ErrNoGit, want: "install git"},
		{name: "a git directory that is none", dir: plain, options: Options{GitDir: plain}, is: ErrNotRepository, want: "not a git repository"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(t.Context(), tt.dir, tt.options)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Open: %v, want an error with %q", err, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("Open: %v does not wrap %v", err, tt.is)
			}
		})
	}
}

func TestOpenRefusesARepositoryOfAnotherOwner(t *testing.T) {
	dir := t.TempDir()
	initRepo(t, dir)
	// git's own switch for its tests of the refusal: no second user is needed.
	path := wrapGit(t, "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	_, err := Open(t.Context(), dir, Options{Environ: []string{"PATH=" + path, "GIT_CONFIG_GLOBAL=" + os.DevNull}})
	if !errors.Is(err, ErrOwner) || !strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("Open: %v, want ErrOwner and the way out", err)
	}
}

// wrapGit makes a folder with a git that runs script before the real one, and
// returns a PATH that begins with it.
func wrapGit(t *testing.T, script string) string {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := "#!/bin/sh\n" + script + "\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir + ":" + os.Getenv("PATH")
}

// resolve2 returns the ids of two commits.
func resolve2(t *testing.T, r *Repo, a, b string) (string, string) {
	t.Helper()
	first, err := r.Resolve(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.Resolve(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return first.ID, second.ID
}

// matches reports whether err is the wanted one, or nil where none is wanted.
func matches(err, want error) bool {
	return errors.Is(err, want)
}

// realTempDir is a temporary folder by the name that git prints for it.
func realTempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
