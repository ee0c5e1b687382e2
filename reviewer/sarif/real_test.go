package sarif_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/sarif"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestReportsOfRealTools reads what golangci-lint 2.15, staticcheck 0.8.2 and
// eslint 10 wrote about one change, testdata/real/shop.diff, on a machine that
// had the repository at /home/ci/shop. The same problems come out of every
// format that a tool writes.
func TestReportsOfRealTools(t *testing.T) {
	patch, err := os.ReadFile("testdata/real/shop.diff")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := diff.Parse(patch)
	if err != nil {
		t.Fatal(err)
	}
	task := reviewer.Task{Change: change.Change{ID: "shop", Patch: patch}, Patch: parsed}
	for _, name := range []string{
		"golangci.json", "golangci.sarif", "golangci.checkstyle.xml", "staticcheck.json", "staticcheck.sarif",
		"eslint.json", "eslint.sarif", "eslint.checkstyle.xml",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "real", name)
			r := newReviewer(t, sarif.Options{File: file, Root: "/home/ci/shop"})
			got, err := r.Review(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, file+".golden", shown(got))
		})
	}
}

// shown returns a result as text, one finding a line.
func shown(r reviewer.Result) string {
	var out strings.Builder
	fmt.Fprintln(&out, r.Summary)
	for _, f := range r.Findings {
		fmt.Fprintf(&out, "%s:%d-%d %s %s %s %.2f: %s\n", f.File, f.Line, f.EndLine, f.Severity, f.Category, f.Rule, f.Confidence, f.Message)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(&out, "note:", n)
	}
	return out.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), -update rewrites it:\n%s", file, diff)
	}
}
