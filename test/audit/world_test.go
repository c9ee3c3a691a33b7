// Package audit_test plants faults into the rows of a simulated world, one at a time, and has the audit find each (rule U10).
package audit_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/audit"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/audited"
	"purr/test/testkit/house"
)

var tag, must = house.Tag, testkit.Must

// world is an installation whose creditors have dunned for nine months.
type world struct {
	testing.TB

	in       *house.Installation
	invoices map[string]place // by the name that the test gives
}

// place is where an invoice is.
type place struct{ creditor, customer, id, number int64 }

// creditor is one of the world's creditors.
type creditor struct {
	*house.Client

	w  *world
	id string
}

// newWorld lets creditors dun from January to September 2026: one of persons, one of businesses that pay compensation, one whose invoices share
// letters. Everything is done through the interface.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{TB: t, in: house.Start(t, house.Moment("2026-01-05 12:00")), invoices: map[string]place{}}
	persons := w.creditor(tag("enabled", "1"), tag("hand_over_days", "14"))
	traders := w.creditor(tag("enabled", "1"), tag("compensation", "1"))
	joint := w.creditor(tag("enabled", "1"), tag("joint_letters", "1"))

	persons.invoice("unpaid", persons.customer("Anne Amundsen", ""), "2000.00")
	persons.invoice("part", persons.customer("Bjarne Berg", ""), "1000.00")
	persons.invoice("in time", persons.customer("Cecilie Carlsen", ""), "3000.00")
	persons.invoice("held", persons.customer("Dag Dahl", ""), "1500.00")
	rich := persons.customer("Eva Eide", "")
	persons.invoice("overpaid", rich, "1000.00")
	persons.invoice("beside it", rich, "800.00")
	persons.invoice("told late", persons.customer("Frode Foss", ""), "2500.00")
	traders.invoice("trader", traders.customer("Gården AS", "974760673"), "2000.00")
	traders.invoice("person", traders.customer("Hanne Holm", ""), "1200.00")
	both := joint.customer("Ivar Iversen", "")
	joint.invoice("joint one", both, "700.00")
	joint.invoice("joint two", both, "900.00")

	w.reach("2026-01-15")
	persons.pay("in time", "3000.00", "2026-01-15")
	persons.pay("overpaid", "1500.00", "2026-01-15")
	w.reach("2026-02-10")
	persons.pay("part", "400.00", "2026-02-10")
	persons.Put(w.path("held")+"/dunning_hold", tag("dunning_hold", tag("reason", "dispute"))).Is(200)
	w.reach("2026-03-04")
	persons.pay("told late", "2500.00", "2026-01-15")
	w.reach("2026-04-20")
	persons.pay("unpaid", "500.00", "2026-04-20")
	w.reach("2026-05-20")
	persons.invoice("summer", persons.customer("Jon Juell", ""), "10000.00")
	w.reach("2026-09-01")
	return w
}

func (w *world) reach(day string) {
	w.Helper()
	key, err := w.in.App.CreateKey(w.Context(), "1", models.ScopeAdmin, "clock")
	must(w, err)
	w.in.ClientWithKey(w, key).MoveClock(house.Moment(day + " 12:00"))
}

func (w *world) creditor(policy ...string) *creditor {
	w.Helper()
	id := w.in.NewCreditor(w, "")
	c := &creditor{w.in.Client(w, id, models.ScopeAdmin), w, id}
	c.Put("/creditor", tag("creditor", tag("dunning_ceiling", "1000"), tag("dunning_policy", policy...))).Is(200)
	return c
}

// customer makes a customer, and returns its path.
func (c *creditor) customer(name, organisation string) string {
	c.w.Helper()
	return c.Post("/customers", tag("customer", tag("name1", name), tag("address1", "Kirkeveien 1"), tag("postal_code", "0155"), tag("postal_name", "Oslo"),
		tag("organisation_number", organisation))).Created().URI()
}

// invoice sends an invoice that is due in 14 days.
func (c *creditor) invoice(name, customer, amount string) {
	c.w.Helper()
	line := tag("line", tag("line_text", "Arbeid"), tag("unit_price", amount), tag("num_items", "1"), tag("vat_rate", "NONE"))
	path := c.Post("/invoices", tag("invoice", tag("num_due_days", "14"), `<recipient uri="`+house.PathOf(customer)+`"/>`, tag("lines", line),
		tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER"))))).Created().URI()
	var at place
	_, err := fmt.Sscanf(path[strings.LastIndex(path, "/"):], "/%d", &at.id)
	must(c.w, err)
	_, err = fmt.Sscan(c.id, &at.creditor)
	must(c.w, err)
	_, err = fmt.Sscanf(customer[strings.LastIndex(customer, "/"):], "/%d", &at.customer)
	must(c.w, err)
	i, err := c.w.in.App.DB.Invoice(c.w.Context(), at.creditor, at.id)
	must(c.w, err)
	at.number = i.Number
	c.w.invoices[name] = at
}

func (c *creditor) pay(name, amount, on string) {
	c.w.Helper()
	c.Post(c.w.path(name)+"/ar_transactions", tag("ar_transaction", tag("amount", "-"+amount), tag("transaction_date", on))).Created()
}

func (w *world) path(name string) string { return fmt.Sprintf("/invoice/%d", w.invoices[name].id) }

// keep keeps the world's database as it is now, and returns where.
func (w *world) keep() string {
	w.Helper()
	kept := filepath.Join(w.TempDir(), "kept.db")
	db, err := sql.Open("sqlite", w.in.Path("purr.db"))
	must(w, err)
	defer func() { must(w, db.Close()) }()
	_, err = db.ExecContext(w.Context(), "VACUUM INTO '"+kept+"'")
	must(w, err)
	return kept
}

// audited judges a copy of the world after some statements.
func (w *world) audited(t testing.TB, kept string, statements ...string) *audit.Verdict {
	t.Helper()
	return audited.All(t, w.planted(t, kept, statements...), w.in.App.Rules)
}

// planted returns a copy of the world after some statements.
func (w *world) planted(t testing.TB, kept string, statements ...string) *store.DB {
	t.Helper()
	bytes, err := os.ReadFile(kept)
	must(t, err)
	path := filepath.Join(t.TempDir(), "purr.db")
	must(t, os.WriteFile(path, bytes, 0o600))
	plain, err := sql.Open("sqlite", path)
	must(t, err)
	for _, s := range statements {
		done, err := plain.ExecContext(t.Context(), s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			t.Fatalf("%s: changed %d rows, %v", s, n, err)
		}
	}
	must(t, plain.Close())
	db, err := store.Open("sqlite:"+path, w.in.App.Clock)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// notice returns the ID of an invoice's notice of a step.
func (w *world) notice(name string, step int) int64 {
	w.Helper()
	notices, err := w.in.App.DB.NoticesOf(w.Context(), w.invoices[name].id)
	must(w, err)
	for _, n := range notices {
		if n.Sequence == step {
			return n.ID
		}
	}
	w.Fatalf("invoice %q has no notice %d", name, step)
	return 0
}
