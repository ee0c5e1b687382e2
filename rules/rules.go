// Package rules loads a repository's path-scoped review rules from its base
// tree and selects those that apply to a set of changed files.
//
// Its main functions are [Load] and [For]. Rules always come from the base: a
// change cannot write the rules it is judged by.
package rules

// Rule is one text that a reviewer must follow.
type Rule struct {
	Name   string   `json:"name"`   // path below .claude/rules without .md: "proto", "nested/b"
	Paths  []string `json:"paths"`  // glob patterns; empty: the rule applies always
	Source string   `json:"source"` // file it was read from, relative to the repository root
	Body   string   `json:"body"`
}
