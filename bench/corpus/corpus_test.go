package corpus

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/diff"
)

func TestTheSameSeedMakesTheSame(t *testing.T) {
	if !bytes.Equal(Patch(1, 20, 40_000), Patch(1, 20, 40_000)) || bytes.Equal(Patch(1, 20, 40_000), Patch(2, 20, 40_000)) {
		t.Error("patches do not follow their seed")
	}
	if d := cmp.Diff(Findings(1, 50, 5), Findings(1, 50, 5)); d != "" {
		t.Errorf("findings do not follow their seed:\n%s", d)
	}
	if d := cmp.Diff(Patterns(1, 50), Patterns(1, 50)); d != "" {
		t.Errorf("patterns do not follow their seed:\n%s", d)
	}
}

func TestPatchHasTheFilesAndTheSizeAskedFor(t *testing.T) {
	patch := Patch(1, 400, 1_000_000)
	p, err := diff.Parse(patch)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[diff.Status]int{}
	binary := 0
	for _, f := range p.Files {
		kinds[f.Status]++
		if f.Binary {
			binary++
		}
	}
	if len(p.Files) != 400 || len(patch) < 900_000 || len(patch) > 1_100_000 || len(kinds) != 4 || binary == 0 {
		t.Errorf("%d files, %d bytes, kinds %v, %d binary", len(p.Files), len(patch), kinds, binary)
	}
}

func TestRepoIsACommittedRepository(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "repo")
	if err := Repo(dir, 1, 60); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", dir, "ls-tree", "-r", "--name-only", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(out))); n != 60 {
		t.Errorf("%d files, want 60", n)
	}
}
