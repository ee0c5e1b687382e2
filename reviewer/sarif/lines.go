package sarif

import (
	"sort"

	"github.com/reviewgate/reviewgate/diff"
)

// lineage says of each line of the new version of a file whether the patch
// inserts it, and where it stood before. It holds one step per entry of the
// patch that leads to the file, the last first: a patch that is a series has
// several.
type lineage []step

// step is one entry of the patch, as sorted runs of inserted lines and sorted
// shifts of the others.
type step struct {
	old      string // path before; "" for a new file
	inserted []run
	shifts   []shift
}

// run is a run of lines, both ends inclusive.
type run struct{ first, last int }

// shift says how far the lines from a line on have moved down.
type shift struct{ from, by int }

// newLineage follows the file at path back through p.
func newLineage(p *diff.Patch, path string) lineage {
	var all lineage
	for i := len(p.Files) - 1; i >= 0 && path != ""; i-- {
		if f := &p.Files[i]; f.NewPath == path {
			all = append(all, newStep(f))
			path = f.OldPath
		}
	}
	return all
}

func newStep(f *diff.File) step {
	s := step{old: f.OldPath}
	for _, h := range f.Hunks {
		for l := range h.Lines() {
			switch {
			case l.Op == diff.Insert:
				s.insert(l.New)
			case l.Op == diff.Context && l.Old > 0:
				s.move(l.New, l.New-l.Old)
			}
		}
		nextNew, nextOld := after(h.NewStart, h.NewLines), after(h.OldStart, h.OldLines)
		s.move(nextNew, nextNew-nextOld)
	}
	return s
}

// after returns the line that follows one side of a hunk. A side without lines
// names the line before it.
func after(start, lines int) int {
	if lines == 0 {
		return start + 1
	}
	return start + lines
}

func (s *step) insert(line int) {
	if n := len(s.inserted); n > 0 && s.inserted[n-1].last == line-1 {
		s.inserted[n-1].last = line
		return
	}
	s.inserted = append(s.inserted, run{line, line})
}

func (s *step) move(from, by int) {
	if n := len(s.shifts); n == 0 && by == 0 || n > 0 && s.shifts[n-1].by == by {
		return
	}
	s.shifts = append(s.shifts, shift{from, by})
}

// first returns the first inserted line from first to last, 0 when there is
// none.
func (s *step) first(first, last int) int {
	i := sort.Search(len(s.inserted), func(i int) bool { return s.inserted[i].last >= first })
	if i == len(s.inserted) || s.inserted[i].first > last {
		return 0
	}
	return max(first, s.inserted[i].first)
}

// before returns where a line that the step does not insert stood before it.
func (s *step) before(line int) int {
	i := sort.Search(len(s.shifts), func(i int) bool { return s.shifts[i].from > line })
	if i == 0 {
		return line
	}
	return line - s.shifts[i-1].by
}

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
	for i := range l {
		if l[i].old == "" || l[i].first(line, line) > 0 {
			return "", 0, false
		}
		path, line = l[i].old, l[i].before(line)
	}
	return path, line, true
}
