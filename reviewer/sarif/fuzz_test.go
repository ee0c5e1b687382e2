package sarif

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

const fuzzPatch = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,3 @@\n one\n+new\n two\n"

// fuzzReport reads data as a report and compares it with itself and with the
// patch: nothing may panic, and what comes out must be a valid finding.
func fuzzReport(f *testing.F, format Format, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	patch, err := diff.Parse([]byte(fuzzPatch))
	if err != nil {
		f.Fatal(err)
	}
	tree := fstest.MapFS{"a.go": {Data: []byte("one\nnew\ntwo\n")}, "b/a.go": {}}
	task := reviewer.Task{Patch: patch, Tree: tree, Base: fstest.MapFS{"a.go": {Data: []byte("one\ntwo\n")}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		read1 := func() (*report, error) {
			r := &report{locate: newLocator([]string{"a.go"}, tree)}
			r.locate.guess = true
			return r, read(bytes.NewReader(data), format, r)
		}
		head, err := read1()
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("the error has lines: %q", err)
			}
			return
		}
		base, _ := read1()
		j := judged{confidence: DefaultConfidence}
		c := newComparison(task, j)
		for _, found := range [][]finding.Finding{c.onChangedLines(head), c.notIn(base, head)} {
			for _, one := range found {
				if err := one.Validate(); err != nil || one.File != "a.go" {
					t.Errorf("%+v: %v", one, err)
				}
			}
		}
	})
}

func FuzzSARIF(f *testing.F) {
	fuzzReport(f, SARIF,
		`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"l","rules":[{"id":"R","defaultConfiguration":{"level":"error","rank":7}}]}},"results":[{"ruleIndex":0,"message":{"id":"m","arguments":["a"]},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go","uriBaseId":"B","index":0},"region":{"startLine":2,"endLine":3}}}]}],"originalUriBaseIds":{"B":{"uri":"file:///x/"}},"artifacts":[{"location":{"uri":"a.go"}}],"invocations":[{"executionSuccessful":true}]}]}`,
		`{"runs":[{"results":null}]}`)
}

func FuzzCheckstyle(f *testing.F) {
	fuzzReport(f, Checkstyle, `<?xml version="1.0"?><checkstyle version="5"><file name="a.go"><error line="2" severity="warning" message="m" source="s"/></file></checkstyle>`, `<?xml version="1.0" encoding="latin1"?><checkstyle/>`)
}

func FuzzRDJSON(f *testing.F) {
	fuzzReport(f, RDJSON, `{"source":{"name":"x"},"diagnostics":[{"message":"m","location":{"path":"a.go","range":{"start":{"line":2}}},"severity":1}]}`, "{\"message\":\"m\",\"location\":{\"path\":\"/r/a.go\"}}\n{\"message\":\"n\"}\n")
}

func FuzzGolangCI(f *testing.F) {
	fuzzReport(f, GolangCILint, "{\"Issues\":[{\"FromLinter\":\"x\",\"Text\":\"SA1000: y\",\"Pos\":{\"Filename\":\"a.go\",\"Line\":2},\"LineRange\":{\"From\":2,\"To\":3}}],\"Report\":{}}\n1 issues:\n* x: 1\n")
}

func FuzzESLint(f *testing.F) {
	fuzzReport(f, ESLint, `[{"filePath":"/r/a.go","messages":[{"ruleId":null,"fatal":true,"severity":2,"message":"m","line":2,"endLine":9}]}]`)
}

func FuzzStaticcheck(f *testing.F) {
	fuzzReport(f, Staticcheck, `{"code":"SA4006","severity":"error","location":{"file":"a.go","line":2},"end":{"line":2},"message":"m"}`)
}

func FuzzAuto(f *testing.F) {
	fuzzReport(f, Auto, "[]", "{}", "<checkstyle/>", `{"location":{"file":"a"}}`, "\ufeff", `{"$schema":1}`)
}

func FuzzLocate(f *testing.F) {
	for _, seed := range []string{"a.go", "file:///C:/x/a.go", `..\a.go`, "b/./a.go", "%2e%2e/a.go", "//a.go", "/"} {
		f.Add(seed, true)
	}
	tree := fstest.MapFS{"a.go": {}, "b/a.go": {}, "c/x.go": {}}
	f.Fuzz(func(t *testing.T, raw string, uri bool) {
		l := newLocator([]string{"a.go", "c/x.go"}, tree)
		l.roots, l.guess = []string{"/r"}, true
		at := l.find(raw, uri)
		if at.where == touched && at.path != "a.go" && at.path != "c/x.go" {
			t.Errorf("find(%q) = %+v, which the change does not touch", raw, at)
		}
	})
}
