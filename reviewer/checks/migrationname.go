package checks

import (
	"path"
	"strconv"
	"strings"
)

// migration is a file of a folder of migrations, as its name tells.
type migration struct {
	path   string
	folder string // where its numbers count
	number string // digits, and perhaps dots or dashes, without leading zeros
	digits string // number as it is written
	stem   string // the name without direction and extension: both directions of a step share it
	value  uint64 // number, when it is a plain one
	plain  bool   // number is a counter: 1, 2, 3; not a time, not 1.2
	down   bool   // takes a step back
}

var (
	numberedName = expr(`^(?:[VUvu])?(\d+(?:[.\-]\d+)*)(?:__|[_\-.])\S`)
	migrationExt = expr(`(?i)(?:[._-](up|down|do|undo|rollback|revert))?\.(?:sql|go|py|rb|js|ts|php|cs|kt|java|exs|ex|xml|ya?ml)$`)
	downName     = expr(`(?i)(?:[._-](?:down|undo|rollback|revert)|^down)\.\w+$|^U\d`)
)

// maxCounter is the number of digits up to which a number is a counter; more
// are a date or a time.
const maxCounter = 6

// migrationOf reads a path; false when it is no numbered migration. The folder
// must be called after migrations, or the file in Flyway's way (V2__name.sql).
func migrationOf(name string) (migration, bool) {
	dir, base := path.Split(name)
	dir = path.Clean(dir)
	if !migrationExt.inString(base) || pathKind(name).test {
		return migration{}, false
	}
	m := migration{path: name, folder: dir, down: downName.inString(base)}
	label := base
	if !numberedName.inString(base) { // prisma, diesel: the folder has the number
		label = path.Base(dir)
		m.folder = path.Dir(dir)
		if path.Ext(base) != ".sql" {
			return migration{}, false
		}
	}
	groups := numberedName.groupsOf(label)
	if groups == nil {
		return migration{}, false
	}
	flyway := (label[0] == 'V' || label[0] == 'v' || label[0] == 'U') && strings.Contains(label, "__")
	if !flyway && (!migrationFolder(m.folder) || label[0] < '0' || label[0] > '9') {
		return migration{}, false
	}
	m.digits = groups[1]
	m.number = strings.TrimLeft(m.digits, "0")
	if m.number == "" {
		m.number = "0"
	}
	m.stem = migrationExt.compiled().ReplaceAllString(strings.TrimLeft(label, "VUvu"), "")
	if value, err := strconv.ParseUint(groups[1], 10, 64); err == nil && len(groups[1]) <= maxCounter {
		m.value, m.plain = value, true
	}
	return m, true
}

func migrationFolder(dir string) bool {
	for part := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if strings.Contains(part, "migrat") || part == "alembic" || part == "flyway" {
			return true
		}
	}
	return false
}

// counts reports whether two migrations with this number would be one step
// twice: not for a date alone, of which there may be several.
func (m migration) counts() bool {
	return m.plain || len(m.number) >= 10 || strings.ContainsAny(m.number, ".-")
}
