package dunning_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/law"
	"purr/models"
)

// anyState draws the state of an invoice that was due on a day, of which letters and ledger are not read.
func anyState(t *rapid.T, due models.Date) dunning.State {
	hold := func(label string) models.Hold {
		if !rapid.Bool().Draw(t, label) {
			return models.Hold{}
		}
		return models.Hold{Held: true, Until: dateIn(t, label+" until", due, due+90)}
	}
	invoice := rapid.SampledFrom([]models.Invoice{unreminded(due.String()), reminded(1, (due + 20).String()), reminded(2, (due + 40).String()), warned((due + 20).String())}).Draw(t, "invoice")
	invoice.DueDate, invoice.Hold = due, hold("hold")
	invoice.Balance = models.Amount(rapid.SampledFrom([]int64{0, 38_00, 300_00}).Draw(t, "balance"))
	return dunning.State{
		Invoice: invoice, Charges: models.Amount(rapid.SampledFrom([]int64{0, 38_00}).Draw(t, "charges")), CustomerHold: hold("customer's hold"),
		FreeCredit: models.Amount(rapid.SampledFrom([]int64{0, 100_00}).Draw(t, "free credit")), WarnedOn: due - 150, NotReady: rapid.IntRange(0, 9).Draw(t, "ready") == 0,
		NoAddress: rapid.IntRange(0, 5).Draw(t, "address") == 0, LikelyPayer: rapid.IntRange(0, 9).Draw(t, "payer") == 0, FilesLate: rapid.Bool().Draw(t, "files"),
		Unread: dunning.Needs{Letters: true, Ledger: true},
	}
}

// TestDecideSaysWhatItNeeds: where the letters are not needed, no letters make another decision. Where they are, so they are on each
// later day. The ledger is needed for notices alone.
func TestDecideSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	rules, told := law.Default(), map[dunning.Needs]int{}
	needs := func(t *rapid.T) {
		due := dateIn(t, "due", day("2026-01-01"), day("2026-12-31"))
		s, p := anyState(t, due), anyPolicy(t)
		p.Remainder = rapid.SampledFrom([]models.Remainder{models.RemainderWaive, models.RemainderChase, models.RemainderLeave}).Draw(t, "remainder")
		on := dateIn(t, "on", due-5, due+120)
		d := dunning.Decide(s, p, rules, on)
		told[d.Needs]++
		if notice := d.Action == dunning.Remind || d.Action == dunning.Warn; d.Needs.Ledger != notice {
			t.Fatalf("%+v", d)
		}
		if d.Needs.Letters {
			if later := dunning.Decide(s, p, rules, on+dateIn(t, "later", 1, 90)); !later.Needs.Letters {
				t.Fatalf("%+v, and later %+v", d, later)
			}
			return
		}
		s.Unread.Letters = false
		s.Letters = dunning.Letters{Unsent: rapid.Bool().Draw(t, "unsent"), InvoiceLate: rapid.IntRange(0, 30).Draw(t, "late"), NoticeUntil: dateIn(t, "until", due, due+90)}
		if with := dunning.Decide(s, p, rules, on); with != d {
			t.Fatalf("with %+v %+v, else %+v", s.Letters, with, d)
		}
		if d := dunning.Decide(s, p, rules, on); d.Needs.Letters {
			t.Fatalf("the letters are read: %+v", d)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 20 { // most invoices need nothing
			needs(t)
		}
	})
	if len(told) != 3 {
		t.Errorf("not every need was met: %v", told)
	}
}
