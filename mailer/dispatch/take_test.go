package dispatch

import (
	"slices"
	"testing"
	"time"

	"purr/billing"
	"purr/internal/clock"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestS5EMailsAreBoundedASecond(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := rows.Open(t, databaseURL).WithClock(clock.NewTest(rows.Start))
		c := rows.Creditor(t, db)
		rows.Invoice(t, db, c, func(r *billing.InvoiceRequest) {
			r.Method, r.Copies = models.ByEmail, []string{"a@example.no", "b@example.no", "c@example.no"}
		})
		d := &Dispatcher{DB: db, Look: shipments.SecondLook{Rules: law.Default()}, MailRate: 2}
		share := Share{CreditorID: c.ID, Parts: 1, Look: 32, Most: 32, Within: time.Second}
		var got []time.Duration
		for range 4 {
			rows.Write(t, db, func(tx *store.Tx) error {
				before := clock.System{}.Now()
				l, err := d.Take(t.Context(), tx, share, "a worker")
				testkit.Must(t, err)
				for _, s := range l.left {
					got = append(got, s.leaves.Sub(before).Truncate(500*time.Millisecond))
				}
				return nil
			})
		}
		if want := []time.Duration{0, 500 * time.Millisecond, time.Second}; !slices.Equal(got, want) {
			t.Errorf("they wait for %v, want %v", got, want)
		}
	})
}

// TestTheSharesOfWhatIsDueMissNone: all parts together are what is due, unless a load would be too large.
func TestTheSharesOfWhatIsDueMissNone(t *testing.T) {
	for due := range 20 {
		ids := make([]int64, due)
		for i := range ids {
			ids[i] = int64(i)
		}
		var got []int64
		for part := range 4 {
			got = append(got, Share{Part: part, Parts: 4, Most: 5}.of(ids)...)
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, ids) {
			t.Errorf("of %d due the shares are %v", due, got)
		}
	}
}
