package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// workTrials are the trials of what the program does by itself: runs and proofs.
var workTrials = map[string]trial{
	"Standstills": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.Standstills(ctx, c, store.StandstillFilter{Today: rows.Today}, store.StandstillMark{}, 10))
	},
	"StandstillPage": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.StandstillPage(ctx, c, store.StandstillFilter{Today: rows.Today}, store.Page{Number: 1, Size: 10}, 1))
	},
	"StandstillSums": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		sums, err := tx.StandstillSums(ctx, c, store.StandstillFilter{Today: rows.Today})
		return sums.Number > 0, err
	},
	"SummedStandstills": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		sums, err := tx.SummedStandstills(ctx, c, store.StandstillFilter{Today: rows.Today})
		return sums.Number > 0, err
	},
	"EndStandstill": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.EndStandstill(ctx, c, h.customer.ID, h.invoice.ID, rows.Today, "a person", models.StandsOnHold); err != nil {
			return false, err
		}
		over, err := tx.StandstillSums(ctx, h.owner.ID, store.StandstillFilter{Today: rows.Today, Ended: true})
		return over.Number > 0, err
	},
	"DayMismatches": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if err := tx.Exec(ctx, "UPDATE list_days SET amount = amount + 1"); err != nil {
			return false, err
		}
		return some(tx.DayMismatches(ctx, c))
	},
	"CountLists": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, c); err != nil {
			return false, err
		}
		counted, err := tx.Counted(ctx, h.owner.ID)
		return counted > 0, err
	},
	"MissFutureRuns": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, err := tx.MissFutureRuns(ctx, c, models.RunDunning, rows.Today-1)
		return n > 0, err
	},
	"Chores": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE shipments SET state = 'failed', document_kind = 'overdue_notice'"); err != nil {
			return false, err
		}
		if err := tx.Exec(ctx, "UPDATE runs SET kind = 'status', state = 'done'"); err != nil {
			return false, err
		}
		is, err := tx.Chores(ctx, c, rows.Today, tx.Now.Add(time.Hour))
		if all := (store.Chores{Payments: true, Queue: true, Waits: true, Letters: true, Plans: true}); is != all && is != (store.Chores{Status: true}) {
			return false, fmt.Errorf("some of the chores are there: %+v", is)
		}
		return is.Payments, err
	},
	"RunsAround": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		on, err := tx.RunsAround(ctx, c, models.RunDunning, rows.Today)
		if err != nil {
			return false, err
		}
		before, err := tx.RunsAround(ctx, c, models.RunDunning, rows.Today+1)
		if err != nil {
			return false, err
		}
		after, err := tx.RunsAround(ctx, c, models.RunDunning, rows.Today-1)
		return on.On.ID != 0 && before.Before.ID != 0 && after.After, err
	},
	"LastRun": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, found, err := tx.LastRun(ctx, c, models.RunDunning, rows.Today+1)
		return found, err
	},
	"RunOf": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, found, err := tx.RunOf(ctx, c, models.RunDunning, rows.Today)
		return found, err
	},
	"HasFault": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return tx.HasFault(ctx, c, models.WorkDays)
	},
	"KeepFault": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		fresh, err := tx.KeepFault(ctx, c, models.WorkDays, "again")
		return !fresh, err
	},
	"EndFault": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, was, err := tx.EndFault(ctx, c, models.WorkDays)
		return was, err
	},
	"Run": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		run, _, err := tx.RunOf(ctx, h.owner.ID, models.RunDunning, rows.Today)
		if err != nil {
			return false, err
		}
		return reached(tx.Run(ctx, c, run.ID))
	},
	"Runs": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Runs(ctx, c, models.RunDunning, everything))
	},
	"RunsBefore": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.RunsBefore(ctx, c, models.RunDunning, rows.Today+1, 10))
	},
	"RunsAndProof": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		latest, _, err := tx.RunsAndProof(ctx, c, rows.Today+1, 10)
		return some(latest, err)
	},
	"LastSteps": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE runs SET done = 7"); err != nil {
			return false, err
		}
		return some(tx.LastSteps(ctx, c, rows.Today+1, 10))
	},
	"AddSteps": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.AddSteps(ctx, c, rows.Today, models.RunSteps{Reminders: 7}); err != nil {
			return false, err
		}
		return some(tx.LastSteps(ctx, h.owner.ID, rows.Today+1, 10))
	},
	"DunningRules": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetDunningRule(ctx, ruleOf(h.owner)); err != nil {
			return false, err
		}
		return some(tx.DunningRules(ctx, c))
	},
	"DeleteDunningRule": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetDunningRule(ctx, ruleOf(h.owner)); err != nil {
			return false, err
		}
		return tx.DeleteDunningRule(ctx, c, models.RuleLateInterest, rows.Today)
	},
	"RecordRuleWarning": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := tx.RecordRuleWarning(ctx, c, models.RuleAct, rows.Today); err != nil {
			return false, err
		}
		fresh, err := tx.RecordRuleWarning(ctx, h.owner.ID, models.RuleAct, rows.Today)
		return !fresh, err
	},
	"Series": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		s, err := tx.Series(ctx, c)
		return s.Documents > 0, err
	},
	"FileTotals": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.FileTotals(ctx, c))
	},
	"Orphans": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET customer_id = 4711"); err != nil {
			return false, err
		}
		return some(tx.Orphans(ctx, c))
	},
	"AmountMismatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		var reached []bool
		for relation, damage := range map[store.Relation]string{
			store.InvoiceBalance:    "UPDATE invoices SET balance = balance + 1",
			store.CreditNoteBalance: "UPDATE credit_notes SET balance = balance - 1",
			store.InvoiceGross:      "UPDATE invoices SET gross = gross + 1",
			store.CreditNoteGross:   "UPDATE credit_notes SET gross = gross + 1",
			store.InvoiceLines:      "UPDATE invoice_lines SET gross = gross + 10",
			store.NoticeLines:       "UPDATE overdue_notices SET gross = gross + 1",
			store.MatchedAmount:     "UPDATE unmatched_payments SET status = 'matched'",
			store.ManualMatches:     "UPDATE unmatched_payments SET status = 'matched'",
		} {
			if err := tx.Exec(ctx, damage); err != nil {
				return false, err
			}
			found, err := some(tx.AmountMismatches(ctx, c, relation))
			if err != nil {
				return false, err
			}
			reached = append(reached, found)
		}
		if slices.Contains(reached, true) && slices.Contains(reached, false) {
			return false, fmt.Errorf("of the relations it finds %v", reached)
		}
		return reached[0], nil
	},
	"CountEntries": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, err := tx.CountEntries(ctx, c, 1)
		return n == 1, err
	},
	"SplitMismatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE unmatched_payments SET status = 'matched', further_entries = '[4711]'"); err != nil {
			return false, err
		}
		return some(tx.SplitMismatches(ctx, c))
	},
	"TextMismatches": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if wrong, err := some(tx.TextMismatches(ctx, c)); err != nil || wrong {
			return false, errors.Join(err, errors.New("the texts are right"))
		}
		if err := tx.Exec(ctx, "UPDATE invoice_texts SET texts = 'other'"); err != nil {
			return false, err
		}
		return some(tx.TextMismatches(ctx, c))
	},
	"LostReferences": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "DELETE FROM payment_references"); err != nil {
			return false, err
		}
		return some(tx.LostReferences(ctx, c))
	},
	"Unlogged": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "DELETE FROM new_events"); err != nil {
			return false, err
		}
		return some(tx.Unlogged(ctx, c))
	},
	"StageMismatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET stage = 'warned'"); err != nil {
			return false, err
		}
		return some(tx.StageMismatches(ctx, c))
	},
}
