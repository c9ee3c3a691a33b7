package app

import (
	"context"
	"fmt"

	"purr/collection"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// invoiceAct does something to an invoice with an ID, and returns it as it then stands.
type invoiceAct func(ctx context.Context, tx *store.Tx, c models.Creditor, id int64) (models.Invoice, error)

// HoldInvoice stops automatic dunning of a creditor's invoice with the number (rule E2).
func (a *App) HoldInvoice(ctx context.Context, c models.Creditor, number int64, h models.Hold) (models.Invoice, error) {
	return a.actOn(ctx, c, number, func(ctx context.Context, tx *store.Tx, c models.Creditor, id int64) (models.Invoice, error) {
		return dunning.HoldInvoice(ctx, tx, c, id, h, actor)
	})
}

// ReleaseInvoice takes the hold of a creditor's invoice away.
func (a *App) ReleaseInvoice(ctx context.Context, c models.Creditor, number int64) (models.Invoice, error) {
	return a.actOn(ctx, c, number, func(ctx context.Context, tx *store.Tx, c models.Creditor, id int64) (models.Invoice, error) {
		if err := dunning.ReleaseInvoice(ctx, tx, c, id, actor); err != nil {
			return models.Invoice{}, err
		}
		return tx.Invoice(ctx, c.ID, id)
	})
}

// CloseInvoice closes a creditor's invoice.
func (a *App) CloseInvoice(ctx context.Context, c models.Creditor, number int64, reason models.Closing, comment string) (models.Invoice, error) {
	return a.actOn(ctx, c, number, func(ctx context.Context, tx *store.Tx, c models.Creditor, id int64) (models.Invoice, error) {
		return dunning.CloseInvoice(ctx, tx, c, id, dunning.Closing{Reason: reason, Comment: comment, Actor: actor})
	})
}

// ReopenInvoice takes back that a creditor's invoice was closed or handed over.
func (a *App) ReopenInvoice(ctx context.Context, c models.Creditor, number int64) (models.Invoice, error) {
	return a.actOn(ctx, c, number, func(ctx context.Context, tx *store.Tx, c models.Creditor, id int64) (models.Invoice, error) {
		return dunning.ReopenInvoice(ctx, tx, c, id, actor)
	})
}

// HandInvoiceOver hands a creditor's invoice over to debt collection. Its bundle is delivered by the workers.
func (a *App) HandInvoiceOver(ctx context.Context, c models.Creditor, number int64) (models.Invoice, error) {
	return a.actOn(ctx, c, number, func(ctx context.Context, tx *store.Tx, c models.Creditor, id int64) (models.Invoice, error) {
		return dunning.HandOverInvoice(ctx, tx, c, id, actor)
	})
}

func (a *App) actOn(ctx context.Context, c models.Creditor, number int64, do invoiceAct) (done models.Invoice, err error) {
	err = a.DB.InTx(ctx, func(tx *store.Tx) error {
		invoice, err := numbered(ctx, tx.View(), c, number)
		if err != nil {
			return err
		}
		done, err = do(ctx, tx, c, invoice.ID)
		return err
	})
	return done, err
}

// CollectionBundle returns what the debt collector gets of a creditor's invoice with the number, and the hand-over
// that it is of.
func (a *App) CollectionBundle(ctx context.Context, c models.Creditor, number int64) (collection.File, models.HandOver, error) {
	var h models.HandOver
	err := a.DB.View(ctx, func(v store.View) error {
		invoice, err := numbered(ctx, v, c, number)
		if err != nil {
			return err
		}
		var found bool
		h, found, err = v.LastHandOver(ctx, invoice.ID)
		if err == nil && (!found || invoice.HandedOver == 0) {
			err = fmt.Errorf("invoice %[1]d is not handed over to debt collection: purr dunning hand-over --invoice %[1]d does that", number)
		}
		return err
	})
	if err != nil {
		return collection.File{}, h, err
	}
	file, err := a.Collection.Bundle(ctx, h)
	return file, h, err
}

// numbered returns a creditor's invoice by its number.
func numbered(ctx context.Context, v store.View, c models.Creditor, number int64) (models.Invoice, error) {
	invoices, err := v.InvoicesByNumber(ctx, c.ID, []int64{number})
	switch {
	case err != nil:
		return models.Invoice{}, err
	case len(invoices) == 0:
		return models.Invoice{}, models.NotFound(fmt.Sprintf("invoice: %d", number))
	}
	return invoices[0], nil
}
