// Package proc runs one subprocess the way everything outside git is run here:
// with a context, a deadline, a process group that is killed whole, capped
// output, a clean environment and the strongest sandbox that the machine has.
//
// Its main function is [Run]. It does not know what the program is for.
package proc

import (
	"io"
	"time"
)

// Cmd is one program to run.
type Cmd struct {
	Args      []string      // program and arguments; Args[0] is looked up on PATH of Env
	Dir       string        // working directory as the program sees it
	Env       []string      // the whole environment, "K=V"; nil means CleanEnv's default
	Stdin     io.Reader     // nil is an empty input, never the terminal
	Timeout   time.Duration // wall time; 0 means none beyond the context's
	MaxStdout int           // bytes kept of stdout; 0 means DefaultMaxOutput
	MaxStderr int           // bytes kept of stderr; 0 means DefaultMaxOutput
	Merge     bool          // stderr goes into Stdout, in the order written
	Network   bool          // the sandbox leaves the network on
	Sandbox   *Sandbox      // what the program may see and use; nil is everything that we may
}

// Result is how a program ended.
type Result struct {
	ExitCode  int // -1 when it was killed or never started
	Stdout    []byte
	Stderr    []byte
	Truncated bool // output was longer than the cap: head and tail are kept, with a line between that says how much was cut
	TimedOut  bool
	Limit     string // which limit of the sandbox it was killed for: "more than 64 MB of memory"; "" when none
	Duration  time.Duration
	Sandbox   []string // layers that held; empty when none was asked for
}
