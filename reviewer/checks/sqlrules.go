package checks

import "github.com/reviewgate/reviewgate/finding"

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
	{expr: expr(`^drop (?:table|schema|database|materialized view) (?:if exists )?(?P<table>[\w.]+)`), unless: expr(`_mv(?:_\w+)?$`), severity: finding.Major,
		what: "drops a table with all its rows, and a rollback cannot bring them back", advice: "Make sure that nothing reads it any more, keep a copy, and say so in the description."},
	{expr: expr(`^truncate (?:table )?(?:only )?(?P<table>[\w.]+)`), severity: finding.Major,
		what: "deletes every row of the table", advice: "Name the rows to delete, or say in the description why all of them may go."},
	{expr: expr(`^delete from (?:only )?(?P<table>[\w.]+)`), unless: expr(`\bwhere\b`), severity: finding.Major,
		what: "deletes every row of the table, for want of a WHERE", advice: "Name the rows to delete, or say in the description why all of them may go."},
	{clause: true, expr: expr(`^drop (?:column )?(?:if exists )?(?P<name>[\w.]+)`), unless: expr(`^drop (?:constraint|index|key|primary|foreign|default|not|check|partition|expression|identity|trigger|statistics|policy|projection)\b`), severity: finding.Major,
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
