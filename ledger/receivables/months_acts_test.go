package receivables_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit/rows"
)

// act lets one thing happen.
func (j *journal) act() {
	of, invoice, today := j.creditor.ID, pick(j, j.invoices), j.today()
	switch j.random.IntN(25) {
	case 0, 1, 2:
		j.issue()
	case 3:
		j.try(func(ctx context.Context, tx *store.Tx) error {
			r := billing.CreditNoteRequest{Method: models.ByPaper}
			if j.random.IntN(2) == 0 { // a part (L27)
				r.Lines = []billing.CreditLine{{Text: "Spoilt", Net: j.amount(100_00), VAT: models.VATHigh}}
			}
			n, err := billing.IssueCreditNote(ctx, tx, j.creditor, invoice.ID, r)
			if err == nil {
				j.notes = append(j.notes, n)
			}
			return err
		})
	case 4, 5, 6: // part, whole or too much, of a day that may lie in an earlier month
		amount := pick(j, []models.Amount{invoice.Gross, invoice.Gross/2 + 1, invoice.Gross + j.amount(300_00)})
		j.register(invoice.ID, ledger.Payment{Amount: -amount, Date: today - models.Date(j.random.IntN(20))})
	case 7:
		j.register(invoice.ID, ledger.Payment{Amount: j.amount(200_00), Date: today})
		note := pick(j, j.notes)
		j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.RegisterOnCreditNote(ctx, tx, of, note.ID, ledger.Payment{Amount: j.amount(200_00), Date: today}, today)
			return err
		})
	case 8:
		kind := pick(j, []models.EntryType{models.EntryOverdueCharge, models.EntryInterest})
		j.register(invoice.ID, ledger.Payment{Amount: -1 - models.Amount(j.random.IntN(100)), Date: today, Type: kind})
	case 9:
		j.remove()
	case 10:
		j.bank(invoice)
	case 11:
		j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.MoveCredit(ctx, tx, of, pick(j, j.customers).ID, today, "a person", nil)
			return err
		})
	case 12:
		rows.Send(j.t, j.db, j.creditor)
		for n := range j.invoices {
			id := j.invoices[n].ID
			j.try(func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.IssueNotice(ctx, tx, law.Default(), j.creditor, id, dunning.Request{AddFee: true, AddInterest: true, Actor: "a person"})
				return err
			})
		}
	case 13:
		j.close(invoice.ID)
	case 14:
		j.parts(invoice)
	case 15:
		for n := range j.invoices {
			if j.random.IntN(3) == 0 {
				j.waive(j.invoices[n].ID)
			}
		}
	case 16, 17:
		j.transfer(invoice)
	case 18:
		j.order()
	case 19:
		j.file()
	case 20:
		j.adopt()
	case 21, 22:
		for n := range j.invoices {
			if i := j.invoices[n]; i.Adopted {
				j.tell(i, pick(j, []models.Amount{0, i.Gross / 3, i.Gross, j.amount(i.Gross)}))
			}
		}
	case 23, 24:
		j.collect(invoice)
	}
}

// issue issues an invoice with lines of several VAT rates.
func (j *journal) issue() {
	line := func(vat models.VATName) models.Line {
		return models.Line{Text: "Cat food", UnitPrice: models.Price(j.amount(300_00)) * 100, NumItems: pick(j, []models.Quantity{1000, 333, 1777}), VAT: vat}
	}
	lines := []models.Line{line(models.VATHigh), line(pick(j, []models.VATName{models.VATMedium, models.VATNone, models.VATLow, models.VATHigh}))}
	i := rows.Invoice(j.t, j.db, j.creditor, rows.To(pick(j, j.customers)), func(o *billing.InvoiceRequest) { o.Lines = lines })
	j.invoices = append(j.invoices, i)
}

// collect has the debt collector get an invoice that was warned of, and tell what became of one (rules C1, C4).
func (j *journal) collect(invoice models.Invoice) {
	j.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.ForceHandOver(ctx, tx, j.creditor, invoice.ID, "a person")
		return err
	})
	j.lines++
	told := models.CollectorTold{
		Invoice: strconv.FormatInt(invoice.Number, 10), State: pick(j, []string{"received", "paid", "paid"}), At: j.today().String(),
		Reference: fmt.Sprintf("K-%d", j.lines),
	}
	if told.State == "paid" {
		told.Amount = j.amount(invoice.Gross + 1).String()
	}
	j.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.ReportCollection(ctx, tx, j.creditor, []models.CollectorTold{told}, "a person")
		return err
	})
}

func (j *journal) register(invoiceID int64, p ledger.Payment) {
	p.Actor = "a person"
	j.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, j.creditor.ID, invoiceID, p, j.today())
		return err
	})
}

// remove deletes a payment that a person registered, or half a move.
func (j *journal) remove() {
	var ids []int64
	for id, e := range j.present {
		if e.Type == models.EntryPayment {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	id := pick(j, ids)
	j.try(func(ctx context.Context, tx *store.Tx) error {
		return ledger.DeletePayment(ctx, tx, j.creditor.ID, id, j.today(), "a person")
	})
}

// wait puts a payment into the queue, and returns its ID.
func (j *journal) wait(amount models.Amount) int64 {
	j.lines++
	key := make([]byte, 32)
	binary.BigEndian.PutUint32(key, j.lines)
	waits := []models.UnmatchedPayment{{CreditorID: j.creditor.ID, LineKey: key, Amount: amount, TransactionDate: j.today() - 3, Status: "open", Reason: models.ReasonNoKID}}
	j.write(func(ctx context.Context, tx *store.Tx) error { return tx.CreateUnmatchedPayments(ctx, waits) })
	j.queued = append(j.queued, waits[0].ID)
	return waits[0].ID
}

// bank has a payment come without KID, or a person match one, or undo that.
func (j *journal) bank(invoice models.Invoice) {
	for _, id := range []int64{j.wait(invoice.Gross + 1), pick(j, j.queued)} {
		matched := j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := unmatched.Match(ctx, tx, j.creditor, id, []int64{invoice.ID}, "a person")
			return err
		})
		if !matched {
			j.try(func(ctx context.Context, tx *store.Tx) error {
				_, err := unmatched.Unmatch(ctx, tx, j.creditor, id, "a person")
				return err
			})
		}
	}
}

// close closes an invoice, or opens it again.
func (j *journal) close(id int64) {
	var before, after models.Invoice
	read := func(ctx context.Context, tx *store.Tx) (i models.Invoice, err error) {
		if i, err = tx.Invoice(ctx, j.creditor.ID, id); models.KindOf(err) == models.KindNotFound {
			err = nil
		}
		return i, err
	}
	j.write(func(ctx context.Context, tx *store.Tx) (err error) { before, err = read(ctx, tx); return err })
	j.try(func(ctx context.Context, tx *store.Tx) error {
		var err error
		if before.Closed == models.NotClosed {
			_, err = dunning.CloseInvoice(ctx, tx, j.creditor, id, dunning.Closing{Reason: models.ClosedLost, Actor: "a person"})
		} else {
			_, err = dunning.ReopenInvoice(ctx, tx, j.creditor, id, "a person")
		}
		return err
	})
	j.write(func(ctx context.Context, tx *store.Tx) (err error) { after, err = read(ctx, tx); return err })
	switch {
	case before.Closed == after.Closed:
	case after.Closed != models.NotClosed:
		j.closed[j.month()] += after.Balance
	default:
		j.closed[j.month()] -= after.Balance
	}
}

// parts has a person divide a payment of the queue between two invoices, and leave something over (rule N7).
func (j *journal) parts(invoice models.Invoice) {
	other, id := pick(j, j.invoices), j.wait(invoice.Gross+1)
	j.try(func(ctx context.Context, tx *store.Tx) error {
		parts := []unmatched.Part{{InvoiceID: invoice.ID, Amount: j.amount(200_00)}, {InvoiceID: other.ID, Amount: j.amount(200_00)}}
		_, err := unmatched.MatchParts(ctx, tx, j.creditor, id, parts, "a person")
		return err
	})
}

// waive waives what is left of an invoice's charges, or restores what was waived (rule N9). It first pays the principal.
func (j *journal) waive(id int64) {
	var i models.Invoice
	if !j.try(func(ctx context.Context, tx *store.Tx) (err error) {
		i, err = tx.Invoice(ctx, j.creditor.ID, id)
		return err
	}) {
		return
	}
	if i.Balance < 2 || i.Notices == 0 {
		return
	}
	j.register(id, ledger.Payment{Amount: -i.Balance + 1, Date: j.today()})
	waived := j.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.WaiveChargesByHand(ctx, tx, j.creditor.ID, id, ledger.Waiver{Actor: "a person"}, j.today())
		return err
	})
	if !waived || j.random.IntN(2) == 0 {
		j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.RestoreCharges(ctx, tx, j.creditor.ID, id, j.today(), "a person")
			return err
		})
	}
}

// transfer moves free credit to another invoice, perhaps another customer's (rule N12).
func (j *journal) transfer(from models.Invoice) {
	to := pick(j, j.invoices)
	if j.random.IntN(2) == 0 {
		j.register(from.ID, ledger.Payment{Amount: -from.Gross - j.amount(300_00), Date: j.today()})
	}
	j.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.TransferCredit(ctx, tx, j.creditor.ID, ledger.Transfer{FromID: from.ID, ToID: to.ID, Amount: j.amount(100_00), Actor: "a person"}, j.today())
		return err
	})
}

// order has free credit paid back, or takes such an order back (rule N12).
func (j *journal) order() {
	j.try(func(ctx context.Context, tx *store.Tx) error {
		r, err := ledger.OrderRepayment(ctx, tx, j.creditor, pick(j, j.customers).ID, ledger.RepaymentOrder{Amount: j.amount(300_00), Account: "12345678911", Actor: "a person"})
		j.repayments = append(j.repayments, r.ID)
		return err
	})
	if id := pick(j, j.repayments); j.random.IntN(2) == 0 {
		j.try(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.WithdrawRepayment(ctx, tx, j.creditor.ID, id, "a person")
			return err
		})
	}
}

// file makes a file of repayments, or tells what the bank did with one, perhaps of an earlier month.
func (j *journal) file() {
	j.try(func(ctx context.Context, tx *store.Tx) error {
		made, err := ledger.MakeRepaymentFile(ctx, tx, j.creditor.ID, j.today(), "a person")
		if err == nil && made.File.ID != 0 {
			j.files = append(j.files, made.File.ID)
		}
		return err
	})
	id := pick(j, j.files)
	told := []func(ctx context.Context, tx *store.Tx) error{
		func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.PayRepaymentFile(ctx, tx, j.creditor.ID, id, j.today()-models.Date(j.random.IntN(20)), j.today(), "a person")
			return err
		},
		func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.UnpayRepaymentFile(ctx, tx, j.creditor.ID, id, j.today(), "a person")
			return err
		},
		func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.WithdrawRepaymentFile(ctx, tx, j.creditor.ID, id, "a person")
			return err
		},
	}
	j.try(pick(j, told))
}

// adopt adopts an invoice of another system, sometimes with its notice.
func (j *journal) adopt() {
	today, number := j.today(), int64(len(j.invoices)+1)
	gross := 100_00 + j.amount(900_00)
	a := billing.Adoption{
		CustomerID: pick(j, j.customers).ID, Number: number, IssueDate: today - 40, DueDate: today - 26, Gross: gross, Balance: j.amount(gross),
		KID: models.NewKID(fmt.Sprintf("8%09d", number), models.Modulus10), Actor: "a person",
	}
	if j.random.IntN(2) == 0 {
		a.Notices = []billing.AdoptedNotice{{IssueDate: today - 20, DueDate: today - 6, Charge: 35_00, Interest: j.amount(10_00)}}
	}
	j.write(func(ctx context.Context, tx *store.Tx) error {
		made, err := billing.Adopt(ctx, tx, j.creditor.ID, []billing.Adoption{a})
		if err != nil {
			return err
		}
		j.invoices = append(j.invoices, made[0].Invoice)
		return made[0].Err
	})
}

// tell has the other system tell what is owed of an adopted invoice.
func (j *journal) tell(i models.Invoice, balance models.Amount) {
	j.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.TellBalance(ctx, tx, j.creditor.ID, ledger.Told{Number: i.Number, Balance: balance, Actor: "a person"})
		return err
	})
}
