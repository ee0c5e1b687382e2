package external_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
)

// TestTheExampleOfTheProtocolWorks runs the program that the documentation shows.
func TestTheExampleOfTheProtocolWorks(t *testing.T) {
	doc, err := os.ReadFile("../../doc/reviewer-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```sh\n")
	example, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("the documentation has no block of sh")
	}
	file := filepath.Join(t.TempDir(), "reviewer.sh")
	if err := os.WriteFile(file, []byte(example), 0o700); err != nil {
		t.Fatal(err)
	}
	message := "Unfinished work: finish it before the merge, or open an issue for it."
	for _, tt := range []struct {
		name string
		tree fstest.MapFS
		want []finding.Finding
	}{
		{"nothing to find", fstest.MapFS{"a.go": {Data: []byte("package a\n")}}, []finding.Finding{}},
		{
			"two files", fstest.MapFS{"a.go": {Data: []byte("package a\n\n// FIXME: later\n")}, "b/b.go": {Data: []byte("// FIXME\npackage b\n")}, "c.md": {Data: []byte("FIXME")}},
			[]finding.Finding{
				{File: "a.go", Line: 3, Severity: finding.Minor, Category: finding.BestPractices, Message: message, Confidence: 0.9},
				{File: "b/b.go", Line: 1, Severity: finding.Minor, Category: finding.BestPractices, Message: message, Confidence: 0.9},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			task := reviewertest.Task(t)
			task.Run = reviewertest.NewFolder(t, tt.tree)
			got, err := newReviewer(t, file).Review(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Findings); diff != "" {
				t.Errorf("Findings (-want +got):\n%s", diff)
			}
		})
	}
}
