package shipments

import (
	"cmp"
	"context"
	"slices"

	"purr/documents"
	"purr/models"
	"purr/store"
)

// passedOn reports whether a channel has refused a shipment, and would not refuse just any other one too.
func passedOn(failure error) bool { return models.IsRefused(failure) && !models.IsSetupFault(failure) }

// fallBack sends a document by the next method of the fallback, because a shipment that the caller has locked was refused or
// bounced (rule S2). A method that cannot be is passed over. It does nothing where no method is left: the shipment waits for a
// person. Copies and statements do not fall back, and notices go on paper alone. Where purr itself chose eFaktura for what was asked for by
// AUTO, it then goes as it would have gone without (rule E20).
func fallBack(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	if s.Role() != models.Original || s.DocumentKind.OnlyBy() != "" {
		return nil
	}
	others, err := tx.ShipmentsOf(ctx, s.Document())
	if err != nil || slices.ContainsFunc(others, func(o models.Shipment) bool { return o.FallbackOf == s.ID }) {
		return err
	}
	creditor, err := tx.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	customer, err := tx.CustomerOf(ctx, s.Document())
	if err != nil {
		return err
	}
	then := cmp.Or(customer.Fallback, creditor.Fallback).After(s.Method)
	if s.Decided && s.Method == models.ByEFaktura {
		then = slices.Concat(then, models.AutoWithout)
	}
	for _, method := range then {
		next, possible, err := by(ctx, tx, method, s, others)
		if err != nil {
			return err
		}
		if possible {
			return takePlace(ctx, tx, s, next)
		}
	}
	return nil
}

// by returns the shipment as it goes by a method, and false if it cannot go by it, or has failed by it before.
func by(ctx context.Context, tx *store.Tx, method models.ShipmentMethod, s models.Shipment, others []models.Shipment) (models.Shipment, bool, error) {
	if slices.ContainsFunc(others, func(o models.Shipment) bool {
		return o.Role() == models.Original && o.Ordinary == s.Ordinary && o.Method == method && o.ID != s.ID
	}) {
		return s, false, nil
	}
	next, err := Again{Method: method}.apply(ctx, tx, s, others)
	if models.KindOf(err) == models.KindInvalid {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	return next, true, nil
}

// takePlace owes a shipment in the place of another one, and tells of it.
func takePlace(ctx context.Context, tx *store.Tx, old, next models.Shipment) error {
	fresh, err := inPlace(ctx, tx, next)
	if err != nil {
		return err
	}
	rows, err := documents.Read(ctx, tx, fresh.CreditorID, fresh.Document())
	if err != nil {
		return err
	}
	e := describe(fresh, rows)
	e.Type, e.Actor = models.EventShipmentFallback, models.ActorProgram
	e.Text += " is sent in the place of one " + old.Method.InWords() + ", which failed: " + old.Reason
	e.Facts["instead_of"], e.Facts["reason"] = old.Method, old.Reason
	return tx.Log(ctx, e)
}
