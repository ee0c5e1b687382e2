//go:build !linux

package proc

import (
	"context"
	"errors"
	"os/exec"

	"os"
)

// runSandboxed runs cmd under limits, which is all that this system offers.
func runSandboxed(ctx context.Context, cmd Cmd) (Result, error) {
	s := cmd.Sandbox
	failed := Result{ExitCode: -1}
	if err := composable(s, Bare); err != nil {
		return failed, err
	}
	if s.Mode == Required {
		return failed, ErrUnwalled
	}
	if s.Mode == Off || !childInstalled.Load() {
		return runPlain(ctx, cmd)
	}
	return runPlan(ctx, cmd, Bare, false)
}

// Probe returns what this machine offers; see the Linux version.
func Probe(_ context.Context, means Means) (Support, error) {
	if means != "" && means != Bare {
		return Support{}, errors.New("sandbox: " + string(means) + " needs Linux")
	}
	return Support{Means: Bare, Layers: []string{LayerLimits}, Notes: []string{"namespaces, bubblewrap, landlock: need Linux"}}, nil
}

func privileged() bool { return false }

func reexec(*plan) (*exec.Cmd, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.Command(exe, Marker)
	child.Env = []string{}
	return child, nil
}
