package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/reviewgate/reviewgate/gate"
)

// progress shows on one line of the terminal what is under way. It is silent
// when stderr is not a terminal. What goes to stdout meanwhile goes through
// print, so that the two do not write over each other.
type progress struct {
	out     io.Writer // nil when silent
	width   int       // columns of the terminal
	total   int
	started time.Time
	now     func() time.Time

	mu      sync.Mutex
	done    int
	stages  map[string]gate.Stage // of the changes under way
	stop    chan struct{}
	stopped sync.WaitGroup
}

// progressTick is how often the line is drawn again: often enough to look alive.
const progressTick = 200 * time.Millisecond

func (a *app) newProgress(total int) *progress {
	p := &progress{total: total, started: a.now(), now: a.now, stages: map[string]gate.Stage{}, stop: make(chan struct{})}
	if !a.tty {
		return p
	}
	p.out, p.width = a.stderr, 80
	if w, _, err := term.GetSize(os.Stderr.Fd()); err == nil && w > 0 {
		p.width = w
	}
	p.stopped.Go(p.tick)
	return p
}

func (p *progress) tick() {
	ticker := time.NewTicker(progressTick)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.print(func() {})
		}
	}
}

// event takes note of a stage; see gate.Gate.Progress.
func (p *progress) event(e gate.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Stage == gate.StageDone {
		delete(p.stages, e.ID)
		p.done++
		return
	}
	p.stages[e.ID] = e.Stage
}

// print takes the line away, lets write do its work, and draws the line again.
func (p *progress) print(write func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == nil {
		write()
		return
	}
	fmt.Fprint(p.out, "\r\x1b[K")
	write()
	fmt.Fprint(p.out, p.line())
}

// close takes the line away for good.
func (p *progress) close() {
	close(p.stop)
	p.stopped.Wait()
	if p.out != nil {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// line is the state in at most the terminal's width: how many of how many,
// since when, and what is under way.
func (p *progress) line() string {
	var under []string
	for id, stage := range p.stages {
		under = append(under, oneLine(id)+" "+string(stage))
	}
	slices.Sort(under)
	filled := 0
	if p.total > 0 {
		filled = 10 * p.done / p.total
	}
	bar := strings.Repeat("█", filled) + strings.Repeat("░", 10-filled)
	text := fmt.Sprintf("%s %d/%d  %s  %s", bar, p.done, p.total, p.now().Sub(p.started).Round(time.Second), strings.Join(under, " · "))
	if runes := []rune(text); p.width > 2 && len(runes) >= p.width {
		text = string(runes[:p.width-2]) + "…"
	}
	return text
}
