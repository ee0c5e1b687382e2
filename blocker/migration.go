package blocker

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// migrationFile is the specification's migrations/NNNN_*.sql.
var migrationFile = regexp.MustCompile(`^migrations/([0-9]{4})_[^/]*\.sql$`)

// migration is one numbered SQL file.
type migration struct {
	number int
	path   string
}

// staleMigration says which migrations that the change adds reuse a number or
// are not the next one: by number, then name, the k-th new one must be the
// highest of the base plus k. Editing a migration of the base is not this
// blocker. A base whose migrations cannot be read makes every new one stale.
func staleMigration(e Evidence) string {
	added := migrations(e.Changed)
	if e.Base == nil || len(added) == 0 {
		return ""
	}
	existing, err := baseMigrations(e.Base)
	if err != nil {
		return fmt.Sprintf("%s cannot be compared with the base: %v", added[0].path, err)
	}
	added = slices.DeleteFunc(added, func(m migration) bool { return slices.Contains(existing, m) })
	taken, last := map[int]string{}, 0
	for _, m := range existing {
		taken[m.number] = m.path
		last = max(last, m.number)
	}
	var reused []string
	gap := ""
	for k, m := range added {
		if owner, ok := taken[m.number]; ok {
			reused = append(reused, fmt.Sprintf("%s reuses the number of %s", m.path, path.Base(owner)))
		} else if next := last + k + 1; m.number != next && gap == "" {
			gap = fmt.Sprintf("%s is not the next migration, %04d is", m.path, next)
		}
		taken[m.number] = cmp.Or(taken[m.number], m.path)
	}
	if len(reused) > 0 {
		return strings.Join(reused, "; ")
	}
	return gap
}

// baseMigrations returns the migrations of a tree. A tree without the folder
// has none.
func baseMigrations(base fs.FS) ([]migration, error) {
	entries, err := fs.ReadDir(base, "migrations")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var paths []string
	for _, entry := range entries {
		paths = append(paths, "migrations/"+entry.Name())
	}
	return migrations(paths), nil
}

// migrations returns the migrations among paths, each once, by number and then
// name.
func migrations(paths []string) []migration {
	var found []migration
	for _, p := range paths {
		if m := migrationFile.FindStringSubmatch(p); m != nil {
			number, _ := strconv.Atoi(m[1]) // four digits
			found = append(found, migration{number, p})
		}
	}
	slices.SortFunc(found, func(a, b migration) int {
		return cmp.Or(a.number-b.number, strings.Compare(a.path, b.path))
	})
	return slices.Compact(found)
}
