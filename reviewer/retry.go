package reviewer

import (
	"context"
	"time"
)

// Retry returns a Reviewer that asks r once more when a review fails ("A
// ReviewError is retried once"). The cost of both attempts adds up; turns,
// findings and summary are those of the last one. A failure after ctx ended is
// not tried again. That a first attempt failed, and why, is in Result.Notes.
func Retry(r Reviewer) Reviewer { return retrying{r} }

type retrying struct{ inner Reviewer }

func (r retrying) Review(ctx context.Context, task Task) (Result, error) {
	start := time.Now()
	first, err := r.inner.Review(ctx, task)
	if err == nil || ctx.Err() != nil {
		return first, err
	}
	elapsed := time.Since(start).Milliseconds()
	second, again := r.inner.Review(ctx, task)
	second.CostUSD += first.CostUSD
	second.Run = joined(first.Run, failedAttempt{err.Error()}, second.Run, elapsed)
	second.Notes = append(append(first.Notes[:len(first.Notes):len(first.Notes)], outcome(err, again)), second.Notes...)
	return second, again
}

// failedAttempt stands in Result.Run between the two attempts.
type failedAttempt struct {
	Error string `json:"failed_attempt"`
}

// joined returns the events of a first attempt, that it failed, and those of the
// second, which began elapsed milliseconds later.
func joined(first []Event, failed failedAttempt, second []Event, elapsed int64) []Event {
	all := append(first[:len(first):len(first)], Event{MS: elapsed, Data: failed})
	for _, e := range second {
		all = append(all, Event{MS: e.MS + elapsed, Data: e.Data})
	}
	return all
}

// outcome says how two attempts of which the first failed went.
func outcome(first, second error) string {
	if second != nil && second.Error() == first.Error() {
		return "the review was tried twice and failed in the same way"
	}
	return "the review was tried twice, the first attempt failed: " + first.Error()
}
