// Package blocker finds what holds a change back from signals of the
// repository (a conflict, a red test run, a migration number, approvals, age),
// never from a reviewer's opinion, and ranks changes by it.
//
// Its main type is [Blocker]. A finding of severity blocker is something else:
// package finding has those.
package blocker

// Kind names a repository signal.
type Kind string

// The five kinds.
const (
	Conflict              Kind = "conflict"
	VerifyFailed          Kind = "verify-failed"
	StaleMigration        Kind = "stale-migration"
	MissingSecondApproval Kind = "missing-second-approval"
	UnreviewedAge         Kind = "unreviewed-age"
)

// Kinds lists the kinds, heaviest first.
var Kinds = []Kind{Conflict, VerifyFailed, StaleMigration, MissingSecondApproval, UnreviewedAge}

// Weights is what each kind adds to the score of a change; the figures are the
// specification's.
var Weights = map[Kind]int{
	Conflict:              100,
	VerifyFailed:          90,
	StaleMigration:        80,
	MissingSecondApproval: 60,
	UnreviewedAge:         30,
}

// Blocker is one signal that holds a change back.
type Blocker struct {
	Kind   Kind   `json:"kind"`
	Weight int    `json:"weight"` // from Weights
	Detail string `json:"detail"` // what exactly: the files, the sides, the numbers
}

// Ranked is one change's place among others.
type Ranked struct {
	ID    string `json:"pr"`
	Score int    `json:"score"`    // sum of the weights
	Kinds []Kind `json:"blockers"` // heaviest first
}
