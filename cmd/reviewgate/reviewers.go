package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/config"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/report"
	"github.com/reviewgate/reviewgate/reviewer"
	"github.com/reviewgate/reviewgate/reviewer/checks"
	"github.com/reviewgate/reviewgate/reviewer/external"
	"github.com/reviewgate/reviewgate/reviewer/recorded"
	"github.com/reviewgate/reviewgate/reviewer/sarif"
)

// panel is the reviewers that were chosen, behind one.
type panel struct {
	reviewer reviewer.Reviewer
	names    []string
	info     report.ReviewerInfo
	digest   string // of everything that their answers depend on here
}

// panel builds the reviewers that the flags and the settings choose. Each is
// asked again once when it fails.
func (a *app) panel(cfg config.Config, f *gateFlags) (panel, error) {
	chosen, err := a.chosen(cfg, f)
	if err != nil {
		return panel{}, err
	}
	if f.answers != "" && !slices.ContainsFunc(chosen, func(c config.Reviewer) bool { return c.File == f.answers }) {
		return panel{}, usagef("--answers goes with --reviewer recorded")
	}
	var p panel
	var members []reviewer.Member
	digest := sha256.New()
	for _, c := range chosen {
		r, content, err := a.reviewer(cfg, c)
		if err != nil {
			return panel{}, err
		}
		settings, err := json.Marshal(c)
		if err != nil {
			return panel{}, err
		}
		fmt.Fprintf(digest, "%s %d %x\n", settings, len(content), sha256.Sum256(content))
		members = append(members, reviewer.Member{Name: c.Name, Reviewer: reviewer.Retry(r)})
		p.names = append(p.names, c.Name)
	}
	p.reviewer = reviewer.Panel(members)
	p.info = report.ReviewerInfo{Class: "panel", Names: p.names}
	if len(chosen) == 1 {
		p.info.Class = string(chosen[0].Kind)
	}
	disabled, err := json.Marshal(cfg.Checks)
	if err != nil {
		return panel{}, err
	}
	digest.Write(disabled)
	p.digest = hex.EncodeToString(digest.Sum(nil))
	return p, nil
}

// chosen returns the configuration of every reviewer to ask, in order.
func (a *app) chosen(cfg config.Config, f *gateFlags) ([]config.Reviewer, error) {
	names := f.reviewers
	if env := a.getenv("REVIEWGATE_REVIEWER"); len(names) == 0 && env != "" {
		names = strings.Split(env, ",")
	}
	if f.fake {
		names = []string{string(config.KindRecorded)}
	}
	if len(names) == 0 {
		if len(cfg.Reviewers) > 0 {
			return cfg.Reviewers, nil
		}
		names = []string{string(config.KindChecks)}
	}
	var chosen []config.Reviewer
	for _, name := range names {
		r, err := named(cfg, strings.TrimSpace(name), f.answers)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, r)
	}
	return chosen, nil
}

// named returns a configured reviewer by its name, or a kind that needs no
// configuration.
func named(cfg config.Config, name, answers string) (config.Reviewer, error) {
	known := []string{string(config.KindChecks), string(config.KindRecorded)}
	for _, r := range cfg.Reviewers {
		if r.Name == name {
			return r, nil
		}
		known = append(known, r.Name)
	}
	switch config.Kind(name) {
	case config.KindChecks:
		return config.Reviewer{Name: name, Kind: config.KindChecks}, nil
	case config.KindRecorded:
		if answers == "" {
			return config.Reviewer{}, usagef("--reviewer recorded needs --answers FILE")
		}
		return config.Reviewer{Name: name, Kind: config.KindRecorded, File: answers}, nil
	}
	msg := fmt.Sprintf("there is no reviewer %q; known are %s", name, strings.Join(known, ", "))
	if near := config.Nearest(name, known); near != "" {
		msg += fmt.Sprintf("; did you mean %q?", near)
	}
	return config.Reviewer{}, usagef("%s", msg)
}

// reviewer builds one reviewer. The bytes are the file its answers come from,
// when it has one.
func (a *app) reviewer(cfg config.Config, c config.Reviewer) (reviewer.Reviewer, []byte, error) {
	var content []byte
	if c.File != "" {
		var err error
		if content, err = a.readInput(c.File); err != nil {
			return nil, nil, fmt.Errorf("reviewer %s: %w", c.Name, err)
		}
	}
	r, err := a.build(cfg, c, content)
	if err != nil {
		return nil, nil, &exitError{exitUsage, fmt.Errorf("reviewer %s: %w", c.Name, err)}
	}
	return r, content, nil
}

func (a *app) build(cfg config.Config, c config.Reviewer, content []byte) (reviewer.Reviewer, error) {
	switch c.Kind {
	case config.KindChecks:
		return checks.New(checks.Options{Name: c.Name, Disable: cfg.Checks.Disable})
	case config.KindRecorded:
		answers, err := recorded.Parse(c.File, content)
		return recorded.New(c.Name, answers), err
	case config.KindExec:
		return external.New(external.Options{
			Name: c.Name, Command: c.Command, Environ: a.env, Pass: c.Env, Network: c.Network, Timeout: time.Duration(c.Timeout),
		})
	}
	severities := map[string]finding.Severity{}
	for id, word := range c.Severities {
		severities[id] = finding.ParseSeverity(word)
	}
	categories := map[string]finding.Category{}
	for id, word := range c.Categories {
		categories[id], _ = finding.ParseCategory(word) // checked by config.Validate
	}
	return sarif.New(sarif.Options{
		Name: c.Name, File: c.File, Command: c.Command, Format: sarif.Format(c.Format), Dir: c.Dir, Base: c.Base,
		Severity: severities, Category: categories, Confidence: c.Confidence,
		Environ: a.env, Pass: c.Env, Network: c.Network, Timeout: time.Duration(c.Timeout),
	})
}
