// Package rules loads a repository's review rules from its base tree and selects
// those that apply to a set of changed files.
//
// Its main functions are [Load], for the repository's own path-scoped rules,
// [LoadForeign], for the rule files that teams already have for other tools, and
// [For], which selects. Rules always come from the base: a change cannot write
// the rules it is judged by.
package rules

import "fmt"

// Folder is where a repository keeps its own rules.
const Folder = ".claude/rules"

// Limits of what is read. They bound what a broken or hostile base can cost, and
// are far above what a reviewer can follow.
const (
	MaxRuleBytes    = 256 << 10 // of one own rule file; more is an error
	MaxForeignBytes = 64 << 10  // of one foreign rule file; more is clipped, and a note says so
	MaxRules        = 1000      // own rules, and foreign ones
)

// Rule is one text that a reviewer must follow.
type Rule struct {
	Name   string   `json:"name"`   // path below .claude/rules without .md: "proto", "nested/b"; of a foreign rule its path
	Paths  []string `json:"paths"`  // glob patterns; empty, never nil: the rule applies always
	Source string   `json:"source"` // file it was read from, relative to the repository root
	Body   string   `json:"body"`

	// Nearest says that the rule does not apply to files that have a rule file of
	// the same name in a nearer folder: web/AGENTS.md stands for AGENTS.md there.
	Nearest bool `json:"nearest,omitempty"`
}

// Error says which rule file cannot be used, where, and what to do.
type Error struct {
	Source string // relative to the repository root
	Line   int    // from 1; 0 when the whole file is meant
	Msg    string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Source, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.Source, e.Line, e.Msg)
}
