package accounts

import (
	"context"

	"purr/models"
	"purr/store"
)

// Proof shows whether an export agrees with the ledger (rule A1c), in øre.
type Proof struct {
	Opening models.Amount // of the export
	Journal models.Amount // by how much customers owe more, by what the ledger booked in the period
	Closing models.Amount // of the export
	Owed    models.Amount // what customers owed when the period was over, less their credit (rule D33)
}

// Agrees reports whether opening + journal = closing = what the customers owed, to the øre.
func (p Proof) Agrees() bool { return p.Opening+p.Journal == p.Closing && p.Closing == p.Owed }

// Prove adds up again what was booked in the period of an export, and what the customers owed at its end.
func Prove(ctx context.Context, v store.View, e models.AccountExport) (Proof, error) {
	zone := models.Creditor{TimeZone: e.TimeZone}.DisplayZone()
	booked, err := v.Booked(ctx, e.CreditorID, store.Dates{From: e.From, To: e.To}, zone)
	if err != nil {
		return Proof{}, err
	}
	p := Proof{Opening: e.Opening, Closing: e.Closing}
	for _, s := range booked {
		if !s.Before && !s.OfRate() {
			p.Journal += s.Amount
		}
	}
	p.Owed, err = owedAfter(ctx, v, e.CreditorID, e.To, zone)
	return p, err
}
