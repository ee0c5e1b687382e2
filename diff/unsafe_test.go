package diff

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestUnsafeNamesPathsThatLeaveTheTree(t *testing.T) {
	for _, tt := range []struct{ path, says string }{
		{"a.go", ""},
		{"src/.github/x", ""},
		{".gitignore", ""},
		{"src/.gitmodules", ""},
		{"...", ""},
		{"src/..x", ""},
		{`name\with.go`, ""},
		{"gitx/~1", ""},
		{"../x", "leaves the tree"},
		{"src/../../x", "leaves the tree"},
		{"src/..", "leaves the tree"},
		{`src\..\..\x`, "leaves the tree"},
		{"src/.. /x", "leaves the tree"},
		{"/etc/passwd", "is absolute"},
		{`\\server\share`, "is absolute"},
		{`C:\x`, "is absolute"},
		{"c:x", "is absolute"},
		{".git/config", "inside .git"},
		{"sub/.GIT/hooks/pre-commit", "inside .git"},
		{".git", "inside .git"},
		{`sub\.git\config`, "inside .git"},
		{".git. /config", "inside .git"},
		{"git~1/config", "inside .git"},
		{".git::$INDEX_ALLOCATION/config", "inside .git"},
		{".g\u200cit/config", "inside .git"},
		{"a//b", "empty part"},
		{"./a", `the part "."`},
		{"a\x00b", "NUL"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			p := &Patch{Files: []File{{NewPath: "fine", Status: Added, Line: 1}, {NewPath: tt.path, Status: Added, Line: 7}}}
			err := p.Unsafe()
			if (err == nil) != (tt.says == "") {
				t.Fatalf("Unsafe(%q) = %v, want %q", tt.path, err, tt.says)
			}
			var unsafe *UnsafePathError
			if errors.As(err, &unsafe) && (unsafe.Line != 7 || unsafe.Path != tt.path || !strings.Contains(unsafe.Reason, tt.says)) {
				t.Errorf("Unsafe(%q) = %v, want line 7 and %q", tt.path, err, tt.says)
			}
		})
	}
}

func TestParseReadsUnsafePathsSoThatTheyCanBeNamed(t *testing.T) {
	for _, path := range []string{"../x", "/etc/passwd", ".git/config", "a/../../x"} {
		patch := fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1 @@\n+x\n", path)
		p, err := Parse([]byte(patch))
		if err != nil {
			t.Fatal(err)
		}
		if p.Files[0].NewPath != path || p.Unsafe() == nil {
			t.Errorf("Parse of %q: path %q, Unsafe %v", path, p.Files[0].NewPath, p.Unsafe())
		}
	}
}

func TestUnsafeSeesTheOldPathToo(t *testing.T) {
	p := parse(t, "diff --git a/../x b/x\nsimilarity index 100%\nrename from ../x\nrename to x\n")
	if p.Unsafe() == nil {
		t.Error("Unsafe = nil for a rename from outside of the tree")
	}
}
