package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/blocker"
	"github.com/reviewgate/reviewgate/finding"
)

// requirements lists what was weighed, always the same eight in the same order,
// and one more for each other blocker and each other thing that is unknown.
func requirements(e Evidence, blockers []blocker.Blocker) []Requirement {
	list := []Requirement{
		applies(e, blockers),
		verify(e, blockers),
		review(e),
		signal("migrations", blockers, blocker.StaleMigration, migrationsOtherwise(e)),
		signal("approvals", blockers, blocker.MissingSecondApproval, approvalsOtherwise(e)),
		signal("age", blockers, blocker.UnreviewedAge, ageOtherwise(e)),
		findings(e),
		coverage(e),
	}
	for _, b := range blockers {
		if !slices.Contains(blocker.Kinds, b.Kind) {
			list = append(list, Requirement{string(b.Kind), Unsatisfied, b.Detail})
		}
	}
	for _, u := range e.Unknown {
		list = append(list, Requirement{u.What, Errored, u.Why})
	}
	for i := range list {
		list[i].Detail = oneLine(list[i].Detail)
	}
	return list
}

// outcome is a requirement without its name.
type outcome struct {
	status Status
	detail string
}

// signal is unsatisfied by a blocker of kind, and otherwise what the caller
// says.
func signal(name string, blockers []blocker.Blocker, kind blocker.Kind, otherwise outcome) Requirement {
	if b, has := kindOf(blockers, kind); has {
		return Requirement{name, Unsatisfied, b.Detail}
	}
	return Requirement{name, otherwise.status, otherwise.detail}
}

func applies(e Evidence, blockers []blocker.Blocker) Requirement {
	otherwise := outcome{Satisfied, "the patch applies to the base"}
	switch {
	case e.PatchAlone:
		otherwise = outcome{NotApplicable, "a patch alone: there is no tree to apply it to"}
	case e.Applied == nil:
		otherwise = outcome{Errored, "nobody tried to apply the patch"}
	}
	return signal("applies", blockers, blocker.Conflict, otherwise)
}

func verify(e Evidence, blockers []blocker.Blocker) Requirement {
	var otherwise outcome
	switch {
	case conflicts(e.Applied):
		otherwise = outcome{NotApplicable, "not run: the patch does not apply"}
	case e.VerifyOff:
		otherwise = outcome{Overridden, "switched off for this run"}
	case e.PatchAlone:
		otherwise = outcome{NotApplicable, "a patch alone: there is no tree to test"}
	default:
		otherwise = verifyOutcome(e)
	}
	return signal("verify", blockers, blocker.VerifyFailed, otherwise)
}

func verifyOutcome(e Evidence) outcome {
	if unknown := e.unknownChecks(); len(unknown) > 0 {
		return outcome{Errored, strings.Join(unknown, "; ")}
	}
	var names []string
	for _, c := range e.Verification.Checks {
		names = append(names, c.Name)
	}
	return outcome{Satisfied, strings.Join(names, ", ") + " passed"}
}

func review(e Evidence) Requirement {
	switch {
	case e.Reviewed:
		return Requirement{"review", Satisfied, "the change was reviewed"}
	case conflicts(e.Applied):
		return Requirement{"review", NotApplicable, "not asked: the patch does not apply"}
	case e.ReviewError != "":
		return Requirement{"review", Errored, e.ReviewError}
	}
	return Requirement{"review", Errored, "nobody reviewed the change"}
}

func migrationsOtherwise(e Evidence) outcome {
	if e.PatchAlone {
		return outcome{NotApplicable, "a patch alone: there are no numbers to compare with"}
	}
	return outcome{Satisfied, "no new migration has a wrong number"}
}

func approvalsOtherwise(e Evidence) outcome {
	if e.Change.Local {
		return outcome{NotApplicable, "a local branch has no approvals"}
	}
	return outcome{Satisfied, "nothing guarded is touched, or two people approved"}
}

func ageOtherwise(e Evidence) outcome {
	switch {
	case e.Change.Local:
		return outcome{NotApplicable, "a local branch does not wait for approval"}
	case e.Change.CreatedAt.IsZero():
		return outcome{NotApplicable, "nobody knows since when it is open"}
	}
	return outcome{Satisfied, "approved, or open for 14 days at most"}
}

func findings(e Evidence) Requirement {
	counts := map[int]int{}
	for _, f := range e.Findings {
		counts[f.Severity.Rank()]++
	}
	blockers, majors, minors := counts[finding.Blocker.Rank()], counts[finding.Major.Rank()], counts[finding.Minor.Rank()]
	detail := fmt.Sprintf("%d blocker, %d major, %d minor", blockers, majors, minors)
	switch {
	case blockers+majors > 0:
		return Requirement{"findings", Unsatisfied, detail}
	case conflicts(e.Applied) && !e.Reviewed:
		return Requirement{"findings", NotApplicable, "not reviewed: the patch does not apply"}
	case !e.Reviewed:
		return Requirement{"findings", Errored, "without a review nobody knows"}
	}
	return Requirement{"findings", Satisfied, detail}
}

func coverage(e Evidence) Requirement {
	switch {
	case conflicts(e.Applied) && !e.Reviewed:
		return Requirement{"coverage", NotApplicable, "not reviewed: the patch does not apply"}
	case len(e.Unreviewed) > 0:
		return Requirement{"coverage", Unsatisfied, "not reviewed: " + some(e.Unreviewed)}
	case !e.Reviewed:
		return Requirement{"coverage", Errored, "without a review no file was read"}
	}
	return Requirement{"coverage", Satisfied, "every changed file was reviewed"}
}
