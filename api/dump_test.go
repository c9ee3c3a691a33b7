package api_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"purr/models"
	"purr/test/testkit/servers"
)

// dump reads all rows of a database.
type dump struct {
	t  *testing.T
	db *sql.DB
}

func openDump(t *testing.T, databaseURL string) dump {
	t.Helper()
	var db *sql.DB
	var err error
	if path, is := strings.CutPrefix(databaseURL, "sqlite://"); is {
		db, err = sql.Open("sqlite", path+"?_pragma=busy_timeout(30000)") // package store has brought the driver
	} else {
		db, err = servers.OpenMySQL(databaseURL)
	}
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return dump{t, db}
}

// of returns every row that does not belong to the other creditor, each as its table and its columns.
func (r dump) of(creditor, other models.Creditor) []string {
	r.t.Helper()
	var found []string
	for _, table := range r.tables() {
		r.read("SELECT * FROM "+table, func(columns map[string]string, text string) {
			of, isOfOne := columns[ownerColumn(table)]
			switch {
			case isOfOne && of == fmt.Sprint(other.ID):
			case isOfOne && of != fmt.Sprint(creditor.ID):
				r.t.Errorf("%s has a row of creditor %s: %s", table, of, text)
			default:
				found = append(found, table+": "+text)
			}
		})
	}
	return found
}

// ownerColumn returns the column of a table that names the creditor, empty where there is none.
func ownerColumn(table string) string {
	switch table {
	case "creditors":
		return "id"
	case "payment_files":
		return "owner_id"
	}
	return "creditor_id"
}

// tables lists the tables of the program.
func (r dump) tables() []string {
	r.t.Helper()
	list := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
	if _, isMySQL := r.db.Driver().(*mysql.MySQLDriver); isMySQL {
		list = "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1"
	}
	var names []string
	r.read(list, func(columns map[string]string, _ string) { names = append(names, columns["name"]) })
	return names
}

// read reads a query's rows, each as its columns and as one text.
func (r dump) read(query string, row func(columns map[string]string, text string)) {
	r.t.Helper()
	found, err := r.db.QueryContext(r.t.Context(), query)
	must(r.t, err)
	defer found.Close()
	names, err := found.Columns()
	must(r.t, err)
	for found.Next() {
		values, targets := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range values {
			targets[i] = &values[i]
		}
		must(r.t, found.Scan(targets...))
		columns, text := map[string]string{}, ""
		for i, name := range names {
			columns[name] = values[i].String
			text += fmt.Sprintf(" %s=%q", name, values[i].String)
		}
		row(columns, text)
	}
	must(r.t, found.Err())
}

// differences returns the rows that only one of the two has.
func differences(before, after []string) []string {
	var all []string
	for _, row := range before {
		if !slices.Contains(after, row) {
			all = append(all, "gone is "+row)
		}
	}
	for _, row := range after {
		if !slices.Contains(before, row) {
			all = append(all, "new is "+row)
		}
	}
	return all
}
