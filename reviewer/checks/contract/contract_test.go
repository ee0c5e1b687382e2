package contract

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the breaks into testdata")

// TestCases compares base/ and head/ of every testdata/*.txtar. Those called
// leave-… have no break.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := compared(t, archive)
			if strings.HasPrefix(filepath.Base(name), "leave") && got != "nothing\n" {
				t.Errorf("the case is one to leave alone, but:\n%s", got)
			}
			last := len(archive.Files) - 1
			if archive.Files[last].Name != "want" {
				archive.Files = append(archive.Files, txtar.File{Name: "want"})
				last++
			}
			if *update {
				archive.Files[last].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(archive.Files[last].Data), got); d != "" {
				t.Errorf("breaks differ (-want +got):\n%s", d)
			}
		})
	}
}

// compared writes down the breaks between the two versions in an archive.
func compared(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	var base, head []Source
	for _, f := range archive.Files {
		if p, ok := strings.CutPrefix(f.Name, "base/"); ok {
			base = append(base, Source{p, f.Data})
		} else if p, ok := strings.CutPrefix(f.Name, "head/"); ok {
			head = append(head, Source{p, f.Data})
		}
	}
	var breaks []Break
	if strings.HasSuffix(base[0].Path, ".proto") {
		var problems []Problem
		if breaks, problems = Proto(base, head); len(problems) > 0 {
			t.Fatal(problems[0].File, problems[0].Err)
		}
	} else {
		for _, s := range append(base, head...) {
			if !IsOpenAPI(s.Text) {
				t.Errorf("IsOpenAPI(%s) = false", s.Path)
			}
		}
		var err error
		if breaks, err = OpenAPI(base[0], head[0]); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	for _, x := range breaks {
		fmt.Fprintf(&b, "%s:%d %s\n\t%s\n", x.File, x.Line, map[Weight]string{Hard: "hard", Soft: "soft", Unstable: "unstable"}[x.Weight], x.Text)
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}
