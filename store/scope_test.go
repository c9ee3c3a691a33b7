package store_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// holdings is one of everything that a creditor can have.
type holdings struct {
	db        *store.DB
	owner     models.Creditor
	customer  models.Customer
	invoice   models.Invoice
	note      models.CreditNote
	notice    models.Notice
	handOver  models.HandOver
	entry     models.Entry
	key       models.Key
	file      models.PaymentFile
	queued    models.UnmatchedPayment
	statement models.SentStatement
	plan      models.PaymentPlan
	letter    models.Letter
	webhook   models.Webhook
	delivery  models.WebhookDelivery
}

// trial tries to reach the holdings by a method, as a creditor, and reports whether it did.
type trial func(ctx context.Context, tx *store.Tx, h holdings, creditorID int64) (reached bool, err error)

// trials has a trial for each exported method that takes a creditor's ID.
var trials = func() map[string]trial {
	all := map[string]trial{}
	for _, some := range []map[string]trial{creditorTrials, documentTrials, moneyTrials, repaymentTrials, accountTrials, workTrials, listTrials, collectionTrials, claimTrials, auditTrials, forgetTrials, wayTrials} {
		maps.Copy(all, some)
	}
	return all
}()

// heldInvoice has somebody hold the owner's invoice, and returns what was acted on.
func heldInvoice(ctx context.Context, tx *store.Tx, h holdings) (models.Thing, error) {
	err := tx.Log(ctx, models.Event{CreditorID: h.owner.ID, Type: models.EventHoldSet, SubjectID: h.invoice.ID, InvoiceID: h.invoice.ID, Text: "Held"})
	return models.Thing{Kind: models.ThingHold, ID: h.invoice.ID}, err
}

// letGo keeps the shipments back, and reports whether do lets the owner's go.
func letGo(ctx context.Context, tx *store.Tx, h holdings, do func() error) (bool, error) {
	if err := tx.Exec(ctx, "UPDATE shipments SET kept_back = 'creditor_not_ready'"); err != nil {
		return false, err
	}
	if err := do(); err != nil {
		return false, err
	}
	of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
	return err == nil && of[0].KeptBack == "", err
}

// without returns the error unless it is of the kind.
func without(err error, kind models.Kind) error {
	if models.KindOf(err) == kind {
		return nil
	}
	return err
}

func ruleOf(c models.Creditor) *models.DunningRule {
	return &models.DunningRule{CreditorID: c.ID, Kind: models.RuleLateInterest, FromDate: rows.Today, Value: "12", Source: "a regulation"}
}

func reached[T any](_ T, err error) (bool, error) {
	if models.KindOf(err) == models.KindNotFound {
		return false, nil
	}
	return err == nil, err
}

func some[T any](found []T, err error) (bool, error) { return len(found) > 0, err }

func counted[T any](found []T, total int64, err error) (bool, error) {
	return len(found) > 0 || total > 0, err
}

// nextMoved reports whether do changes the owner's next number.
func nextMoved(ctx context.Context, tx *store.Tx, h holdings, do func() error) (bool, error) {
	before, err := tx.Series(ctx, h.owner.ID)
	if err != nil {
		return false, err
	}
	if err := do(); err != nil {
		return false, err
	}
	after, err := tx.Series(ctx, h.owner.ID)
	return before.Next != after.Next, err
}

// TestNothingIsReachedAsAnotherCreditorD2 tries every method that takes a creditor's ID. The owner must reach its
// holdings, and another creditor must not.
func TestNothingIsReachedAsAnotherCreditorD2(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		h := hold(t, db)
		stranger := rows.Creditor(t, db)
		freeStage(t, db)
		for method, try := range trials {
			t.Run(method, func(t *testing.T) {
				for _, c := range []models.Creditor{h.owner, stranger} {
					undo := errors.New("undo")
					err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
						got, err := try(t.Context(), tx, h, c.ID)
						if err != nil {
							return err
						}
						if want := c.ID == h.owner.ID; got != want {
							t.Errorf("as the owner %t: reached %t", want, got)
						}
						return undo
					})
					if !errors.Is(err, undo) {
						t.Error(err)
					}
				}
			})
		}
	})
}
