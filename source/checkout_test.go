package source

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/git"
)

// got is what a Checkout says, as a test wants to see it.
type got struct {
	ID, Title, Author, BaseName string
	Created                     string // minutes and seconds of the pinned day
	Changed                     []string
	After                       string // file f after the change; "none" without a tree
	Conflicts, Notes            []string
}

const (
	moved       = "%s moved on since %s left it: the change is reviewed as merged into it"
	uncommitted = "uncommitted changes were not looked at: commit them, or review them with --uncommitted"
)

func TestCheckout(t *testing.T) {
	const start = "repo r; printf '1\\n2\\n3\\n4\\n5\\n' >f; c start; git checkout -q -b topic;"
	for _, tt := range []struct {
		name, script string // makes a repository r, or says another dir
		dir          string
		options      Options
		want         got
	}{
		{name: "a branch with one commit", script: start + "echo 6 >>f; c six",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "a branch with several commits takes title and date of its oldest", script: start + "echo 6 >>f; c six; echo x >g; c more",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f", "g"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "the base moved on and merges", script: start + "echo 6 >>f; c six; git checkout -q main; sed -i s/1/one/ f; echo x >g; c moved; git checkout -q topic",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "one\n2\n3\n4\n5\n6\n", Notes: []string{fmt.Sprintf(moved, "main", "topic")}}},
		{name: "the base moved on and does not merge", script: start + "sed -i s/1/eins/ f; c eins; git checkout -q main; sed -i s/1/one/ f; c one; git checkout -q topic",
			want: got{ID: "topic", Title: "eins", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "none", Conflicts: []string{"f"}}},
		{name: "--base", script: start + "echo 6 >>f; c six; git checkout -q -b next; echo 7 >>f; c seven", options: Options{Base: "topic"},
			want: got{ID: "next", Title: "seven", Author: "Ada", BaseName: "topic", Created: "03:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n7\n"}},
		{name: "the upstream, when it is another branch", script: start + "echo 6 >>f; c six; git checkout -q -b next --track topic >/dev/null; echo 7 >>f; c seven",
			want: got{ID: "next", Title: "seven", Author: "Ada", BaseName: "topic", Created: "03:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n7\n"}},
		{name: "the default branch, when the upstream is the pushed copy", dir: "clone",
			script: start + "echo 6 >>f; c six; git checkout -q main; cd ..; git clone -q r clone; cd clone; git checkout -q topic 2>/dev/null; echo 7 >>f; c seven",
			want:   got{ID: "topic", Title: "six", Author: "Ada", BaseName: "origin/main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n7\n"}},
		{name: "commits on the default branch that were not pushed", dir: "clone",
			script: start + "git checkout -q main; cd ..; git clone -q r clone; cd clone; echo 6 >>f; c six",
			want:   got{ID: "main", Title: "six", Author: "Ada", BaseName: "origin/main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "uncommitted work beside commits is not looked at, and that is said", script: start + "echo 6 >>f; c six; echo 7 >>f",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n", Notes: []string{uncommitted}}},
		{name: "an untracked file beside commits too", script: start + "echo 6 >>f; c six; echo 7 >new",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n", Notes: []string{uncommitted}}},
		{name: "without a commit the uncommitted work is the change", script: start + "echo 6 >>f; echo x >new; git add f",
			want: got{ID: "topic", Title: "uncommitted changes on topic", BaseName: "topic", Changed: []string{"f", "new"}, After: "1\n2\n3\n4\n5\n6\n",
				Notes: []string{"topic has no commit that main does not have: the uncommitted changes are reviewed"}}},
		{name: "--uncommitted takes staged, changed and untracked files", script: start + "echo 6 >>f; git add f; echo 7 >>f; echo x >new; echo y >.gitignore; echo skip >skip; echo skip >>.gitignore", options: Options{Uncommitted: true},
			want: got{ID: "topic", Title: "uncommitted changes on topic", BaseName: "topic", Changed: []string{".gitignore", "f", "new"}, After: "1\n2\n3\n4\n5\n6\n7\n"}},
		{name: "--staged takes the index only", script: start + "echo 6 >>f; git add f; echo 7 >>f; echo x >new", options: Options{Staged: true},
			want: got{ID: "topic", Title: "staged changes on topic", BaseName: "topic", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "--commit", script: start + "echo 6 >>f; c six; echo 7 >>f; c seven", options: Options{Commit: "HEAD~1"},
			want: got{ID: "<HEAD~1>", Title: "six", Author: "Ada", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "--commit of the first commit is against nothing", script: start, options: Options{Commit: "main"},
			want: got{ID: "<main>", Title: "start", Author: "Ada", Created: "01:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n"}},
		{name: "--commit of a merge is against its first parent", script: start + "echo x >g; c g; git checkout -q main; echo y >h; c h; git merge -q topic -m merged", options: Options{Commit: "main"},
			want: got{ID: "<main>", Title: "merged", Author: "Ada", Created: "03:00", Changed: []string{"g"}, After: "1\n2\n3\n4\n5\n", Notes: []string{"<main> is a merge: it is compared with its first parent, <main~1>"}}},
		{name: "a range", script: start + "echo 6 >>f; c six; echo 7 >>f; c seven", options: Options{Range: "topic~1..topic"},
			want: got{ID: "topic", Title: "seven", Author: "Ada", Created: "03:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n7\n"}},
		{name: "a range whose ends moved apart is merged", script: start + "echo 6 >>f; c six; git checkout -q main; echo x >g; c g", options: Options{Range: "main..topic"},
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n", Notes: []string{fmt.Sprintf(moved, "main", "topic")}}},
		{name: "a range since the fork", script: start + "echo 6 >>f; c six; git checkout -q main; sed -i s/1/one/ f; c one", options: Options{Range: "main...topic"},
			want: got{ID: "topic", Title: "six", Author: "Ada", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "a range without an end goes to HEAD", script: start + "echo 6 >>f; c six", options: Options{Range: "main.."},
			want: got{ID: "<topic>", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "a detached HEAD is compared with the default branch", script: start + "echo 6 >>f; c six; git checkout -q --detach",
			want: got{ID: "<topic>", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "no commit yet", script: "repo r; echo 1 >f",
			want: got{ID: "uncommitted", Title: "uncommitted changes on an empty repository", BaseName: "an empty repository", Changed: []string{"f"}, After: "1\n", Notes: []string{"the repository has no commit yet: all files are reviewed as new"}}},
		{name: "no commit yet and --staged", script: "repo r; echo 1 >f; git add f; echo 2 >f", options: Options{Staged: true},
			want: got{ID: "uncommitted", Title: "staged changes on an empty repository", BaseName: "an empty repository", Changed: []string{"f"}, After: "1\n"}},
		{name: "a linked worktree", script: start + "echo 6 >>f; c six; git checkout -q main; git worktree add -q ../linked topic; echo dirt >dirt", dir: "linked",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "a bare repository", script: start + "echo 6 >>f; c six; cd ..; git clone -q --bare r bare", dir: "bare",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "a submodule that moved", script: start + `git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,lib; git commit -qm lib; git branch -f main; mkdir lib
			git update-index --cacheinfo 160000,2222222222222222222222222222222222222222,lib; echo 6 >>f; git add f; git commit -qm bump`,
			want: got{ID: "topic", Title: "bump", Author: "Ada", BaseName: "main", Created: "01:00", Changed: []string{"f", "lib"}, After: "1\n2\n3\n4\n5\n6\n",
				Notes: []string{"lib is a submodule: the change of its commit is shown, what changes inside it is not looked at"}}},
		{name: "a shallow clone that reaches the fork", dir: "cut", script: start + "echo 6 >>f; c six; git checkout -q main; cd ..; git clone -q --no-single-branch --depth=2 -b topic file://$PWD/r cut 2>&1; cd cut; git branch -q --unset-upstream",
			want: got{ID: "topic", Title: "six", Author: "Ada", BaseName: "origin/main", Created: "02:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
		{name: "a commit without a message", script: start + "echo 6 >>f; git commit -qa --allow-empty-message -m ''",
			want: got{ID: "topic", Title: "topic", Author: "Ada", BaseName: "main", Created: "01:00", Changed: []string{"f"}, After: "1\n2\n3\n4\n5\n6\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			sh(t, top, tt.script)
			dir := filepath.Join(top, tt.dir)
			if tt.dir == "" {
				dir = filepath.Join(top, "r")
			}
			c, err := Checkout(t.Context(), openRepo(t, dir), tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(spell(t, dir, tt.want), view(t, c)); diff != "" {
				t.Errorf("Checkout (-want +got):\n%s\npatch:\n%s", diff, c.Patch)
			}
			if !c.Local || c.Approvals == nil || c.Base == nil || c.Change.Base == "" || c.Head == "" {
				t.Errorf("Checkout: local %v, approvals %v, base %v %q, head %q: all must be there", c.Local, c.Approvals, c.Base, c.Change.Base, c.Head)
			}
		})
	}
}

// view takes from a change what a test wants to see.
func view(t *testing.T, c Change) got {
	t.Helper()
	patch, err := diff.Parse(c.Patch)
	if err != nil {
		t.Fatal(err)
	}
	v := got{ID: c.ID, Title: c.Title, Author: c.Author, BaseName: c.BaseName, Changed: patch.ChangedPaths(), Conflicts: c.Conflicts, Notes: c.Notes, After: "none"}
	if !c.CreatedAt.IsZero() {
		v.Created = c.CreatedAt.Format("04:05")
	}
	if after := contents(t, c.After); after != nil {
		v.After = after["f"]
	}
	return v
}

// spell replaces <name> in what is wanted by the short id of a commit.
func spell(t *testing.T, dir string, want got) got {
	t.Helper()
	replace := func(text string) string {
		for {
			before, rest, ok := strings.Cut(text, "<")
			name, after, ok2 := strings.Cut(rest, ">")
			if !ok || !ok2 {
				return text
			}
			text = before + sh(t, dir, "git rev-parse --short=10 "+name) + after
		}
	}
	want.ID = replace(want.ID)
	for i := range want.Notes {
		want.Notes[i] = replace(want.Notes[i])
	}
	return want
}

func TestCheckoutSaysWhatToDo(t *testing.T) {
	const start = "repo r; echo 1 >f; c start; git checkout -q -b topic;"
	for _, tt := range []struct {
		name, script, dir string
		options           Options
		is                error
		want              string
	}{
		{name: "nothing was done", script: start, is: ErrEmpty, want: "nothing to review: topic has no commit that main does not have, and nothing is uncommitted: commit something, or name another base with --base"},
		{name: "the branch is behind its base", script: start + "git checkout -q main; echo 2 >f; c two; git checkout -q topic", is: ErrEmpty, want: "topic has no commit that main does not have"},
		{name: "nothing is uncommitted", script: start, options: Options{Uncommitted: true}, is: ErrEmpty, want: "nothing to review: nothing is uncommitted: change a file first, or review what is committed with --commit or a range A..B"},
		{name: "nothing is staged", script: start + "echo 2 >f", options: Options{Staged: true}, is: ErrEmpty, want: "nothing to review: nothing is staged: git add something first"},
		{name: "no commit and no file", script: "repo r", is: ErrEmpty, want: "nothing to review: the repository has no commit and no file yet: write and commit something first"},
		{name: "commits that change nothing", script: start + "c empty", is: ErrEmpty, want: "nothing to review: the commits of the branch together change no file: commit a change to one first"},
		{name: "the base has it already", script: start + "echo 2 >f; c two; git checkout -q main; echo 2 >f; c same; echo x >g; c more; git checkout -q topic", is: ErrEmpty, want: "nothing to review: what topic changes is in main already: name an older base to review it all the same"},
		{name: "an empty commit", script: start + "c empty", options: Options{Commit: "HEAD"}, is: ErrEmpty, want: "nothing to review: commit HEAD changes no file: name another one"},
		{name: "an empty range", script: start, options: Options{Range: "topic..main"}, is: ErrEmpty, want: "nothing to review: range topic..main is empty, main has no commit that topic does not have: write the base first, as BASE..CHANGE"},
		{name: "a range of commits that change nothing", script: start + "c empty", options: Options{Range: "main..topic"}, is: ErrEmpty, want: "nothing to review: the commits of main..topic together change no file: name another range"},
		{name: "the default branch itself", script: start + "git checkout -q main", is: ErrEmpty, want: "nothing to review: main is the base itself, and nothing is uncommitted: switch to the branch to review, or name what to review with --commit or a range A..B"},
		{name: "a base that is not there", script: start, options: Options{Base: "mian"}, want: `the repository has no "mian": did you mean main?`},
		{name: "a base like an option", script: start, options: Options{Base: "--exec=x"}, want: `revision "--exec=x" begins with a dash`},
		{name: "a commit that is not there", script: start, options: Options{Commit: "1234567"}, want: `the repository has no "1234567"`},
		{name: "a range that is none", script: start, options: Options{Range: "main"}, want: `range "main" has no dots: write A..B, or name one commit with --commit`},
		{name: "two choices", script: start, options: Options{Staged: true, Commit: "HEAD"}, want: "a commit and staged name different changes: choose one"},
		{name: "a base for the index", script: start, options: Options{Staged: true, Base: "main"}, want: "staged and a base name different changes: choose one"},
		{name: "no common ancestor", script: start + "git checkout -q --orphan other; c other", is: git.ErrUnrelated, want: "main and other have no common ancestor: name the branch that the change goes to with --base"},
		{name: "no default branch", script: "repo r; echo 1 >f; c start; git branch -m dev", is: git.ErrNoDefaultBranch, want: "name the branch that the change goes to with --base"},
		{name: "a bare repository has no index to stage", script: start + "cd ..; git clone -q --bare r bare", dir: "bare", options: Options{Uncommitted: true}, is: git.ErrNoWorkTree, want: "there is no working copy here"},
		{name: "a bare repository on its default branch", script: start + "git checkout -q main; cd ..; git clone -q --bare r bare", dir: "bare", is: ErrEmpty, want: "nothing to review: main is the base itself: switch to the branch to review"},
		{name: "an unfinished merge and --staged", script: start + "echo 2 >f; c two; git checkout -q main; echo 3 >f; c three; git merge -q topic >/dev/null || true", options: Options{Staged: true}, is: git.ErrUnmerged, want: "a merge is not finished"},
		{name: "a shallow clone that does not reach the fork", dir: "cut", script: start + "echo 2 >f; c two; echo 3 >f; c three; git checkout -q main; c moved; cd ..; git clone -q --no-single-branch --depth=1 -b topic file://$PWD/r cut 2>&1; cd cut; git branch -q --unset-upstream",
			is: ErrShallow, want: "the clone is shallow and does not reach back to where topic left origin/main: run git fetch --deepen=50 origin main"},
		{name: "a shallow clone without the base", dir: "cut", script: start + "echo 2 >f; c two; cd ..; git clone -q --depth=1 -b topic file://$PWD/r cut 2>&1; cd cut; git update-ref -d refs/remotes/origin/HEAD", is: git.ErrNoDefaultBranch, want: "fetch it with git fetch origin main:refs/remotes/origin/main, or name another branch with --base"},
		{name: "a commit at the end of a shallow clone", dir: "cut", script: start + "echo 2 >f; c two; cd ..; git clone -q --depth=1 -b topic file://$PWD/r cut 2>&1", options: Options{Commit: "HEAD"}, is: ErrShallow, want: "run git fetch --deepen=1"},
		{name: "a partial clone without the files", dir: "part", script: start + "echo 2 >f; c two; git config uploadpack.allowFilter true; cd ..; git clone -q --no-checkout --filter=blob:none file://$PWD/r part; cd part; git read-tree HEAD", options: Options{Range: "origin/main..origin/topic"},
			is: git.ErrNotFetched, want: "git fetch --refetch --no-filter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			sh(t, top, tt.script)
			dir := filepath.Join(top, tt.dir)
			if tt.dir == "" {
				dir = filepath.Join(top, "r")
			}
			c, err := Checkout(t.Context(), openRepo(t, dir), tt.options)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Checkout: %v, want %q; patch %q", err, tt.want, c.Patch)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("Checkout: %v does not wrap %v", err, tt.is)
			}
		})
	}
}

func TestCheckoutOfASubfolderIsTheWholeChange(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sh(t, top, "repo r; mkdir -p a/b; echo 1 >f; echo 1 >a/b/g; c start; echo 2 >f; echo 2 >a/b/g; git add .")
	for _, options := range []Options{{}, {Staged: true}, {Uncommitted: true}} {
		whole, err := Checkout(t.Context(), openRepo(t, filepath.Join(top, "r")), options)
		if err != nil {
			t.Fatal(err)
		}
		repo := openRepo(t, filepath.Join(top, "r", "a", "b"))
		part, err := Checkout(t.Context(), repo, options)
		if diff := cmp.Diff(string(whole.Patch), string(part.Patch)); err != nil || diff != "" || repo.Work != filepath.Join(top, "r") {
			t.Errorf("Checkout(%+v) in a subfolder of %s: %v (-top +subfolder):\n%s", options, repo.Work, err, diff)
		}
	}
}

func TestCheckoutListsTheCommits(t *testing.T) {
	top := t.TempDir()
	sh(t, top, "repo r; c start; git checkout -q -b topic; echo 1 >f; c 'first\n\nBecause.'; echo 2 >f; c second")
	c, err := Checkout(t.Context(), openRepo(t, filepath.Join(top, "r")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "Because.\n\n2 commits:\n- first\n- second"
	if diff := cmp.Diff(want, c.Description); diff != "" || c.Repo != "r" {
		t.Errorf("repository %q, description (-want +got):\n%s", c.Repo, diff)
	}
	if want := time.Date(2026, 1, 2, 3, 2, 0, 0, time.UTC); !c.CreatedAt.Equal(want) {
		t.Errorf("CreatedAt = %v, want %v", c.CreatedAt, want)
	}
}

func TestCheckoutWithAGitThatCannotMerge(t *testing.T) {
	top := t.TempDir()
	sh(t, top, "repo r; printf '1\n2\n3\n' >f; c start; git checkout -q -b topic; echo 4 >>f; c four; git checkout -q main; c moved; git checkout -q topic")
	path := wrapGit(t, `case "$*" in *merge-tree*) exit 129;; esac`)
	c, err := Checkout(t.Context(), openRepo(t, filepath.Join(top, "r"), "PATH="+path), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := got{ID: "topic", Title: "four", Author: "Ada", BaseName: "main", Created: "02:00", Changed: []string{"f"}, After: "none",
		Notes: []string{"git is older than 2.38: the patch is what topic changed since it left main, and whether the two merge is not known"}}
	if diff := cmp.Diff(want, view(t, c)); diff != "" {
		t.Errorf("Checkout (-want +got):\n%s", diff)
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

// TestGitProcessesPerChange holds the goal of five git processes for a change,
// whatever its size, tree reading included.
func TestGitProcessesPerChange(t *testing.T) {
	const most = 5
	for _, tt := range []struct {
		name, script string
		options      Options
	}{
		{name: "a branch", script: "git checkout -q -b topic; $many; c work"},
		{name: "a branch whose base moved on", script: "git checkout -q -b topic; $many; c work; git checkout -q main; echo x >other; c moved; git checkout -q topic"},
		{name: "a branch that conflicts", script: "git checkout -q -b topic; $many; echo a >f; c work; git checkout -q main; echo b >f; c moved; git checkout -q topic"},
		{name: "uncommitted work", script: "$many", options: Options{Uncommitted: true}},
		{name: "uncommitted work without being asked for it", script: "$many"},
		{name: "the index", script: "$many; git add -A", options: Options{Staged: true}},
		{name: "a commit", script: "$many; c work", options: Options{Commit: "HEAD"}},
		{name: "a range", script: "$many; c work", options: Options{Range: "HEAD~1..HEAD"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var counts []int
			for _, files := range []int{1, 1000} {
				top := t.TempDir()
				many := fmt.Sprintf("many() { for i in $(seq %d); do echo $i >n$i; done; }; ", files)
				sh(t, top, many+"repo r; echo 1 >f; c start;"+strings.ReplaceAll(tt.script, "$many", "many"))
				log := filepath.Join(t.TempDir(), "log")
				path := wrapGit(t, `printf '%s\n' "$*" >>`+log)
				c, err := Checkout(t.Context(), openRepo(t, filepath.Join(top, "r"), "PATH="+path), tt.options)
				if err != nil {
					t.Fatal(err)
				}
				contents(t, c.Base)
				contents(t, c.After)
				calls, err := os.ReadFile(log)
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(string(calls), "\n"); n > most {
					t.Errorf("%d files: %d git processes, at most %d are allowed:\n%s", files, n, most, calls)
				}
				counts = append(counts, strings.Count(string(calls), "\n"))
			}
			if counts[0] != counts[1] {
				t.Errorf("git processes: %d for 1 file, %d for 1,000", counts[0], counts[1])
			}
		})
	}
}

// nasty is a change with every kind of file and names that are hard to write.
const nasty = `repo r
printf 'one\ntwo\n' >f; echo old >gone; seq 100 >moved; printf x >nonl; printf 'a\r\nb\r\n' >crlf; printf '\0\1' >bin; echo m >mode; ln -s f link
echo p >becomes-link; seq 50 >'sp ace'; echo x >'tab	"q"'; echo u >'ü.txt'; echo d >'-dash'; printf 'é' >"$(printf 'latin\351')"; mkdir 'a b'; echo n >'a b/c d'
echo b >'back\slash'; echo '*.go -diff' >.gitattributes; echo g >g.go; echo nl >"$(printf 'line\nbreak')"; c start; git checkout -q -b topic
echo 2 >>f; rm gone; mkdir d; git mv moved d/moved2; printf y >nonl; printf 'a\r\nc\r\n' >crlf; printf '\0\2' >bin; chmod +x mode; ln -sf gone link
rm becomes-link; ln -s f becomes-link; git mv 'sp ace' 'sp	tab'; echo y >'tab	"q"'; echo v >'ü.txt'; echo e >'-dash'; printf 'e' >"$(printf 'latin\351')"; echo m >'a b/c d'
echo c >'back\slash'; echo h >g.go; echo ml >"$(printf 'line\nbreak')"; : >empty; printf '\0new' >newbin; echo x >"a b -> c"; echo y >'b/ b' 2>/dev/null || { mkdir b; echo y >'b/ b'; }; c work`

func TestCheckoutPatchNamesWhatGitNames(t *testing.T) {
	top := t.TempDir()
	sh(t, top, nasty)
	dir := filepath.Join(top, "r")
	c, err := Checkout(t.Context(), openRepo(t, dir), Options{})
	if err != nil {
		t.Fatal(err)
	}
	patch, err := diff.Parse(c.Patch)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	fields := strings.Split(sh(t, dir, "git diff --name-status -z -M main topic"), "\x00")
	for len(fields) > 1 {
		paths := 1
		if strings.HasPrefix(fields[0], "R") {
			paths = 2
		}
		want = append(want, fields[1:1+paths]...)
		fields = fields[1+paths:]
	}
	got := patch.ChangedPaths()
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changed paths (-git +patch):\n%s", diff)
	}
}

func TestCheckoutFolders(t *testing.T) {
	top := t.TempDir()
	sh(t, top, nasty)
	cache := t.TempDir()
	repo := openRepo(t, filepath.Join(top, "r"))
	c, err := Checkout(t.Context(), repo, Options{CacheDir: cache})
	if err != nil {
		t.Fatal(err)
	}
	for name, tree := range map[string]Tree{"main": c.Base, "topic": c.After.(Tree)} {
		id, err := tree.ID(t.Context())
		if want := sh(t, repo.Work, "git rev-parse "+name+"^{tree}"); id != want || err != nil {
			t.Errorf("ID of %s = %s, %v, want %s", name, id, err, want)
		}
		dir, err := tree.Folder(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(contents(t, tree), contents(t, Folder(dir, ""))); diff != "" {
			t.Errorf("folder of %s (-tree +folder):\n%s", name, diff)
		}
	}
	before, _ := c.Base.Folder(t.Context())
	again, err := Checkout(t.Context(), repo, Options{CacheDir: cache})
	if err != nil {
		t.Fatal(err)
	}
	if after, err := again.Base.Folder(t.Context()); after != before || err != nil {
		t.Errorf("second Folder = %s, %v, want %s", after, err, before)
	}
	if trees, _ := os.ReadDir(filepath.Join(cache, "trees")); len(trees) != 2 {
		t.Errorf("the cache holds %v, want two trees", trees)
	}
}
