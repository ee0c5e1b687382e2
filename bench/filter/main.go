// Command filter prints which of an analyzer's diagnostics a patch introduces,
// one PATH:LINE a line: what a gate does with a linter's report, as a program
// that can be measured against another one.
//
//	filter PATCH REPORT
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/sarif"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "filter:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) != 2 {
		return fmt.Errorf("expected PATCH REPORT")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	patch, err := diff.Parse(text)
	if err != nil {
		return err
	}
	analyzer, err := sarif.New(sarif.Options{Name: "lint", File: args[1]})
	if err != nil {
		return err
	}
	result, err := analyzer.Review(ctx, reviewer.Task{Change: change.Change{ID: "bench", Patch: text}, Patch: patch})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	for _, f := range result.Findings {
		fmt.Fprintf(out, "%s:%d\n", f.File, f.Line)
	}
	return out.Flush()
}
