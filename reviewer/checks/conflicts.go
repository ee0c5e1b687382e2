package checks

import (
	"bytes"
	"context"

	"github.com/reviewgate/reviewgate/finding"
)

var conflictCheck = check{
	Info: Info{
		ID:       prefix + "conflict-marker",
		What:     "A conflict marker that a merge left behind.",
		Why:      "The file holds both sides of a merge that nobody decided, and usually does not even parse.",
		Severity: finding.Blocker,
		Category: finding.Correctness,
	},
	needs: patchOnly,
	run:   findConflicts,
}

// conflictStart and conflictEnd are the markers that no format uses for
// anything else. A row of equal signs underlines headings and is not looked at.
var (
	conflictStart = expr(`^<{7}(?: \S.*)?$`)
	conflictEnd   = expr(`^>{7}(?: \S.*)?$`)
	patchNames    = expr(`(?i)\.(?:patch|diff|rej|orig|txtar)$`)
)

func findConflicts(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.kind.fixture || f.kind.vendored || patchNames.inString(f.path) {
			continue
		}
		open, fenced := 0, false
		for l := range s.added(f) {
			switch {
			case f.kind.docs && bytes.HasPrefix(bytes.TrimSpace(l.text), []byte("```")):
				fenced = !fenced
			case fenced:
			case conflictStart.in(l.text):
				open = l.number
				reportConflict(f, out, l.number)
			case conflictEnd.in(l.text):
				if open == 0 {
					reportConflict(f, out, l.number)
				}
				open = 0
			}
		}
	}
}

// reportConflict says what the marker is. Tests and documents quote conflicts
// now and then, so there it weighs less.
func reportConflict(f *file, out *sink, number int) {
	const message = "A conflict marker of a merge is left in the file. Both sides are in it and nobody has decided between them: resolve the conflict and take the markers out."
	if f.kind.test || f.kind.docs {
		out.reportAs(finding.Major, f.path, number, 0.7, message)
		return
	}
	out.report(f.path, number, 0.97, message)
}
