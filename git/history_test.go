package git

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	const commits, pairs = 30, 20
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 0))
		dir := t.TempDir()
		initRepo(t, dir)
		write(t, dir, map[string]string{"history": randomHistory(random, commits)})
		ask := "git fast-import --quiet <history;"
		for range pairs {
			a, b := 1+random.IntN(commits), 1+random.IntN(commits)
			ask += fmt.Sprintf("echo pair $(git rev-parse c%d c%d); git merge-base --all c%d c%d || true; echo -; git rev-list c%d..c%d;", a, b, a, b, a, b)
		}
		answers := strings.Split("\n"+sh(t, dir, ask), "\npair ")[1:]
		r := open(t, dir, Options{})
		for _, answer := range answers {
			ids, _, _ := strings.Cut(answer, "\n")
			base, head, _ := strings.Cut(ids, " ")
			h, err := r.History(t.Context(), base, head)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sorted(strings.Fields(answer)), sorted(likeGit(ids, h))); diff != "" {
				t.Errorf("seed %d, %s (-git +ours):\n%s", seed, ids, diff)
			}
		}
	}
}

// likeGit writes a History the way that the test asks git for it.
func likeGit(ids string, h *History) []string {
	words := append(strings.Fields(ids), h.Bases...)
	words = append(words, "-")
	for _, c := range h.Commits {
		words = append(words, c.ID)
	}
	return words
}

// sorted sorts what stands before and after the dash.
func sorted(words []string) []string {
	dash := slices.Index(words, "-")
	slices.Sort(words[2:dash])
	slices.Sort(words[dash:])
	return words
}

// randomHistory writes a history as git fast-import reads it; times never run
// backwards from parent to child, and often stand still.
func randomHistory(random *rand.Rand, commits int) string {
	var b strings.Builder
	when := 1000
	for i := 1; i <= commits; i++ {
		when += random.IntN(3)
		message := fmt.Sprint(i)
		fmt.Fprintf(&b, "commit refs/heads/c%d\nmark :%d\ncommitter A <a@b> %d +0000\ndata %d\n%s\n", i, i, when, len(message), message)
		verb := "from"
		for _, p := range random.Perm(min(i-1, 6))[:min(i-1, random.IntN(3))] {
			fmt.Fprintf(&b, "%s :%d\n", verb, i-1-p)
			verb = "merge"
		}
		b.WriteByte('\n')
	}
	return b.String()
}
