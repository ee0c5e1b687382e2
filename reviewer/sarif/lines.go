package sarif

import (
	"cmp"
	"slices"
	"sort"

	"github.com/reviewgate/reviewgate/diff"
)

// entries finds the entries of a patch by the path that they lead to. It keeps
// what it has read of them, so it is used by one review alone.
type entries struct {
	patch  *diff.Patch
	latest map[string]int32 // the last entry that leads to a path
	before []int32          // per entry, the one before it that leads to the same path; -1
	steps  []*step          // those that were looked at
}

func newEntries(p *diff.Patch) *entries {
	e := &entries{p, make(map[string]int32, len(p.Files)), make([]int32, len(p.Files)), make([]*step, len(p.Files))}
	for i := range p.Files {
		e.before[i] = -1
		if path := p.Files[i].NewPath; path != "" {
			if earlier, ok := e.latest[path]; ok {
				e.before[i] = earlier
			}
			e.latest[path] = int32(i)
		}
	}
	return e
}

// has reports whether the patch leads to a file at path.
func (e *entries) has(path string) bool {
	_, ok := e.latest[path]
	return ok
}

// lineage follows the file at path back through the patch.
func (e *entries) lineage(path string) lineage {
	var all lineage
	for limit := int32(len(e.patch.Files)); path != ""; {
		i, ok := e.latest[path]
		for ok && i >= limit {
			i = e.before[i]
		}
		if !ok || i < 0 {
			break
		}
		if e.steps[i] == nil {
			e.steps[i] = newStep(&e.patch.Files[i])
		}
		all = append(all, e.steps[i])
		path, limit = e.patch.Files[i].OldPath, i
	}
	return all
}

// lineage says of each line of the new version of a file whether the patch
// inserts it, and where it stood before. It holds one step per entry of the
// patch that leads to the file, the last first: a patch that is a series has
// several.
type lineage []*step

// introduced returns the first line from first to last that the patch inserts,
// 0 when there is none.
func (l lineage) introduced(first, last int) int {
	if len(l) == 1 {
		return l[0].first(first, last)
	}
	const most = 1000 // lines that are looked at one by one; a problem that spans more says little
	for line := first; line <= min(last, first+most); line++ {
		if _, _, old := l.origin("", line); !old {
			return line
		}
	}
	return 0
}

// origin returns the path and the line at which a line of the file at path
// stood before the patch. It reports false for a line that the patch inserts.
func (l lineage) origin(path string, line int) (oldPath string, oldLine int, ok bool) {
	for _, s := range l {
		if s.old == "" || s.first(line, line) > 0 {
			return "", 0, false
		}
		path, line = s.old, s.before(line)
	}
	return path, line, true
}

// step is one entry of the patch. Its hunks are read when they are needed: most
// of a large patch has nothing to do with a report.
type step struct {
	old   string // path before; "" for a new file
	hunks []diff.Hunk
	read  []*lines // nil where nobody asked
}

func newStep(f *diff.File) *step {
	byLine := func(a, b diff.Hunk) int { return cmp.Compare(a.NewStart, b.NewStart) }
	hunks := f.Hunks
	if !slices.IsSortedFunc(hunks, byLine) {
		hunks = slices.SortedStableFunc(slices.Values(hunks), byLine)
	}
	return &step{f.OldPath, hunks, make([]*lines, len(hunks))}
}

// at returns the index of the first hunk that does not end before line.
func (s *step) at(line int) int {
	return sort.Search(len(s.hunks), func(i int) bool { return after(s.hunks[i].NewStart, s.hunks[i].NewLines) > line })
}

func (s *step) lines(hunk int) *lines {
	if s.read[hunk] == nil {
		s.read[hunk] = newLines(s.hunks[hunk])
	}
	return s.read[hunk]
}

// first returns the first inserted line from first to last, 0 when there is
// none.
func (s *step) first(first, last int) int {
	for i := s.at(first); i < len(s.hunks) && s.hunks[i].NewStart <= last; i++ {
		if line := s.lines(i).first(first, last); line > 0 {
			return line
		}
	}
	return 0
}

// before returns where a line that the step does not insert stood before it.
func (s *step) before(line int) int {
	i := s.at(line)
	if i < len(s.hunks) && s.hunks[i].NewStart <= line && s.hunks[i].NewLines > 0 {
		return line - s.lines(i).shift(line)
	}
	if i == 0 {
		return line
	}
	h := s.hunks[i-1]
	return line - (after(h.NewStart, h.NewLines) - after(h.OldStart, h.OldLines))
}

// after returns the line that follows one side of a hunk. A side without lines
// names the line before it.
func after(start, lines int) int {
	if lines == 0 {
		return start + 1
	}
	return start + lines
}

// lines are the lines of a hunk's new side, as sorted runs of inserted ones and
// sorted shifts of the others.
type lines struct {
	inserted []run
	shifts   []shift
}

// run is a run of lines, both ends inclusive.
type run struct{ first, last int32 }

// shift says how far the lines from a line on have moved down.
type shift struct{ from, by int32 }

func newLines(h diff.Hunk) *lines {
	var l lines
	for line := range h.Lines() {
		switch {
		case line.Op == diff.Insert:
			l.insert(int32(line.New))
		case line.Op == diff.Context && line.Old > 0:
			l.move(int32(line.New), int32(line.New-line.Old))
		}
	}
	return &l
}

func (l *lines) insert(line int32) {
	if n := len(l.inserted); n > 0 && l.inserted[n-1].last == line-1 {
		l.inserted[n-1].last = line
		return
	}
	l.inserted = append(l.inserted, run{line, line})
}

func (l *lines) move(from, by int32) {
	if n := len(l.shifts); n > 0 && l.shifts[n-1].by == by {
		return
	}
	l.shifts = append(l.shifts, shift{from, by})
}

// first returns the first inserted line from first to last, 0 when there is
// none.
func (l *lines) first(first, last int) int {
	i := sort.Search(len(l.inserted), func(i int) bool { return int(l.inserted[i].last) >= first })
	if i == len(l.inserted) || int(l.inserted[i].first) > last {
		return 0
	}
	return max(first, int(l.inserted[i].first))
}

// shift returns how far a context line has moved down.
func (l *lines) shift(line int) int {
	i := sort.Search(len(l.shifts), func(i int) bool { return int(l.shifts[i].from) > line })
	if i == 0 {
		return 0
	}
	return int(l.shifts[i-1].by)
}
