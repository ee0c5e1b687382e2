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
		look.summarise()
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
	minor    []sqlHits // by rule, in order: one finding each for all of a file
}

// sqlHits is what one rule of little weight found in a file.
type sqlHits struct {
	rule  *sqlRule
	at    int // line of the first
	words string
	count int
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
	for i := range sqlRules {
		r := &sqlRules[i]
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

func (l *sqlLook) try(r *sqlRule, st statement, c clause, table string) {
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
	if r.severity == finding.Minor {
		l.count(r, at, m[0])
		return
	}
	l.out.reportAs(r.severity, l.file.path, at, 0.85, fmt.Sprintf("%s %s. %s", quoted(upper(m[0])), r.what, r.advice))
}

func (l *sqlLook) count(r *sqlRule, at int, words string) {
	for i := range l.minor {
		if l.minor[i].rule == r {
			l.minor[i].count++
			return
		}
	}
	l.minor = append(l.minor, sqlHits{r, at, words, 1})
}

// summarise reports what counts little, once for each rule.
func (l *sqlLook) summarise() {
	for _, h := range l.minor {
		more := ""
		if h.count > 1 {
			more = fmt.Sprintf(" (and %d more like it)", h.count-1)
		}
		l.out.reportAs(finding.Minor, l.file.path, h.at, 0.85, fmt.Sprintf("%s%s %s. %s", quoted(upper(h.words)), more, h.rule.what, h.rule.advice))
	}
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
