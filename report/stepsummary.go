package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxStepSummary is what GitHub accepts as the summary of one step: 1 MiB. A
// longer one is refused whole.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
const maxStepSummary = 1 << 20

// StepSummary writes Markdown for GITHUB_STEP_SUMMARY. It ends at the last whole
// change within the limit and says how many are missing.
func StepSummary(w io.Writer, run Run) error { return stepSummary(w, run, maxStepSummary) }

func stepSummary(w io.Writer, run Run, limit int) error {
	const reserve = 256 // for the closing note
	var out, section bytes.Buffer
	write := func(f func(*bufio.Writer)) bool {
		section.Reset()
		b := bufio.NewWriter(&section)
		f(b)
		b.Flush() // a buffer takes everything
		if out.Len()+section.Len() > limit-reserve {
			return false
		}
		out.Write(section.Bytes())
		return true
	}
	shown := 0
	if write(func(b *bufio.Writer) { markdownHead(b, run) }) {
		for _, e := range run.Entries {
			if !write(func(b *bufio.Writer) { markdownEntry(b, e) }) {
				break
			}
			shown++
		}
	} else {
		fmt.Fprintf(&out, "# %s: %s\n", count(len(run.Entries), "change"), verdictCounts(run.Entries))
	}
	if shown < len(run.Entries) {
		fmt.Fprintf(&out, "\n**This summary is cut:** it holds the details of %d of %s; the full report is REPORT.md.\n", shown, count(len(run.Entries), "change"))
	}
	_, err := w.Write(out.Bytes())
	return err
}
