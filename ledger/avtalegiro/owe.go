package avtalegiro

import (
	"context"
	"time"

	"purr/models"
	"purr/store"
)

// Wanted are the claims that new invoices of a creditor owe: the mandates of their customers, by the customer's ID.
type Wanted struct {
	creditor models.Creditor
	mandates map[int64][]models.Mandate
	fileDay  models.Date
}

// mandates are what Want reads: of a view, a transaction or the database.
type mandates interface {
	MandatesOfCustomers(ctx context.Context, creditorID int64, ids []int64) (map[int64][]models.Mandate, error)
}

// Want reads what decides whether invoices to customers that are issued at a moment owe a claim. It asks nothing where the creditor is not
// paid by AvtaleGiro.
func Want(ctx context.Context, from mandates, c models.Creditor, customerIDs []int64, now time.Time) (w Wanted, err error) {
	w.creditor = c
	if !c.AvtaleGiro.Enabled {
		return w, nil
	}
	if w.mandates, err = from.MandatesOfCustomers(ctx, c.ID, customerIDs); err != nil || len(w.mandates) == 0 {
		return w, err
	}
	w.fileDay, err = FileDay(now, c.ClaimsDay)
	return w, err
}

// Mark says on an invoice that it is drawn, if it owes a claim: its customer has a mandate on its account, and the next file leaves in
// time. The invoice has its account, and is not written yet.
func (w Wanted) Mark(i *models.Invoice) {
	if _, has := w.mandateOf(*i); has && w.fileDay <= LastDay(i.DueDate, w.creditor.AvtaleGiro) {
		i.Drawn, i.DrawnUntil = true, DrawnUntil(i.DueDate)
	}
}

// mandateOf returns the mandate by which an invoice is drawn. The bank finds it by the first digits of the KID, which are the customer's.
func (w Wanted) mandateOf(i models.Invoice) (models.Mandate, bool) {
	for _, m := range w.mandates[i.CustomerID] {
		if m.Account == i.BankAccount {
			return m, true
		}
	}
	return models.Mandate{}, false
}

// Owe writes a claim for each of the invoices that Mark has marked (rule G3). They are written, and have their KIDs.
func (w Wanted) Owe(ctx context.Context, tx *store.Tx, invoices []models.Invoice) error {
	var claims []models.BankClaim
	for _, i := range invoices {
		if !i.Drawn {
			continue
		}
		m, _ := w.mandateOf(i)
		claims = append(claims, models.BankClaim{
			CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, MandateID: m.ID, Account: i.BankAccount, KID: i.KID, DueDate: i.DueDate,
			Amount: i.Gross, ByBank: w.creditor.AvtaleGiro.Notice == models.BankNotice, LastDay: LastDay(i.DueDate, w.creditor.AvtaleGiro), State: models.ClaimOwed,
		})
	}
	if len(claims) == 0 {
		return nil
	}
	return tx.CreateClaims(ctx, claims)
}
