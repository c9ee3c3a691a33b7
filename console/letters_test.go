package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/ledger/receivables"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// failed issues an invoice by e-mail, whose mail the server refuses.
func (b *browser) failed(words string) models.Shipment {
	b.t.Helper()
	invoice := rows.Invoice(b.t, b.db, b.creditor, func(o *billing.InvoiceRequest) { o.Method = models.ByEmail })
	of, err := b.db.ShipmentsOf(b.t.Context(), invoice.Document())
	must(b.t, err)
	b.refused(of[0].ID, words)
	return of[0]
}

// refused has a shipment refused by the mail server.
func (b *browser) refused(shipment int64, words string) {
	b.t.Helper()
	b.write(func(ctx context.Context, tx *store.Tx) error {
		taken, err := shipments.TakeAll(ctx, tx, shipments.SecondLook{Rules: b.config.Runs.Rules}, []int64{shipment}, "worker")
		if err != nil {
			return err
		}
		_, err = shipments.Record(ctx, tx, taken[0], "", models.Refuse(models.BlameRecipient, nil, "%s", words))
		return err
	})
}

func TestL16AStatementThatFailedIsNotOfferedOnPaper(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		var statement int64
		invoice := rows.Invoice(t, b.db, b.creditor)
		b.write(func(ctx context.Context, tx *store.Tx) error {
			sent, err := receivables.Send(ctx, tx, b.creditor, invoice.CustomerID, store.Dates{}, "kari@example.no", "a person")
			statement = sent.ID
			return err
		})
		b.refused(statement, "550 no such mailbox")
		page := b.get("letters?state=failed").says("550 no such mailbox", "Send again")
		if strings.Contains(page.text(), "on paper") {
			t.Error("a statement, which goes by e-mail alone, is offered on paper")
		}
	})
}

func (b *browser) sendings(s models.Shipment) string {
	b.t.Helper()
	of, err := b.db.ShipmentsOf(b.t.Context(), s.Document())
	must(b.t, err)
	said := ""
	for _, s := range of {
		said += fmt.Sprintf("%s %s %s; ", s.Method, s.State, s.Recipient.Email)
	}
	return said
}

func TestE10ALetterThatFailedIsSentAgainOnce(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		b.withAccount()
		b.get("letters").says("Everything has arrived.")
		b.get("letters?state=nonsense").is(http.StatusBadRequest)
		first, second, third := b.failed("550 mailbox <unknown>"), b.failed("552 full"), b.failed("550 no")
		b.get("letters?state=failed").is(http.StatusOK).says("550 mailbox <unknown>", "kari@example.no", "Invoice 1", "552 full", "Send again", "Send on paper instead", "Letters 3")
		b.get("letters?state=waiting").says("None")

		retry := fmt.Sprintf("letters/%d/again", first.ID)
		back := b.base + "/letters?state=failed"
		b.post(retry, "once", "1", "back", back, "way", "EMAIL", "shipment", b.boxOf(first), "email", "kari@", "seen", "0").is(http.StatusUnprocessableEntity).says("not a valid e-mail address")
		to := []string{"once", "2", "back", back, "way", "EMAIL", "shipment", b.boxOf(first), "email", "ny@example.no", "seen", "0"}
		b.post(retry, to...).leads(back)
		b.get("letters?state=failed").says("Invoice 1 is sent again to ny@example.no.", "Letters 2")
		b.post(retry, to...).leads(back)                                                                              // a double click
		b.post(retry, append(to[2:], "once", "3")...).is(http.StatusConflict).says("It has changed since you looked") // another tab
		if got := b.sendings(first); got != "EMAIL owed ny@example.no; " {
			t.Errorf("the mail is %s", got)
		}
		b.post(fmt.Sprintf("letters/%d/again", second.ID), "once", "4", "way", "EMAIL", "shipment", b.boxOf(second), "method", "PAPER", "seen", "0").is(http.StatusSeeOther)
		if got := b.sendings(second); got != "EMAIL failed kari@example.no; PAPER owed kari@example.no; " {
			t.Errorf("on paper it is %s", got)
		}
		b.get("letters?state=waiting").says("Invoice 1", "Invoice 2", "Paper")
		page := b.get("letters?state=failed").says("Invoice 3", "Letters 1")
		if strings.Contains(page.text(), "552 full") {
			t.Error("what was sent on paper instead still waits")
		}
		of := fmt.Sprintf("letters/%d/again", third.ID)
		b.post(of, "once", "5", "method", "PIGEON").is(http.StatusBadRequest)
		b.post(of, "once", "6", "way", "EMAIL", "email", "kari@example.no").is(http.StatusUnprocessableEntity).says("Choose something first.")
		b.post(of, "once", "7", "way", "EMAIL", "shipment", "nonsense").is(http.StatusBadRequest)

		stranger := b.newCreditor("Fremmed")
		b.creditor = stranger
		b.signIn(b.newKey(stranger, models.ScopeAdmin))
		if strings.Contains(b.get("letters?state=failed").is(http.StatusOK).text(), "550") {
			t.Error("another creditor's failed mail is there")
		}
		b.post(of, "once", "8", "way", "EMAIL", "shipment", b.boxOf(third), "email", "kari@example.no").is(http.StatusNotFound)
		b.post(fmt.Sprintf("letters/%d/retry", third.ID), "once", "9").is(http.StatusNotFound)
		b.get("today").says("Nothing waits for you")
	})
}

// boxOf returns what the box of a shipment that failed sends.
func (b *browser) boxOf(s models.Shipment) string {
	b.t.Helper()
	now, err := b.db.Shipment(b.t.Context(), s.ID)
	must(b.t, err)
	return fmt.Sprintf("%d:%s", s.ID, shipments.LookAt(now))
}

func TestE10TodaySaysWhatWaits(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	b.get("today").is(http.StatusOK).says("Nothing waits for you", "What came in", "What goes out today", "Who owes most", "Money", "Nobody owes anything", "Steps of today's run")
	b.queue(500_00, 30_00)
	b.failed("550 no")
	b.clock.Set(start.AddDate(0, 0, 21))
	b.signIn(b.key)
	page := b.get("today").says("2 payments could not be matched", "530,00 in all.", "Match payments", "1 letter or e-mail did not arrive", "See and send again",
		"14 bank days are missing", "See the late files", "Kari Nordmann", "OCR.txt", "Bank 2")
	if strings.Count(page.body, `<ul class="waits">`) != 1 || strings.Count(page.body, `<a class="button" href=`) != 3 {
		t.Errorf("the page shows\n%s", page.body)
	}
	b.get("today", "Accept-Language", "nb").says("Venter på deg", "2 betalinger kunne ikke kobles", "I dag")
}

// TestD105TodayAndOperationsTellWhatWaitsForAWay: what is kept back, by its reason, and ways that are missing, paused or not the
// same in all parts.
func TestD105TodayAndOperationsTellWhatWaitsForAWay(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	b.get("operations").says("Ways out", "E-mail leaves by ")
	keep := func(why string) {
		invoice := rows.Invoice(b.t, b.db, b.creditor, func(o *billing.InvoiceRequest) { o.Method = models.ByEmail })
		of, err := b.db.ShipmentsOf(b.t.Context(), invoice.Document())
		must(b.t, err)
		b.write(func(ctx context.Context, tx *store.Tx) error {
			of[0].KeptBack, of[0].Reason = why, why
			return tx.UpdateShipment(ctx, of[0])
		})
	}
	keep(models.KeptNotReady)
	keep(models.KeptPaused)
	keep(models.KeptRefused)
	b.get("today").says("1 letter or e-mail waits for the creditor’s details", "Fill in the details", "2 letters and e-mails wait, because sending has stopped", "They were refused for a setting")
	b.get("letters?state=waiting").says("Waits: the creditor’s details are not complete", "Waits: sending is paused")
	keep(models.KeptMissing)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		must(t, tx.AddWorker(ctx, &store.Worker{ID: "one", Ways: models.Ways{models.ByPaper: models.WayIPP}.String()}))
		must(t, tx.AddWorker(ctx, &store.Worker{ID: "two"}))
		paused, err := tx.LockWayOut(ctx, b.creditor.ID, models.ByEHF)
		must(t, err)
		paused.PausedSince = &tx.Now
		must(t, tx.UpdateWayOut(ctx, paused))
		must(t, tx.SetSetting(ctx, shipments.SchedulerWays, models.Ways{models.ByPaper: models.WaySFTP}.String()))
		return shipments.NoteLeft(ctx, tx, models.ByEmail, models.WaySMTP)
	})
	b.get("today").says("3 letters and e-mails wait, because sending has stopped", "has lost the setting")
	b.get("operations").says("E-mail has left by smtp before, and no part has that way now. It waits.", "The parts differ: Paper leaves by a folder, ipp, sftp", "EHF is paused: one after the other was refused")
}

// TestD98TodayNamesClaimsWithTheCollectorWithoutAWarning: the warning's letter turns out to have failed after a person's hand-over. What is
// reopened waits for nobody. The calculation says why a fee is gone, if the first letter left late.
func TestD98TodayNamesClaimsWithTheCollectorWithoutAWarning(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	invoice := rows.Invoice(t, b.db, b.creditor)
	notice := func(day int, warning bool) (n models.Notice) {
		b.clock.Set(start.AddDate(0, 0, day))
		b.write(func(ctx context.Context, tx *store.Tx) (err error) {
			n, err = dunning.IssueNotice(ctx, tx, law.Default(), b.creditor, invoice.ID, dunning.Request{AddFee: true, Warning: warning, Actor: "Kari"})
			return err
		})
		rows.Send(t, b.db, b.creditor)
		return n
	}
	rows.Send(t, b.db, b.creditor)
	b.creditor.Policy.DaysToPay = 18
	b.write(func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCreditor(ctx, &b.creditor) })
	first := notice(30, false)
	warning := notice(62, true)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.LetterLeft(ctx, tx, b.creditor, first.ID, first.IssueDate+4)
		return err
	})
	b.signIn(b.key)
	b.get(fmt.Sprintf("invoices/%d/notices/%d/calculation", invoice.Number, warning.ID)).is(http.StatusOK).
		says("The invoice, or the letter before the notice, left on", "no fee before 2026-05-07")
	b.get(fmt.Sprintf("invoices/%d", invoice.Number)).says("the letter before it left on")
	b.clock.Set(start.AddDate(0, 0, 85))
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HandOverInvoice(ctx, tx, b.creditor, invoice.ID, "Kari")
		return err
	})
	b.signIn(b.key)
	const unwarned = "1 claim is with the debt collector without a warning"
	if page := b.get("today"); strings.Contains(page.body, unwarned) {
		t.Errorf("the page shows\n%s", page.body)
	}
	b.write(func(ctx context.Context, tx *store.Tx) error {
		return dunning.WithdrawFailed(ctx, tx, b.creditor.ID, warning.ID, "lost")
	})
	b.get("today").says(unwarned, fmt.Sprintf("Invoice %d: the warning was withdrawn", invoice.Number), "See the invoice")
	b.get("today", "Accept-Language", "nb").says("1 krav er hos inkasso uten inkassovarsel")
	b.get("today", "Accept-Language", "nn").says("1 krav er hos inkasso utan inkassovarsel")
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.ReopenInvoice(ctx, tx, b.creditor, invoice.ID, "Kari")
		return err
	})
	if page := b.get("today"); strings.Contains(page.body, unwarned) {
		t.Errorf("the page shows\n%s", page.body)
	}
}

// TestD96TodayTellsOfARepayment has a customer owe a repayment alone: no letter asks for it, so Today tells a person of it, until it is
// paid, and nowhere is it overdue.
func TestD96TodayTellsOfARepayment(t *testing.T) {
	b := open(t, models.ScopeWrite, nil)
	b.withAccount()
	register := func(id int64, amount models.Amount) (e models.Entry) {
		b.write(func(ctx context.Context, tx *store.Tx) (err error) {
			e, err = ledger.RegisterOnInvoice(ctx, tx, b.creditor.ID, id, ledger.Payment{Amount: amount, Date: rows.Today}, rows.Today)
			return err
		})
		return e
	}
	owing := func() models.Invoice {
		invoice := rows.Invoice(t, b.db, b.creditor)
		wrong := register(invoice.ID, -1500_00)
		register(invoice.ID, 500_00)
		b.write(func(ctx context.Context, tx *store.Tx) error {
			return ledger.DeletePayment(ctx, tx, b.creditor.ID, wrong.ID, rows.Today, "a person")
		})
		register(invoice.ID, -1000_00)
		return invoice
	}
	first := owing()
	b.clock.Set(start.AddDate(0, 0, 60))
	b.signIn(b.key)
	leads := func(page *shown, path string) {
		t.Helper()
		if !strings.Contains(page.body, path+`" data-key="Enter"`) {
			t.Errorf("the first thing that waits leads elsewhere than to %s\n%s", path, page.body)
		}
	}
	leads(b.get("today").says("A repayment is owed on 1 invoice", "500,00 was paid out of money", "See the invoice", "Outstanding 500,00 Overdue 0,00"),
		fmt.Sprintf("/invoices/%d", first.Number))
	if page := b.get("invoices?status=overdue"); strings.Contains(page.body, first.Recipient.Name1) {
		t.Errorf("overdue is\n%s", page.body)
	}
	b.get("today", "Accept-Language", "nb").says("Én faktura skylder en tilbakebetaling", "Se fakturaen")
	b.get("today", "Accept-Language", "nn").says("Éin faktura skuldar ei tilbakebetaling", "Sjå fakturaen")
	second := owing()
	leads(b.get("today").says("A repayment is owed on 2 invoices", "000,00 was paid out"), fmt.Sprintf("/invoices/%d", first.Number))
	register(first.ID, -500_00)
	register(second.ID, -500_00)
	if page := b.get("today"); strings.Contains(page.body, "repayment") {
		t.Errorf("when it is paid Today shows\n%s", page.body)
	}
}

// TestD117WhatAClockPutOffIsSentAgainFromTheWaitingTab: a mail that a clock which was ahead has put off, or that waits because it was refused
// for a setting, has a button on the waiting tab. Others that wait have none.
func TestD117WhatAClockPutOffIsSentAgainFromTheWaitingTab(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		b.withAccount()
		var ids []int64
		for _, change := range []func(s *models.Shipment, common time.Time){
			func(s *models.Shipment, common time.Time) { s.NextAttempt = common.Add(25 * time.Hour) },
			func(s *models.Shipment, common time.Time) {
				s.NextAttempt, s.KeptBack = common.Add(time.Hour), models.KeptRefused
			},
			func(s *models.Shipment, common time.Time) { s.NextAttempt = common.Add(time.Hour) },
		} {
			invoice := rows.Invoice(b.t, b.db, b.creditor, func(o *billing.InvoiceRequest) { o.Method = models.ByEmail })
			of, err := b.db.ShipmentsOf(b.t.Context(), invoice.Document())
			must(t, err)
			b.write(func(ctx context.Context, tx *store.Tx) error {
				change(&of[0], tx.Common)
				return tx.UpdateShipment(ctx, of[0])
			})
			ids = append(ids, of[0].ID)
		}
		page := b.get("letters?state=waiting").is(http.StatusOK)
		if n := strings.Count(page.body, "/retry"); n != 2 {
			t.Errorf("%d of the three have a button:\n%s", n, page.body)
		}
		back := b.base + "/letters?state=waiting"
		for i, id := range ids[:2] {
			b.post(fmt.Sprintf("letters/%d/retry", id), "once", fmt.Sprint(i), "back", back).leads(back)
			if s, err := b.db.Shipment(t.Context(), id); err != nil || s.NextAttempt.After(b.db.Common()) {
				t.Errorf("the mail waits until %s (%v)", s.NextAttempt, err)
			}
		}
		page = b.get("letters?state=waiting").says("is tried at once")
		if strings.Contains(page.body, "/retry") {
			t.Error("what is due has a button")
		}
	})
}
