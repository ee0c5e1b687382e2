//go:build !linux

package proc

import (
	"fmt"
	"os"
	"syscall"
)

// runBehindWalls sets the limits of the plan and becomes its program.
func runBehindWalls(g *gateEnd) int {
	p := &g.plan
	limits := map[int]uint64{syscall.RLIMIT_CORE: 0}
	if p.Limits.FileBytes > 0 {
		limits[syscall.RLIMIT_FSIZE] = p.Limits.FileBytes
	}
	for resource, limit := range limits {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return g.fail(fmt.Errorf("set limit %d: %w", resource, err))
		}
	}
	if err := os.Chdir(p.Dir); err != nil {
		return g.fail(fmt.Errorf("enter the working directory: %w", err))
	}
	program, err := LookPath(p.Args[0], p.Env, p.Dir)
	if err != nil {
		return g.fail(err)
	}
	g.say(report{Layers: []string{LayerLimits}})
	return g.fail(syscall.Exec(program, p.Args, p.Env)) // returns only when it failed
}

func closeOnExec(fd int) { syscall.CloseOnExec(fd) }
