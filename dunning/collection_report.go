package dunning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// MaxCollectorReports is the most reports of one list.
const MaxCollectorReports = 10_000

// CollectorReport is a report of the debt collector's as it was taken.
type CollectorReport struct {
	models.CollectionReport
	Number int64  // the invoice's
	Bundle string // the hand-over's name
	Known  bool   // it had come before, and has changed nothing
}

// ReportCollection takes what the debt collector tells of a creditor's claims (rules C1, C4): all reports of a list, or none. It fails with
// every fault of the list, each with its place, such as report[2]/amount. A report that had come before changes nothing.
//
// A payment is booked as any other, and what is beyond the claim is free credit. A claim that the collector gives back is on hold until a
// person speaks. One that it has closed unpaid is closed as lost.
func ReportCollection(ctx context.Context, tx *store.Tx, c models.Creditor, told []models.CollectorTold, actor string) ([]CollectorReport, error) {
	l, err := readReports(c, tx.Now, told)
	if err != nil {
		return nil, err
	}
	if err := l.find(ctx, tx); err != nil {
		return nil, err
	}
	if _, err := tx.LockInvoices(ctx, c.ID, l.invoiceIDs()); err != nil {
		return nil, err
	}
	if err := l.decide(ctx, tx); err != nil {
		return nil, err
	}
	if len(l.faults) > 0 {
		return nil, l.faults
	}
	if err := l.do(ctx, tx, actor); err != nil {
		return nil, err
	}
	return l.taken(), nil
}

// CheckReports returns what ReportCollection would do at a moment, and changes nothing.
func CheckReports(ctx context.Context, v store.View, c models.Creditor, told []models.CollectorTold, now time.Time) ([]CollectorReport, error) {
	l, err := readReports(c, now, told)
	if err != nil {
		return nil, err
	}
	if err := l.find(ctx, v); err != nil {
		return nil, err
	}
	if err := l.decide(ctx, v); err != nil {
		return nil, err
	}
	if len(l.faults) > 0 {
		return nil, l.faults
	}
	return l.taken(), nil
}

// do applies the reports that are new, in the order of locks: payments, closings, holds, hand-overs.
func (l *reportList) do(ctx context.Context, tx *store.Tx, actor string) error {
	if err := l.bookPayments(ctx, tx, actor); err != nil {
		return err
	}
	for _, r := range l.fresh(models.CollectionUnpaid) {
		if err := l.closeUnpaid(ctx, tx, r, actor); err != nil {
			return err
		}
	}
	for _, r := range l.fresh(models.CollectionWithdrawn) {
		if err := l.putBack(ctx, tx, r, actor); err != nil {
			return err
		}
	}
	for _, r := range l.fresh(models.CollectionWithdrawn) {
		if err := endHandOver(ctx, tx, r.handOver, l.today); err != nil {
			return err
		}
	}
	for _, r := range l.reports {
		if r.known {
			continue
		}
		r.report.Actor = actor
		if err := tx.CreateCollectionReport(ctx, &r.report); err != nil {
			return err
		}
		if err := l.log(ctx, tx, r, actor); err != nil {
			return err
		}
	}
	return nil
}

// fresh returns the reports of a state that are new, in order of their invoices and hand-overs.
func (l *reportList) fresh(state models.CollectionState) []*reported {
	var some []*reported
	for _, r := range l.reports {
		if !r.known && r.report.State == state {
			some = append(some, r)
		}
	}
	slices.SortStableFunc(some, func(a, b *reported) int {
		return cmp.Or(cmp.Compare(a.handOver.InvoiceID, b.handOver.InvoiceID), cmp.Compare(a.handOver.ID, b.handOver.ID))
	})
	return some
}

// bookPayments books what the collector was paid.
func (l *reportList) bookPayments(ctx context.Context, tx *store.Tx, actor string) error {
	paid := l.fresh(models.CollectionPaid)
	entries := make([]models.Entry, len(paid))
	for i, r := range paid {
		entries[i] = models.Entry{
			CreditorID: l.creditor.ID, CustomerID: r.invoice.CustomerID, InvoiceID: r.invoice.ID, Type: models.EntryPayment,
			Amount: -r.report.Amount, TransactionDate: r.report.At, Comment: r.report.Comment(), HandOverID: r.handOver.ID,
		}
	}
	if err := ledger.Post(ctx, tx, entries, actor); err != nil {
		return err
	}
	for i, r := range paid {
		r.report.EntryID = entries[i].ID
	}
	return nil
}

// closeUnpaid closes an invoice as lost, unless nothing is owed on it any more, or somebody has closed it.
func (l *reportList) closeUnpaid(ctx context.Context, tx *store.Tx, r *reported, actor string) error {
	invoice, err := tx.LockInvoice(ctx, l.creditor.ID, r.invoice.ID)
	if err != nil || CanClose(invoice) != nil {
		return err
	}
	if invoice, err = withdrawUnsent(ctx, tx, invoice, l.today); err != nil {
		return err
	}
	_, err = closeLocked(ctx, tx, invoice, Closing{Reason: models.ClosedLost, Comment: r.report.Comment(), Actor: actor})
	return err
}

// putBack takes an invoice back from the collector, and puts it on hold. A dispute stays one, until a person ends it.
func (l *reportList) putBack(ctx context.Context, tx *store.Tx, r *reported, actor string) error {
	invoice, err := tx.LockInvoice(ctx, l.creditor.ID, r.invoice.ID)
	if err != nil {
		return err
	}
	invoice.HandedOver = 0
	text := fmt.Sprintf("Invoice %d given back by the debt collector with %s owed", invoice.Number, invoice.Balance)
	if err := (act{Actor: actor, Was: "handed_over"}).onInvoice(ctx, tx, models.EventInvoiceReopened, invoice, text); err != nil {
		return err
	}
	if invoice.Closed != models.NotClosed {
		return nil
	}
	hold := models.Hold{Held: true, Reason: models.HoldCollector, Comment: r.report.Reason}
	if invoice.Hold.Disputed(l.today) {
		hold.Reason, hold.Comment = models.HoldDispute, invoice.Hold.Comment
	}
	_, err = holdLocked(ctx, tx, l.creditor, invoice, hold, actor)
	return err
}

// endHandOver ends a hand-over that the collector has given back: nothing is left to deliver.
func endHandOver(ctx context.Context, tx *store.Tx, of models.HandOver, today models.Date) error {
	h, err := tx.LockHandOver(ctx, of.CreditorID, of.ID)
	if err != nil {
		return err
	}
	h.State, h.TakenBack, h.Failure = models.HandOverEnded, today, ""
	return tx.UpdateHandOver(ctx, h)
}

// log writes the event of a report.
func (l *reportList) log(ctx context.Context, tx *store.Tx, r *reported, actor string) error {
	invoice, err := tx.Invoice(ctx, l.creditor.ID, r.invoice.ID)
	if err != nil {
		return err
	}
	report := r.report
	text := fmt.Sprintf("The debt collector tells of invoice %d: %s on %s", invoice.Number, report.State, report.At)
	facts := models.Facts{"invoice_number": invoice.Number, "state": string(report.State), "at": report.At, "balance": invoice.Claimed()}
	if report.State == models.CollectionPaid {
		text = fmt.Sprintf("The debt collector tells of invoice %d: %s was paid on %s", invoice.Number, report.Amount, report.At)
		facts["amount"], facts["entry"] = report.Amount, report.EntryID
	}
	if report.Reference != "" {
		text += ", reference " + report.Reference
		facts["reference"] = report.Reference
	}
	return act{Actor: actor, Reason: report.Reason}.log(ctx, tx, models.Event{
		CreditorID: l.creditor.ID, Type: models.EventCollectionReported, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: r.handOver.ID,
		Text: text, Facts: facts,
	})
}
