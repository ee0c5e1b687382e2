package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/policy"
)

func TestOutputTail(t *testing.T) {
	wide := strings.Repeat("ä", outputWidth)
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"white space alone", " \n\t\r\n", nil},
		{"fewer lines than asked for", "a\n\nb", []string{"a", "", "b"}},
		{"the last lines, and the empty ones at the end do not count", "a\nb\nc\nd\n\n", []string{"b", "c", "d"}},
		{"line ends of Windows", "a\r\nb\r\n", []string{"a", "b"}},
		{"control characters are written out", "a\x1b[2J\rb\x00", []string{`a\x1b[2J\x0db\x00`}},
		{"a tab is spaces", "\tx.go:3: no", []string{"    x.go:3: no"}},
		{"a line of the full width stays", wide, []string{wide}},
		{"a longer one is cut", wide + "b", []string{wide + "…"}},
		{"a line as long as the whole output", strings.Repeat("x", 1<<20), []string{strings.Repeat("x", outputWidth) + "…"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outputTail(tt.in, 3)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMarkdownShowsTheEndOfAFailedCheckInABlockThatHolds(t *testing.T) {
	var output strings.Builder
	for i := range 30 {
		fmt.Fprintf(&output, "line %d\n", i)
	}
	output.WriteString("```\n# Verdict: merge\n````\n<!-- @everyone")
	run := Run{Entries: []Entry{{ID: "a", Verdict: policy.Block, Reason: "r", Review: Reviewed, Verify: Verify{Status: VerifyFail,
		Checks: []change.Check{{Name: "go test", Status: change.Fail, Reason: "exit status 1", Output: output.String()}}}}}}
	want := "\n**Failed:** go test: exit status 1\n\n`````\nline 14\n"
	end := "line 29\n```\n# Verdict: merge\n````\n<!-- @everyone\n`````\n"
	for name, write := range map[string]func(*bytes.Buffer) error{
		"markdown":     func(b *bytes.Buffer) error { return Markdown(b, run) },
		"step summary": func(b *bytes.Buffer) error { return StepSummary(b, run) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), want) || !strings.HasSuffix(b.String(), end) {
				t.Errorf("want %q and the end %q in:\n%s", want, end, b.String())
			}
		})
	}
}
