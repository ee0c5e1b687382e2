package sarif

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/reviewgate/reviewgate/diff"
)

func parsePatch(t rapid.TB, text string) *diff.Patch {
	t.Helper()
	p, err := diff.Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%s) = %v", text, err)
	}
	return p
}

func TestLineage(t *testing.T) {
	const added = "diff --git a/new.go b/new.go\nnew file mode 100644\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1,2 @@\n+a\n+b\n"
	const renamed = "diff --git a/old.go b/moved.go\nsimilarity index 90%\nrename from old.go\nrename to moved.go\n--- a/old.go\n+++ b/moved.go\n@@ -2,0 +3,2 @@ x\n+a\n+b\n@@ -9 +10,0 @@ x\n-c\n"
	const again = "diff --git a/moved.go b/moved.go\n--- a/moved.go\n+++ b/moved.go\n@@ -1,0 +2,1 @@\n+first\n"
	for _, tt := range []struct {
		name, patch, path string
		line, introduced  int
		oldPath           string
		oldLine           int
	}{
		{"a new file", added, "new.go", 2, 2, "", 0},
		{"a line of a new file that is not there", added, "new.go", 3, 0, "", 0},
		{"before a hunk", renamed, "moved.go", 2, 0, "old.go", 2},
		{"in a hunk without context", renamed, "moved.go", 4, 4, "", 0},
		{"after a hunk", renamed, "moved.go", 5, 0, "old.go", 3},
		{"after a deletion", renamed, "moved.go", 11, 0, "old.go", 10},
		{"the file as a whole", renamed, "moved.go", 0, 0, "old.go", 0},
		{"a series, inserted by its last part", renamed + again, "moved.go", 2, 2, "", 0},
		{"a series, inserted by its first part", renamed + again, "moved.go", 5, 5, "", 0},
		{"a series, inserted by none", renamed + again, "moved.go", 6, 0, "old.go", 3},
		{"a file that the patch leaves alone", renamed, "other.go", 3, 0, "other.go", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newEntries(parsePatch(t, tt.patch)).lineage(tt.path)
			if got := l.introduced(tt.line, tt.line); got != tt.introduced {
				t.Errorf("introduced(%d) = %d, want %d", tt.line, got, tt.introduced)
			}
			path, line, ok := l.origin(tt.path, tt.line)
			if path != tt.oldPath || line != tt.oldLine || ok != (tt.oldPath != "") {
				t.Errorf("origin(%d) = %q, %d, %v, want %q, %d", tt.line, path, line, ok, tt.oldPath, tt.oldLine)
			}
		})
	}
}

// TestLineageAgreesWithAModel edits a file in a way that is known line by line.
func TestLineageAgreesWithAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edits := rapid.SliceOfN(rapid.SampledFrom([]diff.Op{diff.Context, diff.Context, diff.Context, diff.Insert, diff.Delete}), 1, 60).Draw(t, "edits")
		context := rapid.IntRange(0, 3).Draw(t, "context")
		text := unified(edits, context)
		if text == "" {
			return
		}
		patch := parsePatch(t, "diff --git a/f b/f\n--- a/f\n+++ b/f\n"+text)
		l := newEntries(patch).lineage("f")
		oldLine, newLine := 0, 0
		for _, op := range edits {
			if op != diff.Insert {
				oldLine++
			}
			if op == diff.Delete {
				continue
			}
			newLine++
			_, before, old := l.origin("f", newLine)
			if inserted := l.introduced(newLine, newLine) > 0; inserted != (op == diff.Insert) || inserted != patch.Introduces("f", newLine) || inserted == old {
				t.Fatalf("line %d: introduced %v, has an origin %v, want a line of %q\n%s", newLine, inserted, old, op, text)
			}
			if old && before != oldLine {
				t.Fatalf("line %d stood at %d, want %d\n%s", newLine, before, oldLine, text)
			}
		}
	})
}

// unified writes edits as hunks with that much context.
func unified(edits []diff.Op, context int) string {
	keep := make([]bool, len(edits))
	for i, op := range edits {
		for j := max(0, i-context); op != diff.Context && j <= min(len(edits)-1, i+context); j++ {
			keep[j] = true
		}
	}
	var out strings.Builder
	oldLine, newLine := 0, 0
	for i := 0; i < len(edits); {
		if !keep[i] {
			oldLine, newLine, i = oldLine+1, newLine+1, i+1
			continue
		}
		var body strings.Builder
		oldStart, newStart, olds, news := oldLine, newLine, 0, 0
		for ; i < len(edits) && keep[i]; i++ {
			fmt.Fprintf(&body, "%cx\n", edits[i])
			if edits[i] != diff.Insert {
				olds++
			}
			if edits[i] != diff.Delete {
				news++
			}
		}
		oldLine, newLine = oldLine+olds, newLine+news
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n%s", oldStart+min(olds, 1), olds, newStart+min(news, 1), news, &body)
	}
	return out.String()
}
