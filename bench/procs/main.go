// Command procs runs two programs in turn and prints how the first does against
// the second: wall time, processor time and peak memory, each as the median of
// the pair-wise ratios.
//
//	procs [-n 7] [-json] -- PRODUCT ARG... -- PEER ARG...
//
// A program that fails ends the measurement: what fails fast is not fast.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"github.com/reviewgate/reviewgate/bench/pair"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "procs:", err)
		os.Exit(1)
	}
}

// usage is what one run of a program took.
type usage struct {
	wall, cpu time.Duration
	rss       int64 // peak, in the unit of the system
}

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("procs", flag.ContinueOnError)
	n := flags.Int("n", pair.Pairs, "pairs to run")
	asJSON := flags.Bool("json", false, "print JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	rest := flags.Args()
	split := slices.Index(rest, "--")
	if split <= 0 || split == len(rest)-1 || *n < 1 {
		return fmt.Errorf("expected [-n N] -- PRODUCT [ARG]... -- PEER [ARG]..., with two programs")
	}
	result, err := measure(rest[:split], rest[split+1:], *n)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(result)
	}
	_, err = fmt.Fprintf(stdout, "wall %.3f  cpu %.3f  peak %.3f\n", result.Wall, result.CPU, result.RSS)
	return err
}

type ratios struct{ Wall, CPU, RSS float64 }

func measure(product, peer []string, n int) (ratios, error) {
	var wall, cpu, rss []float64
	for i := range n + 1 {
		a, err := once(product)
		if err != nil {
			return ratios{}, err
		}
		b, err := once(peer)
		if err != nil {
			return ratios{}, err
		}
		if i == 0 {
			continue // to warm up
		}
		wall = append(wall, float64(a.wall)/float64(max(b.wall, 1)))
		cpu = append(cpu, float64(a.cpu)/float64(max(b.cpu, 1)))
		rss = append(rss, float64(a.rss)/float64(max(b.rss, 1)))
	}
	return ratios{pair.Median(wall), pair.Median(cpu), pair.Median(rss)}, nil
}

func once(command []string) (usage, error) {
	cmd := exec.Command(command[0], command[1:]...)
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return usage{}, fmt.Errorf("%s: %w", command[0], err)
	}
	u := usage{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.rss = r.Maxrss
	}
	return u, nil
}
