package audits_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"purr/dunning"
	"purr/dunning/audits"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// desk is a creditor with three invoices, on a database.
type desk struct {
	*testing.T

	db       *store.DB
	creditor models.Creditor
	invoices []models.Invoice
}

func eachDesk(t *testing.T, test func(d *desk)) {
	t.Helper()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		d := &desk{T: t, db: db, creditor: rows.Creditor(t, db)}
		for range 3 {
			d.invoices = append(d.invoices, rows.Invoice(t, db, d.creditor))
		}
		test(d)
	})
}

// night lets a night pass, some days after the first one.
func (d *desk) night(days int) {
	d.Helper()
	day := rows.Today + models.Date(days)
	if err := audits.Night(d.Context(), rows.On(d.db, day), law.Default(), slog.New(slog.DiscardHandler), d.creditor, day); err != nil {
		d.Fatal(err)
	}
}

// charge books a fee that no notice charges. Its only trace is the row.
func (d *desk) charge(which int) {
	d.Helper()
	i := d.invoices[which]
	rows.Write(d, d.db, func(tx *store.Tx) error {
		if _, err := tx.LockInvoice(d.Context(), i.CreditorID, i.ID); err != nil {
			return err
		}
		return ledger.Post(d.Context(), tx, []models.Entry{{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryOverdueCharge, Amount: 35_00, TransactionDate: rows.Today,
		}}, "")
	})
}

// audits tells the creditor's audits, and what each found.
func (d *desk) audits() string {
	d.Helper()
	all, _, err := d.db.Audits(d.Context(), d.creditor.ID, store.Page{Number: 1, Size: 100})
	if err != nil {
		d.Fatal(err)
	}
	var told []string
	for _, a := range all {
		found, err := d.db.AuditFindingsAfter(d.Context(), d.creditor.ID, a.ID, 0, 100)
		if err != nil || int64(len(found)) != a.Findings {
			d.Fatal(len(found), a.Findings, err)
		}
		says := fmt.Sprintf("%s %s%s", a.Night, a.State, a.Failure)
		for _, f := range found {
			says += fmt.Sprintf(" %s of %d, back %s, held for %q", f.Code, f.Invoice, f.Back(), f.HeldFor)
		}
		told = append(told, says)
	}
	return strings.Join(told, "\n")
}

// open returns the numbers of the invoices that Today shows first, and how many findings of law the metric counts.
func (d *desk) open(today models.Date) string {
	d.Helper()
	found, err := d.db.OpenFindings(d.Context(), d.creditor.ID, today, 10)
	if err != nil {
		d.Fatal(err)
	}
	told, err := d.db.ForToday(d.Context(), d.creditor.ID, today, d.db.Now())
	if err != nil {
		d.Fatal(err)
	}
	counted, err := d.db.CountFindings(d.Context(), today)
	if err != nil {
		d.Fatal(err)
	}
	var numbers []int64
	for _, f := range found {
		numbers = append(numbers, f.Invoice)
	}
	return fmt.Sprintf("%v, %d on Today, %v counted", numbers, told.Unlawful, counted)
}

func (d *desk) events(t models.EventType) (texts []string) {
	d.Helper()
	all, err := d.db.NewestEvents(d.Context(), d.creditor.ID, store.EventFilter{Type: t}, 0, 100)
	if err != nil {
		d.Fatal(err)
	}
	for _, e := range all {
		texts = append(texts, e.Text+" "+e.Data)
	}
	return texts
}

func (d *desk) want(what, got, want string) {
	d.Helper()
	if got != want {
		d.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

// TestU7ANight: what is wrong is found in the night after it came, once; its invoice is held until a person ends that; a quiet night leaves nothing.
func TestU7ANight(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		d.night(0) // what came a moment before is found, and once more the next night
		d.night(1)
		d.night(1)
		d.night(2) // nothing has changed since
		d.want("two quiet nights", d.audits(), "2026-03-02 done\n2026-03-03 done")
		d.charge(0)
		d.night(3)
		const found = "2026-03-02 done\n2026-03-03 done\n2026-03-05 done charge_without_notice of 1, back 35.00, held for \"audit\""
		d.want("a fault", d.audits(), found)
		if i, err := d.db.Invoice(d.Context(), d.creditor.ID, d.invoices[0].ID); err != nil || i.Hold != (models.Hold{Held: true, Reason: models.HoldAudit}) {
			d.Errorf("the hold is %+v, %v", i.Hold, err)
		}
		told := d.events(models.EventAuditFinding)
		if len(told) != 1 || !strings.Contains(told[0], `"class":"law","code":"charge_without_notice","expected":"0.00","found":"35.00","held":true,"invoice_number":1`) {
			d.Errorf("told is %q", told)
		}
		d.want("then", d.open(rows.Today+3), "[1], 1 on Today, map[doubt:0 law:1 rule:0] counted")
		d.night(4) // the hold itself is news
		d.night(5)
		rows.Write(d, d.db, func(tx *store.Tx) error {
			return dunning.ReleaseInvoice(d.Context(), tx, d.creditor, d.invoices[0].ID, "Kari")
		})
		d.want("a person has ended it", d.open(rows.Today+5), "[], 0 on Today, map[doubt:0 law:0 rule:0] counted")
		d.night(6)
		if len(d.events(models.EventAuditFinding)) != 1 || len(d.events(models.EventHoldSet)) != 1 {
			d.Errorf("it is told again: %q", d.events(models.EventAuditFinding))
		}
	})
}

// TestU7WhoIsHeldAlready: a person's hold stays, and a closed invoice is not held. What was put right is not open.
func TestU7WhoIsHeldAlready(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		rows.Write(d, d.db, func(tx *store.Tx) error {
			if _, err := dunning.HoldInvoice(d.Context(), tx, d.creditor, d.invoices[0].ID, models.Hold{Reason: models.HoldDispute}, "Kari"); err != nil {
				return err
			}
			_, err := dunning.CloseInvoice(d.Context(), tx, d.creditor, d.invoices[1].ID, dunning.Closing{Reason: models.ClosedLost, Actor: "Kari"})
			return err
		})
		d.charge(0)
		d.charge(1)
		d.night(1)
		d.want("both", d.audits(), "2026-03-03 done charge_without_notice of 1, back 35.00, held for \"dispute\" charge_without_notice of 2, back 35.00, held for \"\"")
		d.want("both", d.open(rows.Today+1), "[1 2], 2 on Today, map[doubt:0 law:2 rule:0] counted")
		rows.Write(d, d.db, func(tx *store.Tx) error {
			i := d.invoices[1]
			return tx.CreateAuditRepayments(d.Context(), []models.AuditRepayment{{AuditID: 1, CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Code: "charge_without_notice", Fee: 35_00}})
		})
		d.want("one is put right", d.open(rows.Today+1), "[1], 1 on Today, map[doubt:0 law:1 rule:0] counted")
	})
}

// TestU7ANightIsDoneOnce: one that is killed goes on where it was, two who do it at once find nothing twice, and a clock that went back hides nothing.
func TestU7ANightIsDoneOnce(t *testing.T) { //nolint:paralleltest // it changes how many invoices are judged together
	audits.Together(1, func() {
		eachDesk(t, func(d *desk) {
			for n := range d.invoices {
				d.charge(n)
			}
			day := rows.Today + 1
			if err := audits.Begin(d.Context(), rows.On(d.db, day), d.creditor, day, 2); err != nil {
				d.Fatal(err)
			}
			var two sync.WaitGroup
			for range 2 {
				two.Go(func() {
					if err := audits.Night(context.WithoutCancel(d.Context()), rows.On(d.db, day), law.Default(), slog.New(slog.DiscardHandler), d.creditor, day); err != nil {
						d.Error(err)
					}
				})
			}
			two.Wait()
			const each = "charge_without_notice of %d, back 35.00, held for \"audit\""
			want := "2026-03-03 done"
			for n := range d.invoices {
				want += " " + fmt.Sprintf(each, n+1)
			}
			d.want("once", d.audits(), want)
			if told := d.events(models.EventAuditFinding); len(told) != 3 {
				d.Errorf("told is %q", told)
			}
			d.charge(0) // known, and told
			more := rows.Invoice(d, d.db, d.creditor)
			d.invoices = append(d.invoices, more)
			d.charge(3)
			d.night(-300)
			d.want("the clock went back", d.audits(), want+"\n2025-05-06 done "+fmt.Sprintf(each, 4))
		})
	})
}
