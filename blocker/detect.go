package blocker

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/reviewgate/reviewgate/change"
)

// The limits of the specification.
const (
	MinApprovals = 2                   // distinct names, for a change that touches a guarded folder
	MaxAge       = 14 * 24 * time.Hour // without any approval; exactly this old is not too old
)

// guarded lists the folders whose changes need MinApprovals: the contract, the
// schema of the database, and the rules and settings of the gate itself.
var guarded = []string{"proto/", "migrations/", ".claude/"}

// Evidence is what Detect looks at.
type Evidence struct {
	Change       change.Change
	Base         fs.FS                // the tree before the patch; nil for a patch alone: migrations are then not judged
	Changed      []string             // changed paths, both sides of a rename
	Applied      *change.Applied      // nil when nothing was applied
	Verification *change.Verification // nil when nothing ran, which is no failure
	AsOf         time.Time            // the time that ages are measured at
}

// Detect returns the blockers of a change, heaviest first, each kind at most
// once; never nil.
//
// A local change, a branch of a checkout, has no approvals by nature: it gets
// neither missing-second-approval nor unreviewed-age.
func Detect(e Evidence) []Blocker {
	found := []Blocker{}
	for _, kind := range Kinds {
		if detail := detectors[kind](e); detail != "" {
			found = append(found, Blocker{Kind: kind, Weight: Weights[kind], Detail: detail})
		}
	}
	return found
}

// detectors holds for each kind the function that says why a change has it, or
// "" when it has it not.
var detectors = map[Kind]func(Evidence) string{
	Conflict:              conflict,
	VerifyFailed:          verifyFailed,
	StaleMigration:        staleMigration,
	MissingSecondApproval: missingSecondApproval,
	UnreviewedAge:         unreviewedAge,
}

func conflict(e Evidence) string {
	switch {
	case e.Applied == nil || e.Applied.OK:
		return ""
	case len(e.Applied.Conflicts) > 0:
		return strings.Join(e.Applied.Conflicts, ", ")
	case e.Applied.Detail != "":
		return e.Applied.Detail
	}
	return "the patch does not apply"
}

func verifyFailed(e Evidence) string {
	if e.Verification == nil {
		return ""
	}
	var failed []string
	for _, c := range e.Verification.Checks {
		switch {
		case c.Status != change.Fail:
		case c.AlsoRedOnBase:
			failed = append(failed, c.Name+" (also red on the base)")
		default:
			failed = append(failed, c.Name)
		}
	}
	return strings.Join(failed, ", ")
}

func missingSecondApproval(e Evidence) string {
	approvals := len(distinct(e.Change.Approvals))
	if e.Change.Local || approvals >= MinApprovals {
		return ""
	}
	for _, file := range e.Changed {
		for _, folder := range guarded {
			if strings.HasPrefix(file, folder) {
				return fmt.Sprintf("%s needs %d approvals, has %d", file, MinApprovals, approvals)
			}
		}
	}
	return ""
}

func unreviewedAge(e Evidence) string {
	created := e.Change.CreatedAt
	if e.Change.Local || created.IsZero() || len(distinct(e.Change.Approvals)) > 0 {
		return ""
	}
	age := e.AsOf.Sub(created)
	if age <= MaxAge {
		return ""
	}
	return fmt.Sprintf("no approval since %s, more than %d days", created.UTC().Format(time.RFC3339), int(age.Hours()/24))
}

// distinct returns the different names among names. Blanks around a name and
// its case do not make another person.
func distinct(names []string) []string {
	var people []string
	for _, name := range names {
		person := strings.ToLower(strings.TrimSpace(name))
		if person != "" && !slices.Contains(people, person) {
			people = append(people, person)
		}
	}
	return people
}
