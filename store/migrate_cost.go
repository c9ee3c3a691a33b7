package store

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Standstill is how long a migration will hold a Galera cluster, where each change of a table holds all nodes at once (rule K3a).
type Standstill struct {
	Galera  bool
	Seconds int64             // in all; 0 for less than one
	Tables  []TableStandstill // those that take longest first
}

// TableStandstill is how long the changes of one table will take, by an estimate.
type TableStandstill struct {
	Table          string
	Bytes, Seconds int64
}

// String says it in a sentence.
func (s Standstill) String() string {
	if s.Seconds == 0 {
		return "this is a Galera cluster: the migration holds all of it, for less than a second as far as the tables' sizes tell"
	}
	of := make([]string, len(s.Tables))
	for i, t := range s.Tables {
		of[i] = fmt.Sprintf("%s %d s (%d MB)", t.Table, t.Seconds, t.Bytes>>20)
	}
	return fmt.Sprintf("this is a Galera cluster: the migration holds all of it, for about %d s: %s", s.Seconds, strings.Join(of, ", "))
}

// changeRate is how many bytes of a table a change that reads it gets done in a second. It is on the low side for a server with a disk of its own.
const changeRate = 20 << 20

var (
	changedTable = regexp.MustCompile("(?is)^\\s*(?:ALTER TABLE|UPDATE|CREATE INDEX \\S+ ON)\\s+`?(\\w+)`?(.*)$")
	atOnce       = regexp.MustCompile(`(?i)ALGORITHM\s*=\s*INSTANT`)
)

// Standstill estimates how long the migrations that are still to be made hold the cluster, by the sizes of the tables that they change. Of a
// server that is no node of a Galera cluster it says so.
func (db *DB) Standstill(ctx context.Context) (s Standstill, err error) {
	if db.dialect == dialectSQLite {
		return s, nil
	}
	pool, err := db.writer.DB()
	if err != nil {
		return s, err
	}
	if s.Galera, err = isGalera(ctx, pool); err != nil || !s.Galera {
		return s, err
	}
	found, _, err := db.versions(ctx)
	if err != nil {
		return s, err
	}
	changes, err := changesAfter(found)
	if err != nil {
		return s, err
	}
	type size struct {
		Name  string
		Bytes int64
	}
	sizes, err := scan[[]size](db.with(ctx).Raw("SELECT table_name AS name, CAST(COALESCE(data_length + index_length, 0) AS SIGNED) AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()"))
	if err != nil {
		return s, err
	}
	for _, of := range sizes {
		if seconds := of.Bytes * int64(changes[of.Name]) / changeRate; seconds > 0 {
			s.Tables = append(s.Tables, TableStandstill{of.Name, of.Bytes, seconds})
			s.Seconds += seconds
		}
	}
	slices.SortFunc(s.Tables, func(a, b TableStandstill) int { return int(b.Seconds - a.Seconds) })
	return s, nil
}

// changesAfter counts, by table, the statements of later migrations that read a whole table.
func changesAfter(version int64) (map[string]int, error) {
	changes := map[string]int{}
	for _, file := range migrationsIn(expand, dialectMySQL) {
		if numberOf(file) <= version {
			continue
		}
		text, err := migrations.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, statement := range statementsOf(string(text)) {
			if of := changedTable.FindStringSubmatch(statement); of != nil && !atOnce.MatchString(of[2]) {
				changes[of[1]]++
			}
		}
	}
	return changes, nil
}

var sqlComment = regexp.MustCompile(`(?m)--.*$`)

// statementsOf returns the statements of a migration, without comments. No text in one of ours holds a semicolon.
func statementsOf(script string) (statements []string) {
	for statement := range strings.SplitSeq(sqlComment.ReplaceAllString(script, ""), ";") {
		if statement = strings.TrimSpace(statement); statement != "" {
			statements = append(statements, statement)
		}
	}
	return statements
}
