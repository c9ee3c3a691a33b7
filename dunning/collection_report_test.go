package dunning_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"purr/dunning"
	"purr/ledger"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// told returns a report with words, each "name=value".
func told(words ...string) models.CollectorTold {
	var t models.CollectorTold
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		*t.Word(name) = value
	}
	return t
}

// list returns a list of one report with words between blanks.
func list(words string) []models.CollectorTold {
	return []models.CollectorTold{told(strings.Fields(words)...)}
}

func (d *desk) report(reports ...models.CollectorTold) (taken []dunning.CollectorReport) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) (err error) {
		taken, err = dunning.ReportCollection(ctx, tx, d.creditor, reports, actor)
		return err
	})
	return taken
}

// places returns the places and codes of a refusal.
func places(err error) string {
	all, are := err.(models.Errors) //nolint:errorlint // the function returns them unwrapped
	if !are {
		return fmt.Sprint(err)
	}
	var told []string
	for _, e := range all {
		told = append(told, e.Place.String()+" "+e.Code)
	}
	return strings.Join(told, ", ")
}

// hand returns the last hand-over of the desk's invoice.
func (d *desk) hand() models.HandOver {
	d.t.Helper()
	h, found, err := d.db.LastHandOver(d.t.Context(), d.invoice.ID)
	if err != nil || !found {
		d.t.Fatal("there is no hand-over", err)
	}
	return h
}

// TestC4EveryFaultOfAListIsToldAndNothingIsTaken: the invoice 1 was handed over on 30 March. 2 never was, 3 was taken back.
func TestC4EveryFaultOfAListIsToldAndNothingIsTaken(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		ctx := t.Context()
		rows.Invoice(t, d.db, d.creditor, rows.To(d.customer))
		back := rows.Invoice(t, d.db, d.creditor, rows.To(d.customer))
		stranger := rows.Creditor(t, d.db)
		other := rows.Invoice(t, d.db, stranger)
		d.on("2026-05-18")
		rows.Send(t, d.db, stranger)
		d.do(d.handOver)
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HandOverInvoice(ctx, tx, d.creditor, back.ID, actor)
			must(t, err)
			_, err = dunning.HandOverInvoice(ctx, tx, stranger, other.ID, actor)
			return err
		})
		ended, _, err := d.db.LastHandOver(ctx, back.ID)
		must(t, err)
		theirs, _, err := d.db.LastHandOver(ctx, other.ID)
		must(t, err)
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.ReopenInvoice(ctx, tx, d.creditor, back.ID, actor)
			return err
		})
		d.on("2026-05-20")
		d.report(list("invoice=1 state=paid at=2026-05-19 amount=100 reference=A")...)
		before := d.now().Balance
		own := d.hand().Name(1)
		const good = "invoice=1 state=received at=2026-05-19"
		for _, tt := range []struct{ list, want string }{
			{"", "report required"},
			{"state=received at=2026-05-19", "report[1]/invoice required"},
			{"invoice=one state=received at=2026-05-19", "report[1]/invoice invalid_number"},
			{"invoice=-1 state=received at=2026-05-19", "report[1]/invoice invalid_number"},
			{"bundle=one state=received at=2026-05-19", "report[1]/bundle invalid_bundle"},
			{"bundle=invoice-01-hand-over-1 state=received at=2026-05-19", "report[1]/bundle invalid_bundle"},
			{"invoice=2 bundle=" + own + " state=received at=2026-05-19", "report[1]/bundle other_invoice"},
			{fmt.Sprintf("invoice=2 bundle=%d state=received at=2026-05-19", d.hand().ID), "report[1]/bundle other_invoice"},
			{"bundle=" + strings.Replace(own, "invoice-1-", "invoice-2-", 1) + " state=received at=2026-05-19", "report[1]/bundle other_invoice"},
			{"invoice=999 state=received at=2026-05-19", "report[1]/invoice not_found"},
			{"invoice=2 state=received at=2026-05-19", "report[1]/invoice not_found"},
			{"bundle=999 state=received at=2026-05-19", "report[1]/bundle not_found"},
			{fmt.Sprintf("bundle=%d state=received at=2026-05-19", theirs.ID), "report[1]/bundle not_found"},
			{"bundle=" + theirs.Name(1) + " state=received at=2026-05-19", "report[1]/bundle not_found"},
			{"bundle=" + ended.Name(3) + " state=received at=2026-05-19", "report[1]/bundle withdrawn"},
			{"invoice=3 state=paid at=2026-05-19 amount=1", "report[1]/invoice withdrawn"},
			{"invoice=1 at=2026-05-19", "report[1]/state required"},
			{"invoice=1 state=lost at=2026-05-19", "report[1]/state invalid_state"},
			{"invoice=1 state=received", "report[1]/at required"},
			{"invoice=1 state=received at=19.05.2026", "report[1]/at invalid_date"},
			{"invoice=1 state=received at=2026-05-21", "report[1]/at date_in_future"},
			{"invoice=1 state=received at=2026-05-17", "report[1]/at before_hand_over"},
			{"invoice=1 state=paid at=2026-05-19", "report[1]/amount required"},
			{"invoice=1 state=paid at=2026-05-19 amount=0", "report[1]/amount amount_not_positive"},
			{"invoice=1 state=paid at=2026-05-19 amount=-1", "report[1]/amount out_of_range"},
			{"invoice=1 state=paid at=2026-05-19 amount=1.001", "report[1]/amount invalid_amount"},
			{"invoice=1 state=paid at=2026-05-19 amount=1 fees=x", "report[1]/fees invalid_amount"},
			{"invoice=1 state=paid at=2026-05-19 amount=10 principal=9 interest=0.99", "report[1]/amount parts_differ"},
			{"invoice=1 state=received at=2026-05-19 amount=1", "report[1]/amount not_paid"},
			{"invoice=1 state=received at=2026-05-19 reference=" + strings.Repeat("r", 101), "report[1]/reference too_long"},
			{"invoice=1 state=received at=2026-05-19 reference=a\u202eb", "report[1]/reference control_character"},
			{"invoice=1 state=rejected at=2026-05-19 reason=" + strings.Repeat("r", 501), "report[1]/reason too_long"},
			{"invoice=1 state=paid at=2026-05-19 amount=100.01 reference=A", "report[1]/amount differs"},
			{"invoice=1 state=paid at=2026-05-20 amount=100 reference=A", "report[1]/at differs"},
			{good + "|" + good, "report[2]/state repeated"},
			{good + " reference=X|" + good + " reference=X", "report[2]/reference repeated"},
			{"invoice=1 state=withdrawn at=2026-05-19|invoice=1 state=paid at=2026-05-19 amount=1", "report[2]/invoice withdrawn"},
			{good + "|invoice=9 state=eaten at=2027-01-01|invoice=3 state=received at=2026-05-19", "report[2]/state invalid_state, report[2]/at date_in_future, report[2]/invoice not_found, report[3]/invoice withdrawn"},
		} {
			var reports []models.CollectorTold
			for one := range strings.SplitSeq(tt.list, "|") {
				if one != "" {
					reports = append(reports, list(one)...)
				}
			}
			err := d.db.InTx(ctx, func(_ context.Context, tx *store.Tx) error {
				_, err := dunning.ReportCollection(ctx, tx, d.creditor, reports, actor)
				return err
			})
			if got := places(err); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.list, got, tt.want)
			}
			err = d.db.View(ctx, func(v store.View) error {
				_, err := dunning.CheckReports(ctx, v, d.creditor, reports, d.db.Now())
				return err
			})
			if got := places(err); got != tt.want {
				t.Errorf("checked, %s: %s, want %s", tt.list, got, tt.want)
			}
		}
		kept, err := d.db.CollectionReports(ctx, d.creditor.ID, []int64{d.hand().ID, ended.ID})
		if err != nil || len(kept[d.hand().ID]) != 1 || len(kept[ended.ID]) != 0 || d.now().Balance != before {
			t.Errorf("kept is %v (%v), and %s is owed", kept, err, d.now().Balance)
		}
	})
}

// TestC1EachReportIsTakenOnce: a list comes twice, and twice at once.
func TestC1EachReportIsTakenOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.do(d.handOver)
		d.on("2026-04-10")
		all := []models.CollectorTold{
			told("invoice=1", "state=received", "at=2026-04-01"),
			told("bundle="+d.hand().Name(1)+".zip", "state=paid", "at=2026-04-09", "amount=300", "principal=200", "interest=60", "fees=40", "reference=K-1"),
			told("invoice=1", "state=paid", "at=2026-04-09", "amount=300"), // another payment without a reference
		}
		var both sync.WaitGroup
		news := make([]int, 2)
		for n := range 2 {
			both.Go(func() {
				must(t, d.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					taken, err := dunning.ReportCollection(ctx, tx, d.creditor, all, actor)
					news[n] = 0
					for _, r := range taken {
						if !r.Known {
							news[n]++
						}
					}
					return err
				}))
			})
		}
		both.Wait()
		if news[0]+news[1] != 3 {
			t.Errorf("new were %v", news)
		}
		for _, r := range d.report(all...) {
			if !r.Known || r.Bundle != d.hand().Name(1) || r.Number != 1 {
				t.Errorf("%+v is not known", r)
			}
		}
		if i := d.now(); i.Balance != kroner("400") || i.HandedOver != day("2026-03-30") {
			t.Errorf("the invoice is %+v", i)
		}
		d.logged(
			"collection.reported The debt collector tells of invoice 1: received on 2026-04-01, by "+actor,
			"collection.reported The debt collector tells of invoice 1: 300.00 was paid on 2026-04-09, reference K-1, by "+actor,
			"collection.reported The debt collector tells of invoice 1: 300.00 was paid on 2026-04-09, by "+actor,
		)
		must(t, d.db.View(t.Context(), func(v store.View) error {
			month, err := models.ParseMonth("2026-04")
			must(t, err)
			r, err := receivables.ReadMonth(t.Context(), v, d.creditor, month)
			if of := r.Of(models.MovementCollector); of.Items != 2 || of.Amount != kroner("-600") {
				t.Errorf("the month has %+v", of)
			}
			return err
		}))
		entries, err := d.db.EntriesOfInvoice(t.Context(), d.invoice.ID)
		must(t, err)
		var comments []string
		for _, e := range entries[1:] {
			comments = append(comments, fmt.Sprintf("%s %s %s %q", e.Type, e.Amount, e.TransactionDate, e.Comment))
		}
		if got := strings.Join(comments, ", "); got != `PAYMENT -300.00 2026-04-09 "debt collector K-1", PAYMENT -300.00 2026-04-09 "debt collector"` {
			t.Errorf("booked is %s", got)
		}
	})
}

// TestC4WhatTheCollectorGivesBackIsOnHold until a person speaks; a dispute stays one.
func TestC4WhatTheCollectorGivesBackIsOnHold(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		d.do(d.handOver)
		d.on("2026-04-10")
		d.report(told("invoice=1", "state=withdrawn", "at=2026-04-09", "reason=he has moved to Spain"))
		i := d.now()
		if h := i.Hold; i.HandedOver != 0 || !h.Held || h.Until != 0 || h.Reason != models.HoldCollector || h.Comment != "he has moved to Spain" {
			t.Errorf("the invoice is %+v", i)
		}
		if h := d.hand(); h.State != models.HandOverEnded || h.TakenBack != day("2026-04-10") {
			t.Errorf("the hand-over is %+v", h)
		}
		d.on("2026-04-13")
		d.run()
		if i := d.now(); i.Notices != 0 || i.HandedOver != 0 {
			t.Errorf("a run has gone on: %+v", i)
		}
		d.refused("[withdrawn]", func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.ReportCollection(ctx, tx, d.creditor, list("invoice=1 state=paid at=2026-04-13 amount=1"), actor)
			return err
		})
		d.report(told("invoice=1", "state=withdrawn", "at=2026-04-09", "reason=he has moved to Spain")) // the same once more
		d.do(func(ctx context.Context, tx *store.Tx) error {
			return dunning.ReleaseInvoice(ctx, tx, d.creditor, d.invoice.ID, actor)
		})
		d.do(d.handOver)
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{Reason: models.HoldDispute, Until: day("2026-05-01"), Comment: "broken"}, actor)
			return err
		})
		d.report(told("invoice=1", "state=withdrawn", "at=2026-04-13"))
		if h := d.now().Hold; h != (models.Hold{Held: true, Reason: models.HoldDispute, Comment: "broken"}) {
			t.Errorf("the hold of a disputed claim is %+v", h)
		}
	})
}

// TestC4WhatIsClosedUnpaidIsLost, if anything is owed; money that comes later is free credit.
func TestC4WhatIsClosedUnpaidIsLost(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.do(d.handOver)
		d.on("2026-04-10")
		d.report(
			told("invoice=1", "state=closed_unpaid", "at=2026-04-10", "reference=end"),
			told("invoice=1", "state=paid", "at=2026-04-09", "amount=250", "reference=end"),
		)
		if i := d.now(); i.Closed != models.ClosedLost || i.Balance != kroner("750") || i.HandedOver == 0 {
			t.Errorf("the invoice is %+v", i)
		}
		d.report(told("invoice=1", "state=paid", "at=2026-04-10", "amount=1000", "reference=late"))
		if i := d.now(); i.Closed != models.ClosedLost || i.Balance != kroner("-250") {
			t.Errorf("after late money the invoice is %+v", i)
		}
		d.report(told("invoice=1", "state=closed_unpaid", "at=2026-04-10", "reference=again"))
		d.do(func(ctx context.Context, _ *store.Tx) error {
			differences, err := ledger.Verify(ctx, d.db, d.creditor)
			if len(differences) > 0 {
				t.Error(differences)
			}
			return err
		})
	})
}
