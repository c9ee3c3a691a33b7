package avtalegiro

import (
	"context"
	"fmt"

	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// basis is what a claim is looked at by.
type basis struct {
	invoices  map[int64]models.Invoice
	customers map[int64]models.Customer
	mandates  map[int64]models.Mandate
	today     models.Date
}

// readBasis reads it for some claims of a creditor.
func readBasis(ctx context.Context, v store.View, creditorID int64, claims []models.BankClaim, today models.Date) (b basis, err error) {
	var invoices, customers, mandates []int64
	for _, claim := range claims {
		invoices, customers, mandates = append(invoices, claim.InvoiceID), append(customers, claim.CustomerID), append(mandates, claim.MandateID)
	}
	found, err := v.InvoicesByID(ctx, creditorID, invoices)
	if err != nil {
		return b, err
	}
	b.invoices, b.today = make(map[int64]models.Invoice, len(found)), today
	for _, i := range found {
		b.invoices[i.ID] = i
	}
	if b.customers, err = v.CustomersByID(ctx, creditorID, customers); err != nil {
		return b, err
	}
	b.mandates, err = v.MandatesByID(ctx, creditorID, mandates)
	return b, err
}

// stops returns why a claim is not to be drawn, or an empty text if it is (rule G3).
func (b basis) stops(claim models.BankClaim) string {
	i := b.invoices[claim.InvoiceID]
	owed := i.Claimed()
	switch {
	case i.Closed != models.NotClosed:
		return models.ClaimClosed
	case i.HandedOver != 0:
		return models.ClaimHandedOver
	case owed <= 0:
		return models.ClaimInvoicePaid
	case claim.FileID != 0 && owed < claim.Amount:
		return models.ClaimCredited
	case i.Hold.Active(b.today) || b.customers[claim.CustomerID].Hold.Active(b.today):
		return models.ClaimHold
	case i.MoreTime.Active(b.today):
		return models.ClaimMoreTime
	case i.PlanID != 0:
		return models.ClaimPlan
	case b.mandates[claim.MandateID].EndedOn != 0:
		return models.ClaimMandateEnded
	case claim.Reason == models.ClaimLost:
		return models.ClaimLost
	}
	return ""
}

// asksAgain reports whether an invoice whose claim is not drawn is to be sent once more, now or when what stops it is over.
func (b basis) asksAgain(claim models.BankClaim) bool {
	i := b.invoices[claim.InvoiceID]
	return i.Closed == models.NotClosed && i.HandedOver == 0 && i.Claimed() > 0
}

// reject makes of a claim one that is not drawn, for a reason, so that its invoice goes out as an ordinary one.
func (b basis) reject(claim *models.BankClaim, reason string) models.Event {
	claim.State, claim.Reason, claim.LetterOwed = models.ClaimRejected, reason, b.asksAgain(*claim)
	return b.event(models.EventClaimRejected, *claim, "The claim of invoice %d is not drawn by AvtaleGiro: %s", reason)
}

// cancel takes a claim back, before or after it has left.
func (b basis) cancel(claim *models.BankClaim, reason string) models.Event {
	claim.State, claim.Reason, claim.LetterOwed = models.ClaimCancelled, reason, b.asksAgain(*claim)
	return b.event(models.EventClaimCancelled, *claim, "The claim of invoice %d was taken back from AvtaleGiro: %s", reason)
}

// event returns an event of a claim. text has places for the invoice's number and for a reason.
func (b basis) event(kind models.EventType, claim models.BankClaim, text, reason string) models.Event {
	number := b.invoices[claim.InvoiceID].Number
	return models.Event{
		CreditorID: claim.CreditorID, Type: kind, InvoiceID: claim.InvoiceID, CustomerID: claim.CustomerID, SubjectID: claim.InvoiceID,
		Text:  fmt.Sprintf(text, number, reason),
		Facts: models.Facts{"invoice_number": number, "amount": claim.Amount, "due_date": claim.DueDate, "reason": claim.Reason},
	}
}

// MayStop returns nil if an invoice may be held or closed by a person now, as far as AvtaleGiro goes. It fails with the conflict
// too_late_to_cancel from the hour at which a cancellation leaves no more until the invoice is drawn (rule G3a).
func MayStop(ctx context.Context, tx *store.Tx, c models.Creditor, i models.Invoice) error {
	if i.DrawnUntil == 0 {
		return nil
	}
	claim, there, err := tx.BankClaimOf(ctx, c.ID, i.ID)
	if err != nil || !there || !claim.Lives() || claim.FileID == 0 || claim.CancelFile != 0 {
		return err
	}
	next, err := FileDay(tx.Now, c.ClaimsDay)
	if err != nil {
		return err
	}
	today, err := models.BankDay(tx.Now)
	if drawn := calendar.NextBankDay(claim.DueDate); err == nil && next > CancelBy(claim.DueDate) && today <= drawn {
		return models.Conflict("too_late_to_cancel", "the bank draws the invoice on %s, and takes no cancellation any more: wait for that day, and pay the money back", drawn)
	}
	return err
}
