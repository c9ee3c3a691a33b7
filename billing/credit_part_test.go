package billing_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// part is a line that credits a part.
func part(text string, net models.Amount, vat models.VATName) billing.CreditLine {
	return billing.CreditLine{Text: text, Net: net, VAT: vat}
}

// parts is a request for a credit note on a part.
func parts(lines ...billing.CreditLine) billing.CreditNoteRequest {
	return billing.CreditNoteRequest{Method: models.ByPaper, Lines: lines}
}

func TestL27PartsUpToTheWhole(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c, func(o *billing.InvoiceRequest) {
			o.Lines = []models.Line{line("Sykkel", "4000", "1", models.VATHigh), line("Bok", "300", "1", models.VATNone)}
		})
		first, err := tryCredit(t, db, c, invoice.ID, parts(part("Ripe i lakken", 400_00, models.VATHigh), part("Brettet hjørne", 50_00, models.VATNone)))
		must(t, err)
		if !first.Partial || first.Net != 450_00 || first.Gross != 550_00 || first.Balance != 0 {
			t.Errorf("the first part is %+v", first)
		}
		lines, err := db.LinesOfCreditNote(t.Context(), first)
		must(t, err)
		if len(lines) != 2 || lines[0].Text != "Ripe i lakken" || lines[0].VATPercent != 25_00 || lines[0].Gross != 500_00 || lines[1].Gross != 50_00 || lines[1].Position != 2 {
			t.Errorf("its lines are %+v", lines)
		}
		if left := balanceOf(t, db, c, invoice.ID); left != 4750_00 {
			t.Errorf("%s are owed after the first part", left)
		}
		rest, err := tryCredit(t, db, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper})
		must(t, err)
		if lines, err = db.LinesOfCreditNote(t.Context(), rest); err != nil || len(lines) != 2 || lines[0].Text != "Resten av faktura 1" ||
			lines[0].Net != 3600_00 || lines[1].Net != 250_00 || rest.Gross != 4750_00 {
			t.Errorf("the rest is %+v of %s, %v", lines, rest.Gross, err)
		}
		if left := balanceOf(t, db, c, invoice.ID); left != 0 {
			t.Errorf("%s are owed in the end", left)
		}
		for _, again := range []billing.CreditNoteRequest{{Method: models.ByPaper}, parts(part("Mer", 1, models.VATHigh))} {
			if _, err := tryCredit(t, db, c, invoice.ID, again); rows.Faults(err) != "nothing_left" || models.KindOf(err) != models.KindConflict {
				t.Errorf("once more: %v", err)
			}
		}
		verified(t, db, c)
	})
}

func TestL27WhatIsRefused(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c, func(o *billing.InvoiceRequest) {
			o.Lines = []models.Line{line("Sykkel", "400", "1", models.VATHigh), line("Bok", "300", "1", models.VATNone), line("Rabatt", "-100", "1", models.VATNone)}
		})
		tests := []struct {
			why, want string
			asked     billing.CreditNoteRequest
		}{
			{"lines without a line", "lines required", billing.CreditNoteRequest{Method: models.ByPaper, Lines: []billing.CreditLine{}}},
			{
				"all that is wrong in itself, at once", "lines/line[1]/line_text required; lines/line[1]/net_amount amount_not_positive; lines/line[2]/vat_rate invalid_vat_rate",
				parts(part(" ", 0, models.VATHigh), part("Bok", 1, "FULL")),
			},
			{"a rate that the invoice has not", "lines/line[1]/vat_rate invalid_vat_rate", parts(part("Mat", 1_00, models.VATMedium))},
			{"more than there is at a rate, though not of the whole", "lines/line[1]/net_amount more_than_left", parts(part("Bok", 200_01, models.VATNone))},
			{"more than there is by two lines", "lines/line[2]/net_amount more_than_left", parts(part("Hjul", 300_00, models.VATHigh), part("Sete", 100_01, models.VATHigh))},
			{"nine lines", "lines too_many_lines", parts(slices.Repeat([]billing.CreditLine{part("Hjul", 1, models.VATHigh)}, 9)...)},
		}
		for _, tt := range tests {
			if _, err := tryCredit(t, db, c, invoice.ID, tt.asked); rows.Faults(err) != tt.want {
				t.Errorf("%s: %q, want %q", tt.why, rows.Faults(err), tt.want)
			}
		}
		if s, err := db.Series(t.Context(), c.ID); err != nil || s.Next != 2 {
			t.Errorf("the next number is %d, %v", s.Next, err)
		}
		rows.CreditNote(t, db, c, invoice)
		if _, err := tryCredit(t, db, c, invoice.ID, parts(part("Hjul", 1, models.VATHigh))); rows.Faults(err) != "already_credited" {
			t.Errorf("a part of an invoice that is credited: %v", err)
		}
	})
}

// TestL27ADiscountAtAnotherRate: each rate has enough, and all of it is more than the invoice is of.
func TestL27ADiscountAtAnotherRate(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c, func(o *billing.InvoiceRequest) {
			o.Lines = []models.Line{line("Sykkel", "400", "1", models.VATHigh), line("Rabatt", "-100", "1", models.VATNone)}
		})
		if _, err := tryCredit(t, db, c, invoice.ID, parts(part("Sykkel", 400_00, models.VATHigh))); rows.Faults(err) != "lines more_than_left" {
			t.Errorf("above the whole: %v", err)
		}
		_, err := tryCredit(t, db, c, invoice.ID, parts(part("Sykkel", 300_00, models.VATHigh)))
		must(t, err)
		rest, err := tryCredit(t, db, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper})
		must(t, err)
		lines, err := db.LinesOfCreditNote(t.Context(), rest)
		if err != nil || len(lines) != 2 || lines[0].Net != 100_00 || lines[1].Net != -100_00 || rest.Gross != 25_00 {
			t.Errorf("the rest is %+v of %s, %v", lines, rest.Gross, err)
		}
		verified(t, db, c)
	})
}

// TestL27FeesGoWithTheLastOfThePrincipal: fees and interest are reversed only when no principal is left.
func TestL27FeesGoWithTheLastOfThePrincipal(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c, func(o *billing.InvoiceRequest) { o.Lines = []models.Line{line("Bok", "300", "1", models.VATNone)} })
		rows.Write(t, db, func(tx *store.Tx) error {
			return ledger.Post(t.Context(), tx, []models.Entry{{CreditorID: c.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: models.EntryOverdueCharge, Amount: 35_00, TransactionDate: rows.Today}}, "")
		})
		for _, step := range []struct{ net, owed models.Amount }{{100_00, 235_00}, {199_99, 35_01}, {1, 0}} {
			_, err := tryCredit(t, db, c, invoice.ID, parts(part("Bok", step.net, models.VATNone)))
			must(t, err)
			if left := balanceOf(t, db, c, invoice.ID); left != step.owed {
				t.Errorf("after %s more %s are owed, want %s", step.net, left, step.owed)
			}
		}
		verified(t, db, c)
	})
}

// TestL27APartOfAPaidInvoiceIsTheCustomers: what was paid is free credit, and it comes back when the payment is taken back.
func TestL27APartOfAPaidInvoiceIsTheCustomers(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c, func(o *billing.InvoiceRequest) { o.Lines = []models.Line{line("Bok", "300", "1", models.VATNone)} })
		var paid models.Entry
		rows.Write(t, db, func(tx *store.Tx) (err error) {
			paid, err = ledger.RegisterOnInvoice(t.Context(), tx, c.ID, invoice.ID, ledger.Payment{Amount: -300_00, Date: rows.Today}, rows.Today)
			return err
		})
		for range 2 {
			note, err := tryCredit(t, db, c, invoice.ID, parts(part("Bok", 100_00, models.VATNone)))
			must(t, err)
			if note.Balance != -100_00 {
				t.Errorf("the customer's part is %s", -note.Balance)
			}
		}
		rows.Write(t, db, func(tx *store.Tx) error { return ledger.DeletePayment(t.Context(), tx, c.ID, paid.ID, rows.Today, "") })
		if left := balanceOf(t, db, c, invoice.ID); left != 100_00 {
			t.Errorf("%s are owed once the payment is taken back", left)
		}
		verified(t, db, c)
	})
}

func TestL27PartsAtOnceCreditNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		invoice := rows.Invoice(t, db, c, func(o *billing.InvoiceRequest) { o.Lines = []models.Line{line("Bok", "300", "1", models.VATNone)} })
		var credited atomic.Int32
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() {
				switch _, err := tryCredit(t, db, c, invoice.ID, parts(part("Bok", 100_00, models.VATNone))); rows.Faults(err) {
				case "":
					credited.Add(1)
				case "nothing_left", "lines/line[1]/net_amount more_than_left":
				default:
					t.Error(err)
				}
			})
		}
		clients.Wait()
		if credited.Load() != 3 || balanceOf(t, db, c, invoice.ID) != 0 {
			t.Errorf("credited %d times, %s are owed", credited.Load(), balanceOf(t, db, c, invoice.ID))
		}
		verified(t, db, c)
	})
}

// TestL27RandomPartsAddUpToTheInvoice credits parts at random, and then the rest: net, VAT and gross add up to the invoice's by rate.
func TestL27RandomPartsAddUpToTheInvoice(t *testing.T) {
	t.Parallel()
	testkit.Share(t)
	db := rows.Open(t, testkit.SQLite(t))
	c := rows.Creditor(t, db)
	rapid.Check(t, func(rt *rapid.T) {
		rates := []models.VATName{models.VATHigh, models.VATMedium, models.VATNone}
		invoice := rows.Invoice(t, db, c, func(o *billing.InvoiceRequest) {
			o.Lines = nil
			for range rapid.IntRange(1, 5).Draw(rt, "lines") {
				price := fmt.Sprintf("%d.%02d", rapid.IntRange(0, 50).Draw(rt, "kroner"), rapid.IntRange(1, 99).Draw(rt, "øre"))
				o.Lines = append(o.Lines, line("Vare", price, "1", rapid.SampledFrom(rates).Draw(rt, "rate")))
			}
		})
		want, got := map[models.VATName][2]models.Amount{}, map[models.VATName][2]models.Amount{}
		add := func(to map[models.VATName][2]models.Amount, lines []models.Line) {
			for _, l := range lines {
				to[l.VAT] = [2]models.Amount{to[l.VAT][0] + l.Net, to[l.VAT][1] + l.Gross}
			}
		}
		own, err := db.InvoiceLines(t.Context(), invoice.ID)
		must(t, err)
		add(want, own)
		for range rapid.IntRange(1, 6).Draw(rt, "parts") {
			asked := part("Del", models.Amount(rapid.IntRange(1, 20_00).Draw(rt, "net")), rapid.SampledFrom(rates).Draw(rt, "of"))
			if note, err := tryCredit(t, db, c, invoice.ID, parts(asked)); err == nil {
				lines, err := db.LinesOfCreditNote(t.Context(), note)
				must(t, err)
				add(got, lines)
			}
		}
		if rest, err := tryCredit(t, db, c, invoice.ID, billing.CreditNoteRequest{Method: models.ByPaper}); err == nil {
			lines, err := db.LinesOfCreditNote(t.Context(), rest)
			must(t, err)
			add(got, lines)
		} else if rows.Faults(err) != "nothing_left" {
			rt.Fatal(err)
		}
		for _, vat := range rates {
			if got[vat] != want[vat] {
				rt.Errorf("at %s %v is credited of %v", vat, got[vat], want[vat])
			}
		}
	})
	verified(t, db, c)
}

// balanceOf returns what is owed on an invoice.
func balanceOf(t *testing.T, db *store.DB, c models.Creditor, id int64) models.Amount {
	t.Helper()
	i, err := db.Invoice(t.Context(), c.ID, id)
	must(t, err)
	return i.Balance
}

// verified fails the test if the books do not agree.
func verified(t *testing.T, db *store.DB, c models.Creditor) {
	t.Helper()
	differences, err := ledger.Verify(t.Context(), db, c)
	if err != nil || len(differences) > 0 {
		t.Errorf("the books are not right: %v, %v", differences, err)
	}
}
