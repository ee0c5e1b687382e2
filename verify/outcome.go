package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewgate/reviewgate/change"
)

// ending is how a test command ended, as far as telling pass from fail needs it.
type ending struct {
	kind      Kind
	exit      int // -1 when a signal ended it
	output    string
	installed bool              // the project's dependencies are there
	local     func(string) bool // reports whether the project itself has a module of that name; nil means none
	lacks     func(string) bool // reports whether a Python module is the project's own and not in its tree; nil means none
}

// outcome is what an ending means.
type outcome struct {
	status change.Status
	reason string // for fail and unknown
	noTool bool
}

// judge tells what an ending means. Exit code 0 is a pass only when something
// ran, and any other code is the change's failure only when nothing else
// explains it: a tool, a dependency or a test that is simply not there.
func judge(e ending) outcome {
	e.output = plainText(e.output)
	r := readers()[e.kind]
	ran, none := anyPositive(r.ran, e.output), anyMatch(r.none, e.output)
	failed := anyPositive(r.failed, e.output)
	unknown := func(reason string) outcome { return outcome{status: change.Unknown, reason: reason} }

	if e.exit != 0 {
		for _, b := range slices.Concat(r.blocked, missing()) {
			m := b.form.FindStringSubmatch(e.output)
			if m == nil || failed && !b.first || b.uninstalled && (e.installed || len(m) > 1 && e.local != nil && e.local(m[1])) {
				continue
			}
			return outcome{status: change.Unknown, reason: b.say(m), noTool: b.noTool}
		}
		if e.kind == Pytest && !failed {
			if o, ok := missingModule(e); ok {
				return o
			}
		}
	}
	switch {
	case e.exit == 0 && failed && e.kind == Script: // "jest || true"
		return unknown("exit status 0, but its own summary says that tests failed")
	case e.exit == 0 && ran, e.exit == 0 && !none && !r.strict:
		return outcome{status: change.Pass}
	case e.exit == 0 && none:
		return unknown("no test ran")
	case e.exit == 0:
		return unknown("no test ran, as far as the output says")
	case none && !ran && !failed:
		return unknown(fmt.Sprintf("no test ran (%s)", exitText(e.exit)))
	}
	return outcome{status: change.Fail, reason: failedReason(e)}
}

func exitText(code int) string {
	if code < 0 {
		return "killed by a signal"
	}
	return fmt.Sprintf("exit status %d", code)
}

// reader knows the output of one test runner.
type reader struct {
	ran     []*regexp.Regexp // a test ran when the group is a number above zero, or there is no group
	failed  []*regexp.Regexp // the same for a test that failed
	none    []*regexp.Regexp // says that no test ran
	strict  bool             // it always says how many tests ran: silence means none
	blocked []blocker
}

// blocker is what a runner says when it could not do its work for a reason that
// is not the change's.
type blocker struct {
	form        *regexp.Regexp
	reason      string // with %s for the group of form, when it has one
	uninstalled bool   // only when the project's dependencies are not there
	noTool      bool
	first       bool // also when a test failed: the runner counts a file that it could not load as one
}

func (b blocker) say(match []string) string {
	if len(match) > 1 && strings.Contains(b.reason, "%s") {
		return fmt.Sprintf(b.reason, match[1])
	}
	return b.reason
}

// anyPositive reports whether a form matches with a number above zero.
func anyPositive(forms []*regexp.Regexp, text string) bool {
	for _, form := range forms {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			if len(m) == 1 {
				return true
			}
			if n, err := strconv.Atoi(m[1]); err == nil && n > 0 {
				return true
			}
		}
	}
	return false
}

func anyMatch(forms []*regexp.Regexp, text string) bool {
	for _, form := range forms {
		if form.MatchString(text) {
			return true
		}
	}
	return false
}

// escapes matches the sequences that colour a terminal; see ECMA-48.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")

// plainText takes colours and carriage returns off.
func plainText(s string) string {
	return strings.ReplaceAll(escapes.ReplaceAllString(s, ""), "\r\n", "\n")
}
