package diff

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, patch string) *Patch {
	t.Helper()
	p, err := Parse([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const twoHunks = `diff --git a/x.go b/x.go
--- a/x.go
+++ b/x.go
@@ -1,3 +1,4 @@ package x
 one
-two
+zwei
+drei
 three
@@ -10,2 +11,1 @@
-ten
 eleven
\ No newline at end of file
`

func TestLinesStandWhereTheyStandInBothVersions(t *testing.T) {
	for _, tt := range []struct {
		name, patch string
		want        []string
	}{
		{"two hunks", twoHunks, []string{"  1 1 one", "- 2 0 two", "+ 0 2 zwei", "+ 0 3 drei", "  3 4 three", "- 10 0 ten", "  11 11 eleven"}},
		{"no context: inserted after line 5", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -5,0 +6,2 @@\n+a\n+b\n", []string{"+ 0 6 a", "+ 0 7 b"}},
		{"carriage returns and empty context lines", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n\n+a\r\n \r\n", []string{"  1 1 ", "+ 0 2 a", "  2 3 "}},
		{"a merge: numbers of the first parent", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,3 -1,4 +1,4 @@@\n  one\n- two\n -zwei\n++deux\n+ drei\n  end\n", []string{"  1 1 one", "- 2 0 two", "- 0 0 zwei", "+ 0 2 deux", "+ 0 3 drei", "  3 4 end"}},
		{"a merge: a line that the first parent had", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -7,2 -7,1 +7,2 @@@\n +one\n  two\n", []string{"+ 0 7 one", "  8 8 two"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, h := range parse(t, tt.patch).Files[0].Hunks {
				for l := range h.Lines() {
					got = append(got, fmt.Sprintf("%c %d %d %s", l.Op, l.Old, l.New, l.Text))
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("Lines (-want +got):\n%s", d)
			}
		})
	}
}

func TestLinesStopWhenAsked(t *testing.T) {
	n := 0
	for range parse(t, twoHunks).Files[0].Hunks[0].Lines() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("read %d lines, want 2", n)
	}
}

func TestAddedLinesAreTheInsertedOnes(t *testing.T) {
	var got []string
	for l := range parse(t, twoHunks).Files[0].AddedLines() {
		got = append(got, fmt.Sprintf("%d %s", l.New, l.Text))
	}
	if d := cmp.Diff([]string{"2 zwei", "3 drei"}, got); d != "" {
		t.Errorf("AddedLines (-want +got):\n%s", d)
	}
}

func TestIntroducesOnlyInsertedLines(t *testing.T) {
	f := &parse(t, twoHunks).Files[0]
	for line, want := range map[int]bool{-1: false, 0: false, 1: false, 2: true, 3: true, 4: false, 5: false, 11: false, 12: false, 1 << 40: false} {
		if got := f.Introduces(line); got != want {
			t.Errorf("Introduces(%d) = %v, want %v", line, got, want)
		}
	}
}

func TestHunkAtFindsTheHunkOfALine(t *testing.T) {
	f := &parse(t, twoHunks).Files[0]
	for line, want := range map[int]int{0: 0, 1: 1, 4: 1, 5: 0, 10: 0, 11: 11, 12: 0} {
		h, ok := f.HunkAt(line)
		if ok != (want > 0) || h.NewStart != want {
			t.Errorf("HunkAt(%d) = hunk at %d, %v, want hunk at %d", line, h.NewStart, ok, want)
		}
	}
	if f.Hunks[0].Section() != "package x" {
		t.Errorf("Section = %q, want %q", f.Hunks[0].Section(), "package x")
	}
}

// series adds lines 2 and 3 of x, moves x to y, and puts two lines before them.
const series = `diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,2 +1,4 @@
 one
+two
+three
 four
diff --git a/x b/y
similarity index 100%
rename from x
rename to y
diff --git a/y b/y
--- a/y
+++ b/y
@@ -0,0 +1,2 @@
+a
+b
@@ -3,1 +4,0 @@
-three
`

func TestIntroducesFollowsASeriesThroughShiftsAndRenames(t *testing.T) {
	p := parse(t, series)
	for line, want := range map[int]bool{1: true, 2: true, 3: false, 4: true, 5: false, 6: false} {
		if got := p.Introduces("y", line); got != want {
			t.Errorf("Introduces(y, %d) = %v, want %v", line, got, want)
		}
	}
	if p.Introduces("z", 1) {
		t.Error("Introduces(z, 1) = true for a file that the patch does not touch")
	}
}

func TestFileIsFoundByNewAndOldPath(t *testing.T) {
	p := parse(t, series)
	for path, want := range map[string]int{"x": 1, "y": 13, "z": 0, "": 0} {
		line := 0
		if f := p.File(path); f != nil {
			line = f.Line
		}
		if line != want {
			t.Errorf("File(%q) is the one at patch line %d, want %d", path, line, want)
		}
	}
}

func TestChangedPathsListsEachPathOnceAndBothOfARename(t *testing.T) {
	if d := cmp.Diff([]string{"x", "y"}, parse(t, series).ChangedPaths()); d != "" {
		t.Errorf("ChangedPaths (-want +got):\n%s", d)
	}
}

func TestSubmoduleIsKnownByItsMode(t *testing.T) {
	p := parse(t, "Submodule lib 1111111..2222222:\ndiff --git a/x b/x\nold mode 100644\nnew mode 100755\n")
	if !p.Files[0].Submodule() || p.Files[1].Submodule() {
		t.Errorf("Submodule = %v, %v, want true, false", p.Files[0].Submodule(), p.Files[1].Submodule())
	}
}

func TestStripTellsWhatGitApplyMustTakeOff(t *testing.T) {
	const mode = "\nold mode 100644\nnew mode 100755\n"
	for _, tt := range []struct {
		name, patch string
		want        int
		ok          bool
	}{
		{"prefixes", "diff --git a/x b/x" + mode, 1, true},
		{"no prefixes", "diff --git src/x src/x" + mode, 0, true},
		{"prefixes of two folders", "diff --git x/y/f x/z/f" + mode, 2, true},
		{"a rename with prefixes", "diff --git a/x b/d/x\nsimilarity index 100%\nrename from x\nrename to d/x\n", 1, true},
		{"mixed", "diff --git a/x b/x" + mode + "diff --git src/x src/x" + mode, 0, false},
		{"prefixes of different depth", "diff --git old/f x/new/f" + mode, 0, false},
		{"a submodule log, which nothing can apply", "Submodule lib 1111111..2222222:\n", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parse(t, tt.patch).Strip()
			if got != tt.want || (err == nil) != tt.ok {
				t.Errorf("Strip = %d, %v, want %d, %v", got, err, tt.want, tt.ok)
			}
		})
	}
}

func TestZeroContext(t *testing.T) {
	const head = "diff --git a/x b/x\n--- a/x\n+++ b/x\n"
	for _, tt := range []struct {
		name, hunk string
		want       bool
	}{
		{"a hunk with context", "@@ -4,3 +4,3 @@\n a\n-b\n+c\n d\n", false},
		{"the first line of a file has none before it", "@@ -1,2 +1,2 @@\n-b\n+c\n d\n", false},
		{"a replaced line alone", "@@ -5 +5 @@\n-b\n+c\n", true},
		{"an inserted line alone", "@@ -5,0 +6 @@\n+c\n", true},
		{"a line inserted at the top", "@@ -0,0 +1 @@\n+c\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := parse(t, head+tt.hunk).ZeroContext(); got != tt.want {
				t.Errorf("ZeroContext = %v, want %v", got, tt.want)
			}
		})
	}
}
