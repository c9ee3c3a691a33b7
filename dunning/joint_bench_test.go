package dunning_test

import (
	"context"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// BenchmarkRunJoint makes a run for 500 customers with four invoices each that are due for a notice, on MySQL (or MariaDB): as letters of four, and
// as single letters beside them.
func BenchmarkRunJoint(b *testing.B) {
	const customers, each = 500, 4
	db := bench.MySQL(b).Store
	for _, joint := range []bool{false, true} {
		name := "single"
		if joint {
			name = "letters-of-four"
		}
		b.Run(name, func(b *testing.B) {
			var ours bench.Rate
			for b.Loop() {
				b.StopTimer()
				c := owingFour(b, db, customers, each, joint)
				b.StartTimer()
				ours.Time(customers*each, func() {
					result, err := dunning.Run(b.Context(), rows.On(db, remindedOn), law.Default(), c, remindedOn)
					if err != nil || result.Steps() != customers*each {
						b.Fatalf("%d steps, %v", result.Steps(), err)
					}
				})
			}
			b.ReportMetric(ours.PerSecond(), "notices/s")
		})
	}
}

// owingFour returns a creditor with customers who have some overdue invoices each.
func owingFour(b *testing.B, db *store.DB, customers, each int, joint bool) models.Creditor {
	b.Helper()
	c := rows.Creditor(b, db, func(c *models.Creditor) {
		c.Policy.Enabled, c.Policy.JointLetters, c.Policy.RequirePaymentFile = true, joint, false
	})
	for range customers {
		customer := rows.Customer(b, db, c)
		var asked []billing.InvoiceRequest
		for range each {
			o := billing.InvoiceRequest{NumDueDays: 14, Method: models.ByPaper}
			rows.Of(1000_00)(&o)
			rows.To(customer)(&o)
			asked = append(asked, o)
		}
		on := rows.On(db, day("2026-02-16"))
		if err := on.InTx(b.Context(), func(ctx context.Context, tx *store.Tx) error {
			_, err := billing.Issue(ctx, tx, c, asked)
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
	rows.Send(b, db, c)
	return c
}
