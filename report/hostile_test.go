package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/eval"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// hostileTexts try to break out of one format or another.
var hostileTexts = []string{
	"", " ", "plain", "<script>alert(1)</script>", "</style></script></title></textarea><svg onload=alert(1)>", "<!-- -->", "]]>", "<?xml?>", "&lt;&#60;&quot;",
	"::error file=a::b", "\n::set-output name=a::b\n", "::stop-commands::x", "%0A::error::x", "a\r\n::warning::b",
	"`", "``` \n", "~~~\n# x", "| a | b |", "\\|", "\\", "a\n\n## pr-99: merge\n\nVerdict: **merge**\n", "- [x] done", "1. a", "===", "---", "> q", "[^1]: note", "[a]: http://x", "![i](http://x/y.png)", "<http://x.test>", "http://x.test", "www.x.test", "me@x.test", "@everyone", "#12", "!3", "GH-4", "$x$", "/close", ":+1:",
	"\u202egnp.exe", "\u2066\u2069", "\u200b\ufeff", "\x1b[2J\x1b]0;t\a", "\u009b31m", "\x00", "\xff\xfe\xc3", "\u2028\u2029", "\ufffe", "{{.}}", "${{ secrets.X }}", "javascript:alert(1)", "\" onload=\"x", "' onclick='x", "../../etc/passwd", "/etc/passwd", "C:\\x", "a:b", "%SRCROOT%", "[a](b) {0} {{1}}",
	strings.Repeat("a", 64<<10), strings.Repeat("|", 4<<10), strings.Repeat("\u202e", 4<<10), strings.Repeat("<b>", 4<<10), strings.Repeat("`", 4<<10), strings.Repeat("9", 64<<10), strings.Repeat("\n", 64<<10),
}

// hostileRun is a run with s in every place where a change, a repository or a
// reviewer can put a text.
func hostileRun(s string) Run {
	f := finding.Finding{File: s, Line: 1, Severity: finding.Blocker, Category: finding.Security, Message: s, Confidence: 0.9, Rule: s, Title: s, Suggestion: s, EndLine: 2, Reviewer: s}
	label := eval.Label{File: s, Category: finding.Style, Severity: finding.Minor, Start: 1, End: 2}
	e := Entry{
		ID: s, Title: s, Author: s, Approvals: []string{s}, Verdict: policy.Block, Reason: s, Review: ReviewFailed, Error: s, Summary: s, VerifyNote: s,
		Requirements: []policy.Requirement{{Name: s, Status: policy.Errored, Detail: s}},
		Verify: Verify{Status: VerifyFail, Applied: change.Applied{Conflicts: []string{s}}, Sandbox: []string{s},
			Checks: []change.Check{{Name: s, Status: change.Fail, Reason: s, Output: s, Command: []string{s}}}},
		Blockers: []blocker.Blocker{{Kind: blocker.Conflict, Weight: 100, Detail: s}},
		Findings: []Finding{{f, &Excerpt{Header: s, Lines: []Line{{Op: "+", New: 1, Text: s, Mark: true}, {Op: s, Text: s}}}}, {Finding: f}},
		Dropped:  map[string]int{s: 1}, Notes: []string{s}, Rules: []string{s}, Files: []File{{Path: s, OldPath: s, Status: s}},
		Coverage: Coverage{Unreviewed: []string{s}}, Reviewers: []string{s, s}, Head: s, Base: s, Key: policy.Hold,
		Matches: &eval.Matches{Pairs: []eval.Pair{{Label: label, Finding: f}}, UnmatchedLabels: []eval.Label{label}},
	}
	model, agrees := s, 1
	return Run{
		Version: s, Repo: s, Reviewer: ReviewerInfo{Class: s, Names: []string{s, s}, Model: &model}, Entries: []Entry{e, e}, Notes: []string{s}, Incomplete: true, KeyAgrees: &agrees,
		Ranking: []blocker.Ranked{{ID: s, Score: 100, Kinds: []blocker.Kind{blocker.Conflict}}}, Metrics: &eval.Report{}, Curve: []eval.Point{{}, {Threshold: 1, Precision: 1}},
	}
}

// wellFormed says for each format how to tell that a text has not broken out.
var wellFormed = map[string]func(t testing.TB, run Run, got []byte){
	"markdown":     func(t testing.TB, run Run, got []byte) { checkMarkdown(t, run, string(got)) },
	"step-summary": func(t testing.TB, run Run, got []byte) { checkMarkdown(t, run, string(got)) },
	"html":         checkPage,
	"text":         checkText,
	"annotations":  checkAnnotations,
	"json":         checkJSON,
	"aggregate":    checkJSON,
	"sarif":        checkSARIF,
	"code-quality": checkJSON,
	"rdjson":       checkJSON,
	"rdjsonl":      checkJSONLines,
	"checkstyle":   checkXML,
	"junit":        checkXML,
}

func TestNoTextBreaksOutOfAnyFormat(t *testing.T) {
	for _, format := range Formats {
		t.Run(format.Name, func(t *testing.T) {
			for _, s := range hostileTexts {
				checkFormat(t, format, hostileRun(s))
			}
		})
	}
}

func TestAMegabyteInEveryTextStaysBounded(t *testing.T) {
	run := hostileRun(strings.Repeat("a`|<\u202e", 128<<10))
	for _, format := range Formats {
		t.Run(format.Name, func(t *testing.T) {
			var got bytes.Buffer
			if err := format.Write(&got, run); err != nil {
				t.Fatal(err)
			}
			if stored := format.Name == "json" || format.Name == "aggregate"; !stored && got.Len() > 1<<20 {
				t.Errorf("%d bytes for two changes", got.Len())
			}
		})
	}
}

func FuzzFormats(f *testing.F) {
	for _, s := range hostileTexts {
		if len(s) < 1<<10 {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, format := range Formats {
			checkFormat(t, format, hostileRun(s))
		}
	})
}

func checkFormat(t testing.TB, format Format, run Run) {
	t.Helper()
	var got bytes.Buffer
	if err := format.Write(&got, run); err != nil {
		t.Fatalf("%s: %v", format.Name, err)
	}
	if !utf8.Valid(got.Bytes()) {
		t.Errorf("%s is not UTF-8", format.Name)
	}
	wellFormed[format.Name](t, run, got.Bytes())
	if t.Failed() {
		t.Fatalf("%s of a run with %.200q in it", format.Name, run.Repo)
	}
}

// checkText holds the text report to its shape: a line per change at the margin,
// everything else indented or one of the closing lines, nothing that acts.
func checkText(t testing.TB, run Run, got []byte) {
	t.Helper()
	for _, r := range string(got) {
		if r != '\n' && r != 0x200c && r != 0x200d && r != 0xfe0e && r != 0xfe0f && !unicode.IsPrint(r) && !unicode.In(r, unicode.Co, unicode.Zs) && unicode.IsControl(r) {
			t.Errorf("%U in the text", r)
		}
	}
	verdicts, closing := 0, regexp.MustCompile(`^(\d+ changes?: \d+ block, |warning: |note: |metrics: |key: |cost |took )`)
	for line := range strings.Lines(string(got)) {
		if !strings.HasPrefix(line, "  ") && !closing.MatchString(line) {
			verdicts++
		}
	}
	if verdicts > len(run.Entries) {
		t.Errorf("%d lines at the margin for %d changes:\n%s", verdicts, len(run.Entries), got)
	}
}

// checkAnnotations parses workflow commands as the runner does and looks for one
// that was not meant.
func checkAnnotations(t testing.TB, run Run, got []byte) {
	t.Helper()
	stopped, seen := "", 0
	for line := range strings.Lines(string(got)) {
		line = strings.TrimSpace(line)
		switch {
		case stopped != "":
			if line == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(line, "::stop-commands::"):
			stopped = strings.TrimPrefix(line, "::stop-commands::")
		case regexp.MustCompile(`^::(error|warning|notice) (file=[^:]*,)?title=[^:]*::`).MatchString(line):
			seen++
		default:
			t.Errorf("a line outside the protection: %.200q", line)
		}
	}
	if stopped != "" || seen > maxAnnotations {
		t.Errorf("commands still stopped by %q, %d annotations", stopped, seen)
	}
}

func checkJSON(t testing.TB, _ Run, got []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(got, &v); err != nil {
		t.Error(err)
	}
	if bytes.Contains(got, []byte(": null,\n      \"")) && bytes.Contains(got, []byte("\"findings\": null")) {
		t.Error("a list is null")
	}
}

func checkJSONLines(t testing.TB, run Run, got []byte) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(got))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		checkJSON(t, run, lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
}

func checkSARIF(t testing.TB, _ Run, got []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if err := cachedSARIFSchema(t).Validate(doc); err != nil {
		t.Error(err)
	}
}

// cachedSARIFSchema compiles the schema once for the thousands of documents of a
// fuzz run.
func cachedSARIFSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	if compiledSARIFSchema == nil {
		compiledSARIFSchema = sarifSchema(t)
	}
	return compiledSARIFSchema
}

var compiledSARIFSchema *jsonschema.Schema

func checkXML(t testing.TB, _ Run, got []byte) {
	t.Helper()
	known := regexp.MustCompile(`^(checkstyle|file|error|testsuites|testsuite|testcase|failure|skipped)$`)
	d := xml.NewDecoder(bytes.NewReader(got))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && !known.MatchString(e.Name.Local) {
			t.Errorf("the text has become an element <%s>", e.Name.Local)
		}
	}
}
