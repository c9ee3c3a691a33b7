package receivables_test

import (
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
	"purr/test/testkit/validate"
)

// TestA1cTwoYearsAreHandedOver lets random things happen over two years, and hands them over to the accounts as they go by, in each form. Each
// period must go from what customers owed to what they owe (D33), by vouchers that balance and whose numbers have no gap. What is drawn anew from
// the ledger after the two years, with all that was deleted since, must be the same bytes, and so must what the other database has.
func TestA1cTwoYearsAreHandedOver(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	lives := map[string]map[string]string{}
	t.Cleanup(func() {
		if !maps.Equal(lives["sqlite"], lives["mysql"]) || len(lives["sqlite"]) == 0 {
			t.Errorf("the databases do not have the same files: %d and %d", len(lives["sqlite"]), len(lives["mysql"]))
		}
	})
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		j := begin(t, rows.Open(t, databaseURL), 7, 80*time.Hour)
		j.live(24)
		j.sawAll()
		j.drawAnew(databaseURL)
		j.mustBeValid()
		mu.Lock()
		defer mu.Unlock()
		lives[filepath.Base(t.Name())] = j.drawn
	})
}

// drawAnew forgets what was handed over, and draws it again from the ledger on the days on which it was.
func (j *journal) drawAnew(databaseURL string) {
	all, err := j.db.AllAccountExports(j.t.Context(), j.creditor.ID)
	must(j.t, err)
	behind, err := servers.OpenMySQL(databaseURL)
	if path, lite := strings.CutPrefix(databaseURL, "sqlite://"); lite {
		behind, err = sql.Open("sqlite", path+"?_pragma=busy_timeout(30000)")
	}
	must(j.t, err)
	defer behind.Close()
	for _, table := range []string{"account_export_files", "account_exports"} {
		_, err := behind.ExecContext(j.t.Context(), "DELETE FROM "+table)
		must(j.t, err)
	}
	kept, err := archive.Open(j.t.TempDir())
	must(j.t, err)
	for _, e := range all {
		s := accounts.New(j.db.WithClock(clock.NewTest(e.CreatedAt)), kept, "v1.2.3")
		for _, form := range models.AccountForms {
			made, err := s.Make(j.t.Context(), j.creditor, accounts.Request{From: e.From, To: e.To, Form: form}, "a person")
			if err != nil {
				j.t.Fatalf("%s to %s as %s, drawn anew: %v", e.From, e.To, form, err)
			}
			if was := j.drawn[fmt.Sprint(e.From, e.To, form)]; made.File.SHA256 != was {
				content, err := kept.Read(made.File.SHA256)
				must(j.t, err)
				j.t.Fatalf("%s to %s as %s was %s, and drawn anew it is\n%.4000s", e.From, e.To, form, was, content)
			}
		}
	}
}

// mustBeValid holds all files of SAF-T against the official schema.
func (j *journal) mustBeValid() {
	schema, err := os.ReadFile(filepath.Join("..", "accounts", "testdata", "saft", "Norwegian_SAF-T_Financial_Schema_v_1.30.xsd"))
	must(j.t, err)
	for n, fault := range validate.Faults(j.t, schema, j.saft) {
		if fault != "" {
			j.t.Errorf("file %d of SAF-T is not valid:\n%s", n, fault)
		}
	}
}
