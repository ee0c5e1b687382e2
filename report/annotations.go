package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// maxAnnotations is what GitHub shows of one step; the rest is dropped without a
// word. Source: reviewdog's limit for the same commands.
const maxAnnotations = 10

// Annotations writes the log of a GitHub Actions step: the verdicts as text, and
// the heaviest verdicts and findings as annotations, with the number of those
// that did not fit. Text cannot start a command of its own: commands are
// switched off around the text, and properties and messages are escaped.
func Annotations(w io.Writer, run Run) error {
	var text bytes.Buffer
	if err := textRun(&text, run); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	// The token switches commands on again. It is a hash of the text between,
	// so the text cannot hold it.
	sum := sha256.Sum256(text.Bytes())
	token := hex.EncodeToString(sum[:])
	fmt.Fprintf(b, "::stop-commands::%s\n%s::%s::\n", token, text.Bytes(), token)
	all := annotations(run)
	if len(all) > maxAnnotations {
		rest := fmt.Sprintf("%d more verdicts, checks and findings are in the log of this step.", len(all)-maxAnnotations+1)
		all = append(all[:maxAnnotations-1], annotation{level: "notice", title: "Reviewgate", text: rest})
	}
	for _, a := range all {
		a.write(b)
	}
	return b.Flush()
}

// annotation is one workflow command.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
type annotation struct {
	level, file string
	line, end   int
	title, text string
	rank        int // 0 comes first
}

// annotations lists every verdict that is not merge, every failed check and every
// finding, heaviest first, a verdict before the findings of its weight.
func annotations(run Run) []annotation {
	var all []annotation
	for _, e := range run.Entries {
		if e.Verdict != policy.Merge {
			a := annotation{level: "warning", title: oneLine(e.ID) + ": " + oneLine(string(e.Verdict)), text: oneLine(e.Reason), rank: 1}
			if e.Verdict == policy.Block {
				a.level, a.rank = "error", 0
			}
			all = append(all, a)
		}
		for _, c := range failedChecks(e) {
			all = append(all, annotation{level: "error", title: oneLine(e.ID) + ": check failed", text: failure(c)})
		}
	}
	for _, r := range heaviestFirst(run.Entries) {
		f := r.Finding.Finding
		all = append(all, annotation{
			level: annotationLevel(f.Severity), file: fileName(f.File), line: max(f.Line, 1), end: max(lastLine(f), 1),
			title: fmt.Sprintf("%s %s", oneLine(string(f.Severity)), oneLine(string(f.Category))), text: longLine(wholeMessage(f)), rank: f.Severity.Rank(),
		})
	}
	slices.SortStableFunc(all, func(a, b annotation) int { return a.rank - b.rank })
	return all
}

func annotationLevel(s finding.Severity) string {
	switch s {
	case finding.Blocker:
		return "error"
	case finding.Minor:
		return "notice"
	}
	return "warning"
}

func (a annotation) write(b *bufio.Writer) {
	b.WriteString("::" + a.level + " ")
	if a.file != "" {
		fmt.Fprintf(b, "file=%s,line=%d,endLine=%d,", property(a.file), a.line, a.end)
	}
	fmt.Fprintf(b, "title=%s::%s\n", property(a.title), data(a.text))
}

// data escapes the message of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes the value of a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
