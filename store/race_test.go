//go:build race

package store_test

import (
	"context"
	"encoding/xml"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// racing is set where TestRacesOnRowsAreFound is to race.
const racing = "PURR_TEST_RACING"

// "make test" has gorm and encoding/xml compiled without the race detector: they reach our values through package reflect, which
// is compiled with it. So a race on what they read or write is found all the same. Another process has such races, and fails.
func TestRacesOnRowsAreFound(t *testing.T) {
	if os.Getenv(racing) != "" {
		race(t)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	again := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestRacesOnRowsAreFound$")
	again.Env = append(os.Environ(), racing+"=1")
	said, err := again.CombinedOutput()
	if err == nil {
		t.Error("the races were not found")
	}
	for _, what := range []string{"a_row_that_is_read", "a_row_that_is_written", "XML_that_is_read", "XML_that_is_written"} {
		if !strings.Contains(string(said), "--- FAIL: TestRacesOnRowsAreFound/"+what) {
			t.Errorf("%s: no race was found:\n%s", what, said)
		}
	}
}

// race has a race in each subtest, between what it calls and what a goroutine does.
func race(t *testing.T) {
	t.Helper()
	db := rows.Open(t, testkit.SQLite(t))
	creditor := rows.Creditor(t, db)
	customer := rows.Customer(t, db, creditor)
	beside := func(other, do func()) {
		var racer sync.WaitGroup
		racer.Go(other)
		do()
		racer.Wait()
	}
	t.Run("a row that is read", func(t *testing.T) {
		beside(func() { customer.Language = "nn" }, func() {
			rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateCustomer(t.Context(), &customer) })
		})
	})
	t.Run("a row that is written", func(t *testing.T) {
		created := models.Customer{CreditorID: creditor.ID, Recipient: customer.Recipient}
		beside(func() { _ = created.ID > 0 }, func() {
			rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateCustomer(t.Context(), &created) })
		})
	})
	var document struct {
		Name string `xml:"name"`
	}
	t.Run("XML that is read", func(t *testing.T) {
		beside(func() { document.Name = "Ola" }, func() {
			if _, err := xml.Marshal(&document); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("XML that is written", func(t *testing.T) {
		beside(func() { _ = document.Name != "" }, func() {
			if err := xml.Unmarshal([]byte("<d><name>Kari</name></d>"), &document); err != nil {
				t.Error(err)
			}
		})
	})
}
