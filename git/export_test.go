package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExport(t *testing.T) {
	r := testRepo(t, someTree)
	dir := filepath.Join(t.TempDir(), "deep", "tree")
	if err := r.Export(t.Context(), "main", dir); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"f": "one", "a/f": "two", "a/b/c.go": "deep", "run": "#!/bin/sh\n", ".claude/rules/go.md": "rule",
		"sp ace/tab\tquote\".txt": "x", "empty": "", "a.b": "no newline", "a-b": "dash", "a/\xe9": "latin", "link": "-> f", "a/up": "-> ../f", "a/away": "-> ../../out",
		"abs": "-> /etc/passwd", "loop": "-> loop", "dirlink": "-> a/b", "dangling": "-> nosuch"}
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("Export (-want +got):\n%s", diff)
	}
	for name, want := range map[string]os.FileMode{"f": 0o644, "run": 0o755, "sub": os.ModeDir | 0o755, ".": os.ModeDir | 0o755} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want mode %v", name, info.Mode(), err, want)
		}
	}
	if others, _ := os.ReadDir(filepath.Dir(dir)); len(others) != 1 {
		t.Errorf("Export left %v", others)
	}
}

func TestExportWritesTheBytesOfTheRepository(t *testing.T) {
	trap := filepath.Join(t.TempDir(), "trap")
	r := testRepo(t, `printf '*.secret export-ignore\n*.v export-subst\n* text eol=crlf\n*.lfs filter=evil\n*.u working-tree-encoding=UTF-16\n*.i ident\n' >.gitattributes
		printf 's\n' >x.secret; printf '$Format:%%H$\n' >x.v; printf 'a\nb\n' >x.txt; printf 'version https://git-lfs\n' >x.lfs; printf '$Id$\n' >x.i; git add -A; git commit -qm 1
		git config filter.evil.smudge 'touch `+trap+`'; git config filter.evil.process 'touch `+trap+`'; git config filter.evil.required true; git config core.autocrlf true`)
	dir := filepath.Join(t.TempDir(), "tree")
	if err := r.Export(t.Context(), "HEAD", dir); err != nil {
		t.Fatal(err)
	}
	got := contents(t, dir)
	delete(got, ".gitattributes")
	want := map[string]string{"x.secret": "s\n", "x.v": "$Format:%H$\n", "x.txt": "a\nb\n", "x.lfs": "version https://git-lfs\n", "x.i": "$Id$\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Export (-want +got):\n%s", diff)
	}
	if len(contents(t, filepath.Dir(trap))) > 0 {
		t.Error("a filter ran")
	}
}

func TestExportIsAllOrNothing(t *testing.T) {
	r := testRepo(t, `mkdir d; for i in $(seq 20); do echo $i >d/$i; done; git add -A; git commit -qm 1
		rm -f .git/objects/$(git rev-parse HEAD:d/7 | sed 's#^..#&/#')`)
	parent := t.TempDir()
	err := r.Export(t.Context(), "HEAD", filepath.Join(parent, "tree"))
	if !errors.Is(err, errMissing) {
		t.Errorf("Export of a broken repository: %v, want a missing object", err)
	}
	if left, _ := os.ReadDir(parent); len(left) != 0 {
		t.Errorf("Export left %v", left)
	}
}

func TestExportDoesNotWriteThroughALink(t *testing.T) {
	// A tree that holds a link and a folder of one name cannot be made by git.
	outside := t.TempDir()
	r := testRepo(t, `git commit -q --allow-empty -m 1; blob=$(echo evil | git hash-object -w --stdin); link=$(printf '`+outside+`' | git hash-object -w --stdin)
		sub=$(printf "100644 blob $blob\tx\n" | git mktree); printf "120000 blob $link\ta\n040000 tree $sub\ta\n" | git mktree >id; git tag evil $(cat id)`)
	err := r.Export(t.Context(), "evil", filepath.Join(t.TempDir(), "tree"))
	if err == nil || !strings.Contains(err.Error(), `holds the name "a" twice`) {
		t.Errorf("Export: %v, want that the tree is refused", err)
	}
	if got := contents(t, outside); len(got) > 0 {
		t.Errorf("Export wrote %v outside", got)
	}
}

func TestExportToAFolderThatExists(t *testing.T) {
	r := testRepo(t, "echo x >f; git add f; git commit -qm 1")
	dir := t.TempDir()
	write(t, dir, map[string]string{"mine": "keep"})
	if err := r.Export(t.Context(), "HEAD", dir); err == nil {
		t.Error("Export over a folder with files: no error")
	}
	if diff := cmp.Diff(map[string]string{"mine": "keep"}, contents(t, dir)); diff != "" {
		t.Errorf("the folder changed:\n%s", diff)
	}
}

func TestPartialClone(t *testing.T) {
	top := t.TempDir()
	marker := filepath.Join(top, "fetched")
	sh(t, top, `git init -q -b main o; cd o; git config uploadpack.allowFilter true; git config uploadpack.allowAnySHA1InWant true
		echo 1 >f; git add f; git commit -qm 1; echo 2 >f; git commit -qam 2; cd ..
		git clone -q --no-checkout --filter=blob:none file://$PWD/o p; git -C o config uploadpack.packObjectsHook 'touch `+marker+`;'`)
	r := open(t, filepath.Join(top, "p"), Options{})
	head, parent := resolve2(t, r, "HEAD", "HEAD~1")
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.ReadDir("."); err != nil {
		t.Errorf("ReadDir: %v: folders are there", err)
	}
	_, err = tree.ReadFile("f")
	_, err2 := r.Diff(t.Context(), parent, head, DiffOptions{})
	err3 := r.Export(t.Context(), "HEAD", filepath.Join(top, "tree"))
	for _, err := range []error{err, err2, err3} {
		if !errors.Is(err, ErrNotFetched) || !strings.Contains(err.Error(), "git fetch --refetch --no-filter") {
			t.Errorf("%v: want ErrNotFetched with what to do", err)
		}
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("something was fetched")
	}
	sh(t, filepath.Join(top, "p"), "rm -f ../o/.git/config.lock; git -C ../o config --unset uploadpack.packObjectsHook; git fetch -q --refetch --no-filter")
	whole := open(t, filepath.Join(top, "p"), Options{})
	again, err := whole.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := again.ReadFile("f"); string(text) != "2\n" || err != nil {
		t.Errorf("after the advice was followed: %q, %v", text, err)
	}
}

func TestDefaultBranch(t *testing.T) {
	const commit = "git commit -q --allow-empty -m x;"
	for _, tt := range []struct{ name, script, want string }{
		{"what the remote calls its HEAD", commit + "git update-ref refs/remotes/origin/trunk HEAD; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk", "refs/remotes/origin/trunk"},
		{"a remote HEAD that leads nowhere does not count", commit + "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/gone; git update-ref refs/remotes/origin/main HEAD", "refs/remotes/origin/main"},
		{"the remote's main before the local one", commit + "git update-ref refs/remotes/origin/main HEAD", "refs/remotes/origin/main"},
		{"the local main", commit + "git checkout -q -b f", "refs/heads/main"},
		{"master when there is no main", commit + "git branch -m master", "refs/heads/master"},
		{"the configured name", commit + "git branch -m dev; git config init.defaultBranch dev", "refs/heads/dev"},
		{"the remote of the upstream", commit + "git remote add up .; git update-ref refs/remotes/up/main HEAD; git config branch.main.remote up; git config branch.main.merge refs/heads/main", "refs/remotes/up/main"},
		{"none", commit + "git branch -m dev", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := testRepo(t, tt.script)
			got, err := r.DefaultBranch(t.Context())
			if got.Name != tt.want || (tt.want == "") != errors.Is(err, ErrNoDefaultBranch) {
				t.Errorf("DefaultBranch = %q, %v, want %q", got.Name, err, tt.want)
			}
		})
	}
}
