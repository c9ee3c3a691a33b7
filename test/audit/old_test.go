package audit_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"purr/audit"
	"purr/models"
	"purr/ocr/camt"
	"purr/test/testkit/audited"
	"purr/test/testkit/house"
)

// oldFindings are what the audit finds on the invoices of testdata/before-D94.db.gz, by number: class, code, and what is to be given back. The README
// beside it tells what happened to each. On those that are not named nothing is found.
//
// An upgrade reckons what of a balance is a repayment (rule D96). So it is no longer told of invoices 11 and 13 that their principal is above
// the gross. What their letters asked for tells it, and what was moved to invoice 12.
var oldFindings = map[int64][]string{
	1:  {"law hand_over_too_early 0.00", "law warning_left_late 38.00"},                                                                   // D94
	2:  {"law fee_too_early_known 0.00", "law fee_unlawful_known 0.00", "law second_fee_too_early 38.00", "rule reminder_left_late 0.00"}, // D94
	10: {"rule payment_waited 0.00"},                                                                                                      // D95: whether the payment is his nobody knows yet
	11: dunnedFor6000,                                                                                                                     // D96
	12: {"rule move_uncovered 0.00"},                                                                                                      // D96
	13: dunnedFor6000,                                                                                                                     // D96
	14: {"rule below_minimum_known 41.72"},                                                                                                // D97
	15: {"rule only_charges_known 46.22"},                                                                                                 // D97
	16: {"rule credit_elsewhere_known 41.68"},                                                                                             // D97
	17: {"law nothing_owed_known 3.62"},                                                                                                   // D97
	18: {"law invoice_not_left_known 43.52"},                                                                                              // D98
	19: {"law invoice_not_left_known 43.98"},                                                                                              // D98
}

// dunnedFor6000 is what is found on an invoice of 1000.00 whose reminder and whose warning asked for 6000.00.
var dunnedFor6000 = []string{
	"law asks_above_gross 0.00", "law asks_above_gross 0.00", "law asks_too_much 0.00", "law asks_too_much 0.00",
	"law interest_too_high 23.02", "law interest_too_high 46.02", "law interest_too_high_known 0.00", "law interest_too_high_known 0.00",
}

// foundOn returns what the audit has found, by invoice.
func foundOn(v *audit.Verdict) map[int64][]string {
	found := map[int64][]string{}
	for _, f := range v.Findings {
		found[f.Invoice] = append(found[f.Invoice], fmt.Sprintf("%s %s %s", f.Class(), f.Code, f.Back.Sum()))
	}
	for _, of := range found {
		slices.Sort(of)
	}
	return found
}

// TestD94ToD98FoundOnAnOldDatabase has today's program start on the database of one that did not keep rules D94 to D98 yet, and audit it: it finds
// what that one did wrong, and nothing beside it.
func TestD94ToD98FoundOnAnOldDatabase(t *testing.T) {
	t.Parallel()
	in := house.New(t, house.Moment("2026-03-18 12:00"))
	packed, err := os.ReadFile(filepath.Join("testdata", "before-D94.db.gz"))
	must(t, err)
	unpack, err := gzip.NewReader(bytes.NewReader(packed))
	must(t, err)
	old, err := io.ReadAll(unpack)
	must(t, err)
	must(t, os.WriteFile(in.Path("purr.db"), old, 0o600))
	must(t, in.Run())
	v := audited.All(t, in.App.DB, in.App.Rules)
	found := foundOn(v)
	for number := int64(1); number <= 23; number++ {
		if !slices.Equal(found[number], oldFindings[number]) {
			t.Errorf("on invoice %d the audit finds\n%q, want\n%q", number, found[number], oldFindings[number])
		}
	}
	if v.Letters != 22 || v.Back().String() != "434.82" {
		t.Errorf("%d letters, and %s to give back", v.Letters, v.Back())
	}
}

// TestD94ToD98DoNotHappenAnyMore lets the same happen to the same invoices in today's program: what went wrong is refused, put right or not done
// at all, and the audit finds nothing.
func TestD94ToD98DoNotHappenAnyMore(t *testing.T) {
	t.Parallel()
	w := &world{TB: t, in: house.Start(t, house.Moment("2026-01-05 12:00")), invoices: map[string]place{}}
	c := w.creditor(tag("enabled", "1"), tag("require_payment_file", "0"), tag("minimum_balance", "200.00"))
	for name, amount := range map[string]string{
		"late warning": "2000.00", "late reminder": "1500.00", "paid out": "1000.00", "below minimum": "1000.00", "only charges": "1000.00", "failed": "1200.00", "returned": "1300.00",
		"unpaid": "1400.00", "in time": "1600.00", "part": "1700.00",
	} {
		c.invoice(name, c.customer(name, ""), amount)
	}
	for n := range 8 {
		name := fmt.Sprintf("alike %d", n)
		c.invoice(name, c.customer(name, ""), "499.00")
	}
	mover, rich := c.customer("Cecilie Carlsen", ""), c.customer("Guro Gran", "")
	c.invoice("moved", mover, "1000.00")
	c.invoice("moved to", mover, "5000.00")
	c.invoice("covered", rich, "800.00")
	c.invoice("overpaid", rich, "1000.00")

	w.reach("2026-01-15")
	c.pay("in time", "1600.00", "2026-01-15")
	moved, paidOut := c.pays("moved", "-6000.00", "2026-01-15"), c.pays("paid out", "-6000.00", "2026-01-15")
	c.Post(house.PathOf(mover)+"/settle", tag("settle")).Is(200)
	c.pays("paid out", "5000.00", "2026-01-15")
	w.reach("2026-01-20")
	c.queue("499.00")
	w.reach("2026-01-22")
	for n := range 7 {
		c.pay(fmt.Sprintf("alike %d", n), "499.00", "2026-01-21")
	}
	c.Delete(moved).Is(204)
	c.Delete(paidOut).Is(204)

	w.reach("2026-02-04")
	c.pay("below minimum", "900.00", "2026-01-30")
	c.pay("overpaid", "3000.00", "2026-01-30")
	c.pay("part", "500.00", "2026-02-04")
	w.tell(c, w.path("failed"), models.ShipmentFailed, "2026-01-06 10:00")
	w.tell(c, w.path("returned"), models.ShipmentReturned, "2026-01-20 10:00")
	w.reach("2026-02-05")
	w.tell(c, fmt.Sprintf("/overdue_notice/%d", w.notice("late reminder", 1)), models.ShipmentSent, "2026-02-05 10:00")
	w.reach("2026-03-02")
	c.Post(w.path("late reminder")+"/overdue_notices/", tag("overdue_notice", tag("add_overdue_charge", "1"), tag("add_interest", "1"), tag("is_incasso_notice", "1"))).Is(409)
	w.reach("2026-03-05")
	c.pay("only charges", "1000.00", "2026-02-27")
	w.tell(c, fmt.Sprintf("/overdue_notice/%d", w.notice("late warning", 2)), models.ShipmentSent, "2026-03-05 10:00")
	w.reach("2026-03-17")
	c.Post(w.path("late warning")+"/debt_collection", tag("debt_collection")).Refused(409, "deadline_running")
	w.reach("2026-03-18")

	v := audited.All(t, w.in.App.DB, w.in.App.Rules)
	if len(v.Findings) > 0 || v.Letters < 15 {
		t.Errorf("%d letters, and found is %v", v.Letters, foundOn(v))
	}
}

// pays books money on an invoice, and returns the path of its entry.
func (c *creditor) pays(name, amount, on string) string {
	c.w.Helper()
	return house.PathOf(c.Post(c.w.path(name)+"/ar_transactions", tag("ar_transaction", tag("amount", amount), tag("transaction_date", on))).Created().URI())
}

// tell has a person report what became of a document's letter.
func (w *world) tell(c *creditor, document string, state models.ShipmentState, at string) {
	w.Helper()
	s := c.List("/shipments/?document=/api/v1" + document)
	moment := house.Moment(at)
	_, err := w.in.App.ReportShipment(w.Context(), s[len(s)-1].At("@name"), string(state), "", &moment)
	must(w, err)
}

// queue has the bank's file bring a payment without a KID, from an account that nobody has paid from.
func (c *creditor) queue(amount string) {
	c.w.Helper()
	day, err := models.ParseDate("2026-01-19")
	must(c.w, err)
	sum, err := models.ParseAmount(amount)
	must(c.w, err)
	account := c.Get("/creditor").Shown().At("bank_account")
	var file bytes.Buffer
	w := camt.NewWriter(&file)
	must(c.w, w.StartMessage(camt.MessageHeader{ID: "M1", Created: day}))
	must(c.w, w.StartNotification(camt.NotificationHeader{ID: "N1", Created: day, Account: account}))
	must(c.w, w.Write(camt.EntryHeader{Amount: sum, Booked: day, Value: day, Reference: "1", Status: camt.StatusBooked, Direction: camt.Credit}, camt.Payment{Amount: sum, TransactionID: "1"}))
	must(c.w, w.Close())
	c.Post("/payment_files/?filename=payments.xml", file.String()).Created()
}
