package store_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"purr/store"
	"purr/test/testkit"
)

// firstOfTiDB is the migration that makes the whole schema on TiDB. It is written by this test with -update, from what MariaDB has.
const firstOfTiDB = "migrations/expand/tidb/0082_schema.sql"

// ofTiDB are the generated columns, which each server tells in its own words, as TiDB takes them: NULLIF it refuses there.
var ofTiDB = map[string]string{
	"customers.customer_number_key": "CASE WHEN customer_number <> '' THEN customer_number END",
	"invoices.free":                 "CASE WHEN balance < written_off THEN written_off - balance ELSE 0 END",
	"invoices.stage": "CASE WHEN closed = 'lost' THEN 'closed_lost' WHEN closed = 'other' THEN 'closed_other'" +
		" WHEN handed_over IS NOT NULL THEN 'collection' WHEN balance <= 0 THEN 'paid' WHEN balance <= repayment_owed THEN 'repaying'" +
		" WHEN warned = 1 THEN 'warned' WHEN notices > 0 THEN 'reminded' ELSE 'open' END",
	"overdue_notices.sequence_in_force": "CASE WHEN withdrawn IS NULL THEN sequence END",
}

// TestK8TheSchemaIsTheSameOnTiDB: the schema of the server that runs, MariaDB or TiDB, is that of TiDB's first migration, and after all
// migrations that of a golden file, in tables, columns, types, defaults and keys. So both have the same.
func TestK8TheSchemaIsTheSameOnTiDB(t *testing.T) {
	t.Parallel()
	db := open(t, testkit.MySQL(t))
	must(t, db.MigrateTo(t.Context(), store.FirstOnTiDB))
	testkit.Golden(t, firstOfTiDB, schemaOf(t, db))
	_, err := db.Migrate(t.Context())
	must(t, err)
	testkit.Golden(t, "testdata/schema.sql", schemaOf(t, db))
}

// schemaOf returns the schema of a database as a migration that makes it on TiDB.
func schemaOf(t *testing.T, db *store.DB) string {
	t.Helper()
	var all strings.Builder
	all.WriteString("-- +goose Up\n\n-- The whole schema as of this number, as MariaDB has it: what each table is for stands there. TestK8TheSchemaIsTheSameOnTiDB wrote it.\n" +
		"-- AUTO_ID_CACHE=1 lets IDs grow whichever server of TiDB gives them.\n")
	for _, table := range tablesOf(t, db) {
		all.WriteString("\n" + tableOf(t, db, table))
	}
	return all.String()
}

func tablesOf(t *testing.T, db *store.DB) (tables []string) {
	t.Helper()
	must(t, db.Query(t.Context(), &tables, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name NOT LIKE 'goose%'"))
	slices.Sort(tables)
	return tables
}

// tableOf returns the CREATE TABLE of a table, as TiDB takes it.
func tableOf(t *testing.T, db *store.DB, table string) string {
	t.Helper()
	lines, grows := columnsOf(t, db, table)
	lines = append(lines, keysOf(t, db, table)...)
	text := "CREATE TABLE " + table + " (\n  " + strings.Join(lines, ",\n  ") + "\n) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"
	if grows {
		text += " AUTO_ID_CACHE=1"
	}
	return text + ";\n"
}

var (
	width    = regexp.MustCompile(`^(bigint|smallint|int|tinyint)\((?:\d\d+|[2-9])\)`) // which MySQL has given up; that of TINYINT(1) says that it is a truth
	asString = regexp.MustCompile(`^'(.*)'$`)
	isNumber = regexp.MustCompile(`^-?\d+$`)
)

// columnsOf returns the columns of a table, and whether the server gives its IDs.
func columnsOf(t *testing.T, db *store.DB, table string) (lines []string, grows bool) {
	t.Helper()
	var columns []struct {
		Name, Type, Nullable, Extra string
		Preset, Collated            *string
	}
	must(t, db.Query(t.Context(), &columns, `SELECT column_name AS name, column_type AS type, is_nullable AS nullable, extra, column_default AS preset, collation_name AS collated
		FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`, table))
	for _, c := range columns {
		line := "`" + c.Name + "` " + strings.ToUpper(width.ReplaceAllString(c.Type, "$1"))
		if c.Collated != nil && *c.Collated != "utf8mb4_bin" {
			line += " COLLATE " + *c.Collated
		}
		extra := strings.ToUpper(c.Extra)
		as, computed := ofTiDB[table+"."+c.Name]
		if kind, is := strings.CutSuffix(extra, " GENERATED"); is || computed {
			lines = append(lines, line+" GENERATED ALWAYS AS ("+as+") "+kind)
			continue
		}
		if c.Nullable == "NO" {
			line += " NOT NULL"
		}
		if c.Preset != nil && *c.Preset != "NULL" { // which is how MariaDB says that there is none
			preset := asString.ReplaceAllString(*c.Preset, "$1")
			if !isNumber.MatchString(preset) {
				preset = "'" + preset + "'"
			}
			line += " DEFAULT " + preset
		}
		if extra == "AUTO_INCREMENT" {
			grows = true
			line += " AUTO_INCREMENT"
		}
		lines = append(lines, line)
	}
	return lines, grows
}

// keyPart is a column of a key.
type keyPart struct {
	Name, Column string
	Repeats      int
	Prefix       *int
}

// keysOf returns the keys of a table, the primary one first.
func keysOf(t *testing.T, db *store.DB, table string) (lines []string) {
	t.Helper()
	var parts []keyPart
	must(t, db.Query(t.Context(), &parts, `SELECT index_name AS name, column_name AS `+"`column`"+`, non_unique AS repeats, sub_part AS prefix
		FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? ORDER BY seq_in_index`, table))
	slices.SortStableFunc(parts, func(a, b keyPart) int {
		const first = "PRIMARY"
		return cmp.Compare(strings.TrimPrefix(a.Name, first), strings.TrimPrefix(b.Name, first))
	})
	for i := 0; i < len(parts); {
		first := parts[i]
		var columns []string
		for ; i < len(parts) && parts[i].Name == first.Name; i++ {
			column := "`" + parts[i].Column + "`"
			if parts[i].Prefix != nil {
				column += fmt.Sprintf("(%d)", *parts[i].Prefix)
			}
			columns = append(columns, column)
		}
		kind := "KEY " + first.Name
		switch {
		case first.Name == "PRIMARY":
			kind = "PRIMARY KEY"
		case first.Repeats == 0:
			kind = "UNIQUE KEY " + first.Name
		}
		lines = append(lines, kind+" ("+strings.Join(columns, ", ")+")")
	}
	return lines
}
