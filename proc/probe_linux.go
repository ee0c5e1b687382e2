package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// probeTimeout bounds one try of a means. It takes some ten milliseconds; a
// machine that is busy must not be taken for one without walls.
const probeTimeout = time.Minute

// probed remembers what the machine offered when it was asked first: walls do
// not change while a program runs.
var probed struct {
	sync.Mutex
	support map[Means]Support
}

// Probe returns what this machine offers: the strongest means, or, when means is
// not "", that one, which is an error when it does not work here. Every means is
// tried for real, once per process.
func Probe(ctx context.Context, means Means) (Support, error) {
	probed.Lock()
	defer probed.Unlock()
	if s, ok := probed.support[means]; ok {
		return s, nil
	}
	candidates := []Means{Namespaces, Bubblewrap, Landlock, Bare}
	if means != "" {
		candidates = []Means{means}
	}
	var notes []string
	for _, m := range candidates {
		s, err := try(ctx, m)
		if err == nil {
			s.Notes = notes
			if probed.support == nil {
				probed.support = map[Means]Support{}
			}
			probed.support[means] = s
			return s, nil
		}
		if ctx.Err() != nil {
			return Support{}, fmt.Errorf("probe the sandbox: %w", ctx.Err())
		}
		notes = append(notes, fmt.Sprintf("%s: %v", m, err))
	}
	return Support{}, fmt.Errorf("sandbox: %s", notes[len(notes)-1])
}

// try builds the walls of means around nothing.
func try(ctx context.Context, means Means) (Support, error) {
	if !childInstalled.Load() {
		if means == Bare {
			return Support{Means: Bare}, nil
		}
		return Support{}, errors.New("this program does not re-execute itself (it never called proc.Child)")
	}
	scratch, err := os.MkdirTemp("", "reviewgate-probe-")
	if err != nil {
		return Support{}, err
	}
	defer os.RemoveAll(scratch)
	s := &Sandbox{Scratch: scratch}
	layers, err := probeRun(ctx, means, s)
	if err != nil {
		return Support{}, err
	}
	support := Support{Means: means, Layers: layers}
	if means != Namespaces {
		return support, nil
	}
	overlay := Overlay{At: "/overlay", Layers: []string{filepath.Join(scratch, "lower")}, Upper: filepath.Join(scratch, "upper"), Work: filepath.Join(scratch, "work")}
	for _, dir := range []string{overlay.Layers[0], overlay.Upper, overlay.Work} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return Support{}, err
		}
	}
	s.Overlays = []Overlay{overlay}
	_, err = probeRun(ctx, means, s)
	support.Overlays = err == nil
	return support, nil
}

func probeRun(ctx context.Context, means Means, s *Sandbox) ([]string, error) {
	cmd := Cmd{Args: []string{"probe"}, Env: []string{}, Sandbox: s, Timeout: probeTimeout}
	result, err := runPlan(ctx, cmd, means, true)
	if err == nil && result.TimedOut {
		err = fmt.Errorf("no answer within %s", probeTimeout)
	}
	return result.Sandbox, err
}
