package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	mysqldriver "github.com/go-sql-driver/mysql"

	"purr/models"
)

// TestK8LaterMigrationsAreForTiDBToo: TiDB gets each migration after its first, in a file of its own where MySQL's does not do.
func TestK8LaterMigrationsAreForTiDBToo(t *testing.T) {
	t.Parallel()
	own := []string{"migrations/expand/tidb/0082_schema.sql", "migrations/expand/tidb/0084_b.sql"}
	mysqls := []string{"migrations/expand/mysql/0081_parts.sql", "migrations/expand/mysql/0082_schema_gate.sql", "migrations/expand/mysql/0083_a.sql", "migrations/expand/mysql/0084_b.sql"}
	if got, want := onTiDB(expand, slices.Clone(own), mysqls), []string{own[0], mysqls[2], own[1]}; !slices.Equal(got, want) {
		t.Errorf("to expand it gets %v, want %v", got, want)
	}
	late := []string{"migrations/finish/mysql/0082_schema_gate.sql", "migrations/finish/mysql/0083_a.sql"}
	if got := onTiDB(finish, nil, late); !slices.Equal(got, late) {
		t.Errorf("to finish it gets %v, want %v", got, late)
	}
	if all := migrationsIn(expand, dialectTiDB); numberOf(all[0]) != firstOnTiDB || numberOf(all[len(all)-1]) != SchemaVersion() {
		t.Errorf("the program's are %v, from %d to %d", all, firstOnTiDB, SchemaVersion())
	}
}

// TestK8IDsOnlyGrowOnTiDB: each of its tables that gives IDs takes them from one place.
func TestK8IDsOnlyGrowOnTiDB(t *testing.T) {
	t.Parallel()
	for _, file := range migrationsIn(expand, dialectTiDB) {
		script, err := migrations.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range statementsOf(string(script)) {
			if strings.Contains(statement, "AUTO_INCREMENT") && !strings.Contains(statement, "AUTO_ID_CACHE=1") {
				t.Errorf("%s: AUTO_ID_CACHE=1 is missing; it needs a file of the same number in the folder tidb:\n%s", file, statement)
			}
		}
	}
}

// TestK8WhatTiDBSaysOfATransaction: one that met another, or a change of the schema, is repeated; storage that is away is away.
func TestK8WhatTiDBSaysOfATransaction(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		number  uint16
		text    string
		repeats bool
		kind    models.Kind
	}{
		{9007, "Write conflict, txnStartTS=1 [try again later]", true, models.KindUnavailable},
		{8028, "Information schema is changed during the execution of the statement", true, models.KindUnavailable},
		{8022, "Error: KV error safe to retry", true, models.KindUnavailable},
		{1105, "Information schema is changed during the execution of the statement", true, models.KindUnavailable},
		{1105, "pessimistic lock retry limit reached", true, models.KindUnavailable},
		{1105, "execution result undetermined", false, models.KindInternal},
		{9005, "Region is unavailable", false, models.KindUnavailable},
		{8025, "entry too large, the max entry size is 6291456", false, models.KindInternal},
	} {
		err := error(&mysqldriver.MySQLError{Number: tt.number, Message: tt.text})
		if got := isTransient(err); got != tt.repeats {
			t.Errorf("%v: repeated: %t", err, got)
		}
		if got := models.KindOf(classify(err, "")); got != tt.kind {
			t.Errorf("%v: of kind %v, want %v", err, got, tt.kind)
		}
	}
	if isTransient(errors.New("another")) {
		t.Error("an error of no server is repeated")
	}
}

// TestK8ASessionOfTiDB is not asked to refuse writes, which TiDB cannot.
func TestK8ASessionOfTiDB(t *testing.T) {
	t.Parallel()
	const begin = "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ"
	for kind, want := range map[dialect]string{dialectMySQL: begin + readOnly, dialectTiDB: begin} {
		if got := (Server{Kind: string(kind)}).takes(begin + readOnly); got != want {
			t.Errorf("%s is told %q, want %q", kind, got, want)
		}
	}
}
