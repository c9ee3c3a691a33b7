package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	madeTable  = regexp.MustCompile("(?is)^CREATE TABLE (?:IF NOT EXISTS )?`?\\w+`?\\s*\\(.*\\)[^)]*$")
	madeIndex  = regexp.MustCompile("(?is)^CREATE INDEX `?\\w+`? ON `?\\w+`?\\s*\\([^;]*\\)$")
	altersOne  = regexp.MustCompile("(?is)^ALTER TABLE `?\\w+`?\\s+(.*)$")
	addsColumn = regexp.MustCompile("(?is)^ADD (?:COLUMN )`?\\w+`?\\s+(.*)$")
	addsKey    = regexp.MustCompile("(?is)^ADD (?:KEY|INDEX) `?\\w+`?\\s*\\(.*\\)$")
	option     = regexp.MustCompile(`(?i)^(ALGORITHM|LOCK)\s*=\s*(\w+)$`)
	demanding  = regexp.MustCompile(`(?i)\b(UNIQUE|PRIMARY|REFERENCES|CHECK|AUTO_INCREMENT|GENERATED|AS)\b`)
	notNull    = regexp.MustCompile(`(?i)\bNOT NULL\b`)
	hasDefault = regexp.MustCompile(`(?i)\bDEFAULT\b`)
	droppedKey = regexp.MustCompile("(?i)DROP (?:KEY|INDEX) (?:IF EXISTS )?`?(\\w+)`?")
)

// lintExpand fails for a statement that programs of the schema before might not bear, or that would keep others from a table (rule K3a).
func lintExpand(statement string, d dialect) error {
	if madeTable.MatchString(statement) || d == dialectSQLite && madeIndex.MatchString(statement) {
		return nil
	}
	alter := altersOne.FindStringSubmatch(statement)
	if alter == nil {
		return errors.New("only CREATE TABLE, and ALTER TABLE that adds, may stand here: what rows are to hold is written by the program, and once more by finish")
	}
	options, columns, keys := map[string]string{}, 0, 0
	for _, clause := range topLevel(alter[1]) {
		if of := option.FindStringSubmatch(clause); of != nil {
			options[strings.ToUpper(of[1])] = strings.ToUpper(of[2])
			continue
		}
		if addsKey.MatchString(clause) {
			keys++
			continue
		}
		column := addsColumn.FindStringSubmatch(clause)
		switch {
		case column == nil:
			return fmt.Errorf("%q adds no column (ADD COLUMN) and no key that is not unique (ADD KEY)", clause)
		case demanding.MatchString(column[1]):
			return fmt.Errorf("%q demands something of rows that older programs write", clause)
		case notNull.MatchString(column[1]) && !hasDefault.MatchString(column[1]):
			return fmt.Errorf("%q takes no row of a program that does not know the column: it needs a DEFAULT, or to be nullable", clause)
		}
		columns++
	}
	algorithm, lock := options["ALGORITHM"], options["LOCK"]
	switch {
	case d == dialectSQLite:
	case columns > 0 && keys > 0:
		return errors.New("columns and keys are added by statements of their own: the first in an instant, the second beside other work")
	case columns > 0 && algorithm != "INSTANT" && algorithm != "NOCOPY":
		return errors.New("a column is added with ALGORITHM=INSTANT")
	case keys > 0 && (algorithm != "INPLACE" && algorithm != "NOCOPY" || lock != "NONE"):
		return errors.New("a key is added with ALGORITHM=INPLACE, LOCK=NONE")
	}
	return nil
}

// topLevel splits a text at the commas that stand in no bracket.
func topLevel(text string) (parts []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

func TestK3aTheLinterOfExpand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ statement, fault string }{
		{"CREATE TABLE IF NOT EXISTS a (id BIGINT NOT NULL PRIMARY KEY, b INT NOT NULL, UNIQUE KEY a_b (b)) ENGINE=InnoDB", ""},
		{"ALTER TABLE a ADD COLUMN b INT NULL, ALGORITHM=INSTANT", ""},
		{"ALTER TABLE a ADD COLUMN b INT NOT NULL DEFAULT 0, ADD COLUMN c TEXT, ALGORITHM=INSTANT", ""},
		{"ALTER TABLE a ADD KEY a_b (b, c), ALGORITHM=INPLACE, LOCK=NONE", ""},
		{"ALTER TABLE a ADD COLUMN b DECIMAL(10, 2) NOT NULL, ALGORITHM=INSTANT", "needs a DEFAULT"},
		{"ALTER TABLE a ADD COLUMN b INT NULL UNIQUE, ALGORITHM=INSTANT", "demands something"},
		{"ALTER TABLE a ADD COLUMN b INT NULL", "ALGORITHM=INSTANT"},
		{"ALTER TABLE a ADD KEY a_b (b)", "LOCK=NONE"},
		{"ALTER TABLE a ADD KEY a_b (b), ALGORITHM=INPLACE, LOCK=SHARED", "LOCK=NONE"},
		{"ALTER TABLE a ADD COLUMN b INT NULL, ADD KEY a_b (b), ALGORITHM=NOCOPY, LOCK=NONE", "of their own"},
		{"ALTER TABLE a ADD UNIQUE KEY a_b (b), ALGORITHM=INPLACE, LOCK=NONE", "adds no column"},
		{"ALTER TABLE a DROP COLUMN b", "adds no column"},
		{"ALTER TABLE a MODIFY b VARCHAR(20) NOT NULL", "adds no column"},
		{"ALTER TABLE a RENAME COLUMN b TO c", "adds no column"},
		{"ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0)", "adds no column"},
		{"DROP TABLE a", "only CREATE TABLE"},
		{"UPDATE a SET b = 1", "only CREATE TABLE"},
		{"CREATE UNIQUE INDEX a_b ON a (b)", "only CREATE TABLE"},
	} {
		if err := lintExpand(tt.statement, dialectMySQL); (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: %v, want %q", tt.statement, err, tt.fault)
		}
	}
	if err := lintExpand("CREATE INDEX a_b ON a (b)", dialectSQLite); err != nil {
		t.Errorf("an index of SQLite: %v", err)
	}
}

// TestK3aMigrationsOnlyAdd holds the migrations since programs are upgraded without a pause, and that a release can be followed by the next.
func TestK3aMigrationsOnlyAdd(t *testing.T) {
	t.Parallel()
	numbers := map[dialect][]int64{}
	for _, d := range []dialect{dialectMySQL, dialectSQLite} {
		for _, file := range migrationsIn(expand, d) {
			numbers[d] = append(numbers[d], numberOf(file))
			if numberOf(file) <= lastWithPause {
				continue
			}
			text, err := fs.ReadFile(migrations, file)
			if err != nil {
				t.Fatal(err)
			}
			for _, statement := range statementsOf(string(text)) {
				if err := lintExpand(statement, d); err != nil {
					t.Errorf("%s: %v:\n%s", file, err, statement)
				}
			}
		}
	}
	if !slices.Equal(numbers[dialectMySQL], numbers[dialectSQLite]) {
		t.Errorf("the databases have other numbers: %v", numbers)
	}
}

// namedIndexes holds the names of indexes that statements of this program or of the one before it name: a finish must not drop them, for a
// statement that names what is not there fails. A name leaves the list one release after the last statement that had it.
const namedIndexes = "testdata/named-indexes.txt"

var (
	namesOne  = regexp.MustCompile(`FORCE INDEX \((\w+)\)`)
	keyNames  = regexp.MustCompile("(?i)\\b(?:KEY|INDEX) `?([a-z_0-9]+)`? ?(?:\\(|ON)")
	quotedOne = regexp.MustCompile("\"([a-z_0-9]+)\"")
)

// TestK3aNoFinishDropsAnIndexThatStatementsName: an index that a statement names is part of the window.
func TestK3aNoFinishDropsAnIndexThatStatementsName(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(namedIndexes)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(text))
	indexes := map[string]bool{}
	for _, file := range migrationsIn(expand, dialectMySQL) {
		script, err := fs.ReadFile(migrations, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range keyNames.FindAllStringSubmatch(string(script), -1) {
			indexes[of[1]] = true
		}
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		code, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []*regexp.Regexp{namesOne, quotedOne} {
			for _, of := range pattern.FindAllStringSubmatch(string(code), -1) {
				if indexes[of[1]] && !slices.Contains(listed, of[1]) {
					t.Errorf("%s names the index %s, which %s lacks", source, of[1], namedIndexes)
				}
			}
		}
	}
	for _, file := range migrationsIn(finish, dialectMySQL) {
		script, err := fs.ReadFile(migrations, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range droppedKey.FindAllStringSubmatch(string(script), -1) {
			if slices.Contains(listed, of[1]) {
				t.Errorf("%s drops the index %s, which %s lists", path.Base(file), of[1], namedIndexes)
			}
		}
	}
}

// TestK3aHowLongAMigrationHoldsACluster is estimated by what reads whole tables.
func TestK3aHowLongAMigrationHoldsACluster(t *testing.T) {
	t.Parallel()
	changes, err := changesAfter(79) // 80 adds to two tables the old way, 82 and 83 make one each, and 83 adds keys to two
	if err != nil || len(changes) != 4 || changes["shipments"] != 1 || changes["shipment_reports"] != 1 || changes["letter_batches"] != 1 || changes["hand_overs"] != 1 {
		t.Errorf("tables are changed: %v, %v", changes, err)
	}
	s := Standstill{Galera: true, Seconds: 12, Tables: []TableStandstill{{"invoices", 200 << 20, 10}, {"entries", 40 << 20, 2}}}
	if want := "this is a Galera cluster: the migration holds all of it, for about 12 s: invoices 10 s (200 MB), entries 2 s (40 MB)"; s.String() != want {
		t.Errorf("it says %q, want %q", s, want)
	}
	if s := (Standstill{Galera: true}).String(); !strings.Contains(s, "less than a second") {
		t.Errorf("of a migration that reads no table it says %q", s)
	}
}
