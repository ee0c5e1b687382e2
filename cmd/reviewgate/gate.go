package main

import (
	"runtime"
	"time"

	"github.com/reviewgate/reviewgate/change"
	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/gate"
	"github.com/reviewgate/reviewgate/proc"
	"github.com/reviewgate/reviewgate/verify"
)

// newGate joins the chosen reviewers, the verify gate and the settings. The
// returned function removes what the gate left on the disk.
func (a *app) newGate(cfg config.Config, f *gateFlags, p panel, o verify.Options) (*gate.Gate, func(), error) {
	asOf, err := a.asOfTime(f.asOf)
	if err != nil {
		return nil, nil, err
	}
	v, cleanUp, err := a.newVerify(cfg, f, o)
	if err != nil {
		return nil, nil, err
	}
	foreign := cfg.Rules.Foreign == nil || *cfg.Rules.Foreign
	return &gate.Gate{
		Reviewer: p.reviewer, Names: p.names, Verify: v, RunTests: !f.noVerify && !cfg.Verify.Off,
		MinConfidence: cfg.MinConfidence, ForeignRules: foreign, AsOf: asOf, Now: a.now,
	}, cleanUp, nil
}

// newVerify builds the verify gate. What o leaves open comes from the settings.
func (a *app) newVerify(cfg config.Config, f *gateFlags, o verify.Options) (*verify.Gate, func(), error) {
	o.Timeout, o.Sandbox = time.Duration(cfg.Verify.Timeout), proc.Mode(cfg.Verify.Sandbox)
	o.Network, o.CompareBase = cfg.Verify.Network, cfg.Verify.CompareBase
	o.Cache, o.Environ, o.PassEnv = a.cache(!f.noCache), a.env, cfg.Verify.Env
	for _, check := range cfg.Verify.Checks {
		o.Checks = append(o.Checks, verify.Spec{Name: check.Name, Run: check.Run, Dir: check.Dir})
	}
	v, err := verify.New(o)
	if err != nil {
		return nil, nil, err
	}
	return v, func() {
		if err := v.Close(); err != nil {
			a.warn("%v", err)
		}
	}, nil
}

// changedPaths returns the paths that changes touch, for what is looked up in
// the checkout beside them. A patch that cannot be read touches none here; the
// gate says what is wrong with it.
func changedPaths(changes ...change.Change) []string {
	var all []string
	for _, ch := range changes {
		if patch, err := diff.Parse(ch.Patch); err == nil {
			all = append(all, patch.ChangedPaths()...)
		}
	}
	return all
}

// jobs returns how many changes are judged at once: the configured number, or
// one per processor and 4 at most, because every change runs its own tests.
func jobs(cfg config.Config) int {
	if cfg.Jobs > 0 {
		return cfg.Jobs
	}
	return min(runtime.NumCPU(), 4)
}
