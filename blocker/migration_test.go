package blocker

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestStaleMigration(t *testing.T) {
	for _, tt := range []struct {
		name    string
		base    fs.FS
		changed []string
		want    string
	}{
		{"the next number is fine", base, []string{"migrations/0008_a.sql"}, ""},
		{"the first new one is max + 1, the next one + 2, and so on", base,
			[]string{"migrations/0010_c.sql", "migrations/0008_a.sql", "migrations/0009_b.sql"}, ""},
		{"an existing number", base, []string{"migrations/0007_b.sql"}, "migrations/0007_b.sql reuses the number of 0007_priority.sql"},
		{"an existing number in the middle", base, []string{"migrations/0001_b.sql"}, "migrations/0001_b.sql reuses the number of 0001_jobs.sql"},
		{"a gap", base, []string{"migrations/0009_b.sql"}, "migrations/0009_b.sql is not the next migration, 0008 is"},
		{"a free number below the highest is not the next one", base, []string{"migrations/0003_b.sql"},
			"migrations/0003_b.sql is not the next migration, 0008 is"},
		{"a gap after the first", base, []string{"migrations/0008_a.sql", "migrations/0010_b.sql"},
			"migrations/0010_b.sql is not the next migration, 0009 is"},
		{"two new ones with one number collide", base, []string{"migrations/0008_b.sql", "migrations/0008_a.sql"},
			"migrations/0008_b.sql reuses the number of 0008_a.sql"},
		{"every reused number is named", base, []string{"migrations/0006_x.sql", "migrations/0007_y.sql"},
			"migrations/0006_x.sql reuses the number of 0006_locale.sql; migrations/0007_y.sql reuses the number of 0007_priority.sql"},
		{"editing an existing migration is not this blocker", base, []string{"migrations/0006_locale.sql"}, ""},
		{"editing one beside adding the next", base, []string{"migrations/0006_locale.sql", "migrations/0008_a.sql"}, ""},
		{"renaming one adds a file with its number", base, []string{"migrations/0006_locale.sql", "migrations/0006_language.sql"},
			"migrations/0006_language.sql reuses the number of 0006_locale.sql"},
		{"a path listed twice is one migration", base, []string{"migrations/0008_a.sql", "migrations/0008_a.sql"}, ""},
		{"the first of a repository is 0001", fstest.MapFS{"a.go": {}}, []string{"migrations/0001_a.sql"}, ""},
		{"a first one with another number", fstest.MapFS{"a.go": {}}, []string{"migrations/0002_a.sql"},
			"migrations/0002_a.sql is not the next migration, 0001 is"},
		{"other folders do not count", base, []string{"db/migrations/0003_a.sql", "migrations/old/0003_a.sql"}, ""},
		{"other names do not count", base, []string{"migrations/README.md", "migrations/12_a.sql", "migrations/0003-a.sql", "migrations/0003_a.sql.bak"}, ""},
		{"a patch alone cannot be judged", nil, []string{"migrations/0003_a.sql"}, ""},
		{"a base that cannot be read is no permission", fstest.MapFS{"migrations": {}}, []string{"migrations/0008_a.sql"},
			"migrations/0008_a.sql cannot be compared with the base: readdir migrations: not implemented"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := staleMigration(Evidence{Base: tt.base, Changed: tt.changed}); got != tt.want {
				t.Errorf("staleMigration(%q) = %q, want %q", tt.changed, got, tt.want)
			}
		})
	}
}
