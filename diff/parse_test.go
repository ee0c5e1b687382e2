package diff

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// list writes what was read of a patch, one line for each file.
func list(p *Patch) []string {
	var lines []string
	for _, f := range p.Files {
		line := fmt.Sprintf("%s %s", f.Status, f.Path())
		if f.OldPath != "" && f.NewPath != "" && f.OldPath != f.NewPath {
			line = fmt.Sprintf("%s %s => %s", f.Status, f.OldPath, f.NewPath)
		}
		if f.OldMode != f.NewMode {
			line += fmt.Sprintf(" %s..%s", f.OldMode, f.NewMode)
		}
		if f.Binary {
			line += " binary"
		}
		lines = append(lines, fmt.Sprintf("%s +%d -%d", line, f.Added, f.Deleted))
	}
	return lines
}

const hunk = "@@ -1 +1 @@\n-old\n+new\n"

func TestParseListsTheFilesOfAPatch(t *testing.T) {
	for _, tt := range []struct {
		name, patch string
		want        []string
	}{
		{"modified", "diff --git a/x.go b/x.go\nindex 1111111..2222222 100644\n--- a/x.go\n+++ b/x.go\n" + hunk, []string{"M x.go +1 -1"}},
		{"added", "diff --git a/x.go b/x.go\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n+++ b/x.go\n@@ -0,0 +1,2 @@\n+a\n+b\n", []string{"A x.go ..100644 +2 -0"}},
		{"deleted", "diff --git a/x.go b/x.go\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", []string{"D x.go 100644.. +0 -1"}},
		{"deleted, with its content left out by -D", "diff --git a/x.go b/x.go\ndeleted file mode 100644\nindex 1111111..0000000\n", []string{"D x.go 100644.. +0 -0"}},
		{"empty file added", "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n", []string{"A x ..100644 +0 -0"}},
		{"pure rename has no --- and +++ lines", "diff --git a/old.go b/new.go\nsimilarity index 100%\nrename from old.go\nrename to new.go\n", []string{"R old.go => new.go +0 -0"}},
		{"rename with changes", "diff --git a/old.go b/new.go\nsimilarity index 90%\nrename from old.go\nrename to new.go\nindex 1111111..2222222 100644\n--- a/old.go\n+++ b/new.go\n" + hunk, []string{"R old.go => new.go +1 -1"}},
		{"copy", "diff --git a/old.go b/new.go\nsimilarity index 100%\ncopy from old.go\ncopy to new.go\n", []string{"C old.go => new.go +0 -0"}},
		{"mode only", "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n", []string{"M run.sh 100644..100755 +0 -0"}},
		{"a file becomes a symlink", "diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\ndiff --git a/x b/x\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n", []string{"T x 100644..120000 +1 -1"}},
		{"binary without data", "diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nBinary files a/x.png and b/x.png differ\n", []string{"M x.png binary +0 -0"}},
		{"binary with data", "diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQzU|;|M00aO5\n\nliteral 0\nHcmV?d00001\n\n", []string{"M x.png binary +0 -0"}},
		{"binary renamed, delta", "diff --git a/x.png b/y.png\nsimilarity index 99%\nrename from x.png\nrename to y.png\nindex 1111111..2222222 100644\nGIT binary patch\ndelta 4\nLcmZ>B0S0yg04e|g\n\ndelta 4\nLcmZ>B0S0yg04e|g\n\n", []string{"R x.png => y.png binary +0 -0"}},
		{"submodule bump", "diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1111111\n+Subproject commit 2222222\n", []string{"M lib +1 -1"}},
		{"submodule as a log", "Submodule third party/lib 1111111..2222222:\n  > fix it\n  > break it\n", []string{"M third party/lib +0 -0"}},
		{"new submodule as a log", "Submodule lib 0000000...2222222 (new submodule)\n", []string{"A lib ..160000 +0 -0"}},
		{"dirty submodule as a log", "Submodule lib contains modified content\n", []string{"M lib +0 -0"}},
		{"a header alone, of a file whose time stamp changed", "diff --git a/x b/x\ndiff --git a/y b/y\nold mode 100644\nnew mode 100755\n", []string{"M x +0 -0", "M y 100644..100755 +0 -0"}},
		{"no context", "diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n@@ -3,0 +4,2 @@ func f\n+a\n+b\n@@ -9 +11,0 @@\n-c\n", []string{"M x +2 -1"}},
		{"no newline at the end on both sides", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file\n", []string{"M x +1 -1"}},
		{"empty context lines without their space", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n\n-old\n+new\n\n", []string{"M x +1 -1"}},
		{"hunk lines that look like headers", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n--- a/fake\n-diff --git a/f b/f\n-@@ -1 +1 @@\n-- \n+++ b/fake\n+rename to fake\n+From 1234567890\n+- \n", []string{"M x +4 -4"}},
		{"noprefix", "diff --git src/x.go src/x.go\n--- src/x.go\n+++ src/x.go\n" + hunk, []string{"M src/x.go +1 -1"}},
		{"noprefix, in a folder named like a prefix", "diff --git a/x.go a/x.go\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n+++ a/x.go\n@@ -0,0 +1 @@\n+a\n", []string{"A a/x.go ..100644 +1 -0"}},
		{"noprefix rename", "diff --git a/x.go b/x.go\nsimilarity index 100%\nrename from a/x.go\nrename to b/x.go\n", []string{"R a/x.go => b/x.go +0 -0"}},
		{"mnemonic prefixes", "diff --git i/x.go w/x.go\n--- i/x.go\n+++ w/x.go\n" + hunk + "diff --git c/y.go i/y.go\nold mode 100644\nnew mode 100755\ndiff --git o/z.go w/z.go\ndeleted file mode 100644\nindex 1111111..0000000\n", []string{"M x.go +1 -1", "M y.go 100644..100755 +0 -0", "D z.go 100644.. +0 -0"}},
		{"reversed prefixes of git diff -R", "diff --git b/x.go a/x.go\n--- b/x.go\n+++ a/x.go\n" + hunk, []string{"M x.go +1 -1"}},
		{"custom prefixes", "diff --git before/src/x.go after/src/x.go\n--- before/src/x.go\n+++ after/src/x.go\n" + hunk, []string{"M src/x.go +1 -1"}},
		{"custom prefixes, spaces, no other line", "diff --git before/my src/x.go after/my src/x.go\nold mode 100644\nnew mode 100755\n", []string{"M my src/x.go 100644..100755 +0 -0"}},
		{"a name with b/ in it, no other line", "diff --git a/x b/y b/x b/y\nold mode 100644\nnew mode 100755\n", []string{"M x b/y 100644..100755 +0 -0"}},
		{"an ambiguous line settled by the rename", "diff --git a/x b/x b/y\nsimilarity index 100%\nrename from x b/x\nrename to y\n", []string{"R x b/x => y +0 -0"}},
		{"name with spaces has a tab behind it", "diff --git a/a b.go b/a b.go\n--- a/a b.go\t\n+++ b/a b.go\t\n" + hunk, []string{"M a b.go +1 -1"}},
		{"quoted names", `diff --git "a/t\tab\303\244\"\\.go" "b/t\tab\303\244\"\\.go"` + "\nold mode 100644\nnew mode 100755\n", []string{"M t\tabä\"\\.go 100644..100755 +0 -0"}},
		{"only the new name quoted", `diff --git a/a b.go "b/\001.go"` + "\nsimilarity index 100%\nrename from a b.go\nrename to " + `"\001.go"` + "\n", []string{"R a b.go => \x01.go +0 -0"}},
		{"only the old name quoted", `diff --git "a/\001.go" b/a b.go` + "\nsimilarity index 100%\nrename from " + `"\001.go"` + "\nrename to a b.go\n", []string{"R \x01.go => a b.go +0 -0"}},
		{"line endings all CRLF", strings.ReplaceAll("diff --git a/x.go b/y.go\nsimilarity index 90%\nrename from x.go\nrename to y.go\nindex 1111111..2222222 100644\n--- a/x.go\n+++ b/y.go\n@@ -1,2 +1,2 @@\n-old\n+new\n\n", "\n", "\r\n"), []string{"R x.go => y.go +1 -1"}},
		{"mails of git format-patch, one after the other", "From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH 1/2] x\n\nThe header @@ -1 +1 @@ is quoted:\n@@ -1 +1 @@\n+ a list\n---\n x | 2 +-\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk + "-- \n2.39.5\n\nFrom 2222222222222222222222222222222222222222 Mon Sep 17 00:00:00 2001\nSubject: [PATCH 2/2] y\n\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n" + hunk + "--\n2.39.5\n\n", []string{"M x +1 -1", "M y +1 -1"}},
		{"git show", "commit 1111111111111111111111111111111111111111\nAuthor: A <a@b>\n\n    diff --git a/no b/no\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk + "\ncommit 2222222\n\n    more\n\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n" + hunk, []string{"M x +1 -1", "M y +1 -1"}},
		{"a message that speaks of a diff line", "From 1111111111111111111111111111111111111111 Mon\n\ndiff --git is the first line of a file\ndiff --git a/no b/no\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk, []string{"M x +1 -1"}},
		{"merge", "commit 1111111\nMerge: 2222222 3333333\n\ndiff --cc src/x y.go\nindex 1111111,2222222..3333333\n--- a/src/x y.go\n+++ b/src/x y.go\n@@@ -1,3 -1,4 +1,4 @@@ func f\n  one\n- two\n -zwei\n++deux\n+ drei\n  end\n", []string{"M src/x y.go +2 -2"}},
		{"merge whose counts git got wrong", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,3 -1,9 +1,1 @@@\n- a\n -b\n++c\n@@@ -8,1 -9,5 +8,1 @@@\n  d\n", []string{"M x +1 -2"}},
		{"merge of a binary and a mode", "diff --cc x\nindex 1,2..3\nBinary files differ\ndiff --combined y\nindex 1111111,2222222..1111111\nmode 100644,100644..100755\n--- a/y\n+++ b/y\n", []string{"M x binary +0 -0", "M y 100644..100755 +0 -0"}},
		{"merge that deletes", "diff --cc x\nindex 1111111,2222222..0000000\ndeleted file mode 100644,100644\n--- a/x\n+++ /dev/null\n@@@ -1,1 -1,1 +0,0 @@@\n- a\n -b\n", []string{"D x 100644.. +0 -2"}},
		{"merge that renames, all paths", "diff --combined b\nindex 1,2..3\n--- a/a\n--- a/b\n+++ b/b\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n", []string{"R a => b +1 -2"}},
		{"diff -u of two folders", "diff -ru a/x.c b/x.c\n--- a/x.c\t2020-01-01 10:00:00.000000000 +0000\n+++ b/x.c\t2020-01-02 10:00:00.000000000 +0000\n" + hunk + "Only in b: y\n", []string{"M x.c +1 -1"}},
		{"diff -u of two releases", "--- proj-1.0/src/x.c\t2020\n+++ proj-1.1/src/x.c\t2020\n" + hunk, []string{"M src/x.c +1 -1"}},
		{"diff -u with a backup", "--- x.c.orig\t2020\n+++ x.c\t2020\n" + hunk, []string{"M x.c +1 -1"}},
		{"diff -uN of a new and a gone file", "--- old/x\t1970-01-01 01:00:00.000000000 +0100\n+++ new/x\t2020-01-02 10:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+a\n--- old/y\t2020-01-02 10:00:00.000000000 +0000\n+++ new/y\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-a\n", []string{"A x +1 -0", "D y +0 -1"}},
		{"no git header, /dev/null", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", []string{"A x +1 -0", "D y +0 -1"}},
		{"svn", "Index: x.c\n===================================================================\n--- x.c\t(revision 1)\n+++ x.c\t(working copy)\n" + hunk, []string{"M x.c +1 -1"}},
		{"diff -u of a binary", "Binary files a/x y.png and b/x y.png differ\n", []string{"M x y.png binary +0 -0"}},
		{"diff -u of binaries, one new and one gone", "Binary files /dev/null and b/x.png differ\nBinary files a/y.png and /dev/null differ\n", []string{"A x.png binary +0 -0", "D y.png binary +0 -0"}},
		{"diff -u without prefixes, one new", "--- src/x\n+++ src/x\n" + hunk + "--- /dev/null\n+++ a/y\n@@ -0,0 +1 @@\n+a\n", []string{"M src/x +1 -1", "A a/y +1 -0"}},
		{"an unfinished merge, solved as one side has it", "diff --cc x\nindex 1111111,2222222..0000000\n--- a/x\n+++ b/x\ndiff --cc y\nindex 1111111,2222222..0000000\n--- a/y\n+++ b/y\n", []string{"M x +0 -0", "M y +0 -0"}},
		{"a submodule that is gone, as a log", "Submodule lib 1111111...0000000 (submodule deleted)\n", []string{"D lib 160000.. +0 -0"}},
		{"lines that only begin like a submodule's or a binary's", "Submodule lib contains untracked content\nSubmodule of x\nBinary files are not shown\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk, []string{"M x +1 -1"}},
		{"an index of 64 digits", "diff --git a/x b/x\nnew file mode 100644\nindex " + strings.Repeat("0", 64) + "..473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813\n", []string{"A x ..100644 +0 -0"}},
		{"byte order mark before the patch", "\ufeffdiff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk, []string{"M x +1 -1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse([]byte(tt.patch))
			if err != nil {
				t.Fatalf("Parse = %v, want %q", err, tt.want)
			}
			if d := cmp.Diff(tt.want, list(p)); d != "" {
				t.Errorf("Parse (-want +got):\n%s", d)
			}
		})
	}
}

func TestParseRefusesWhatItCannotRead(t *testing.T) {
	const head = "diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n"
	for _, tt := range []struct {
		name, patch string
		line        int
		says        string
	}{
		{"empty", "", 1, "is empty"},
		{"blank", "\n \n\n", 3, "is empty"},
		{"prose", "Dear all,\nplease merge this.\n", 2, "no file"},
		{"a merge without changes of its own", "commit 1111111\nMerge: 2222222 3333333\nAuthor: A\n\n    merge\n", 5, "git diff BASE...HEAD"},
		{"colors", "\x1b[1mdiff --git a/x b/x\x1b[m\n", 1, "--no-color"},
		{"UTF-16", "\xff\xfed\x00i\x00", 1, "UTF-16"},
		{"ends inside a hunk", head + "@@ -1,2 +1,2 @@\n a\n-b\n", 8, "0 old and 1 new lines are missing"},
		{"ends inside a line", head + "@@ -1 +1 @@\n-old\n+ne", 7, "0 old and 1 new lines are missing"},
		{"ends after the diff line", "diff --git a/x b/x\n", 1, "cut short"},
		{"ends inside the diff line", "diff --git a/x b/x", 1, "cut short"},
		{"ends after the index line", "diff --git a/x b/x\nindex 1111111..2222222 100644\n", 1, "cut short"},
		{"ends after the +++ line", head, 1, "no hunk follows"},
		{"ends after the --- line", "diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n", 1, "cut short"},
		{"ends after rename from", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\n", 1, "one side"},
		{"ends after old mode", "diff --git a/x b/x\nold mode 100644\n", 1, "two modes"},
		{"ends after new file mode", "diff --git a/x b/x\nnew file mode 100644\n", 1, "cut short"},
		{"ends after a new file's index line", "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\n", 1, "no hunk shows it"},
		{"a rename that hides its changes", "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\nindex 1111111..2222222 100644\n", 1, "no hunk shows it"},
		{"ends inside binary data", "diff --git a/x b/x\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQzU|;|M00aO5\n", 6, "binary data"},
		{"broken binary data", "diff --git a/x b/x\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQz\n\n", 5, "binary data"},
		{"too few lines, another file follows", head + "@@ -1,2 +1,2 @@\n-old\n+new\ndiff --git a/y b/y\n", 8, "line 5 do not add up"},
		{"too many lines", head + "@@ -1 +1 @@\n-old\n+new\n+more\n", 8, "beyond the end"},
		{"too many lines after a blank", head + "@@ -1 +1 @@\n-old\n+new\n\n-more\n", 9, "beyond the end"},
		{"a deleted line too many", head + "@@ -1 +1,2 @@\n-old\n-more\n+new\n", 7, "do not add up"},
		{"a hunk without a file", "@@ -1 +1 @@\n-old\n+new\n", 1, "without a file"},
		{"a hunk after prose", head + hunk + "-- \n2.39\n@@ -1 +1 @@\n-old\n+new\n", 10, "without a file"},
		{"a hunk header of prose", head + "@@ somewhere @@\n", 5, "hunk header"},
		{"a count beyond all numbers", head + "@@ -1,99999999999999999999 +1 @@\n", 5, "hunk header"},
		{"line number zero", head + "@@ -0,2 +1,2 @@\n a\n b\n", 5, "hunk header"},
		{"a hunk of a merge in an ordinary file", head + "@@@ -1 -1 +1 @@@\n", 5, "does not belong here"},
		{"counts of a merge", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n++c\n++d\n", 7, "do not add up"},
		{"a merge that ends before the new version is complete", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n++c\n", 7, "1 new lines are missing"},
		{"+ and - in one line of a merge", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n+-c\n", 6, "do not add up"},
		{"an unmerged file", "* Unmerged path x\n", 1, "not merged"},
		{"a merge without its hunks", "diff --cc x\nindex 1111111,2222222..3333333\n--- a/x\n+++ b/x\n", 1, "no hunk follows"},
		{"a merge with a path that cannot be read", "diff --cc \"x\nindex 1,2..3\n", 1, "cannot be read"},
		{"a merge with two names", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/y\n@@@ -1,1 -1,1 +1,1 @@@\n++c\n", 1, "names"},
		{"both sides missing", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", 1, "both sides"},
		{"a new file with deleted lines, without git's header", "--- /dev/null\n+++ b/x\n@@ -1 +0,0 @@\n-a\n", 1, "new file with deleted lines"},
		{"a quoted path without its end", "--- \"a/x\n+++ b/x\n" + hunk, 1, "quoted path"},
		{"binary names that cannot be told apart", "Binary files a and b and c differ\n", 1, "told apart"},
		{"an index line of words", "diff --git a/x b/x\nindex old..new\n--- a/x\n+++ b/x\n" + hunk, 2, "index line"},
		{"an index line with a mode of words", "diff --git a/x b/x\nindex 1111111..2222222 words!\n", 2, "not a file mode"},
		{"a binary patch without data", "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\n", 3, "no binary data"},
		{"a binary patch with three blocks", "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\nliteral 0\n", 10, "cannot be read"},
		{"a binary line of no length", "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 0\n1cmV\n\n", 5, "not a line of binary data"},
		{"a hunk without its file's names", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n@@ -1 +1 @@\n-a\n+b\n", 1, "without --- and +++"},
		{"two names for one file", "diff --git a/x b/x\n--- a/x\n+++ b/y\n" + hunk, 1, "different files"},
		{"rename lines of another file", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to z\n", 1, "cannot be told apart"},
		{"rename lines under two prefixes", "diff --git a/x b/x b/x b/y\nsimilarity index 100%\nrename from x b/x\nrename to y\n", 1, "cannot be told apart"},
		{"a new file that was there", "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\n--- a/x\n+++ b/x\n" + hunk, 1, "new file with deleted lines"},
		{"new and deleted", "diff --git a/x b/x\nnew file mode 100644\ndeleted file mode 100644\nindex 1111111..1111111\n", 1, "contradict"},
		{"paths that cannot be told apart", "diff --git a/x y b/z w\nold mode 100644\nnew mode 100755\n", 1, "cannot be told apart"},
		{"a broken quote", `diff --git "a/x b/x` + "\nold mode 100644\nnew mode 100755\n", 1, "cannot be told apart"},
		{"a mode that is none", "diff --git a/x b/x\nold mode 100644\nnew mode 1x0755\n", 3, "not a file mode"},
		{"a path longer than any", "diff --git a/" + strings.Repeat("x", 5000) + " b/" + strings.Repeat("x", 5000) + "\nold mode 100644\nnew mode 100755\n", 1, "longer than 4096"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.patch))
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("Parse = %v, want a SyntaxError", err)
			}
			if syntax.Line != tt.line || !strings.Contains(syntax.Msg, tt.says) {
				t.Errorf("Parse = %v, want line %d and %q", err, tt.line, tt.says)
			}
		})
	}
}
