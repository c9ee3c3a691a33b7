package runs

import (
	"context"

	"purr/dunning/audits"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// verify proves the creditor's books, audits what changed since the last night (rule U7), counts the long lists again, and deletes expired answers of Idempotency-Keys.
func (r *Runs) verify(ctx context.Context, c models.Creditor, run models.Run) error {
	differences, err := ledger.Verify(ctx, r.DB.Patient(), c)
	if err != nil {
		return err
	}
	if len(differences) > 0 {
		r.Log.Error("the books do not add up; purr verify says where", "creditor", c.ID, "differences", len(differences))
	}
	if err := audits.Night(ctx, r.DB, r.Rules, r.Log, c, run.BusinessDate); err != nil {
		return err
	}
	for more := true; more; {
		if err := r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { more, err = tx.ForgetAnswers(ctx); return err }); err != nil {
			return err
		}
	}
	var ended models.Run
	err = r.DB.Patient().InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if err := tx.CountLists(ctx, c.ID); err != nil {
			return err
		}
		ended, err = lockAndFinish(ctx, tx, run, func(locked *models.Run) { locked.Done = len(differences) })
		return err
	})
	if err != nil {
		return err
	}
	r.logDone(ctx, ended)
	return nil
}
