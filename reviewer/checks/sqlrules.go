package checks

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var migrationSQLCheck = check{
	Info: Info{
		ID:       prefix + "migration-sql",
		What:     "SQL in a new migration that destroys data, fails on a table that has rows, breaks the version that still runs, or locks a table.",
		Why:      "A migration runs once, on the only copy of the data, while people use it.",
		Severity: finding.Major,
		Category: finding.Correctness,
	},
	needs: patchOnly,
	run:   findMigrationSQL,
}

// sqlRule is one thing that SQL does to a table with rows in it. The expression
// is matched on a statement, or with clause on each part of an ALTER TABLE; its
// group "table" or the table of the ALTER is left alone when the change itself
// creates it.
type sqlRule struct {
	clause   bool
	expr     *pattern
	unless   *pattern // on the same text
	postgres bool     // holds for PostgreSQL only
	severity finding.Severity
	what     string // what it does, and why that hurts
	advice   string
}

var sqlRules = []sqlRule{
	{expr: expr(`^drop (?:table|schema|database|materialized view) (?:if exists )?(?P<table>[\w.]+)`), severity: finding.Major,
		what: "drops a table with all its rows, and a rollback cannot bring them back", advice: "Make sure that nothing reads it any more, keep a copy, and say so in the description."},
	{expr: expr(`^truncate (?:table )?(?:only )?(?P<table>[\w.]+)`), severity: finding.Major,
		what: "deletes every row of the table", advice: "Name the rows to delete, or say in the description why all of them may go."},
	{expr: expr(`^delete from (?:only )?(?P<table>[\w.]+)`), unless: expr(`\bwhere\b`), severity: finding.Major,
		what: "deletes every row of the table, for want of a WHERE", advice: "Name the rows to delete, or say in the description why all of them may go."},
	{clause: true, expr: expr(`^drop (?:column )?(?:if exists )?(?P<name>[\w.]+)`), unless: expr(`^drop (?:constraint|index|key|primary|foreign|default|not|check|partition|expression|identity|trigger|statistics|policy)\b`), severity: finding.Major,
		what: "drops a column with its data, while the version that still runs may read it", advice: "Stop using it in one release and drop it in the next."},
	{clause: true, expr: expr(`^(?:rename (?:column )?[\w.]+ to [\w.]+|rename to [\w.]+|change (?:column )?(?:[\w.]+) [\w.]+)`), unless: expr(`^rename (?:constraint|index|key|value|attribute)\b`), severity: finding.Major,
		what: "renames what the version that still runs calls by its old name", advice: "Add the new name, move the readers over, and drop the old one in a later release."},
	{clause: true, expr: expr(`^add (?:column )?(?:if not exists )?(?P<name>[\w.]+) .*\bnot null\b`), unless: expr(`\b(?:default|generated|identity|serial|bigserial|smallserial|auto_increment|autoincrement)\b|^add (?:constraint|index|key|unique|primary|foreign|check)\b`), severity: finding.Major,
		what: "adds a NOT NULL column without a default, which fails as soon as the table has a row", advice: "Give it a DEFAULT, or add it nullable, fill it, and set NOT NULL afterwards."},
	{clause: true, expr: expr(`^alter (?:column )?[\w.]+ (?:set data )?type (?:\w+)|^modify (?:column )?[\w.]+ \w+`), unless: expr(`\btype (?:text|varchar|character varying|citext)\b[^'"]*$`), severity: finding.Major,
		what: "changes a column's type, which rewrites the whole table under a lock that stops readers too", advice: "Add a column of the new type, fill it in steps, and switch over."},
	{clause: true, expr: expr(`^alter (?:column )?(?P<name>[\w.]+) set not null`), severity: finding.Minor, postgres: true,
		what: "sets NOT NULL, which reads the whole table under a lock and fails on the first NULL", advice: "Fill the column first, and add a CHECK … NOT VALID that is validated afterwards."},
	{expr: expr(`^create (?:unique )?index (?:if not exists )?[\w.]* ?on (?:only )?(?P<table>[\w.]+)`), unless: expr(`\bconcurrently\b`), severity: finding.Minor, postgres: true,
		what: "builds an index under a lock that stops every write to the table until it is done", advice: "Use CREATE INDEX CONCURRENTLY, in a migration that runs outside of a transaction."},
	{clause: true, expr: expr(`^add (?:constraint [\w.]+ )?(?:foreign key|check)\b`), unless: expr(`\bnot valid\b`), severity: finding.Minor, postgres: true,
		what: "adds a constraint that reads the whole table under a lock", advice: "Add it NOT VALID, and validate it in a migration of its own."},
	{expr: expr(`^(?:vacuum full|cluster [\w.]+|lock table)\b`), severity: finding.Minor, postgres: true,
		what: "locks the whole table, for readers too", advice: "Run it by hand in a quiet hour, or find a way without the lock."},
}

func findMigrationSQL(ctx context.Context, s *subject, out *sink) {
	created := map[string]bool{}
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		m, ok := migrationOf(f.path)
		if !ok || m.down || f.Status != diff.Added || f.kind.fixture || f.kind.test || path.Ext(f.path) != ".sql" {
			continue
		}
		script, ok := s.content(f, out)
		if !ok {
			continue
		}
		all := statements(script)
		look := sqlLook{file: f, out: out, created: created, copied: map[string]bool{}, postgres: postgres(s, m, script)}
		for _, st := range all {
			look.create(st)
		}
		for _, st := range all {
			look.statement(st)
		}
	}
}

// sqlLook reads the statements of one script.
type sqlLook struct {
	file     *file
	out      *sink
	created  map[string]bool // tables that the change creates: they have no rows yet
	copied   map[string]bool // tables whose rows the script has copied elsewhere, as one has to in SQLite
	filled   []string        // tables that the script has updated
	postgres bool
}

var (
	createdTable = expr(`^create (?:(?:global |local )?temp(?:orary)? |unlogged )?table (?:if not exists )?([\w.]+)`)
	alteredTable = expr(`^alter table (?:if exists )?(?:only )?([\w.]+) `)
	copiedTable  = expr(`^(?:insert into|create table) [\w.]+ .*\bselect\b.* from ([\w.]+)`)
	filledTable  = expr(`^update (?:only )?([\w.]+)`)
)

func (l *sqlLook) create(st statement) {
	if m := createdTable.groupsOf(st.text); m != nil {
		l.created[bare(m[1])] = true
	}
	if m := copiedTable.groupsOf(st.text); m != nil {
		l.copied[bare(m[1])] = true
	}
}

// bare returns a table's name without its schema.
func bare(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func (l *sqlLook) statement(st statement) {
	if m := filledTable.groupsOf(st.text); m != nil {
		l.filled = append(l.filled, bare(m[1]))
	}
	altered := alteredTable.compiled().FindStringSubmatchIndex(st.text)
	for _, r := range sqlRules {
		switch {
		case r.postgres && !l.postgres:
		case !r.clause:
			l.try(r, st, clause{st.text, 0}, "")
		case altered != nil:
			for _, c := range clauses(st.text, altered[1]) {
				l.try(r, st, c, bare(st.text[altered[2]:altered[3]]))
			}
		}
	}
}

func (l *sqlLook) try(r sqlRule, st statement, c clause, table string) {
	m := r.expr.groupsOf(c.text)
	if m == nil || r.unless != nil && r.unless.inString(c.text) {
		return
	}
	if i := r.expr.compiled().SubexpIndex("table"); i > 0 {
		table = bare(m[i])
	}
	if l.created[table] || l.copied[table] && strings.HasPrefix(c.text, "drop table") || strings.Contains(c.text, "set not null") && contains(l.filled, table) {
		return
	}
	at := st.at(c.at)
	if strings.HasPrefix(st.text[c.at:], " ") {
		at = st.at(c.at + 1)
	}
	l.out.reportAs(r.severity, l.file.path, at, 0.85, fmt.Sprintf("%s %s. %s", quoted(upper(m[0])), r.what, r.advice))
}

func contains(list []string, wanted string) bool {
	for _, item := range list {
		if item == wanted {
			return true
		}
	}
	return false
}

var sqlWords = expr(`\b(?:drop|table|schema|database|materialized|view|if|exists|truncate|delete|from|only|column|rename|to|add|alter|set|data|type|modify|change|not|null|create|unique|index|on|constraint|foreign|key|check|vacuum|full|cluster|lock|default|references|primary)\b`)

// upper writes the words of SQL in capitals, as they are written in messages.
func upper(text string) string {
	return sqlWords.compiled().ReplaceAllStringFunc(text, strings.ToUpper)
}
