package receivables_test
import ("testing";"time";"fmt";"purr/test/testkit";"purr/test/testkit/rows";"purr/models";"purr/store")
func TestZZ(t *testing.T) {
	for _, seed := range []uint64{11,12,13,14,15,16} {
		db := rows.Open(t, testkit.SQLite(t))
		j := begin(t, db, seed, 11*time.Hour)
		for j.month() < models.MonthOf(rows.Today).Plus(5) {
			j.act(); j.observe()
			j.clock.Set(j.clock.Now().Add(time.Hour + time.Duration(j.random.Int64N(int64(j.pause))).Truncate(time.Second)))
			if j.random.IntN(4) == 0 {}
		}
		miss := ""
		for _, act := range []models.EventType{
			models.EventChargesWaived, models.EventChargesRestored, models.EventCreditTransferred, models.EventRepaymentOrdered,
			models.EventRepaymentWithdrawn, models.EventRepaymentFileMade, models.EventRepaymentFileWithdrawn, models.EventRepaymentFilePaid,
			models.EventRepaymentFileUnpaid, models.EventPaymentMatched, models.EventPaymentReopened, models.EventInvoiceAdopted, models.EventBalanceAdopted,
		} {
			events, err := j.db.NewestEvents(t.Context(), j.creditor.ID, store.EventFilter{Type: act}, 0, 1)
			if must(t, err); len(events) == 0 { miss += " " + string(act) }
		}
		fmt.Println(seed, "misses", miss, time.Now())
		if miss == "" { return }
	}
}
