package report

import "strings"

// remarks are what a person must know of a change besides its verdict and its
// findings, each said once: an error that is the reason of the verdict already,
// or a note that repeats the error, is not said again. Texts are visible and not
// escaped.
type remarks struct {
	failed string // why the review failed
	unseen []string
	notes  []string
}

func newRemarks(e Entry) remarks {
	told := []string{oneLine(e.Reason)}
	fresh := func(texts []string) []string {
		var out []string
		for _, text := range texts {
			if !tells(told, text) {
				told = append(told, text)
				out = append(out, text)
			}
		}
		return out
	}
	var r remarks
	if e.Review == ReviewFailed {
		failed := longLine(nameOr(e.Error, "no reason was given"))
		if !tells(told, failed) {
			r.failed = failed
		}
		told = append(told, failed)
	}
	r.unseen = fresh(notLookedAt(e))
	r.notes = fresh(longLines(e.Notes))
	return r
}

// tells reports whether one of told holds text as a whole part: what stands
// around it is set off by a colon, a semicolon, a comma or the end.
func tells(told []string, text string) bool {
	for _, prefix := range []string{"review failed: ", "verify: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	text = strings.TrimRight(strings.Replace(text, "read by no reviewer: ", "not reviewed: ", 1), ".")
	for _, t := range told {
		before, after, found := strings.Cut(t, text)
		opens := before == "" || strings.HasSuffix(before, ": ") || strings.HasSuffix(before, "; ")
		closes := after == "" || strings.ContainsAny(after[:1], ".;,")
		if found && text != "" && opens && closes {
			return true
		}
	}
	return false
}
