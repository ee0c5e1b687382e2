// Command reviewgate reads a change, has it reviewed, tests it on a copy and
// answers merge, hold or block, with the reason and the evidence.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/reviewgate/reviewgate/proc"
)

func main() {
	if code, handled := proc.Child(os.Args[1:]); handled {
		os.Exit(code)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Environ(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}
