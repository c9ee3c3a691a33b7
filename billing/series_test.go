package billing_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func orderTo(customer models.Customer) billing.InvoiceRequest {
	return billing.InvoiceRequest{CustomerID: customer.ID, NumDueDays: 14, Method: models.ByPaper, Lines: []models.Line{line("Melk", "10", "1", models.VATNone)}}
}

// TestNumbersHaveNoGapD18 has 64 clients issue invoices of one creditor and credit some, while many of their
// transactions fail after the number was taken: by an error, a panic, or the end of the request.
func TestNumbersHaveNoGapD18(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, func(c *models.Creditor) { c.FirstNumber = 100 })
		customer := rows.Customer(t, db, c)
		var kept atomic.Int64
		var clients sync.WaitGroup
		for client := range 64 {
			clients.Go(func() {
				switch client % 4 {
				case 0:
					if err := rollBack(t, db, c, customer, client/4%3); err != nil {
						t.Error(err)
					}
				case 1:
					invoice, err := rows.TryIssue(t, db, c, orderTo(customer))
					if err != nil {
						t.Error(err)
						return
					}
					if _, err := tryCredit(t, db, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper}); err != nil {
						t.Error(err)
					}
					kept.Add(2)
				default:
					if _, err := rows.TryIssue(t, db, c, orderTo(customer)); err != nil {
						t.Error(err)
					}
					kept.Add(1)
				}
			})
		}
		clients.Wait()
		series, err := db.Series(t.Context(), c.ID)
		want := store.Series{Documents: kept.Load(), Lowest: 100, Highest: 99 + kept.Load(), Next: 100 + kept.Load(), First: 100}
		if err != nil || series != want {
			t.Errorf("the series is %+v, %v, want %+v", series, err, want)
		}
		differences, err := ledger.Verify(t.Context(), db, c)
		if err != nil || len(differences) > 0 {
			t.Errorf("the books are not right: %v, %v", differences, err)
		}
	})
}

// rollBack issues an invoice and then fails, in one of three ways. It returns an error if it did not fail.
func rollBack(t *testing.T, db *store.DB, c models.Creditor, customer models.Customer, way int) error {
	t.Helper()
	failed := errors.New("failed")
	ctx, end := context.WithCancel(t.Context())
	defer end()
	err := func() (err error) {
		defer func() {
			if recover() != nil {
				err = failed
			}
		}()
		return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			if _, err := billing.Issue(ctx, tx, c, []billing.InvoiceRequest{orderTo(customer)}); err != nil {
				return err
			}
			switch way {
			case 0:
				return failed
			case 1:
				panic(failed)
			default:
				end()
				return nil
			}
		})
	}()
	if errors.Is(err, failed) || errors.Is(err, context.Canceled) {
		return nil
	}
	return errors.Join(errors.New("the transaction did not fail as it should"), err)
}
