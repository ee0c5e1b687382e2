// Package policy turns evidence into a decision: the verdict, its reason in one
// line, and the requirements that were weighed. It also reconciles what a
// reviewer's summary claims with what the checks showed, and judges a written
// review policy.
//
// Its main function is [Decide]. Whatever could not be established is never
// the permissive value.
package policy

// Verdict is the answer about a change.
type Verdict string

// The three verdicts, most permissive first.
const (
	Merge Verdict = "merge"
	Hold  Verdict = "hold"
	Block Verdict = "block"
)

// Verdicts lists the verdicts, most permissive first.
var Verdicts = []Verdict{Merge, Hold, Block}

// Status says what became of one requirement.
type Status string

// The five outcomes of a requirement. Only Satisfied, Overridden and
// NotApplicable let a change pass.
const (
	Satisfied     Status = "satisfied"
	Unsatisfied   Status = "unsatisfied"
	Overridden    Status = "overridden"
	NotApplicable Status = "not applicable"
	Errored       Status = "error" // could not be established
)

// Requirement is one thing that a decision weighed.
type Requirement struct {
	Name   string `json:"name"` // "applies", "verify", "review", "no blocker finding", …
	Status Status `json:"status"`
	Detail string `json:"detail"`
}

// Decision is the verdict about a change with everything it rests on.
type Decision struct {
	Verdict      Verdict       `json:"verdict"`
	Reason       string        `json:"reason"` // "block: blocker finding secret-in-code at web/src/api.ts:3"
	Requirements []Requirement `json:"requirements"`
}
