package sarif

import (
	"fmt"
	"slices"

	"github.com/reviewgate/reviewgate/reviewer"
)

// The bounds of one report. What lies beyond is an error, never cut silently.
const (
	MaxBytes   = 64 << 20 // of a report
	MaxResults = 100_000  // of a report

	maxMessage = 2000 // bytes kept of a message; empirical: the longest useful ones are below 1,000
	maxNotes   = 20   // notes of one kind kept of a report
)

// result is one problem as an analyzer wrote it, before it is judged.
type result struct {
	tool    string   // name of the analyzer; "" when the report does not say
	rule    string   // id of the rule
	path    string   // relative to the repository root once it is located
	line    int      // first line, from 1; 0 when the problem is the file's
	end     int      // last line; 0 means line
	level   string   // the tool's own word: error, warning, note, high, …
	message string   // as written
	tags    []string // of the rule and of the result
	rank    float64  // 0 to 1, how much the tool stands by it; negative when not said
	fatal   bool     // the tool could not read the file

	first, last int // lines to report it on; 0 when that is not known yet
}

// spot is where a problem is: what decides whether anything else of it matters.
type spot struct {
	path      string // as in result
	line, end int
	fatal     bool
}

func (res *result) spot() spot { return spot{res.path, res.line, res.end, res.fatal} }

// report collects what the reader of one format finds, and keeps of it what
// lies in files that the change touches.
type report struct {
	locate  *locator
	keep    func(spot) (first, last int, ok bool) // whether to keep a problem of a touched file, and on which lines to report it; nil keeps all
	bytes   int64                                 // of the whole report, when that is known
	results []result
	notes   []string

	lost    bool   // a path names no file of the repository
	seen    int    // results of the report
	located int    // of those, in the repository
	unread  string // why the analyzer could not read code, nobody knows where; "" when it could
	outside int    // of those, outside the repository, or in no file that can be told
	ignored int    // of those, taken back by the tool: suppressed, absent, passed
}

// add takes one result whose path is as the tool wrote it. uri says that the
// path is a URI reference, so percent-encoding means something.
func (r *report) add(res result, uri bool) error {
	if err := r.count(); err != nil {
		return err
	}
	r.place(res, uri)
	return nil
}

// count accounts for one more result of the report.
func (r *report) count() error {
	r.seen++
	if r.seen > MaxResults {
		return fmt.Errorf("more than %d results: analyse fewer folders at once, or leave noisy rules out", MaxResults)
	}
	return nil
}

// place keeps res when it is wanted.
func (r *report) place(res result, uri bool) {
	at, ok := r.wanted(&res.first, &res.last, res.spot(), uri)
	switch {
	case ok:
		res.path = at.path
		r.append(res)
	case at.where == elsewhere && res.fatal:
		r.note("the analyzer could not read %s, which the change does not touch: %s", short(res.path), short(res.message))
	case at.where == outside && res.fatal && r.unread == "":
		r.unread = short(res.message)
	}
}

// wanted returns the place of a problem and reports whether it is to be kept;
// then first and last are where to report it, when that is known already.
func (r *report) wanted(first, last *int, s spot, uri bool) (place, bool) {
	at := r.locate.find(s.path, uri)
	switch {
	case at.where != outside:
		r.located++
	case !s.fatal:
		r.outside++
		r.lost = r.lost || s.path != ""
		r.note("left out, %s: %s", at.why, short(s.path))
	}
	if at.where != touched {
		return at, false
	}
	if r.keep == nil {
		return at, true
	}
	s.path = at.path
	var ok bool
	*first, *last, ok = r.keep(s)
	return at, ok
}

// append makes room at once for as many results as a report of that many bytes
// may hold: growing would leave several times as much behind.
func (r *report) append(res result) {
	const each, most = 512, 1 << 14 // bytes of a result in a report, and what room is made for; empirical
	if r.results == nil {
		r.results = make([]result, 0, min(r.bytes/each, most)+1)
	}
	r.results = append(r.results, res)
}

// note keeps one remark for the reader, up to maxNotes.
func (r *report) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch {
	case slices.Contains(r.notes, text):
	case len(r.notes) < maxNotes:
		r.notes = append(r.notes, text)
	case len(r.notes) == maxNotes:
		r.notes = append(r.notes, "more remarks about this report are left out")
	}
}

// remarks returns what a reader of the report must know.
func (r *report) remarks() []string {
	notes := slices.Clone(r.notes)
	if r.outside > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s in no file of the repository that can be told", r.outside, count(r.seen)))
	}
	if r.ignored > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s taken back by the analyzer itself (suppressed, ignored or passed)", r.ignored, count(r.seen)))
	}
	return notes
}

func count(results int) string {
	if results == 1 {
		return "1 result"
	}
	return fmt.Sprintf("%d results", results)
}

// short returns text of a report fit for a note or an error.
func short(text string) string {
	const most = 160 // bytes; empirical: a path or a sentence
	return reviewer.Line(text, most)
}
