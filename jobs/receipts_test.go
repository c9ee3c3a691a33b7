package jobs

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/dunning"
	"purr/internal/storage"
	"purr/law"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestD102OneCreditorsReportHoldsUpNoOther: a print shop's file tells of a letter of a creditor whose days cannot be reckoned, and
// then of another's. The other's report is kept. The one is told once, and its report is kept once its zone is right.
func TestD102OneCreditorsReportHoldsUpNoOther(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		out := t.TempDir()
		folder := filepath.Join(out, "receipts")
		must(t, os.Mkdir(folder, 0o700))
		o.worker.Receipts = []*receipts.Way{receipts.FromFolder(models.ByPaper, storage.Folder(out), 15*time.Minute)}
		o.work(t, 2)
		ill, well := rows.Creditor(t, o.db), rows.Creditor(t, o.db)
		i := rows.Invoice(t, rows.On(o.db, rows.Today-35), ill, rows.DueIn(7))
		rows.Send(t, o.db, ill)
		letter := rows.Invoice(t, o.db, well)
		var n models.Notice
		rows.Write(t, o.db, func(tx *store.Tx) (err error) {
			n, err = dunning.IssueNotice(t.Context(), tx, law.Default(), ill, i.ID, dunning.Request{AddFee: true, Actor: "Kari"})
			return err
		})
		o.settle(t)
		zoneIs := func(name string) {
			c, err := o.db.Creditor(t.Context(), ill.ID)
			must(t, err)
			c.TimeZone = name
			rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &c) })
		}
		stands := func(why, file string, of, others models.ShipmentState, degraded, recovered int) {
			t.Helper()
			o.clock.Set(o.clock.Now().Add(20 * time.Minute))
			must(t, o.worker.receipts(t.Context(), receiptsPayload{models.ByPaper}))
			if _, err := os.Stat(filepath.Join(folder, file)); err != nil {
				t.Errorf("%s: %v", why, err)
			}
			if s := o.shipments(t, n.Document())[0]; s.State != of {
				t.Errorf("%s: the one's letter is %s", why, s.State)
			}
			if s := o.shipments(t, letter.Document())[0]; s.State != others {
				t.Errorf("%s: the other's letter is %s", why, s.State)
			}
			must(t, o.db.NumberEvents(t.Context()))
			events, err := o.db.Events(t.Context(), ill.ID, 0, 1000)
			must(t, err)
			told := map[models.EventType]int{}
			for _, e := range events {
				told[e.Type]++
			}
			if told[models.EventDegraded] != degraded || told[models.EventRecovered] != recovered {
				t.Errorf("%s: told are %v", why, told)
			}
		}
		zoneIs("posix/Europe/Oslo")
		o.clock.Set(o.clock.Now().Add(3 * 24 * time.Hour))
		at := o.clock.Now().Add(-24 * time.Hour).Format(time.RFC3339)
		line := `<report shipment="%s" state="%s" at="%s"/>`
		content := fmt.Sprintf("<reports>"+line+line+"</reports>", o.shipments(t, n.Document())[0].Name(i.Number), "sent", at,
			o.shipments(t, letter.Document())[0].Name(letter.Number), "delivered", at)
		must(t, os.WriteFile(filepath.Join(folder, "1.xml"), []byte(content), 0o600))
		stands("the one is ill", "1.xml", models.ShipmentSent, models.ShipmentDelivered, 1, 0)
		stands("it is still ill", "1.xml", models.ShipmentSent, models.ShipmentDelivered, 1, 0)
		zoneIs("Europe/Oslo")
		stands("it is well", "done/1.xml", models.ShipmentSent, models.ShipmentDelivered, 1, 1)
		if now, err := o.db.Notice(t.Context(), ill.ID, n.ID); err != nil || now.Withdrawn == 0 && now.CountsUntil == 0 {
			t.Errorf("the notice whose letter left late is %+v, %v", now, err)
		}
	})
}
