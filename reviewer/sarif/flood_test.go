package sarif

import (
	"strings"
	"testing"

	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
)

// TestAnAnalyzerThatFloods has a document that would still be one with its
// middle cut out.
func TestAnAnalyzerThatFloods(t *testing.T) {
	r, err := New(Options{Name: "lint", Command: []string{"sh", "-c", "echo '<checkstyle>'; yes '<file/>' | head -c 2000000; echo '</checkstyle>'"}})
	if err != nil {
		t.Fatal(err)
	}
	r.most = 1 << 20 // MaxBytes takes seconds
	task := reviewertest.Task(t)
	task.Run = reviewertest.NewFolder(t, task.Tree)
	_, err = r.Review(t.Context(), task)
	if err == nil || !strings.Contains(err.Error(), "sh printed more than 1 MiB") {
		t.Errorf("Review() = %v, want an error about the length", err)
	}
}
