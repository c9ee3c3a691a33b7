package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// LogStatus writes an event for every invoice of a creditor whose status changed by the passing of the days from
// first to last, both inclusive. The invoice became overdue, a fee may be charged, or the deadline of its last
// notice passed. LogStatus returns the number of events. Call it for a day before the day's dunning run, which
// changes the invoices.
func LogStatus(ctx context.Context, tx *store.Tx, c models.Creditor, first, last models.Date) (int, error) {
	days := func(stage models.Stage, after int) models.Window { // of the deadlines after which the status changes
		return models.Window{Stage: stage, From: first - models.Date(after), To: last - models.Date(after)}
	}
	return logEach(ctx, tx, c, []statusChange{
		{models.EventInvoiceOverdue, days(models.StageOpen, 1), "Invoice %d is overdue with %s owed"},
		{models.EventInvoiceChargeable, days(models.StageOpen, models.ChargeableDays), "Invoice %d with %s owed can be charged a fee"},
		{models.EventNoticeOverdue, days(models.StageReminded, 1), "The reminder on invoice %d has run out with %s owed"},
		{models.EventNoticeOverdue, days(models.StageWarned, 1), "The debt-collection warning on invoice %d has run out with %s owed"},
	})
}

// logEach writes the events of the changes, and returns how many there are.
func logEach(ctx context.Context, tx *store.Tx, c models.Creditor, changes []statusChange) (int, error) {
	var windows []models.Window
	for _, change := range changes {
		windows = append(windows, change.window)
	}
	windows, err := tx.WindowsWithInvoices(ctx, c.ID, windows)
	if err != nil {
		return 0, err
	}
	written := 0
	for _, change := range changes {
		if !slices.Contains(windows, change.window) {
			continue
		}
		err := eachPage(ctx, tx.InvoicesInWindow, c.ID, change.window, func(page []models.Invoice) error {
			written += len(page)
			return tx.Log(ctx, change.events(page)...)
		})
		if err != nil {
			return 0, err
		}
	}
	return written, nil
}

// statusChange is a change of the status by the passing of days.
type statusChange struct {
	event  models.EventType
	window models.Window // of the invoices that it happens to
	text   string
}

// events returns the events of the invoices that it happens to.
func (s statusChange) events(invoices []models.Invoice) []models.Event {
	events := make([]models.Event, len(invoices))
	for i, invoice := range invoices {
		events[i] = models.Event{
			CreditorID: invoice.CreditorID, Type: s.event, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: invoice.ID,
			Text: fmt.Sprintf(s.text, invoice.Number, invoice.Claimed()),
			Facts: models.Facts{
				"invoice_number": invoice.Number, "balance": invoice.Claimed(), "due_date": invoice.Deadline, "is_incasso_notice": invoice.Warned,
			},
		}
	}
	return events
}
