package diff

import (
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		twoHunks, series,
		"diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,3 -1,4 +1,4 @@@\n  one\n- two\n -zwei\n++deux\n+ drei\n  end\n",
		"diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQzU|;|M00aO5\n\nliteral 0\nHcmV?d00001\n\n",
		"diff --git \"a/\\303\\244 x\" \"b/\\303\\244 x\"\nold mode 100644\nnew mode 100755\n",
		"--- a/x\t1970-01-01 00:00:00.000000000 +0000\r\n+++ b/x\r\n@@ -0,0 +1 @@\r\n+a\r\n",
		"From 1111111111 Mon\nboundary=\"--x\"\n---\n x | 1 +\n\ndiff --git a/x b/x\ndeleted file mode 100644\n-- \n2.39\n",
		"Submodule a b 1111111...2222222 (new submodule)\nBinary files a/x and b/x differ\n* Unmerged path x\n",
		"diff --git a/a b b/a b\nsimilarity index 90%\ncopy from a b\ncopy to a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@ f\n-a\n\\ No newline\n+b\n\\ No newline",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, patch []byte) {
		p, err := Parse(patch)
		if err != nil {
			if p != nil {
				t.Fatal("a patch beside an error")
			}
			return
		}
		if len(p.Files) == 0 {
			t.Fatal("no file and no error")
		}
		seen := map[string]bool{}
		for _, path := range p.ChangedPaths() {
			if seen[path] || path == "" {
				t.Errorf("changed path %q is empty or listed twice", path)
			}
			seen[path] = true
		}
		for i := range p.Files {
			checkFile(t, &p.Files[i])
		}
		_, _ = p.Strip()
		_ = p.Unsafe()
	})
}

// checkFile holds the counts of a file against its lines.
func checkFile(t *testing.T, f *File) {
	t.Helper()
	if f.Path() == "" || len(f.OldPath) > maxPath || len(f.NewPath) > maxPath || f.Line < 1 {
		t.Errorf("a file %q => %q at line %d", f.OldPath, f.NewPath, f.Line)
	}
	if (f.OldPath == "") != (f.Status == Added) || (f.NewPath == "") != (f.Status == Deleted) {
		t.Errorf("status %s of %q => %q", f.Status, f.OldPath, f.NewPath)
	}
	added, deleted := 0, 0
	for _, h := range f.Hunks {
		_ = h.Section()
		olds, news := 0, 0
		for l := range h.Lines() {
			switch l.Op {
			case Insert:
				added++
				if !f.Introduces(l.New) && !overlaps(f) {
					t.Errorf("line %d is inserted but not introduced", l.New)
				}
			case Delete:
				deleted++
			}
			if l.New > 0 {
				news++
			}
			if l.Old > 0 {
				olds++
			}
			if len(l.Text) > 0 && l.Text[len(l.Text)-1] == '\n' {
				t.Errorf("a line with its newline: %q", l.Text)
			}
		}
		if news != h.NewLines || h.columns() == 1 && olds != h.OldLines {
			t.Errorf("a hunk of %d old and %d new lines has %d and %d", h.OldLines, h.NewLines, olds, news)
		}
	}
	if added != f.Added || deleted != f.Deleted {
		t.Errorf("counts +%d -%d, lines +%d -%d", f.Added, f.Deleted, added, deleted)
	}
}

// overlaps reports whether two hunks of the file claim the same new line, as only
// a forged patch does.
func overlaps(f *File) bool {
	for i := range f.Hunks {
		for j := range i {
			if a, b := f.Hunks[i], f.Hunks[j]; a.NewStart < b.NewStart+b.NewLines && b.NewStart < a.NewStart+a.NewLines {
				return true
			}
		}
	}
	return false
}
