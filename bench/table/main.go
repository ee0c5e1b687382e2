// Command table reads the output of go test -bench and prints one line for each
// goal: its number, what it is, the limit, what was measured, and whether it is
// ok, missed, skipped (nothing was measured: a peer is missing, or it is not a
// goal of this run) or failed (product and peer disagree).
//
//	go test -run '^$' -bench "$(table -list goals.json)" | table [-quick] goals.json
//
// It exits 1 when a goal is missed or failed. A skipped one is never passed. With
// -list it prints what to give to -bench instead.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// goal is an entry of goals.json.
type goal struct {
	Goal      string  `json:"goal"`      // number of the goal, or "growth"
	What      string  `json:"what"`      // for people
	Limit     float64 `json:"limit"`     // the metric is at most this
	Benchmark string  `json:"benchmark"` // full name, without the -2 for the processors
	Metric    string  `json:"metric"`    // "ratio" when empty
	Quick     bool    `json:"quick"`     // also judged on the small corpus
}

func main() {
	missed, err := run(os.Args[1:], os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(2)
	}
	if missed {
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout io.Writer) (missed bool, err error) {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "only the goals that the small corpus can tell")
	list := flags.Bool("list", false, "print the pattern of the benchmarks")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	data, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return false, err
	}
	var goals []goal
	if err := json.Unmarshal(data, &goals); err != nil {
		return false, fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	if *quick {
		goals = slices.DeleteFunc(goals, func(g goal) bool { return !g.Quick })
	}
	if *list {
		_, err := fmt.Fprintln(stdout, benchmarks(goals))
		return false, err
	}
	results, err := read(stdin)
	if err != nil {
		return false, err
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "goal\twhat\tlimit\tmeasured\t")
	for _, g := range goals {
		measured, verdict := results.judge(g)
		missed = missed || verdict == "missed" || verdict == "failed"
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", g.Goal, g.What, number(g.Limit), measured, verdict)
	}
	if results.broken {
		missed = true
		fmt.Fprintln(w, "-\tgo test failed: see above\t\t\tfailed")
	}
	return missed, w.Flush()
}

// benchmarks returns the pattern that runs the benchmarks of the goals and no
// other.
func benchmarks(goals []goal) string {
	var all []string
	for _, g := range goals {
		one := "^" + strings.ReplaceAll(g.Benchmark, "/", "$/^") + "$"
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return strings.Join(all, "|")
}

// results is what go test said.
type results struct {
	values map[string]map[string]float64 // benchmark, metric
	failed map[string]bool
	broken bool // something failed
}

// read takes the results out of the output of go test.
func read(stdin io.Reader) (results, error) {
	r := results{values: map[string]map[string]float64{}, failed: map[string]bool{}}
	lines := bufio.NewScanner(stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) >= 3 && fields[0] == "---" && fields[1] == "FAIL:":
			r.failed[withoutProcessors(fields[2])] = true
		case len(fields) >= 1 && (fields[0] == "FAIL" || fields[0] == "panic:"):
			r.broken = true
		case len(fields) >= 4 && strings.HasPrefix(fields[0], "Benchmark"):
			metrics := map[string]float64{}
			for i := 2; i+1 < len(fields); i += 2 {
				if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
					metrics[fields[i+1]] = value
				}
			}
			r.values[withoutProcessors(fields[0])] = metrics
		}
	}
	return r, lines.Err()
}

// withoutProcessors takes the -2 off BenchmarkX-2.
func withoutProcessors(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			return name[:i]
		}
	}
	return name
}

func (r results) judge(g goal) (measured, verdict string) {
	metric := g.Metric
	if metric == "" {
		metric = "ratio"
	}
	value, ok := r.values[g.Benchmark][metric]
	parent, _, _ := strings.Cut(g.Benchmark, "/")
	switch {
	case r.failed[g.Benchmark] || !ok && r.failed[parent]:
		return "-", "failed"
	case !ok:
		return "-", "skipped"
	case value <= g.Limit:
		return number(value), "ok"
	}
	return number(value), "missed"
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }
