package avtalegiro

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// settledAtOnce is how many claims one transaction settles.
const settledAtOnce = 100

// settlesFor is for how many days after its due date a claim without money is still looked at each morning.
const settlesFor = 60

// Settle does with a creditor's claims what its days bring, before dunning looks at their invoices (rule G3a): what is not drawn goes out
// as an ordinary invoice, what is drawn and paid is noted, and of what is not paid two bank days after its due date an event tells. Each of
// its transactions stands alone, so it can be broken off and repeated.
func Settle(ctx context.Context, db *store.DB, c models.Creditor, today models.Date) error {
	if err := sendOrdinary(ctx, db, c, today); err != nil {
		return err
	}
	return settleDue(ctx, db, c, today)
}

// sendOrdinary has the invoices of claims that are not drawn sent once more.
func sendOrdinary(ctx context.Context, db *store.DB, c models.Creditor, today models.Date) error {
	for after := int64(0); ; {
		var some []models.BankClaim
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			if some, err = tx.ClaimsOwingLetters(ctx, c.ID, after, settledAtOnce); err != nil || len(some) == 0 {
				return err
			}
			return sendSome(ctx, tx, c, some, today)
		})
		if err != nil || len(some) == 0 {
			return err
		}
		after = some[len(some)-1].ID
	}
}

// sendSome locks the invoices of some claims, in order of ID, and owes their letters. One that a hold, more time or a plan stops waits.
func sendSome(ctx context.Context, tx *store.Tx, c models.Creditor, some []models.BankClaim, today models.Date) error {
	if _, err := tx.LockCreditor(ctx, c.ID); err != nil { // who changes claims has locked their creditor
		return err
	}
	ids := make([]int64, len(some))
	for i, claim := range some {
		ids[i] = claim.InvoiceID
	}
	slices.Sort(ids)
	locked := map[int64]models.Invoice{}
	for _, id := range ids {
		i, err := tx.LockInvoice(ctx, c.ID, id)
		if err != nil {
			return err
		}
		locked[id] = i
	}
	b, err := readBasis(ctx, tx.View(), c.ID, some, today)
	if err != nil {
		return err
	}
	b.invoices = locked
	claims, err := lockSame(ctx, tx, c.ID, some)
	if err != nil {
		return err
	}
	var shipments []models.Shipment
	var sent []int64
	for i := range claims {
		invoice := locked[claims[i].InvoiceID]
		if !claims[i].LetterOwed || b.waits(invoice) {
			continue
		}
		claims[i].LetterOwed = false
		if !b.asksAgain(claims[i]) {
			continue
		}
		again, err := ordinary(ctx, tx, invoice, b.customers[invoice.CustomerID].Recipient, today)
		if err != nil {
			return err
		}
		shipments, sent = append(shipments, again), append(sent, invoice.ID)
	}
	if err := tx.CreateShipments(ctx, shipments); err != nil {
		return err
	}
	if err := tx.SetDrawnUntil(ctx, c.ID, sent, 0); err != nil {
		return err
	}
	return putAll(ctx, tx, claims)
}

// waits reports whether a person has stopped what is done with an invoice: then nothing that asks for money leaves.
func (b basis) waits(i models.Invoice) bool {
	return i.Hold.Active(b.today) || b.customers[i.CustomerID].Hold.Active(b.today) || i.MoreTime.Active(b.today) || i.PlanID != 0
}

// ordinary returns the shipment by which an invoice goes once more, with a page that says where and until when it is paid: as its original
// went, but on paper where that was by a way that cannot tell of it. It goes to where the customer is now.
func ordinary(ctx context.Context, tx *store.Tx, i models.Invoice, to models.Recipient, today models.Date) (models.Shipment, error) {
	all, err := tx.ShipmentsOf(ctx, i.Document())
	if err != nil {
		return models.Shipment{}, err
	}
	method := models.ByPaper
	for _, s := range all {
		if s.Role() == models.Original && s.Method == models.ByEmail && s.State.HasLeft() && to.Email != "" {
			method = models.ByEmail
		}
	}
	if method == models.ByPaper && to.Address1 == "" && to.Email != "" {
		method = models.ByEmail
	}
	s := models.NewShipment(i.CreditorID, i.Document(), models.Original, method, to)
	s.Ordinary = today + models.Date(i.NumDueDays)
	return s, nil
}

// settleDue looks at the claims that live and whose due date is over.
func settleDue(ctx context.Context, db *store.DB, c models.Creditor, today models.Date) error {
	live := []models.ClaimState{models.ClaimOwed, models.ClaimSent, models.ClaimAccepted}
	for after := int64(0); ; {
		var some []models.BankClaim
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			due := store.Dates{From: today - settlesFor, To: today - 1}
			if some, err = tx.ClaimsAfter(ctx, c.ID, live, due, after, settledAtOnce); err != nil || len(some) == 0 {
				return err
			}
			return settleSome(ctx, tx, c, some, today)
		})
		if err != nil || len(some) == 0 {
			return err
		}
		after = some[len(some)-1].ID
	}
}

func settleSome(ctx context.Context, tx *store.Tx, c models.Creditor, some []models.BankClaim, today models.Date) error {
	if _, err := tx.LockCreditor(ctx, c.ID); err != nil {
		return err
	}
	b, err := readBasis(ctx, tx.View(), c.ID, some, today)
	if err != nil {
		return err
	}
	claims, err := lockSame(ctx, tx, c.ID, some)
	if err != nil {
		return err
	}
	var changed []models.BankClaim
	var events []models.Event
	for _, claim := range claims {
		i := b.invoices[claim.InvoiceID]
		switch {
		case !claim.Lives():
			continue
		case claim.FileID == 0: // nothing has run for days
			events = append(events, b.reject(&claim, models.ClaimTooLate))
		case i.Claimed() <= 0:
			claim.State = models.ClaimPaid
		case today > DrawnUntil(claim.DueDate) && !claim.UnpaidTold:
			claim.UnpaidTold = true
			events = append(events, models.Event{
				CreditorID: claim.CreditorID, Type: models.EventClaimUnpaid, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
				Text:  fmt.Sprintf("No money has come by AvtaleGiro for invoice %d, due %s: dunning goes on", i.Number, i.DueDate),
				Facts: models.Facts{"invoice_number": i.Number, "balance": i.Claimed(), "due_date": i.DueDate},
			})
		default:
			continue
		}
		changed = append(changed, claim)
	}
	if err := tx.Log(ctx, events...); err != nil {
		return err
	}
	return putAll(ctx, tx, changed)
}

// lockSame locks claims that were read, and returns them as they are now.
func lockSame(ctx context.Context, tx *store.Tx, creditorID int64, some []models.BankClaim) ([]models.BankClaim, error) {
	ids := make([]int64, len(some))
	for i, claim := range some {
		ids[i] = claim.ID
	}
	return tx.LockClaims(ctx, creditorID, ids)
}
