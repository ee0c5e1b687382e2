package checks

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/reviewgate/reviewgate/finding"
)

var debugCheck = check{
	Info: Info{
		ID:       prefix + "debug-leftover",
		What:     "A breakpoint or a debugging print that was left in product code.",
		Why:      "A breakpoint stops the program for everybody, and a debugging print tells users what they should not see.",
		Severity: finding.Major,
		Category: finding.BestPractices,
	},
	needs: patchOnly,
	run:   findDebug,
}

// leftover is a statement that only serves the person debugging. The expressions
// match whole statements, so that programs that print on purpose are left alone.
type leftover struct {
	languages string
	expr      *pattern
	stops     bool // it halts the program
}

var leftovers = []leftover{
	{"javascript typescript", expr(`^\s*debugger\s*;?\s*$`), true},
	{"python", expr(`^\s*(?:import\s+(?:pdb|ipdb|pudb|wdb)\s*;\s*)?(?:pdb|ipdb|pudb|wdb)\.set_trace\(\s*\)|^\s*breakpoint\(\s*\)\s*$|^\s*import\s+(?:ipdb|pudb|wdb)\s*$`), true},
	{"ruby", expr(`^\s*(?:binding\.(?:pry|irb|break)|byebug|debugger)\s*$`), true},
	{"php", expr(`^\s*(?:xdebug_break\(\s*\)|dd\(.*\)|die\(\s*var_dump\(.*\)\s*\))\s*;`), true},
	{"php", expr(`^\s*(?:var_dump|dump)\(.*\)\s*;\s*$`), false},
	{"elixir", expr(`^\s*(?:require\s+IEx\s*;\s*)?IEx\.pry(?:\(\s*\))?\s*$`), true},
	{"csharp", expr(`^\s*(?:System\.Diagnostics\.)?Debugger\.(?:Break|Launch)\(\s*\)\s*;`), true},
	{"rust", expr(`(?:^|[^\w"])dbg!\(`), false},
	{"perl", expr(`^\s*\$DB::single\s*=\s*1`), true},
	{"go", expr(`^\s*(?:spew\.Dump|pp\.Println|litter\.Dump)\(`), false},
	{"go", expr(`^\s*(?:fmt\.Print(?:ln|f)?|log\.Print(?:ln|f)?|println)\(\s*["\x60]` + shout), false},
	{"python", expr(`^\s*print\(\s*f?["']` + shout), false},
	{"java kotlin scala", expr(`^\s*(?:System\.(?:out|err)\.print(?:ln|f)?|println)\(\s*"` + shout), false},
	{"ruby", expr(`^\s*(?:puts|p|pp)\s*\(?\s*["']` + shout), false},
}

// shout matches what people print to find their own output again.
const shout = `(?i:[^\w"'\x60]*(?:debug|xxx+|here|wtf|asdf|>>>+|===+|\*\*\*+)[^\w"'\x60]*\d*[^\w"'\x60]*(?:["'\x60]|:|%))`

func findDebug(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.kind.language == "" || !f.kind.own() || f.kind.test || f.kind.example || f.kind.docs {
			continue
		}
		console := consoleCounts(s, f)
		for l := range s.added(f) {
			if s.moved(l.text) || comment(f.kind.language, l.text) {
				continue
			}
			for _, w := range leftovers {
				if strings.Contains(w.languages, f.kind.language) && w.expr.in(l.text) {
					reportDebug(out, f, l, w.stops)
					break
				}
			}
			if console && consoleCall.in(l.text) && !bytes.Contains(l.text, []byte("eslint-disable")) {
				reportDebug(out, f, l, false)
			}
		}
	}
}

func reportDebug(out *sink, f *file, l line, stops bool) {
	statement := strings.TrimSpace(string(l.text))
	if stops {
		out.report(f.path, l.number, 0.95, fmt.Sprintf("%s stops the program where it stands. It was left from debugging: take it out.", quoted(statement)))
		return
	}
	out.reportAs(finding.Minor, f.path, l.number, 0.75, fmt.Sprintf("%s looks left from debugging. Take it out, or use the project's logger if the message is meant to stay.", quoted(statement)))
}

// consoleCall matches a statement that prints to a browser's console. Warnings,
// errors and what says debug itself are often meant to stay.
var consoleCall = expr(`^\s*console\.(?:log|dir|table|trace)\(`)

// consoleCounts reports whether printing to the console is unusual in f: code
// for browsers, in a file that did not print before.
func consoleCounts(s *subject, f *file) bool {
	if s.base == nil || !browserCode(f.path) {
		return false
	}
	old := f.OldPath
	if old == "" {
		old = f.path
	}
	data, ok, err := read(s.base, old)
	return err == nil && (!ok || !bytes.Contains(data, []byte("console.")))
}

// browserFolders hold code for browsers, toolFolders code that runs elsewhere.
var (
	browserFolders = set("components", "pages", "views", "hooks", "public", "static", "client", "frontend", "web", "webapp", "ui", "www", "browser", "app", "assets", "webui")
	toolFolders    = set("bin", "cli", "cmd", "scripts", "script", "tools", "tool", "server", "backend", "build", "config", "tasks", "ci", "dev", "devtools", "migrations", "seeds", "functions", "lambda", "api")
)

func browserCode(name string) bool {
	low := strings.ToLower(name)
	if base := path.Base(low); strings.Contains(base, "config") || strings.Contains(base, "logger") || strings.Contains(base, "server") {
		return false
	}
	browser := false
	for folder := range strings.SplitSeq(path.Dir(low), "/") {
		if toolFolders[folder] {
			return false
		}
		browser = browser || browserFolders[folder]
	}
	switch path.Ext(low) {
	case ".jsx", ".tsx", ".vue", ".svelte":
		return true
	case ".js", ".ts", ".mjs":
		return browser
	}
	return false
}
