package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/reviewgate/reviewgate/proc"
)

// tools are the programs that the gate or the checks of a project may run, and
// how each says its version.
var tools = []struct {
	name string
	args []string
	what string
}{
	{"git", []string{"--version"}, "needed"},
	{"bwrap", []string{"--version"}, "sandbox"},
	{"go", []string{"version"}, "checks of Go"},
	{"node", []string{"--version"}, "checks of JavaScript and TypeScript"},
	{"npm", []string{"--version"}, "test scripts of package.json"},
	{"python3", []string{"--version"}, "checks of Python"},
	{"cargo", []string{"--version"}, "checks of Rust"},
	{"mvn", []string{"--version"}, "checks of Java"},
	{"gradle", []string{"--version"}, "checks of Java and Kotlin"},
	{"dotnet", []string{"--version"}, "checks of .NET"},
	{"ruby", []string{"--version"}, "checks of Ruby"},
	{"php", []string{"--version"}, "checks of PHP"},
	{"swift", []string{"--version"}, "checks of Swift"},
	{"ctest", []string{"--version"}, "checks of CMake projects"},
}

// doctorAnswer is what `doctor --json` prints.
type doctorAnswer struct {
	Version string       `json:"version"`
	Sandbox sandboxState `json:"sandbox"`
	Cache   string       `json:"cache"`
	Tools   []toolState  `json:"tools"`
}

type sandboxState struct {
	Means  string   `json:"means"`
	Layers []string `json:"layers"`
	Walled bool     `json:"walled"` // enough for --sandbox required
	Notes  []string `json:"notes"`
}

type toolState struct {
	Name    string `json:"name"`
	For     string `json:"for"`
	Version string `json:"version"` // "" when it is not installed
}

func (a *app) doctorCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers: tools, sandbox, cache",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			answer, err := a.examineMachine(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(answer)
			}
			a.printDoctor(answer)
			if answer.Tools[0].Version == "" {
				return fmt.Errorf("git is not on PATH: install it, nothing works without")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) examineMachine(ctx context.Context) (doctorAnswer, error) {
	support, err := proc.Probe(ctx, "")
	if err != nil {
		return doctorAnswer{}, err
	}
	answer := doctorAnswer{Version: version(), Cache: a.cacheDir(), Sandbox: sandboxState{
		Means: string(support.Means), Layers: orEmpty(support.Layers), Walled: proc.Walled(support.Layers, false), Notes: orEmpty(support.Notes),
	}}
	for _, t := range tools {
		answer.Tools = append(answer.Tools, toolState{t.name, t.what, a.toolVersion(ctx, append([]string{t.name}, t.args...))})
	}
	return answer, ctx.Err()
}

// toolVersion returns the first line that a tool says about itself, or "" when
// it cannot be run.
func (a *app) toolVersion(ctx context.Context, args []string) string {
	result, err := proc.Run(ctx, proc.Cmd{Args: args, Env: proc.CleanEnv(a.env, "HOME"), Timeout: 20 * time.Second, Merge: true})
	if err != nil || result.ExitCode != 0 {
		return ""
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(result.Stdout), []byte("\n"))
	return oneLine(ansi.Strip(string(line)))
}

func (a *app) printDoctor(d doctorAnswer) {
	fmt.Fprintf(a.stdout, "reviewgate %s\n\n", d.Version)
	state := yellow.Render("not walled in: --sandbox required would refuse")
	if d.Sandbox.Walled {
		state = green.Render("walled in")
	}
	fmt.Fprintf(a.stdout, "sandbox  %s, %s (%s)\n", state, d.Sandbox.Means, strings.Join(d.Sandbox.Layers, ", "))
	for _, note := range d.Sandbox.Notes {
		fmt.Fprintf(a.stdout, "         %s\n", faint.Render(oneLine(note)))
	}
	fmt.Fprintf(a.stdout, "cache    %s\n\n", cmp.Or(d.Cache, "none: neither HOME nor REVIEWGATE_CACHE_DIR is set"))
	for _, t := range d.Tools {
		if t.Version == "" {
			fmt.Fprintf(a.stdout, "%-8s %s\n", t.Name, faint.Render("not installed ("+t.For+")"))
			continue
		}
		fmt.Fprintf(a.stdout, "%-8s %s\n", t.Name, t.Version)
	}
}
