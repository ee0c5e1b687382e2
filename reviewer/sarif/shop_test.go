package sarif_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/reviewertest"
	"github.com/reviewgate/reviewgate/reviewer/sarif"
)

// problem is one line of a report in a test.
type problem struct {
	rule, file string
	line, end  int
	message    string
	level      string
}

// report writes problems as SARIF.
func report(problems ...problem) string {
	type object = map[string]any
	results := []any{}
	for _, p := range problems {
		level := p.level
		if level == "" {
			level = "error"
		}
		region := object{}
		if p.line > 0 {
			region["startLine"] = p.line
		}
		if p.end > 0 {
			region["endLine"] = p.end
		}
		results = append(results, object{
			"ruleId": p.rule, "level": level, "message": object{"text": p.message},
			"locations": []any{object{"physicalLocation": object{"artifactLocation": object{"uri": p.file}, "region": region}}},
		})
	}
	data, err := json.Marshal(object{"version": "2.1.0", "runs": []any{object{"tool": object{"driver": object{"name": "lint"}}, "results": results}}})
	if err != nil {
		panic(err) // maps of texts and numbers can always be written
	}
	return string(data)
}

func newReviewer(t testing.TB, opts sarif.Options) *sarif.Reviewer {
	t.Helper()
	opts.Name = "lint"
	opts.Environ = os.Environ()
	r, err := sarif.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fromFile is a reviewer that reads text from a file.
func fromFile(t testing.TB, text string, opts sarif.Options) *sarif.Reviewer {
	t.Helper()
	opts.File = filepath.Join(t.TempDir(), "report")
	if err := os.WriteFile(opts.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return newReviewer(t, opts)
}

// shell is a reviewer that runs a shell script as the analyzer.
func shell(t testing.TB, script string, opts sarif.Options) *sarif.Reviewer {
	t.Helper()
	opts.Command = []string{"sh", "-c", script}
	return newReviewer(t, opts)
}

// shopTask is a change of three files: a.go gets two lines after the second,
// moved.go was old.go and loses a line, new.go is new.
func shopTask(t testing.TB) reviewer.Task {
	t.Helper()
	const patch = `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -2,2 +2,4 @@
 two
+new1
+new2
 three
diff --git a/old.go b/moved.go
similarity index 80%
rename from old.go
rename to moved.go
--- a/old.go
+++ b/moved.go
@@ -1,3 +1,2 @@
-gone
 m1
 m2
diff --git a/new.go b/new.go
new file mode 100644
--- /dev/null
+++ b/new.go
@@ -0,0 +1,2 @@
+n1
+n2
`
	parsed, err := diff.Parse([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	base := fstest.MapFS{"a.go": text("one\ntwo\nthree\nfour\n"), "old.go": text("gone\nm1\nm2\n"), "same.go": text("s1\n")}
	tree := fstest.MapFS{"a.go": text("one\ntwo\nnew1\nnew2\nthree\nfour\n"), "moved.go": text("m1\nm2\n"), "new.go": text("n1\nn2\n"), "same.go": text("s1\n")}
	return reviewer.Task{
		Change: change.Change{ID: "pr-02", Patch: []byte(patch)}, Patch: parsed, Base: base, Tree: tree,
		Run: reviewertest.NewFolder(t, tree), RunBase: reviewertest.NewFolder(t, base),
	}
}

// brief is a finding as the tests below look at it.
func brief(findings []finding.Finding) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Message))
	}
	return list
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
