package checks

import (
	"context"

	"github.com/reviewgate/reviewgate/finding"
)

// prefix begins the id of every check; a finding's Rule is the id.
const prefix = "checks/"

// Info describes one check to people.
type Info struct {
	ID       string           `json:"id"`       // "checks/secret"
	What     string           `json:"what"`     // what it reports, one sentence
	Why      string           `json:"why"`      // why that is worth a look, one sentence
	Severity finding.Severity `json:"severity"` // of most of its findings; some weigh less
	Category finding.Category `json:"category"`
}

// check is one entry of the table.
type check struct {
	Info
	needs need
	run   func(context.Context, *subject, *sink)
}

// need is what a check cannot do without.
type need int

const (
	patchOnly need = iota
	bothTrees
)

func (n need) met(s *subject) bool { return n == patchOnly || s.base != nil && s.tree != nil }

// table lists the checks in the order in which they run.
var table = []check{
	secretCheck,
	hiddenCheck,
	conflictCheck,
	protoCheck,
	openAPICheck,
	migrationNumberCheck,
	migrationSQLCheck,
	migrationEditCheck,
	symlinkCheck,
	binaryCheck,
	workflowCheck,
	lockCheck,
	injectionCheck,
	gateCheck,
	testsOffCheck,
	untestedCheck,
	debugCheck,
}

// List describes the checks, in the order in which they run.
func List() []Info {
	infos := make([]Info, len(table))
	for i, c := range table {
		infos[i] = c.Info
	}
	return infos
}

func ids(checks []check) []string {
	all := make([]string, len(checks))
	for i, c := range checks {
		all[i] = c.ID
	}
	return all
}
