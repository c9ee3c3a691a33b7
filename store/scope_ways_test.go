package store_test

import (
	"context"
	"time"

	"purr/models"
	"purr/store"
)

// wayTrials are the trials of the ways that are a creditor's own.
var wayTrials = map[string]trial{
	"CreditorWays": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		w := models.CreditorWay{CreditorID: h.owner.ID, Method: models.ByEmail, Settings: models.WaySettings{"sender": "a@b.example"}}
		if err := tx.SetCreditorWay(ctx, &w, nil); err != nil {
			return false, err
		}
		return some(tx.CreditorWays(ctx, c))
	},
	"DueElsewhereIDs": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE shipments SET unsure = 1"); err != nil {
			return false, err
		}
		return some(tx.DueElsewhereIDs(ctx, c, tx.Common.Add(24*time.Hour), 10, models.ByPaper, 7))
	},
	"LetBundlesGoOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE hand_overs SET state = 'owed', taken_by = '', next_attempt = '2030-01-01 00:00:00'"); err != nil {
			return false, err
		}
		if err := tx.LetBundlesGoOf(ctx, c); err != nil {
			return false, err
		}
		now, err := tx.HandOver(ctx, h.owner.ID, h.handOver.ID)
		return !now.NextAttempt.After(tx.Common), err
	},
}
