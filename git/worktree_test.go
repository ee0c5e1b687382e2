package git

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const tracked = "mkdir a; echo one >f; echo two >a/g; echo '*.log' >.gitignore; echo x >kept.log; git add -A; git add -f kept.log; git commit -qm 1;"

func TestDirtyTree(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         map[string]string // changes to the committed files; "-" is absent
	}{
		{name: "a clean copy", script: ""},
		{name: "a changed file", script: "echo 1 >f", want: map[string]string{"f": "1\n"}},
		{name: "a staged file", script: "echo 1 >f; git add f", want: map[string]string{"f": "1\n"}},
		{name: "a file staged and changed after that", script: "echo 1 >f; git add f; echo 2 >f", want: map[string]string{"f": "2\n"}},
		{name: "an untracked file", script: "mkdir -p n/m; echo new >n/m/x", want: map[string]string{"n/m/x": "new\n"}},
		{name: "an ignored file stays out", script: "echo noise >x.log; echo 1 >f", want: map[string]string{"f": "1\n"}},
		{name: "a tracked file that is ignored stays in", script: "echo y >kept.log", want: map[string]string{"kept.log": "y\n"}},
		{name: "a deleted file", script: "rm a/g", want: map[string]string{"a/g": "-"}},
		{name: "a file that became a link", script: "rm f; ln -s a/g f", want: map[string]string{"f": "-> a/g"}},
		{name: "an unfinished merge is taken as it stands", script: "git checkout -q -b o; echo o >f; git commit -qam o; git checkout -q main; echo m >f; git commit -qam m; git merge -q o >/dev/null || true; echo both >f", want: map[string]string{"f": "both\n"}},
		{name: "a split index", script: "git update-index --split-index; echo 1 >f", want: map[string]string{"f": "1\n"}},
		{name: "without an index what is ignored is no longer tracked", script: "rm .git/index", want: map[string]string{"kept.log": "-"}},
		{name: "a name with a line break", script: "echo x >'a\nb'", want: map[string]string{"a\nb": "x\n"}},
		{name: "line ends as the settings say", script: "printf '* text=auto\n' >.gitattributes; printf 'w\\r\\n' >f", want: map[string]string{".gitattributes": "* text=auto\n", "f": "w\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := testRepo(t, tracked+tt.script)
			before := snapshot(t, r.Work)
			id, err := r.DirtyTree(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, snapshot(t, r.Work)); diff != "" {
				t.Errorf("DirtyTree changed the repository (-before +after):\n%s", diff)
			}
			want := map[string]string{"f": "one\n", "a/g": "two\n", ".gitignore": "*.log\n", "kept.log": "x\n"}
			for name, text := range tt.want {
				want[name] = text
				if text == "-" {
					delete(want, name)
				}
			}
			if diff := cmp.Diff(want, filesOf(t, r, id)); diff != "" {
				t.Errorf("DirtyTree (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDirtyTreeOfALinkedWorktreeAndASubmodule(t *testing.T) {
	top := realTempDir(t)
	sh(t, top, `git init -q -b main s; cd s; echo s >s; git add s; git commit -qm s; cd ..
		git init -q -b main r; cd r; git -c protocol.file.allow=always submodule -q add ../s sub; echo f >f; git add f; git commit -qm r
		git worktree add -q -b w ../linked; echo new >../linked/new; echo inside >sub/inside; echo 2 >f`)
	for _, tt := range []struct {
		dir  string
		want map[string]string
	}{
		{"linked", map[string]string{"f": "f\n", "new": "new\n"}},
		{"r", map[string]string{"f": "2\n"}},
		{"r/sub", map[string]string{"s": "s\n", "inside": "inside\n"}},
	} {
		r := open(t, filepath.Join(top, tt.dir), Options{})
		id, err := r.DirtyTree(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := filesOf(t, r, id)
		delete(got, ".gitmodules")
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("DirtyTree of %s (-want +got):\n%s", tt.dir, diff)
		}
	}
}

// TestDirtyTreeEqualsGit edits a working copy at random and compares with what
// git makes of it with a fresh index.
func TestDirtyTreeEqualsGit(t *testing.T) {
	r := testRepo(t, "mkdir -p a b/c; echo 1 >a/1; echo 2 >a/2; echo 3 >b/c/3; echo 4 >4; git add -A; git commit -qm 1")
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 25 {
		for range random.IntN(5) {
			name := []string{"a/1", "a/2", "b/c/3", "4", "5", "a/6", "b/7"}[random.IntN(7)]
			text := []string{"", "1\n", "2\n", "other\n"}[random.IntN(4)]
			os.Remove(filepath.Join(r.Work, name))
			if text != "" {
				write(t, r.Work, map[string]string{name: text})
			}
			if random.IntN(4) == 0 {
				sh(t, r.Work, "git add -A")
			}
		}
		id, err := r.DirtyTree(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		dirty, err := r.Dirty(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s %v", id, dirty)
		want := sh(t, r.Work, `if [ -n "$(git status --porcelain)" ]; then dirty=true; else dirty=false; fi
			export GIT_INDEX_FILE=$PWD/.git/other; git read-tree HEAD; git add -A; echo $(git write-tree) $dirty`)
		if got != want {
			t.Errorf("round %d: DirtyTree and Dirty = %s, git says %s", round, got, want)
		}
	}
}

// A file that changed in the same instant as the index was written looks
// unchanged to git unless the copy of the index keeps its time.
func TestDirtyTreeSeesAChangeInTheInstantOfTheIndex(t *testing.T) {
	r := testRepo(t, "echo one >f; git add f; git commit -qm 1; echo two >f; touch -r .git/index f; git update-index -q --refresh || true; printf 'six\n' >f; touch -r .git/index f")
	id, err := r.DirtyTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"f": "six\n"}, filesOf(t, r, id)); diff != "" {
		t.Errorf("DirtyTree (-want +got):\n%s", diff)
	}
}

func TestStagedTree(t *testing.T) {
	r := testRepo(t, tracked+"echo 1 >f; git add f; echo 2 >f; echo new >untracked")
	id, err := r.StagedTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"f": "1\n", "a/g": "two\n", ".gitignore": "*.log\n", "kept.log": "x\n"}
	if diff := cmp.Diff(want, filesOf(t, r, id)); diff != "" {
		t.Errorf("StagedTree (-want +got):\n%s", diff)
	}
}

func TestStagedTreeOfTheIndexThatAHookIsGiven(t *testing.T) {
	dir := t.TempDir()
	initRepo(t, dir)
	sh(t, dir, "echo 1 >f; git add f; git commit -qm 1; echo 2 >f; cp -p .git/index .git/next; GIT_INDEX_FILE=.git/next git add f")
	r := open(t, dir, Options{IndexFile: ".git/next"})
	id, err := r.StagedTree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"f": "2\n"}, filesOf(t, r, id)); diff != "" {
		t.Errorf("StagedTree (-want +got):\n%s", diff)
	}
}

func TestTreesThatCannotBeMade(t *testing.T) {
	unmerged := testRepo(t, "echo 1 >f; git add f; git commit -qm 1; git checkout -q -b o; echo o >f; git commit -qam o; git checkout -q main; echo m >f; git commit -qam m; git merge -q o >/dev/null || true")
	if _, err := unmerged.StagedTree(t.Context()); !errors.Is(err, ErrUnmerged) {
		t.Errorf("StagedTree of an unfinished merge: %v, want ErrUnmerged", err)
	}
	top := t.TempDir()
	sh(t, top, "git init -q -b main o; cd o; git commit -q --allow-empty -m x; cd ..; git clone -q --bare o b 2>&1")
	bare := open(t, filepath.Join(top, "b"), Options{})
	if _, err := bare.DirtyTree(t.Context()); !errors.Is(err, ErrNoWorkTree) {
		t.Errorf("DirtyTree of a bare repository: %v, want ErrNoWorkTree", err)
	}
	nested := testRepo(t, "git commit -q --allow-empty -m x; git init -q nested")
	if _, err := nested.DirtyTree(t.Context()); err == nil || !strings.Contains(err.Error(), "'nested/' does not have a commit checked out") || !strings.Contains(err.Error(), ".gitignore") {
		t.Errorf("DirtyTree around a repository without a commit: %v", err)
	}
}

// filesOf returns the files of a tree.
func filesOf(t *testing.T, r *Repo, id string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	if err := r.Export(t.Context(), id, dir); err != nil {
		t.Fatal(err)
	}
	return contents(t, dir)
}

// snapshot describes every file below dir, git's own included: mode, size, time
// and content. (The time of objects is left out.)
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if d.Type().IsRegular() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(raw)
		}
		name, _ := filepath.Rel(dir, path)
		when := info.ModTime().String()
		if !d.IsDir() && (strings.HasPrefix(name, ".git/objects/") || strings.HasPrefix(name, ".git/sharedindex")) {
			when = "" // git renews the time of what it finds in use, so that it is not thrown away
		}
		seen[name] = fmt.Sprint(info.Mode(), info.Size(), when, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}
