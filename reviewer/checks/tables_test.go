package checks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPathKind(t *testing.T) {
	for _, tt := range []struct {
		path string
		want kind
	}{
		{"internal/a.go", kind{language: "go"}},
		{"internal/a_test.go", kind{language: "go", test: true}},
		{"testdata/a.go", kind{language: "go", test: true, fixture: true}},
		{"web/src/a.spec.tsx", kind{language: "typescript", test: true}},
		{"src/main/java/ATest.java", kind{language: "java", test: true}},
		{"src/main/java/Latest.java", kind{language: "java"}},
		{"tests/data/a.bin", kind{test: true, fixture: true}},
		{"t/t5563-auth.sh", kind{language: "shell", test: true}},
		{"vendor/a/b.go", kind{language: "go", vendored: true}},
		{"proto/a.pb.go", kind{language: "go", generated: true}},
		{"web/app.min.js", kind{language: "javascript", generated: true}},
		{"go.sum", kind{lock: true}},
		{"docs/a.md", kind{docs: true}},
		{"docs/gen.py", kind{language: "python"}},
		{"README", kind{docs: true}},
		{"examples/a.py", kind{language: "python", example: true}},
		{".github/workflows/vendor/ci.yml", kind{}},
		{"contest/protest.go", kind{language: "go"}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if d := cmp.Diff(tt.want, pathKind(tt.path), cmp.AllowUnexported(kind{})); d != "" {
				t.Errorf("pathKind(%q) differs (-want +got):\n%s", tt.path, d)
			}
		})
	}
}

func TestMigrationOf(t *testing.T) {
	for _, tt := range []struct {
		path, folder, number, stem string
		plain, down                bool
	}{
		{"migrations/0001_jobs.sql", "migrations", "1", "0001_jobs", true, false},
		{"db/migrations/000012_jobs.down.sql", "db/migrations", "12", "000012_jobs", true, true},
		{"db/migrate/20240102030405_add_a.rb", "db/migrate", "20240102030405", "20240102030405_add_a", false, false},
		{"src/main/resources/db/V2__jobs.sql", "src/main/resources/db", "2", "2__jobs", true, false},
		{"db/V1.2__jobs.sql", "db", "1.2", "1.2__jobs", false, false},
		{"prisma/migrations/15_share/migration.sql", "prisma/migrations", "15", "15_share", true, false},
		{"migrations/2024-01-02-030405_a/up.sql", "migrations", "2024-01-02-030405", "2024-01-02-030405_a", false, false},
		{"app/migrations/0003_auto.py", "app/migrations", "3", "0003_auto", true, false},
		{"migrations/0003_auto_test.go", "", "", "", false, false},
		{"migrations/readme.sql", "", "", "", false, false},
		{"sql/0001_report.sql", "", "", "", false, false},
		{"docs/0001-first.md", "", "", "", false, false},
	} {
		t.Run(tt.path, func(t *testing.T) {
			m, ok := migrationOf(tt.path)
			if !ok {
				m = migration{}
			}
			if m.folder != tt.folder || m.number != tt.number || m.stem != tt.stem || m.plain != tt.plain || m.down != tt.down {
				t.Errorf("migrationOf(%q) = %+v, want %+v", tt.path, m, tt)
			}
		})
	}
}

func TestStatements(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         []string
	}{
		{"comments and white space", "-- x;\nSELECT /* ; */  1 ;\n\nSELECT\t2", []string{"select 1", "select 2"}},
		{"a semicolon in quotes", "INSERT INTO a VALUES ('x;''y'); SELECT 1;", []string{"insert into a values ('')", "select 1"}},
		{"names in quotes", "DROP TABLE \"Big Table\"; DROP TABLE `b`; DROP TABLE [c]", []string{"drop table big_table", "drop table b", "drop table c"}},
		{"a function's body", "CREATE FUNCTION f() AS $x$ DELETE FROM a; $x$; SELECT 1", []string{"create function f() as ''", "select 1"}},
		{"the way back of goose", "SELECT 1;\n-- +goose Down\nDROP TABLE a;", []string{"select 1"}},
		{"the way back of dbmate", "-- migrate:up\nSELECT 1;\n-- migrate:down\nDROP TABLE a;", []string{"select 1"}},
		{"a hash inside a line is an operator", "SELECT a #> b", []string{"select a #> b"}},
		{"quotes that never close", "SELECT 'a; DROP TABLE b", []string{"select ''"}},
		{"nothing", " ;; -- x", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range statements([]byte(tt.script)) {
				got = append(got, s.text)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("statements(%q) differ (-want +got):\n%s", tt.script, d)
			}
		})
	}
}

func TestCaret(t *testing.T) {
	for _, tt := range []struct {
		wants, version string
		want           bool
	}{
		{"1", "1.9.3", true}, {"1.2", "1.2.0", true}, {"1.2", "1.1.9", false}, {"1.2", "2.0.0", false}, {"^1.2.3", "1.4.0", true},
		{"0.3", "0.3.9", true}, {"0.3", "0.4.0", false}, {"0.0.3", "0.0.4", false}, {"0.3.2", "0.3.1", false}, {"0", "0.7.1", true},
		{">=1, <3", "9.9.9", true}, {"*", "1.0.0", true}, {"1.2.3", "1.2.3-rc.1", true}, {"1.2.3", "1.2.4+build", true},
	} {
		if got := caret(tt.wants, tt.version); got != tt.want {
			t.Errorf("caret(%q, %q) = %v, want %v", tt.wants, tt.version, got, tt.want)
		}
	}
}

func TestLineOf(t *testing.T) {
	const manifest = "rack-test = 1\nrack = 2\n"
	for _, tt := range []struct {
		name string
		want int
	}{{"rack", 2}, {"rack-test", 1}, {"missing", 1}} {
		if got := lineOf([]byte(manifest), tt.name); got != tt.want {
			t.Errorf("lineOf(%q) = %d, want %d", tt.name, got, tt.want)
		}
	}
}
