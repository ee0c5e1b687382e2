package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reviewgate/reviewgate/change"
)

// Limits of what is shown of a failed check. Empirical: the tools that the gate
// knows end with what failed, and a screen holds little more.
const (
	textOutput     = 15  // last lines on the command line
	markdownOutput = 20  // last lines in Markdown
	outputWidth    = 200 // characters of a line
)

// failedChecks lists the checks that failed, in order.
func failedChecks(e Entry) []change.Check {
	var out []change.Check
	for _, c := range e.Verify.Checks {
		if c.Status == change.Fail {
			out = append(out, c)
		}
	}
	return out
}

// failure says in one line which check failed and why.
func failure(c change.Check) string {
	return oneLine(c.Name) + ": " + nameOr(checkReason(c), "no reason was given")
}

// outputTail returns the last lines of a check's output, at most n, visible and
// cut at outputWidth; nil for an output that is empty or white space alone.
func outputTail(output string, n int) []string {
	output = strings.TrimRight(output, " \t\r\n")
	var tail []string
	for output != "" && len(tail) < n {
		i := strings.LastIndexByte(output, '\n')
		tail = append(tail, outputLine(output[i+1:]))
		output = output[:max(i, 0)]
	}
	slices.Reverse(tail)
	return tail
}

// outputLine returns one line of an output, visible and cut. What lies behind
// the cut is not even decoded: a line may be as long as the whole output.
func outputLine(s string) string {
	raw := strings.TrimRight(s, "\r")
	head := raw[:min(len(raw), outputWidth*utf8.UTFMax)]
	runes := []rune(strings.NewReplacer("\n", `\n`, "\t", "    ").Replace(visible(head)))
	if len(runes) > outputWidth {
		return string(runes[:outputWidth]) + "…"
	}
	if len(head) < len(raw) {
		return string(runes) + "…"
	}
	return string(runes)
}
