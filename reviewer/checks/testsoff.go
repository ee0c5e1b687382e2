package checks

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var testsOffCheck = check{
	Info: Info{
		ID:       prefix + "tests-off",
		What:     "A test that is focused, so that the others no longer run, or one that is switched off without a reason.",
		Why:      "The run stays green although less is tested than before.",
		Severity: finding.Major,
		Category: finding.Testing,
	},
	needs: patchOnly,
	run:   findTestsOff,
}

// testWord is a way to focus or to switch off a test.
type testWord struct {
	languages string // names of kind.language, separated by spaces
	expr      *pattern
	focus     bool
}

// testWords are matched on lines without comments. Forms that take a reason are
// matched without one only.
var testWords = []testWord{
	{"javascript typescript", expr(`\b(?:describe|context|suite|it|test|specify|fixture|bench)(?:\.(?:concurrent|sequential|serial|parallel|each|describe|step))*\.only\s*(?:\(|\.each|<|\x60)`).with(".only"), true},
	{"javascript typescript", expr(`^\s*(?:fdescribe|fcontext|fit|ddescribe|iit)\s*\(`).with("fdescribe", "fcontext", "fit", "iit"), true},
	{"javascript typescript", expr(`\b(?:describe|context|suite|it|test|specify|fixture)(?:\.(?:concurrent|sequential|serial|parallel|describe))*\.(?:skip|fixme)\s*(?:\(\s*["'\x60]|\.each)`).with("skip", "fixme"), false},
	{"javascript typescript", expr(`^\s*(?:xdescribe|xcontext|xit|xtest|xspecify)\s*(?:\(|\.each)`).with("xdescribe", "xcontext", "xit", "xtest", "xspecify"), false},
	{"javascript typescript", expr(`^\s*this\.skip\(\s*\)`).with("skip"), false},
	{"go", expr(`^\s*(?:(?:ginkgo|g)\.)?(?:FDescribe|FContext|FWhen|FIt|FSpecify|FDescribeTable|FEntry)\(`).with("FDescribe", "FContext", "FWhen", "FIt", "FSpecify", "FEntry"), true},
	{"go", expr(`^\s*\w+\.(?:Skip\(\s*\)|Skip\(\s*""\s*\)|SkipNow\(\))`).with("Skip"), false},
	{"go", expr(`^\s*(?:(?:ginkgo|g)\.)?(?:PDescribe|PContext|PWhen|PIt|XDescribe|XContext|XWhen|XIt)\(`).with("PDescribe", "PContext", "PWhen", "PIt", "XDescribe", "XContext", "XWhen", "XIt"), false},
	{"python", expr(`^\s*@pytest\.mark\.skip(?:\s*$|\(\s*\))`).with("skip"), false},
	{"python", expr(`^\s*@(?:unittest\.)?skip(?:\s*$|\(\s*(?:""|'')?\s*\))`).with("skip"), false},
	{"python", expr(`^\s*pytest\.skip\(\s*\)`).with("skip"), false},
	{"ruby", expr(`^\s*(?:fdescribe|fcontext|fit|fspecify|fexample)\b|\bfocus:\s*true\b|,\s*:focus\b`), true},
	{"ruby", expr(`^\s*(?:xdescribe|xcontext|xit|xspecify|xexample)\b|^\s*(?:skip|pending)\s*$`), false},
	{"java kotlin scala groovy", expr(`^\s*@(?:Ignore|Disabled)(?:\(\s*\))?\s*(?:@|$|fun\b|public\b|void\b)`), false},
	{"csharp", expr(`^\s*\[(?:\w+,\s*)*Ignore(?:\(\s*\))?(?:,\s*\w+)*\]`), false},
	{"rust", expr(`^\s*#\[ignore\]`), false},
	{"php", expr(`\bmarkTest(?:Skipped|Incomplete)\(\s*\)`), false},
	{"swift", expr(`^\s*(?:fdescribe|fcontext|fit)\s*\(`), true},
	{"swift", expr(`^\s*(?:xdescribe|xcontext|xit)\s*\(|^\s*throw\s+XCTSkip\(\s*\)`), false},
	{"elixir", expr(`^\s*@(?:module)?tag\s+:?skip\b\s*(?::\s*true)?\s*$`), false},
	{"dart", expr(`\bskip:\s*true\b`), false},
}

func findTestsOff(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.kind.language == "" || f.kind.vendored || f.kind.generated || f.kind.fixture || !f.kind.test && f.kind.language != "rust" {
			continue
		}
		before := newContext(f)
		for l := range s.added(f) {
			if s.moved(l.text) || comment(f.kind.language, l.text) {
				continue
			}
			for _, w := range testWords {
				if !strings.Contains(w.languages, f.kind.language) || !w.expr.in(l.text) {
					continue
				}
				word := strings.Trim(string(bytes.TrimSpace(w.expr.find(l.text))), "(\"'`, ")
				if w.focus {
					out.report(f.path, l.number, 0.95, fmt.Sprintf("%s runs this test alone and silently leaves out the others. Take the focus away before merging.", quoted(word)))
				} else if !before.conditional(l.number) && !before.explained(l) {
					out.reportAs(finding.Minor, f.path, l.number, 0.8, fmt.Sprintf("%s switches the test off and says no reason. Repair it, delete it, or write down why it is off and until when.", quoted(word)))
				}
				break
			}
		}
	}
}

// surroundings are the lines of a file's new version that the patch shows.
type surroundings struct {
	language string
	lines    map[int][]byte
}

func newContext(f *file) surroundings {
	c := surroundings{f.kind.language, map[int][]byte{}}
	for _, h := range f.Hunks {
		for l := range h.Lines() {
			if l.Op != diff.Delete {
				c.lines[l.New] = l.Text
			}
		}
	}
	return c
}

var condition = expr(`^\s*(?:\}?\s*(?:else\s+)?(?:if|unless|case|when|default|switch|guard|except|rescue|catch)\b|else\b|@?(?:unittest\.)?skip(?:If|Unless))`)

// conditional reports whether the line stands under a condition.
func (c surroundings) conditional(number int) bool {
	if bytes.Contains(c.lines[number], []byte(" if ")) || bytes.Contains(c.lines[number], []byte(" unless ")) {
		return true
	}
	indent := indentation(c.lines[number])
	for n := number - 1; n > number-8; n-- {
		text, ok := c.lines[n]
		if !ok {
			return false
		}
		if len(bytes.TrimSpace(text)) > 0 && indentation(text) < indent {
			return condition.in(text)
		}
	}
	return false
}

func indentation(text []byte) int {
	return len(text) - len(bytes.TrimLeft(text, " \t"))
}

// explained reports whether a comment stands on the line or right above it.
func (c surroundings) explained(l line) bool {
	if comment(c.language, c.lines[l.number-1]) {
		return true
	}
	return trailingComment.in(l.text)
}

var trailingComment = expr(`(?:\s//|\s#|\s--|/\*)\s*\S{2,}`)

// comment reports whether a line is nothing but a comment.
func comment(language string, text []byte) bool {
	text = bytes.TrimSpace(text)
	for _, mark := range [...]string{"//", "/*", "*", "<!--"} {
		if bytes.HasPrefix(text, []byte(mark)) && language != "python" && language != "ruby" && language != "shell" {
			return true
		}
	}
	switch language {
	case "python", "ruby", "shell", "elixir", "r", "julia", "perl", "powershell", "php", "":
		return bytes.HasPrefix(text, []byte("#"))
	case "sql", "lua", "haskell":
		return bytes.HasPrefix(text, []byte("--"))
	}
	return false
}
