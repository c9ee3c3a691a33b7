package operator

import (
	"context"

	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
)

// CreditorWays returns the settings of a creditor's own ways, without secrets (rule Q7).
func (o *Operator) CreditorWays(ctx context.Context, creditorID int64) ([]own.Value, error) {
	rows, err := o.DB.CreditorWays(ctx, creditorID)
	return own.Show(rows), err
}

// ChangeCreditorWays changes them, and returns what they are then.
func (o *Operator) ChangeCreditorWays(ctx context.Context, by own.Changer, creditorID int64, change map[string]string) ([]own.Value, error) {
	var rows []models.CreditorWay
	err := o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		rows, err = by.Change(ctx, tx, creditorID, change, own.Who{Actor: o.Actor, OnMachine: true})
		return err
	})
	return own.Show(rows), err
}
