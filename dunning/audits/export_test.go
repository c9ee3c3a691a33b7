package audits

import (
	"context"

	"purr/law"
	"purr/models"
	"purr/store"
)

// Begin begins a night and does some of its steps, as one that is killed then, each of so many invoices.
func Begin(ctx context.Context, db *store.DB, c models.Creditor, day models.Date, steps int) error {
	n := &night{DB: db, base: law.Default(), creditor: c, day: day}
	begun, err := n.begin(ctx)
	if err != nil || !begun {
		return err
	}
	if n.ids, err = n.concerned(ctx, n.row); err != nil {
		return err
	}
	for range steps {
		if err := n.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Together has so many invoices judged together while do runs.
func Together(few int, do func()) {
	defer func(n int) { together = n }(together)
	together = few
	do()
}
