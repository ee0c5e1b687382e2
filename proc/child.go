package proc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
)

// setupFailed is the exit code of a re-executed program that could not set up
// its sandbox; the reason is in its report. It is what env and sh use for "could
// not be run".
const setupFailed = 125

// childInstalled is set once Child was called: only then does re-executing this
// program set up a sandbox, rather than run the program a second time.
var childInstalled atomic.Bool

// Child is the other half of a sandbox: the program starts itself again, behind
// new walls, to run what may not be trusted. main calls it before anything else
// with the arguments after the program's name. When handled is true the process
// has done what it was started for and must exit with code at once; otherwise
// the program goes its ordinary way. A program that never calls Child has no
// sandbox made of namespaces. Tests call it from TestMain.
func Child(args []string) (code int, handled bool) {
	childInstalled.Store(true)
	if len(args) == 0 || args[0] != Marker {
		return 0, false
	}
	gate, err := openGate()
	if err != nil {
		fmt.Fprintf(os.Stderr, "reviewgate: %s is for its own use: %v\n", Marker, err)
		return setupFailed, true
	}
	return runBehindWalls(gate), true
}

// gateEnd is the connection of a re-executed program to the one that started it.
type gateEnd struct {
	plan    plan
	in      *bufio.Reader // ends when the gate wants us to stop, or is gone
	reports *json.Encoder
	files   []*os.File
}

func openGate() (*gateEnd, error) {
	in, out := os.NewFile(planFD, "plan"), os.NewFile(reportFD, "report")
	if in == nil || out == nil {
		return nil, fmt.Errorf("no plan was given")
	}
	closeOnExec(planFD)
	closeOnExec(reportFD)
	g := &gateEnd{in: bufio.NewReader(in), reports: json.NewEncoder(out), files: []*os.File{in, out}}
	line, err := g.in.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	if err := json.Unmarshal(line, &g.plan); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return g, nil
}

// say sends r. A gate that is gone does not hear it, and needs no answer.
func (g *gateEnd) say(r report) { g.reports.Encode(r) }

// fail reports why the program was not started.
func (g *gateEnd) fail(err error) int {
	g.say(reportOf(err))
	return setupFailed
}

// reportOf puts err into words that the gate can take apart again.
func reportOf(err error) report {
	var missing *NotFoundError
	var compose *ComposeError
	switch {
	case errors.As(err, &missing):
		return report{Missing: missing.Program}
	case errors.As(err, &compose):
		return report{Compose: compose}
	}
	return report{Error: err.Error()}
}
