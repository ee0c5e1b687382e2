// Package external is the reviewer that asks any program: the task goes to its
// standard input as one JSON document, the findings document comes back on its
// standard output. doc/reviewer-protocol.md is what the author of such a program
// reads.
//
// Its main type is [Reviewer].
package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/reviewer"
)

// Options configures one program.
type Options struct {
	Name    string        // name of the reviewer
	Command []string      // program and arguments
	Environ []string      // environment of the gate; the program sees proc.CleanEnv of it
	Pass    []string      // names of variables that it sees besides: its key, its endpoint
	Timeout time.Duration // of one review; 0 means reviewer.DefaultTimeout
	Network bool          // it may use the network
	Nonce   func() string // marks for the prompt; nil means reviewer.Nonce
}

// Reviewer asks a program. It is safe for concurrent use when the program is:
// each review is a process of its own.
type Reviewer struct {
	name    string
	nonce   func() string
	program reviewer.Program
}

// New returns a Reviewer, or an error that names the option that is wrong.
func New(opts Options) (*Reviewer, error) {
	switch {
	case opts.Name == "":
		return nil, errors.New("name is missing")
	case len(opts.Command) == 0 || opts.Command[0] == "":
		return nil, errors.New("command is missing")
	}
	if opts.Nonce == nil {
		opts.Nonce = reviewer.Nonce
	}
	return &Reviewer{opts.Name, opts.Nonce, reviewer.Program{
		Args: opts.Command, Environ: opts.Environ, Pass: opts.Pass, Timeout: opts.Timeout, Network: opts.Network,
	}}, nil
}

// Review runs the program on task. A program that exits with another status
// than 0, answers with anything but a findings document, or does not answer in
// time is an error; what it says that it cost counts all the same.
func (r *Reviewer) Review(ctx context.Context, task reviewer.Task) (reviewer.Result, error) {
	result, err := r.review(ctx, task)
	if err != nil {
		return result, reviewer.Fail(task, r.name, err)
	}
	return result, nil
}

func (r *Reviewer) review(ctx context.Context, task reviewer.Task) (reviewer.Result, error) {
	if err := ctx.Err(); err != nil {
		return reviewer.Result{}, err
	}
	prompt := reviewer.Prompt(task, r.nonce())
	request, err := encode(task, prompt)
	if err != nil {
		return reviewer.Result{}, err
	}
	began := time.Now()
	ended, err := r.program.Run(ctx, task, task.Run, bytes.NewReader(request), maxAnswer(task))
	result := reviewer.Result{Run: []reviewer.Event{
		{Data: asked{"request", r.program.Args, prompt}},
		{MS: time.Since(began).Milliseconds(), Data: answered{"answer", ended.ExitCode, r.kept(ended.Stdout), r.kept(ended.Stderr)}},
	}}
	if err != nil {
		return result, err
	}
	reply, err := decode(ended.Stdout)
	result.CostUSD, result.Turns, result.SessionID = reply.CostUSD, reply.Turns, reply.SessionID
	if err := r.refused(ended, err); err != nil {
		return result, err
	}
	result.Findings = confined(reply.Findings, task)
	result.Summary, result.FilesClean = reply.Summary, reply.FilesClean
	return result, nil
}

// maxAnswer is how long an answer may be: a document of findings, and room for
// what stands around it.
func maxAnswer(task reviewer.Task) int {
	if task.Limits.Output > 0 {
		return task.Limits.Output
	}
	return finding.MaxBytes
}

// asked and answered are the two events of a review.
type (
	asked struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
		Prompt  string   `json:"prompt"`
	}
	answered struct {
		Type     string `json:"type"`
		ExitCode int    `json:"exit_code"`
		Stdout   string `json:"stdout"`
		Stderr   string `json:"stderr"`
	}
)

// kept returns what is stored of an output, with the program's secrets taken
// out.
func (r *Reviewer) kept(output []byte) string {
	const most = 256 << 10 // bytes; what is longer than that nobody reads in a run file
	text := r.program.Redact(string(output))
	if len(text) > most {
		return fmt.Sprintf("%s… (%d bytes more)", text[:most], len(text)-most)
	}
	return text
}

// refused returns why an answer does not count, nil when it does. broken is
// what is wrong with the document on standard output.
func (r *Reviewer) refused(ended proc.Result, broken error) error {
	program := r.program.Args[0]
	switch {
	case ended.ExitCode != 0:
		return fmt.Errorf("%s %s%s: an answer counts only with status 0", program, reviewer.Exit(ended), r.program.Said(ended))
	case len(bytes.TrimSpace(ended.Stdout)) == 0:
		return fmt.Errorf("%s printed nothing%s: it has to print a findings document, even when it finds nothing", program, r.program.Said(ended))
	case broken != nil:
		return fmt.Errorf("%s printed %q, which is no findings document: %s; only that document may be printed", program, r.program.Quote(start(ended.Stdout)), r.program.Quote(broken.Error()))
	}
	return nil
}

// start returns the first line of an output.
func start(output []byte) string {
	const enough = 80 // bytes; the beginning shows whether it is prose or JSON
	output = bytes.TrimSpace(output)
	line, _, _ := bytes.Cut(output[:min(len(output), 4*enough)], []byte("\n"))
	return reviewer.Line(string(line), enough)
}
