package checks

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var migrationNumberCheck = check{
	Info: Info{
		ID:       prefix + "migration-number",
		What:     "A new migration whose number is taken, leaves a gap, or lies before the last one on the base.",
		Why:      "Migration tools run one of two equal numbers and skip the other, so databases end up different.",
		Severity: finding.Blocker,
		Category: finding.MigrationNumberCollision,
	},
	needs: bothTrees,
	run:   findMigrationNumbers,
}

var migrationEditCheck = check{
	Info: Info{
		ID:       prefix + "migration-edit",
		What:     "An edit to a migration that the base has already.",
		Why:      "Databases that ran it will not run it again, so they differ from those that are set up afterwards.",
		Severity: finding.Major,
		Category: finding.Correctness,
	},
	needs: patchOnly,
	run:   findMigrationEdits,
}

// steps is the migrations of one folder, before the change and new.
type steps struct {
	old, fresh []migration
}

func findMigrationNumbers(ctx context.Context, s *subject, out *sink) {
	folders := map[string]*steps{}
	gone := map[string]bool{}
	var order []string
	for _, f := range s.files {
		if f.Status == diff.Deleted || f.Status == diff.Renamed {
			gone[f.OldPath] = true
		}
		if f.Status != diff.Added && f.Status != diff.Renamed && f.Status != diff.Copied || f.kind.fixture || f.kind.test {
			continue
		}
		m, ok := migrationOf(f.path)
		if !ok || exists(s.base, f.path) {
			continue
		}
		if folders[m.folder] == nil {
			folders[m.folder] = &steps{}
			order = append(order, m.folder)
		}
		folders[m.folder].fresh = append(folders[m.folder].fresh, m)
	}
	if len(order) == 0 {
		return
	}
	list := s.baseFiles()
	if list.partly != "" {
		out.note("the base could not be listed in full (%s), so numbers were compared with a part of it", list.partly)
	}
	for _, name := range list.paths {
		if m, ok := migrationOf(name); ok && folders[m.folder] != nil && !gone[name] {
			folders[m.folder].old = append(folders[m.folder].old, m)
		}
	}
	for _, folder := range order {
		if ctx.Err() == nil {
			folders[folder].judge(out)
		}
	}
}

// judge reports numbers that are taken and, where numbers count one by one,
// numbers that are not the next one.
func (s *steps) judge(out *sink) {
	slices.SortFunc(s.fresh, func(a, b migration) int {
		return cmp.Or(cmp.Compare(a.value, b.value), strings.Compare(a.number, b.number), compareBool(a.down, b.down), strings.Compare(a.path, b.path))
	})
	taken := map[string]migration{}
	for _, m := range s.old {
		taken[m.number] = m
	}
	next, counting := s.next()
	seen := map[string]bool{}
	for _, m := range s.fresh {
		if other, ok := taken[m.number]; ok && other.stem != m.stem {
			if m.counts() {
				reportTaken(out, m, other, next, counting)
			}
			continue
		}
		taken[m.number] = m
		if !m.plain || !counting || seen[m.number] {
			continue
		}
		seen[m.number] = true
		if m.value == next {
			next++
			continue
		}
		reportGap(out, m, next)
		next = max(next, m.value+1)
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func reportTaken(out *sink, m, other migration, next uint64, counting bool) {
	advice := "give this one a number of its own"
	if m.plain && counting {
		advice = fmt.Sprintf("rename this one to the next free number, %s or later", padded(m, next))
	}
	out.report(m.path, 1, 0.95, fmt.Sprintf("Migration number %s is taken by %s. Tools run one of the two and skip the other: %s.", m.digits, quoted(path.Base(other.path)), advice))
}

func reportGap(out *sink, m migration, next uint64) {
	if m.value > next {
		out.reportAs(finding.Major, m.path, 1, 0.85, fmt.Sprintf("Migration number %s leaves a gap: the next number is %[2]s. Whatever takes it later runs out of order or not at all: use %[2]s.", m.digits, padded(m, next)))
		return
	}
	out.reportAs(finding.Major, m.path, 1, 0.85, fmt.Sprintf("Migration number %s lies before the last one on the base, so databases that are further skip it. Use %s.", m.digits, padded(m, next)))
}

// padded writes a number as wide as that of m.
func padded(m migration, number uint64) string { return fmt.Sprintf("%0*d", len(m.digits), number) }

// next returns the number that follows the old ones, and whether the folder
// counts one by one. A few missing numbers are old wounds; many mean that the
// numbers are not meant to be in sequence. A folder without old numbers starts
// where the change starts it.
func (s *steps) next() (uint64, bool) {
	var numbers []uint64
	for _, m := range s.old {
		if m.plain {
			numbers = append(numbers, m.value)
		} else if m.counts() {
			return 0, false
		}
	}
	if len(numbers) == 0 {
		first, ok := s.first()
		return first, ok
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	last := numbers[len(numbers)-1]
	missing := last - numbers[0] + 1 - uint64(len(numbers))
	return last + 1, missing*4 <= uint64(len(numbers))
}

// first returns the number of the first new migration of an empty folder.
func (s *steps) first() (uint64, bool) {
	for _, m := range s.fresh {
		if !m.plain {
			return 0, false
		}
	}
	return s.fresh[0].value, true
}

func findMigrationEdits(_ context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if f.Status != diff.Modified && f.Status != diff.Renamed || f.kind.fixture || f.kind.test {
			continue
		}
		m, ok := migrationOf(f.OldPath)
		if !ok || m.down {
			continue
		}
		if now, still := migrationOf(f.path); f.Status == diff.Renamed && (!still || now.folder != m.folder || now.number != m.number) {
			if still && now.folder == m.folder {
				out.report(f.path, 1, 0.75, fmt.Sprintf("The migration %s, which the base has, gets another number. Databases that ran it under the old number run it again: keep its name, and add a new migration for what is new.", quoted(path.Base(m.path))))
			}
			continue
		}
		at := firstEdit(f)
		if at == 0 {
			continue
		}
		severity, confidence := finding.Major, 0.8
		if path.Ext(f.path) != ".sql" {
			severity, confidence = finding.Minor, 0.65 // programs are formatted and renamed without another effect
		}
		out.reportAs(severity, f.path, at, confidence, "This migration is on the base already, and the change edits what it does. Databases that ran it stay as they are: leave it alone, and put the difference into a new migration.")
	}
}

// formatting drops what a formatter adds, takes away or swaps in a program.
func formatting(r rune) rune {
	if strings.ContainsRune("'\"\x60(),;", r) {
		return -1
	}
	return r
}

// firstEdit returns the line of the first edit that is more than a comment or
// white space; 0 when there is none.
func firstEdit(f *file) int {
	for _, h := range f.Hunks {
		var before, after []byte
		at, here := 0, h.NewStart
		for l := range h.Lines() {
			if l.Op != diff.Delete {
				here = l.New + 1
			}
			text := bytes.Join(bytes.Fields(l.Text), nil)
			if f.kind.language != "sql" {
				text = bytes.Map(formatting, text)
			}
			if l.Op == diff.Context || len(text) == 0 || comment(f.kind.language, l.Text) {
				continue
			}
			if l.Op == diff.Insert {
				after = append(after, text...)
			} else {
				before = append(before, text...)
			}
			if at == 0 {
				at = max(here, 1)
				if l.Op == diff.Insert {
					at = l.New
				}
			}
		}
		if !bytes.Equal(before, after) {
			return at
		}
	}
	return 0
}
