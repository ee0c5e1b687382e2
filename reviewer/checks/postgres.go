package checks

import (
	"bytes"
	"path"
	"strings"
)

var (
	postgresWords = expr(`(?i)\b(?:bigserial|serial|smallserial|jsonb|timestamptz|plpgsql|tsvector|bytea|uuid_generate_v\d|gen_random_uuid|using\s+gin|using\s+gist|create\s+extension|concurrently|not\s+valid|text\[\])\b|::(?:text|jsonb?|uuid|int|regclass)\b|pg_catalog`)
	otherWords    = expr("(?i)\\b(?:engine\\s*=\\s*innodb|auto_increment|autoincrement|pragma|nvarchar|identity\\s*\\(1|varchar2|sysdate|go\\s*$)\\b|`\\w+`")
	postgresNames = expr(`(?i)\b(?:jackc/pgx|lib/pq|go-pg/pg|psycopg\d?|asyncpg|pg8000|postgresql?|postgis|Npgsql|gem ["']pg["']|tokio-postgres)\b|"(?:pg|postgres|pg-promise)"\s*:`)
)

// manifests name the database driver of a project.
var manifests = []string{
	"go.mod", "package.json", "requirements.txt", "pyproject.toml", "Pipfile", "Gemfile", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts",
	"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", "prisma/schema.prisma", "composer.json", "mix.exs",
}

// maxOldMigrations is how many migrations of the base are read for the dialect.
const maxOldMigrations = 40

// postgres reports whether the scripts of a folder are PostgreSQL's, from their
// words or its folder's name, those of the migrations before them, or the project's driver.
func postgres(s *subject, m migration, script []byte) bool {
	for part := range strings.SplitSeq(strings.ToLower(path.Dir(m.path)), "/") {
		switch {
		case strings.Contains(part, "postgres") || part == "pg" || part == "pgsql":
			return true
		case strings.Contains(part, "sqlite") || strings.Contains(part, "mysql") || part == "mariadb" || part == "mssql" || part == "oracle" || part == "clickhouse":
			return false
		}
	}
	if otherWords.in(script) {
		return false
	}
	if postgresWords.in(script) {
		return true
	}
	if s.base == nil {
		return false
	}
	read := 0
	for _, name := range s.baseFiles().paths {
		if !inFolder(name, m.folder) || path.Ext(name) != ".sql" || read >= maxOldMigrations {
			continue
		}
		read++
		old := readOrNothing(s, name)
		if otherWords.in(old) {
			return false
		}
		if postgresWords.in(old) {
			return true
		}
	}
	for _, name := range manifests {
		if postgresNames.in(readOrNothing(s, name)) {
			return true
		}
	}
	return false
}

func inFolder(name, folder string) bool {
	return folder == "." || len(name) > len(folder) && name[len(folder)] == '/' && name[:len(folder)] == folder
}

// readOrNothing reads a file of the base that only gives a hint.
func readOrNothing(s *subject, name string) []byte {
	data, ok, err := read(s.base, name)
	if !ok || err != nil {
		return nil
	}
	return bytes.TrimSpace(data)
}
