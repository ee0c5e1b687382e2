package proc

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// runPlan re-executes this program behind the walls that means can make, to run
// cmd there, or, to probe, to put up the walls and nothing more.
func runPlan(ctx context.Context, cmd Cmd, means Means, probe bool) (Result, error) {
	failed := Result{ExitCode: -1}
	if err := composable(cmd.Sandbox, means); err != nil {
		return failed, err
	}
	p, err := newPlan(cmd, means)
	if err != nil {
		return failed, err
	}
	p.Probe, p.User = probe, !privileged()
	defer os.Remove(p.Root)
	link, err := openLink(p)
	if err != nil {
		return failed, fmt.Errorf("run %s: %w", cmd.Args[0], err)
	}
	defer link.close()
	child, err := reexec(p)
	if err != nil {
		return failed, fmt.Errorf("run %s: %w", cmd.Args[0], err)
	}
	child.ExtraFiles = link.theirs
	result, err := runChild(ctx, cmd, child, link)
	reports := link.hear()
	result.Sandbox = reports.started.Layers
	if result.Limit = reports.ended.Limit; reports.ended.Ended && !result.TimedOut {
		result.ExitCode = reports.ended.Exit
	}
	if err == nil && !result.TimedOut {
		err = reports.failure(cmd.Args[0])
	}
	if err != nil {
		result.ExitCode = -1
	}
	return result, err
}

// composable returns a *ComposeError when means cannot show what s asks for.
func composable(s *Sandbox, means Means) error {
	if means == Namespaces || means == composeOnly {
		return nil
	}
	for _, o := range s.Overlays {
		return &ComposeError{At: o.At, Err: string(means) + " makes no overlays"}
	}
	for _, b := range s.Binds {
		if b.At != b.Host && means != Bubblewrap {
			return &ComposeError{At: b.At, Err: string(means) + " shows folders only where they are"}
		}
	}
	return nil
}

// newPlan says what the re-executed program has to do for cmd.
func newPlan(cmd Cmd, means Means) (*plan, error) {
	s := cmd.Sandbox
	root, err := os.MkdirTemp(s.Scratch, "root-")
	if err != nil {
		return nil, fmt.Errorf("run %s: make a root: %w", cmd.Args[0], err)
	}
	dir := cmd.Dir
	if dir == "" {
		dir = "/"
	}
	p := &plan{Means: means, Args: cmd.Args, Dir: dir, Env: cmd.Env, Root: root, Mounts: view(s, cmd.Network), Network: cmd.Network, Limits: s.Limits}
	if means == Landlock {
		p.Readable = readable(s.Read, cmd.Network)
	}
	return p, nil
}

// link is our end of the connection to a re-executed program.
type link struct {
	gentle  bool // the program can end what it started, and better than we
	theirs  []*os.File
	plan    *os.File // stays open while the program may run
	report  *os.File
	reports chan heard
}

func openLink(p *plan) (*link, error) {
	planR, planW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	reportR, reportW, err := os.Pipe()
	if err != nil {
		planR.Close()
		planW.Close()
		return nil, err
	}
	l := &link{gentle: p.Means != Namespaces, theirs: []*os.File{planR, reportW}, plan: planW, report: reportR, reports: make(chan heard, 1)}
	go func() { // a plan may be larger than a pipe
		json.NewEncoder(planW).Encode(p) // a program that does not read it does not report either
	}()
	go func() { l.reports <- listen(reportR) }()
	return l, nil
}

// started closes the ends that the program has copies of. A nil link has none.
func (l *link) started() {
	if l == nil {
		return
	}
	for _, f := range l.theirs {
		f.Close()
	}
	l.theirs = nil
}

// endsItself reports whether the program ends what it started when it is told to
// stop, and exits then, instead of being killed.
func (l *link) endsItself() bool { return l != nil && l.gentle }

// stop asks the program to end everything it started, and waits at most grace
// for it to have ended itself. In a process namespace killing it does that.
func (l *link) stop(ended <-chan struct{}) {
	if !l.endsItself() {
		return
	}
	l.plan.Close()
	select {
	case <-ended:
	case <-time.After(grace):
	}
}

// hear returns what was reported, once the program has ended.
func (l *link) hear() heard {
	l.started()
	return <-l.reports
}

func (l *link) close() {
	l.started()
	l.plan.Close()
	l.report.Close()
}

// heard are the reports of a re-executed program.
type heard struct{ started, ended report }

func listen(r *os.File) heard {
	var h heard
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		var said report
		if len(line) > 0 && json.Unmarshal(line, &said) == nil {
			if said.Ended {
				h.ended = said
			} else {
				h.started = said
			}
		}
		if err != nil {
			return h
		}
	}
}

// failure says why the program was not started; nil when it was.
func (h heard) failure(program string) error {
	switch {
	case h.started.Missing != "":
		return &NotFoundError{h.started.Missing}
	case h.started.Compose != nil:
		return h.started.Compose
	case h.started.Error != "":
		return fmt.Errorf("run %s: sandbox: %s", program, h.started.Error)
	case h.started.Layers == nil && !h.ended.Ended:
		return fmt.Errorf("run %s: the sandbox ended without a report", program)
	}
	return nil
}
