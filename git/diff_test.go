package git

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nastyChange is a repository whose commits a and b differ in every way that
// git knows, with names that are hard to write down.
const nastyChange = `
printf 'one\ntwo\n' >f; printf 'old\n' >gone; seq 100 >moved; printf 'x' >nonl; printf 'a\r\nb\r\n' >crlf; printf '\0\1\2' >bin
printf '#!/bin/sh\n' >mode; ln -s f link; printf 'plain\n' >becomes-link; seq 50 >'sp ace'; printf 'x\n' >'tab	"q"'; printf 'u\n' >'ü.txt'
printf 'd\n' >'-dash'; printf '*.txt -diff\n*.go diff=evil\n' >.gitattributes; printf 'text\n' >t.txt; printf 'g\n' >g.go; printf 'n\n' >'a b/c' 2>/dev/null || { mkdir 'a b'; printf 'n\n' >'a b/c'; }
git add -A; git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,sub; git commit -qm a; git tag a
printf 'one\n2\n' >f; rm gone; mkdir d; git mv moved d/moved2; printf 'y' >nonl; printf 'a\r\nc\r\n' >crlf; printf '\0\1\3' >bin
chmod +x mode; ln -sf gone link; rm becomes-link; ln -s f becomes-link; git mv 'sp ace' 'sp	tab'; printf 'y\n' >'tab	"q"'; printf 'v\n' >'ü.txt'
printf 'e\n' >'-dash'; printf 'TEXT\n' >t.txt; printf 'h\n' >g.go; printf 'm\n' >'a b/c'; : >empty; printf '\0new' >newbin
git add -A; git update-index --add --cacheinfo 160000,2222222222222222222222222222222222222222,sub; git commit -qm b; git tag b`

func TestDiffAppliesExactly(t *testing.T) {
	r := testRepo(t, nastyChange)
	a, b := resolve2(t, r, "a", "b")
	patch, err := r.Diff(t.Context(), a, b, DiffOptions{Binary: true})
	if err != nil {
		t.Fatal(err)
	}
	copied, want := filepath.Join(t.TempDir(), "copy"), filepath.Join(t.TempDir(), "want")
	if err := r.Export(t.Context(), "a", copied); err != nil {
		t.Fatal(err)
	}
	if err := r.Export(t.Context(), "b", want); err != nil {
		t.Fatal(err)
	}
	if err := Apply(t.Context(), copied, patch, ApplyOptions{Strip: 1}); err != nil {
		t.Fatalf("Apply: %v", err)
	}
	if diff := cmp.Diff(contents(t, want), contents(t, copied)); diff != "" {
		t.Errorf("the patch applied to a (-b +got):\n%s", diff)
	}
}

func TestDiffDoesNotDependOnSettings(t *testing.T) {
	r := testRepo(t, nastyChange)
	a, b := resolve2(t, r, "a", "b")
	want, err := r.Diff(t.Context(), a, b, DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	trap := filepath.Join(t.TempDir(), "trap")
	sh(t, r.Work, `git config diff.noprefix true; git config diff.mnemonicPrefix true; git config color.ui always; git config core.quotePath false
		git config diff.external 'touch `+trap+`'; git config diff.evil.command 'touch `+trap+`'; git config diff.evil.textconv 'touch `+trap+`;cat'; git config core.fsmonitor 'touch `+trap+`'
		git config diff.renames false; git config diff.context 9; git config diff.algorithm patience; git config diff.submodule log; git config diff.ignoreSubmodules all
		git config diff.suppressBlankEmpty true; git config diff.orderFile x; git config diff.relative true; printf '* -diff\n* binary\n' >.git/info/attributes
		git replace b a -f`)
	again := open(t, r.Work, Options{})
	got, err := again.Diff(t.Context(), a, b, DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("Diff changed with the settings (-before +after):\n%s", diff)
	}
	if !bytes.Contains(got, []byte("-text\n+TEXT\n")) {
		t.Error("the attribute -diff hides the change of t.txt")
	}
	if !bytes.Contains(got, []byte("Subproject commit 2222")) {
		t.Error("the submodule's change is missing")
	}
	if contents(t, filepath.Dir(trap))["trap"] != "" || len(contents(t, filepath.Dir(trap))) > 0 {
		t.Error("a command of the configuration ran")
	}
}

func TestDiffOfBinaryFilesIsOneLineUnlessAskedFor(t *testing.T) {
	r := testRepo(t, "head -c 300000 /dev/urandom >bin; git add -A; git commit -qm a; git tag a; head -c 300000 /dev/urandom >bin; git commit -qam b; git tag b")
	a, b := resolve2(t, r, "a", "b")
	patch, err := r.Diff(t.Context(), a, b, DiffOptions{})
	if err != nil || len(patch) > 300 || !bytes.Contains(patch, []byte("Binary files a/bin and b/bin differ")) {
		t.Errorf("Diff: %d bytes, %v: want one line for the binary file", len(patch), err)
	}
	patch, err = r.Diff(t.Context(), a, b, DiffOptions{Binary: true})
	if err != nil || len(patch) < 300000 {
		t.Errorf("Diff with the content: %d bytes, %v", len(patch), err)
	}
}

func TestDiffOfEqualTreesIsEmpty(t *testing.T) {
	r := testRepo(t, "echo x >f; git add -A; git commit -qm a; git commit -q --allow-empty -m b")
	a, b := resolve2(t, r, "HEAD~1", "HEAD")
	if patch, err := r.Diff(t.Context(), a, b, DiffOptions{}); err != nil || len(patch) != 0 {
		t.Errorf("Diff = %q, %v", patch, err)
	}
}

func TestDiffTakesIDsOnly(t *testing.T) {
	r := testRepo(t, "git commit -q --allow-empty -m a")
	for _, name := range []string{"main", "--output=x", "", "HEAD"} {
		if _, err := r.Diff(t.Context(), name, name, DiffOptions{}); err == nil || !strings.Contains(err.Error(), "is not an object id") {
			t.Errorf("Diff(%q): %v", name, err)
		}
	}
}

func TestMerge(t *testing.T) {
	const base = "printf '1\\n2\\n3\\n4\\n5\\n' >f; echo g >g; git add -A; git commit -qm 1; git branch base;"
	for _, tt := range []struct {
		name, script string // leaves branch base and HEAD
		want         []string
		err          error
		merged       string // file f of the merged tree
	}{
		{name: "the head is ahead", script: base + "echo 6 >>f; git commit -qam 2", merged: "1\n2\n3\n4\n5\n6\n"},
		{name: "both changed different places", script: base + "echo 6 >>f; git commit -qam 2; git checkout -q base; sed -i s/1/one/ f; git commit -qam 3; git checkout -q main", merged: "one\n2\n3\n4\n5\n6\n"},
		{name: "both changed one line", script: base + "sed -i s/1/eins/ f; git commit -qam 2; git checkout -q base; sed -i s/1/one/ f; git commit -qam 3; git checkout -q main", want: []string{"f"}},
		{name: "one deleted what the other changed", script: base + "git rm -q f; git commit -qm 2; git checkout -q base; sed -i s/1/one/ f; echo G >g; git commit -qam 3; git checkout -q main", want: []string{"f"}},
		{name: "several conflicts", script: base + "echo x >f; echo x >g; git commit -qam 2; git checkout -q base; echo y >f; echo y >g; git commit -qam 3; git checkout -q main", want: []string{"f", "g"}},
		{name: "no common ancestor", script: base + "git checkout -q --orphan o; git commit -qm 2", err: ErrUnrelated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := testRepo(t, tt.script)
			before := contents(t, r.Dir)
			b, h := resolve2(t, r, "base", "HEAD")
			got, err := r.Merge(t.Context(), b, h)
			if diff := cmp.Diff(tt.want, got.Conflicts); diff != "" || !matches(err, tt.err) {
				t.Fatalf("Merge: %v, want %v; conflicts (-want +got):\n%s", err, tt.err, diff)
			}
			if diff := cmp.Diff(before, contents(t, r.Dir)); diff != "" {
				t.Errorf("Merge changed the repository (-before +after):\n%s", diff)
			}
			if tt.merged == "" {
				return
			}
			tree, err := r.Tree(t.Context(), got.Tree)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := tree.ReadFile("f"); string(text) != tt.merged || err != nil {
				t.Errorf("merged f = %q, %v, want %q", text, err, tt.merged)
			}
		})
	}
}

func TestMergeRunsNoDriverOfTheRepository(t *testing.T) {
	trap := filepath.Join(t.TempDir(), "trap")
	r := testRepo(t, "printf 'f merge=evil\n' >.gitattributes; echo 1 >f; git add -A; git commit -qm 1; git branch base; echo 2 >f; git commit -qam 2; git checkout -q base; echo 3 >f; git commit -qam 3; git checkout -q main;"+
		"git config merge.evil.driver 'touch "+trap+"'")
	b, h := resolve2(t, r, "base", "HEAD")
	got, err := r.Merge(t.Context(), b, h)
	if diff := cmp.Diff([]string{"f"}, got.Conflicts); err != nil || diff != "" {
		t.Errorf("Merge: %v (-want +got):\n%s", err, diff)
	}
	if len(contents(t, filepath.Dir(trap))) > 0 {
		t.Error("the merge driver ran")
	}
}

func TestMergeWithAGitThatCannot(t *testing.T) {
	dir := t.TempDir()
	initRepo(t, dir)
	sh(t, dir, "git commit -q --allow-empty -m x")
	path := wrapGit(t, `case "$*" in *merge-tree*) echo "usage: git merge-tree <base-tree> <branch1> <branch2>" >&2; exit 129;; esac`)
	r := open(t, dir, Options{Environ: []string{"PATH=" + path}})
	_, err := r.Merge(t.Context(), strings.Repeat("1", 40), strings.Repeat("2", 40))
	if !matches(err, ErrNoMerge) {
		t.Errorf("Merge: %v, want ErrNoMerge", err)
	}
}
