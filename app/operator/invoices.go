package operator

import (
	"context"
	"fmt"

	"purr/dunning"
	"purr/dunning/collection"
	"purr/models"
	"purr/store"
)

// HoldInvoice stops automatic dunning of a creditor's invoice with the number (rule E2).
func (o *Operator) HoldInvoice(ctx context.Context, c models.Creditor, number int64, h models.Hold) (models.Invoice, error) {
	return o.onInvoice(ctx, c, number, func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		return dunning.HoldInvoice(ctx, tx, c, id, h, o.Actor)
	})
}

// ReleaseInvoice ends the hold of a creditor's invoice.
func (o *Operator) ReleaseInvoice(ctx context.Context, c models.Creditor, number int64) (models.Invoice, error) {
	return o.onInvoice(ctx, c, number, func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		if err := dunning.ReleaseInvoice(ctx, tx, c, id, o.Actor); err != nil {
			return models.Invoice{}, err
		}
		return tx.Invoice(ctx, c.ID, id)
	})
}

// CloseInvoice closes a creditor's invoice.
func (o *Operator) CloseInvoice(ctx context.Context, c models.Creditor, number int64, reason models.Closing, comment string) (models.Invoice, error) {
	return o.onInvoice(ctx, c, number, func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		return dunning.CloseInvoice(ctx, tx, c, id, dunning.Closing{Reason: reason, Comment: comment, Actor: o.Actor})
	})
}

// ReopenInvoice opens a creditor's invoice again after it was closed or handed over.
func (o *Operator) ReopenInvoice(ctx context.Context, c models.Creditor, number int64) (models.Invoice, error) {
	return o.onInvoice(ctx, c, number, func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		return dunning.ReopenInvoice(ctx, tx, c, id, o.Actor)
	})
}

// HandInvoiceOver hands a creditor's invoice over to debt collection, with force also while the deadline of its warning
// runs. The workers deliver its bundle.
func (o *Operator) HandInvoiceOver(ctx context.Context, c models.Creditor, number int64, force bool) (models.Invoice, error) {
	handOver := dunning.HandOverInvoice
	if force {
		handOver = dunning.ForceHandOver
	}
	return o.onInvoice(ctx, c, number, func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error) {
		return handOver(ctx, tx, c, id, o.Actor)
	})
}

// onInvoice acts on a creditor's invoice with the number, and returns the changed invoice.
func (o *Operator) onInvoice(ctx context.Context, c models.Creditor, number int64, act func(ctx context.Context, tx *store.Tx, id int64) (models.Invoice, error)) (models.Invoice, error) {
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		invoice, err := numbered(ctx, tx.View(), c, number)
		if err != nil {
			return models.Invoice{}, err
		}
		return act(ctx, tx, invoice.ID)
	})
}

// CollectionBundle returns the collection bundle of a creditor's invoice with the number, and the hand-over that the
// bundle belongs to.
func (o *Operator) CollectionBundle(ctx context.Context, c models.Creditor, number int64) (collection.File, models.HandOver, error) {
	var h models.HandOver
	err := o.DB.View(ctx, func(v store.View) error {
		invoice, err := numbered(ctx, v, c, number)
		if err != nil {
			return err
		}
		var found bool
		h, found, err = v.LastHandOver(ctx, invoice.ID)
		if err == nil && (!found || invoice.HandedOver == 0) {
			err = fmt.Errorf("invoice %[1]d is not handed over to debt collection: purr dunning hand-over %[1]d does that", number)
		}
		return err
	})
	if err != nil {
		return collection.File{}, models.HandOver{}, err
	}
	file, err := o.Collection.Bundle(ctx, h)
	if err != nil {
		return collection.File{}, models.HandOver{}, err
	}
	return file, h, nil
}

// numbered returns a creditor's invoice with the number.
func numbered(ctx context.Context, v store.View, c models.Creditor, number int64) (models.Invoice, error) {
	invoices, err := v.InvoicesByNumber(ctx, c.ID, []int64{number})
	if err != nil {
		return models.Invoice{}, err
	}
	if len(invoices) == 0 {
		return models.Invoice{}, models.NotFound(fmt.Sprintf("invoice: %d", number))
	}
	return invoices[0], nil
}
