// Package config is what a person may set: the settings, their defaults, the
// file .reviewgate.yaml and the environment, resolved into one validated value.
//
// Its main type is [Config]. It reads no file and no environment itself: both
// are handed in, and the file always comes from the base of a change, because a
// change cannot set the gate it is judged by.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/policy"
)

// FileName is where a repository keeps its settings, relative to its root.
const FileName = ".reviewgate.yaml"

// Config is every setting in force.
type Config struct {
	Reviewers     []Reviewer `yaml:"reviewers,omitempty" json:"reviewers,omitempty" jsonschema:"who reviews; all that are listed are asked, the built-in checks when none is"`
	MinConfidence float64    `yaml:"min_confidence" json:"min_confidence,omitempty" jsonschema:"findings below this confidence are dropped, 0 to 1"`
	FailOn        FailOn     `yaml:"fail_on" json:"fail_on,omitempty" jsonschema:"from which verdict on the exit code of review is not 0: hold, block or never"`
	Jobs          int        `yaml:"jobs" json:"jobs,omitempty" jsonschema:"changes at once; 0 means as many as the machine has processors, 4 at most"`
	Verify        Verify     `yaml:"verify" json:"verify,omitempty" jsonschema:"how the patched tree is tested"`
	Checks        Checks     `yaml:"checks" json:"checks,omitempty" jsonschema:"the built-in deterministic checks"`
	Rules         Rules      `yaml:"rules" json:"rules,omitempty" jsonschema:"the rule files that reviewers are given"`
}

// Reviewer configures one reviewer.
type Reviewer struct {
	Name       string            `yaml:"name" json:"name" jsonschema:"the name that findings and --reviewer use"`
	Kind       Kind              `yaml:"kind" json:"kind" jsonschema:"checks, recorded, exec or sarif"`
	Command    []string          `yaml:"command,omitempty" json:"command,omitempty" jsonschema:"exec and sarif: the program and its arguments, run in the patched tree"`
	File       string            `yaml:"file,omitempty" json:"file,omitempty" jsonschema:"recorded: the answers; sarif: a report that exists already"`
	Format     string            `yaml:"format,omitempty" json:"format,omitempty" jsonschema:"sarif: auto, sarif, checkstyle, rdjson, rdjsonl, golangci, eslint or staticcheck"`
	Dir        string            `yaml:"dir,omitempty" json:"dir,omitempty" jsonschema:"sarif: folder of the tree that the command runs in and that paths of the report are relative to"`
	Base       bool              `yaml:"base,omitempty" json:"base,omitempty" jsonschema:"sarif: run the command on the base too and keep what is new"`
	Env        []string          `yaml:"env,omitempty" json:"env,omitempty" jsonschema:"names of environment variables that the program is given"`
	Network    bool              `yaml:"network,omitempty" json:"network,omitempty" jsonschema:"the program may use the network"`
	Timeout    Duration          `yaml:"timeout,omitempty" json:"timeout,omitempty" jsonschema:"for one review, a Go duration such as 5m"`
	Severities map[string]string `yaml:"severities,omitempty" json:"severities,omitempty" jsonschema:"sarif: severity by the tool's level or rule id, or the beginning of one with * at its end"`
	Categories map[string]string `yaml:"categories,omitempty" json:"categories,omitempty" jsonschema:"sarif: category by the tool's rule id, the beginning of one with * at its end, or tag"`
	Confidence float64           `yaml:"confidence,omitempty" json:"confidence,omitempty" jsonschema:"sarif: confidence of its findings, 0 to 1"`
}

// Kind names an implementation of a reviewer.
type Kind string

// The kinds of reviewers.
const (
	KindChecks   Kind = "checks"
	KindRecorded Kind = "recorded"
	KindExec     Kind = "exec"
	KindSARIF    Kind = "sarif"
)

// Kinds lists the kinds.
var Kinds = []Kind{KindChecks, KindRecorded, KindExec, KindSARIF}

// Verify configures the verify gate.
type Verify struct {
	Off         bool     `yaml:"off" json:"off,omitempty" jsonschema:"run no tests; the verdict then says nothing about them"`
	Checks      []Check  `yaml:"checks,omitempty" json:"checks,omitempty" jsonschema:"the commands that test a tree; what the tree is decides when none is given"`
	Timeout     Duration `yaml:"timeout" json:"timeout,omitempty" jsonschema:"for each check, a Go duration such as 5m"`
	Sandbox     Sandbox  `yaml:"sandbox" json:"sandbox,omitempty" jsonschema:"auto, required or off"`
	Network     bool     `yaml:"network" json:"network,omitempty" jsonschema:"checks may use the network"`
	CompareBase bool     `yaml:"compare_base" json:"compare_base,omitempty" jsonschema:"test the base too and say which failures are not new"`
	Env         []string `yaml:"env,omitempty" json:"env,omitempty" jsonschema:"names of environment variables that checks are given"`
}

// Check is one configured command of the verify gate.
type Check struct {
	Name string   `yaml:"name" json:"name" jsonschema:"how the report names it"`
	Run  []string `yaml:"run" json:"run" jsonschema:"the program and its arguments"`
	Dir  string   `yaml:"dir,omitempty" json:"dir,omitempty" jsonschema:"folder to run in, relative to the root"`
}

// Checks configures the built-in deterministic checks.
type Checks struct {
	Disable []string `yaml:"disable,omitempty" json:"disable,omitempty" jsonschema:"ids of checks that are not run; reviewgate checks lists them"`
}

// Rules configures which rule files count.
type Rules struct {
	Foreign *bool `yaml:"foreign,omitempty" json:"foreign,omitempty" jsonschema:"read AGENTS.md, CLAUDE.md and the like besides .claude/rules; on unless false"`
}

// Sandbox says how untrusted code is run.
type Sandbox string

// The sandbox modes.
const (
	SandboxAuto     Sandbox = "auto"     // the strongest that the machine offers
	SandboxRequired Sandbox = "required" // refuse to run without
	SandboxOff      Sandbox = "off"
)

// Sandboxes lists the modes.
var Sandboxes = []Sandbox{SandboxAuto, SandboxRequired, SandboxOff}

// FailOn is the verdict from which on an exit code is not 0.
type FailOn string

// The values of FailOn.
const (
	FailNever   FailOn = "never"
	FailOnHold  FailOn = "hold"
	FailOnBlock FailOn = "block"
)

// FailOns lists the values.
var FailOns = []FailOn{FailNever, FailOnBlock, FailOnHold}

// Fails reports whether v is bad enough for a non-zero exit.
func (f FailOn) Fails(v policy.Verdict) bool {
	switch f {
	case FailOnHold:
		return v != policy.Merge
	case FailOnBlock:
		return v != policy.Merge && v != policy.Hold
	}
	return false
}

// Default returns the settings of a repository that has set nothing. The
// confidence and the timeout are the specification's.
func Default() Config {
	return Config{
		MinConfidence: finding.DefaultMinConfidence,
		FailOn:        FailOnHold,
		Verify:        Verify{Timeout: Duration(300 * time.Second), Sandbox: SandboxAuto},
	}
}

// Validate returns the first setting that makes no sense, or nil.
func (c *Config) Validate() error {
	if !(c.MinConfidence >= 0 && c.MinConfidence <= 1) {
		return fmt.Errorf("min_confidence: %v is not between 0 and 1", c.MinConfidence)
	}
	if err := oneOf("fail_on", c.FailOn, FailOns); err != nil {
		return err
	}
	if err := oneOf("verify.sandbox", c.Verify.Sandbox, Sandboxes); err != nil {
		return err
	}
	if c.Jobs < 0 {
		return fmt.Errorf("jobs: %d is negative", c.Jobs)
	}
	if c.Verify.Timeout <= 0 {
		return fmt.Errorf("verify.timeout: %v is not a positive duration", c.Verify.Timeout)
	}
	for i, check := range c.Verify.Checks {
		if check.Name == "" || len(check.Run) == 0 {
			return fmt.Errorf("verify.checks[%d]: needs a name and a command in run", i)
		}
	}
	return validateReviewers(c.Reviewers)
}

func validateReviewers(reviewers []Reviewer) error {
	seen := map[string]bool{}
	for i, r := range reviewers {
		if r.Name == "" {
			return fmt.Errorf("reviewers[%d]: needs a name", i)
		}
		if seen[r.Name] {
			return fmt.Errorf("reviewers[%d]: the name %q is taken", i, r.Name)
		}
		seen[r.Name] = true
		if err := r.validate(); err != nil {
			return fmt.Errorf("reviewers[%d] (%s): %w", i, r.Name, err)
		}
	}
	return nil
}

func (r *Reviewer) validate() error {
	if err := oneOf("kind", r.Kind, Kinds); err != nil {
		return err
	}
	if !(r.Confidence >= 0 && r.Confidence <= 1) {
		return fmt.Errorf("confidence: %v is not between 0 and 1", r.Confidence)
	}
	for id, word := range r.Categories {
		if _, ok := finding.ParseCategory(word); !ok {
			return fmt.Errorf("categories: %s: %q is not one of the categories", id, word)
		}
	}
	if r.Timeout < 0 {
		return fmt.Errorf("timeout: %v is negative", r.Timeout)
	}
	switch {
	case r.Kind == KindExec && len(r.Command) == 0:
		return errors.New("kind exec needs a command")
	case r.Kind == KindRecorded && r.File == "":
		return errors.New("kind recorded needs a file with the answers")
	case r.Kind == KindSARIF && (len(r.Command) == 0) == (r.File == ""):
		return errors.New("kind sarif needs either a command or a file")
	}
	return nil
}

func oneOf[T ~string](key string, value T, known []T) error {
	if slices.Contains(known, value) {
		return nil
	}
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	return fmt.Errorf("%s: %q is not one of %s", key, value, strings.Join(words, ", "))
}
