package git

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// relation is a History by commit subjects.
type relation struct {
	Bases, Commits []string
	Cut            bool
}

func TestHistory(t *testing.T) {
	const commit = `c() { git commit -q --allow-empty -m "$1"; };`
	for _, tt := range []struct {
		name, script string
		want         relation
	}{
		{name: "the head is the base", script: commit + "c 1; git branch base", want: relation{Bases: []string{"1"}}},
		{name: "the head is ahead", script: commit + "c 1; git branch base; c 2; c 3", want: relation{Bases: []string{"1"}, Commits: []string{"3", "2"}}},
		{name: "the head is behind", script: commit + "c 1; c 2; git branch base; git reset -q --hard HEAD~1", want: relation{Bases: []string{"1"}}},
		{name: "both moved on", script: commit + "c 1; git checkout -q -b base; c 2; git checkout -q main; c 3; c 4", want: relation{Bases: []string{"1"}, Commits: []string{"4", "3"}}},
		{name: "a merge of the base into the head", script: commit + "c 1; git checkout -q -b base; c 2; git checkout -q main; c 3; git merge -q base -m 4; git checkout -q base; c 5; git checkout -q main",
			want: relation{Bases: []string{"2"}, Commits: []string{"4", "3"}}},
		{name: "merges both ways leave two bases", script: commit + "c 1; git checkout -q -b base; c 2; git tag b2; git checkout -q main; c 3; git tag m3; git merge -q b2 -m 4; git checkout -q base; git merge -q m3 -m 5; git checkout -q main",
			want: relation{Bases: []string{"2", "3"}, Commits: []string{"4"}}},
		{name: "no common ancestor", script: commit + "c 1; git branch base; git checkout -q --orphan o; c 2", want: relation{Commits: []string{"2"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := testRepo(t, tt.script)
			if diff := cmp.Diff(tt.want, history(t, r)); diff != "" {
				t.Errorf("History (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHistoryOfAShallowClone(t *testing.T) {
	top := t.TempDir()
	sh(t, top, `git init -q -b main o; cd o; c() { git commit -q --allow-empty -m "$1"; }
		c 1; git checkout -q -b base; c 2; git checkout -q main; c 3; c 4; cd ..
		git clone -q --no-single-branch --depth=1 file://$PWD/o cut 2>&1; git -C cut branch -q base origin/base`)
	r := open(t, filepath.Join(top, "cut"), Options{})
	want := relation{Commits: []string{"4"}, Cut: true}
	if diff := cmp.Diff(want, history(t, r)); diff != "" {
		t.Errorf("History (-want +got):\n%s", diff)
	}
}

// history is the History of the branch base and HEAD.
func history(t *testing.T, r *Repo) relation {
	t.Helper()
	base, err := r.Resolve(t.Context(), "base")
	if err != nil {
		t.Fatal(err)
	}
	head, err := r.Resolve(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.History(t.Context(), base.ID, head.ID)
	if err != nil {
		t.Fatal(err)
	}
	got := relation{Cut: h.Cut}
	for _, id := range h.Bases {
		c, err := r.Resolve(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		got.Bases = append(got.Bases, c.Subject)
	}
	slices.Sort(got.Bases)
	for _, c := range h.Commits {
		got.Commits = append(got.Commits, c.Subject)
	}
	return got
}

// TestHistoryEqualsGit compares random histories with what git merge-base and
// git rev-list say about them.
func TestHistoryEqualsGit(t *testing.T) {
	top := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		name := fmt.Sprintf("r%d", n)
		write(t, top, map[string]string{name + ".in": randomHistory(rt)})
		sh(t, top, fmt.Sprintf("git init -q -b main %s; git -C %s fast-import --quiet <%s.in", name, name, name))
		dir := filepath.Join(top, name)
		r, err := Open(t.Context(), dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		base, head := sh(t, dir, "git rev-parse a"), sh(t, dir, "git rev-parse b")
		h, err := r.History(t.Context(), base, head)
		if err != nil {
			rt.Fatal(err)
		}
		bases := strings.Fields(sh(t, dir, "git merge-base --all a b || true"))
		slices.Sort(bases)
		slices.Sort(h.Bases)
		if diff := cmp.Diff(bases, h.Bases); len(bases)+len(h.Bases) > 0 && diff != "" {
			rt.Errorf("merge bases (-git +ours):\n%s", diff)
		}
		var commits []string
		for _, c := range h.Commits {
			commits = append(commits, c.ID)
		}
		listed := strings.Fields(sh(t, dir, "git rev-list --topo-order a..b"))
		slices.Sort(commits)
		slices.Sort(listed)
		if diff := cmp.Diff(listed, commits); len(listed)+len(commits) > 0 && diff != "" {
			rt.Errorf("commits (-git +ours):\n%s", diff)
		}
	})
}

// randomHistory draws a history as git fast-import reads it; times never run
// backwards from parent to child, and often stand still.
func randomHistory(t *rapid.T) string {
	var b strings.Builder
	n := rapid.IntRange(2, 14).Draw(t, "commits")
	when := 1000
	for i := 1; i <= n; i++ {
		when += rapid.IntRange(0, 2).Draw(t, "later")
		message := fmt.Sprint(i)
		fmt.Fprintf(&b, "commit refs/heads/c%d\nmark :%d\ncommitter A <a@b> %d +0000\ndata %d\n%s\n", i, i, when, len(message), message)
		parents := map[int]bool{}
		for range rapid.IntRange(0, 2).Draw(t, "parents") {
			if p := rapid.IntRange(max(1, i-5), i).Draw(t, "parent"); p < i && !parents[p] {
				verb := "from"
				if len(parents) > 0 {
					verb = "merge"
				}
				parents[p] = true
				fmt.Fprintf(&b, "%s :%d\n", verb, p)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "reset refs/heads/a\nfrom :%d\n\nreset refs/heads/b\nfrom :%d\n\n",
		rapid.IntRange(1, n).Draw(t, "base"), rapid.IntRange(1, n).Draw(t, "head"))
	return b.String()
}
