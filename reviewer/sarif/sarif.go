// Package sarif is the reviewer that reads what an analyzer reports: SARIF,
// Checkstyle, rdjson, and the JSON of golangci-lint, eslint and staticcheck. It
// takes a report from a file or runs the analyzer in the patched tree, and keeps
// only what the change introduced.
//
// Its main type is [Reviewer]. It analyses nothing itself.
package sarif

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer"
)

// Options configures one analyzer. Either File or Command is set.
type Options struct {
	Name    string   // name of the reviewer
	File    string   // report to read; relative to the working directory of the gate
	Command []string // analyzer to run; its report is what it prints on standard output
	Format  Format   // "" means Auto

	// Dir is the folder below the root in which Command runs, and which paths
	// of the report are relative to; "" is the root.
	Dir string
	// Root is the absolute folder that the repository had where File was
	// written; "" lets the end of a path tell which file is meant.
	Root string
	// Base asks for the analyzer to be run over the base too. What it reports
	// there is old wherever the lines have moved to; everything else is new, on
	// changed lines or not. Without it only what stands on changed lines is new.
	Base bool

	Severity   map[string]finding.Severity // by rule id, beginning of one with * at its end, or level
	Category   map[string]finding.Category // by rule id, beginning of one with * at its end, or tag
	Confidence float64                     // of a result without a rank; 0 means DefaultConfidence

	Environ []string // see reviewer.Program
	Pass    []string
	Timeout time.Duration
	Network bool
}

// Reviewer reviews a change with an analyzer. It is safe for concurrent use.
type Reviewer struct {
	opts    Options
	judged  judged
	program reviewer.Program
	most    int // bytes of what a command prints
}

// New returns a Reviewer, or an error that names the option that is wrong.
func New(opts Options) (*Reviewer, error) {
	switch {
	case opts.Name == "":
		return nil, errors.New("name is missing")
	case (opts.File == "") == (len(opts.Command) == 0):
		return nil, errors.New("one of file and command is needed")
	case opts.Base && opts.File != "":
		return nil, errors.New("base needs a command: a file cannot be made for the base")
	case opts.Format != "" && !slices.Contains(Formats, opts.Format):
		return nil, fmt.Errorf("format: %q is not one of %s", opts.Format, words(Formats))
	case opts.Dir != "" && !fs.ValidPath(opts.Dir):
		return nil, fmt.Errorf("dir: %q is not a folder below the root of the repository", opts.Dir)
	case !(opts.Confidence >= 0 && opts.Confidence <= 1):
		return nil, fmt.Errorf("confidence: %v is not between 0 and 1", opts.Confidence)
	}
	if opts.Confidence == 0 {
		opts.Confidence = DefaultConfidence
	}
	if opts.Dir == "." {
		opts.Dir = ""
	}
	return &Reviewer{
		opts:   opts,
		most:   MaxBytes,
		judged: judged{severity: opts.Severity, category: opts.Category, confidence: opts.Confidence},
		program: reviewer.Program{
			Args: opts.Command, Dir: opts.Dir, Environ: opts.Environ, Pass: opts.Pass,
			Timeout: opts.Timeout, Network: opts.Network,
		},
	}, nil
}

func words(formats []Format) string {
	list := make([]string, len(formats))
	for i, f := range formats {
		list[i] = string(f)
	}
	return strings.Join(list, ", ")
}

// Review reads the report on task and returns what the change introduced. A
// report that cannot be read, is empty, or says that the analyzer failed is an
// error, as is a command that fails without reporting a single result.
func (r *Reviewer) Review(ctx context.Context, task reviewer.Task) (reviewer.Result, error) {
	began := time.Now()
	result, err := r.review(ctx, task)
	if err != nil {
		return reviewer.Result{}, reviewer.Fail(task, r.opts.Name, err)
	}
	result.Run = []reviewer.Event{{MS: time.Since(began).Milliseconds(), Data: map[string]any{
		"analyzer": r.opts.Name, "source": r.source(), "summary": result.Summary,
	}}}
	return result, nil
}

func (r *Reviewer) review(ctx context.Context, task reviewer.Task) (reviewer.Result, error) {
	if err := ctx.Err(); err != nil {
		return reviewer.Result{}, err
	}
	if task.Patch == nil {
		return reviewer.Result{}, errors.New("the change has no patch to compare the report with")
	}
	if task.Limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, task.Limits.Time)
		defer cancel()
	}
	c := newComparison(task, r.judged)
	head, err := r.analyse(ctx, c)
	if err != nil {
		return reviewer.Result{}, err
	}
	const written = "on lines that this change writes"
	if !r.opts.Base {
		return r.answer(task, head, c.onChangedLines(head), written), nil
	}
	base, err := r.analyseBase(ctx, task)
	switch {
	case ctx.Err() != nil:
		return reviewer.Result{}, ctx.Err()
	case err != nil:
		head.note("only changed lines were looked at, because the base could not be analysed: %s", short(err.Error()))
		return r.answer(task, head, c.onChangedLines(head), written), nil
	}
	return r.answer(task, head, c.notIn(base, head), "not there before this change"), nil
}

// answer puts together what is said of a report of which found is new. The
// heaviest come first: of findings that are equally sure and lie close together,
// the first one stands for all, and a minor one must not stand for a major one.
func (r *Reviewer) answer(task reviewer.Task, head *report, found []finding.Finding, how string) reviewer.Result {
	summary := fmt.Sprintf("%s reported %s, %d of them %s.", r.opts.Name, count(head.seen), len(found), how)
	found = append(found, r.steered(task)...)
	slices.SortStableFunc(found, func(a, b finding.Finding) int { return a.Severity.Rank() - b.Severity.Rank() })
	return reviewer.Result{Findings: found, Summary: summary, Notes: head.remarks()}
}

// source says where the report comes from.
func (r *Reviewer) source() string {
	if r.opts.File != "" {
		return r.opts.File
	}
	return strings.Join(r.opts.Command, " ")
}
