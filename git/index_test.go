package git

import (
	"encoding/hex"
	"errors"
	"os"
	"testing"
)

const manyNames = `mkdir -p a/b a-b d/e/f; for n in a.b a/b/x a/b/y a-b/z a0 d/e/f/g d/h 'd/é' 'd/ sp'; do echo $n >"$n"; done; chmod +x a0; ln -s a0 ln; `

func TestTreeOfIndexEqualsGit(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		odd          bool // git itself must read it
	}{
		{name: "a fresh index", script: manyNames + "git add -A"},
		{name: "an index after a commit", script: manyNames + "git add -A; git commit -qm 1"},
		{name: "a change after a commit", script: manyNames + "git add -A; git commit -qm 1; echo new >d/e/f/new; git rm -qr --cached a-b; git add d"},
		{name: "a folder that lost its last file", script: manyNames + "git add -A; git commit -qm 1; git rm -q d/e/f/g"},
		{name: "version 4", script: manyNames + "git add -A; git update-index --index-version 4"},
		{name: "version 4 after a change", script: manyNames + "git add -A; git update-index --index-version 4; git commit -qm 1; echo new >a/b/new; git add a"},
		{name: "a file to be added later", script: manyNames + "git add a; git commit -qm 1; git add -N d/h; git add a0"},
		{name: "a folder with files to be added later only", script: manyNames + "git add a; git commit -qm 1; git add -N d"},
		{name: "a file that is skipped", script: manyNames + "git add -A; git commit -qm 1; git update-index --skip-worktree d/h; rm d/h"},
		{name: "a submodule", script: manyNames + "git add -A; git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,sub"},
		{name: "untracked cache", script: manyNames + "git add -A; git update-index --force-untracked-cache; git status >/dev/null"},
		{name: "nothing", script: "git add -A"},
		{name: "everything removed", script: manyNames + "git add -A; git commit -qm 1; git rm -qr ."},
		{name: "a split index", script: manyNames + "git add -A; git update-index --split-index; echo x >a0; git add a0", odd: true},
		{name: "a sparse index", script: manyNames + "git add -A; git commit -qm 1; git sparse-checkout set --cone --sparse-index a", odd: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := testRepo(t, tt.script)
			want := sh(t, r.Work, "git write-tree --missing-ok")
			got, err := r.treeOf(r.index)
			if tt.odd {
				if !errors.Is(err, errOddIndex) {
					t.Errorf("treeOf = %s, %v, want errOddIndex", got, err)
				}
				got, err = r.StagedTree(t.Context())
			}
			if got != want || err != nil {
				t.Errorf("tree of the index = %s, %v, git makes %s", got, err, want)
			}
			if _, err := r.Diff(t.Context(), r.EmptyTree(), got, DiffOptions{}); err != nil && tt.name != "a submodule" {
				t.Errorf("the tree cannot be read: %v", err)
			}
		})
	}
}

func TestTreeOfIndexWithSHA256(t *testing.T) {
	dir := t.TempDir()
	sh(t, dir, "git init -q --object-format=sha256 -b main .;"+manyNames+"git add -A; git commit -qm 1; echo x >a/b/x; git add -A")
	r := open(t, dir, Options{})
	got, err := r.treeOf(r.index)
	if want := sh(t, dir, "git write-tree"); got != want || err != nil {
		t.Errorf("treeOf = %s, %v, git makes %s", got, err, want)
	}
}

func FuzzParseIndex(f *testing.F) {
	dir := f.TempDir()
	for _, hexed := range []string{
		"44495243000000020000000000000000000000000000000000000000000000000000000000", // no entry
	} {
		data, err := hex.DecodeString(hexed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, 20)
	}
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"+string(make([]byte, 24))+"\x00\x00\x81\xa4"+string(make([]byte, 32))+"\x00\x01a"+string(make([]byte, 9))+
		"TREE\x00\x00\x00\x06\x00-1 0\n"+string(make([]byte, 20))), 20)
	f.Fuzz(func(t *testing.T, data []byte, idLen int) {
		if idLen != 20 && idLen != 32 {
			idLen = 20
		}
		ix, err := parseIndex(data, idLen)
		if err != nil {
			return
		}
		r := &Repo{scratch: dir, format: map[int]string{20: "sha1", 32: "sha256"}[idLen]}
		if err := os.WriteFile(dir+"/index", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := r.treeOf(dir + "/index"); err != nil && !errors.Is(err, errOddIndex) {
			t.Errorf("treeOf of %d entries: %v", len(ix.entries), err)
		}
	})
}
