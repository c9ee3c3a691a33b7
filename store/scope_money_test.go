package store_test

import (
	"context"
	"errors"
	"strings"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// moneyTrials are the trials of money: what is owed, what was paid, and the bank’s files.
var moneyTrials = map[string]trial{
	"PaymentsToMatch": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.PaymentsToMatch(ctx, c, 0, 10))
	},
	"PaymentsDone": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		h.queued.Status = models.PaymentDismissed
		if err := tx.UpdateUnmatchedPayment(ctx, h.queued); err != nil {
			return false, err
		}
		return some(tx.PaymentsDone(ctx, c, 0, 10))
	},
	"InvoicesPaidBy": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.InvoicesPaidBy(ctx, c, []int64{h.entry.ID})
		return len(found) > 0, err
	},
	"NewestPaymentFiles": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.NewestPaymentFiles(ctx, c, 0, 10))
	},
	"FreeCredit": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.credit(ctx, tx); err != nil {
			return false, err
		}
		free, err := tx.FreeCredit(ctx, c, []int64{h.customer.ID})
		return len(free) > 0, err
	},
	"CustomersWithCredit": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.credit(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.CustomersWithCredit(ctx, c, 0, 10))
	},
	"InvoicesWithBalance": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.InvoicesWithBalance(ctx, c, h.customer.ID))
	},
	"CreditNotesWithBalance": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.credit(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.CreditNotesWithBalance(ctx, c, h.customer.ID))
	},
	"OwedByDueDate": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		now, err := tx.OwedByDueDate(ctx, c, 0)
		if err != nil {
			return false, err
		}
		then, err := tx.OwedByDueDate(ctx, c, rows.Today)
		return len(now)+len(then) > 0, err
	},
	"OwedInvoices": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (reached bool, err error) {
		return reached, tx.OwedInvoices(ctx, c, rows.Today, []models.Date{rows.Today}, func(store.OwedInvoice) { reached = true })
	},
	"InvoicesLapsing": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		found, total, _, err := tx.InvoicesLapsing(ctx, c, rows.Today+2000, everything)
		return len(found) > 0 || total > 0, err
	},
	"UntoldLapses": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.UntoldLapses(ctx, c, rows.Today+2000, 10))
	},
	"LapsesOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.LapsesOf(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"LapseMismatches": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		plan := h.plan // one of which the invoice does not know
		plan.ID, plan.Since = 0, rows.Today+100
		if err := tx.CreatePlan(ctx, &plan); err != nil {
			return false, err
		}
		return some(tx.LapseMismatches(ctx, c))
	},
	"Balances": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.Balances(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"MoneyByDay": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, h.owner.ID); err != nil {
			return false, err
		}
		return some(tx.MoneyByDay(ctx, c, store.Dates{}))
	},
	"Booked": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if err := h.deletePayment(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.Booked(ctx, c, store.Dates{From: rows.Today}, time.UTC))
	},
	"BookedEntries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.deletePayment(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.BookedEntries(ctx, c, store.BookedFilter{Zone: time.UTC}, store.BookedMark{}, 10))
	},
	"ActorsOfBooked": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		err := tx.Log(ctx, models.Event{CreditorID: h.owner.ID, Type: models.EventHoldSet, InvoiceID: h.invoice.ID, Actor: "a person"})
		if err != nil {
			return false, err
		}
		booked := []store.BookedEntry{{InvoiceID: h.invoice.ID, BookedAt: tx.Now}}
		err = tx.ActorsOfBooked(ctx, c, booked)
		return booked[0].Actor == "a person", err
	},
	"WrittenOff": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		facts := models.Facts{"invoice_number": 1, "balance": models.Amount(1), "reason": "lost"}
		if err := tx.Log(ctx, models.Event{CreditorID: h.owner.ID, Type: models.EventInvoiceClosed, InvoiceID: h.invoice.ID, Facts: facts}); err != nil {
			return false, err
		}
		sum, err := tx.WrittenOff(ctx, c, store.Dates{}, time.UTC)
		return sum != 0, err
	},
	"InvoiceFacts": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.InvoiceFacts(ctx, c, []int64{h.invoice.ID})
		return len(found) > 0, err
	},
	"NewestCreditNotes": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.NewestCreditNotes(ctx, c, 0, 10))
	},
	"CreditNoteSums": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, _, _, err := tx.CreditNoteSums(ctx, c)
		return n > 0, err
	},
	"BookedMismatch": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if n, sum, err := tx.BookedMismatch(ctx, c); err != nil || n != 0 || sum != 0 {
			return false, errors.Join(err, errors.New("what is kept is right"))
		}
		if err := tx.Exec(ctx, "UPDATE booked_days SET amount = amount + 1"); err != nil {
			return false, err
		}
		_, sum, err := tx.BookedMismatch(ctx, c)
		return sum != 0, err
	},
	"LastPayments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		paid := h.entry
		paid.ID, paid.Type, paid.Amount = 0, models.EntryOCR, -1
		if err := tx.CreateEntries(ctx, []models.Entry{paid}); err != nil {
			return false, err
		}
		of, err := tx.LastPayments(ctx, c, 0, 10)
		if err != nil {
			return false, err
		}
		own, err := tx.LastPayments(ctx, c, h.customer.ID, 10)
		return len(of)+len(own) > 0, err
	},
	"NoticeResults": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.NoticeResults(ctx, c, store.Dates{}, 10))
	},
	"BalanceBefore": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		sum, err := tx.BalanceBefore(ctx, c, h.customer.ID, rows.Today+1)
		return sum != 0, err
	},
	"StatementEntries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.StatementEntries(ctx, c, h.customer.ID, store.Dates{}, 10))
	},
	"OpenDocuments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.OpenDocuments(ctx, c, h.customer.ID, 0))
	},
	"NewestInvoicesOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, sum, err := tx.NewestInvoicesOf(ctx, c, h.customer.ID, 0, 10)
		return len(found) > 0 || sum.Number > 0, err
	},
	"NewestPaymentsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		paid := h.entry
		paid.ID, paid.Type, paid.Amount = 0, models.EntryOCR, -1
		if err := tx.CreateEntries(ctx, []models.Entry{paid}); err != nil {
			return false, err
		}
		found, sum, err := tx.NewestPaymentsOf(ctx, c, h.customer.ID, paid.ID+1<<40, 10)
		return len(found) > 0 || sum.Number > 0, err
	},
	"NewestLettersOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.NewestLettersOf(ctx, c, h.customer.ID, 10))
	},
	"Entry": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Entry(ctx, c, h.entry.ID))
	},
	"EntriesByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.EntriesByID(ctx, c, []int64{h.entry.ID}))
	},
	"Entries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return counted(tx.Entries(ctx, c, store.EntryFilter{CustomerID: h.customer.ID, Type: models.EntryInvoice}, everything))
	},
	"ApproveAccount": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.ApproveAccount(ctx, c, h.owner.BankAccount); err != nil {
			return false, err
		}
		account, err := tx.BankAccount(ctx, h.owner.BankAccount)
		return account.ApprovedAt != nil, err
	},
	"PaymentFileOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.PaymentFileOf(ctx, c, h.file.ID))
	},
	"PaymentFiles": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.PaymentFiles(ctx, c, everything))
	},
	"FilePartsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		parts, err := tx.FilePartsOf(ctx, c, []models.PaymentFile{h.file})
		return len(parts) > 0, err
	},
	"BankNews": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := tx.ConfirmBankDay(ctx, &models.BankConfirmation{CreditorID: h.owner.ID, BankDay: rows.Today}); err != nil {
			return false, err
		}
		news, err := tx.BankNews(ctx, c, models.SourceSFTP)
		return news.Reached != 0 || news.Confirmed != 0, err
	},
	"UnmatchedPayment": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.UnmatchedPayment(ctx, c, h.queued.ID))
	},
	"UnmatchedPayments": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.UnmatchedPayments(ctx, c, true, true, everything))
	},
	"LockUnmatchedPayment": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockUnmatchedPayment(ctx, c, h.queued.ID))
	},
	"WaitingPayments": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.WaitingPayments(ctx, c, tx.Now.Add(time.Hour), 10))
	},
	"QueuedLines": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		queued, err := tx.QueuedLines(ctx, c, [][]byte{h.queued.LineKey})
		return len(queued) > 0, err
	},
	"PostedLines": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		entries := []models.Entry{{CreditorID: h.owner.ID, Type: models.EntryOCR, TransactionDate: rows.Today, LineKey: lineKey(3)}}
		if err := tx.CreateEntries(ctx, entries); err != nil {
			return false, err
		}
		posted, err := tx.PostedLines(ctx, c, [][]byte{lineKey(3)})
		return len(posted) > 0, err
	},
	"LineLocations": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.LineLocations(ctx, []int64{c}, [][]byte{h.queued.LineKey}))
	},
	"StatementLines": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.addStatementLine(ctx, tx); err != nil {
			return false, err
		}
		return counted(tx.StatementLines(ctx, c, store.StatementFilter{}, everything))
	},
	"EachStatementLine": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (found bool, err error) {
		if err := h.addStatementLine(ctx, tx); err != nil {
			return false, err
		}
		err = tx.EachStatementLine(ctx, c, store.StatementFilter{}, func(models.StatementLine) error { found = true; return nil })
		return found, err
	},
	"StatementLinesOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.addStatementLine(ctx, tx); err != nil {
			return false, err
		}
		return counted(tx.StatementLinesOf(ctx, c, h.file.ID, everything))
	},
	"CustomersPayingFrom": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE entries SET amount = -1, from_account_number = '12345678903'"); err != nil {
			return false, err
		}
		found, err := tx.CustomersPayingFrom(ctx, c, []string{"12345678903"}, 10)
		return len(found) > 0, err
	},
	"PaymentsWithoutLikelyPayer": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.PaymentsWithoutLikelyPayer(ctx, c, 10))
	},
	"SetLikelyPayer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetLikelyPayer(ctx, c, h.customer.ID, []int64{h.queued.ID}); err != nil {
			return false, err
		}
		unseen, err := some(tx.PaymentsWithoutLikelyPayer(ctx, h.owner.ID, 10))
		return !unseen, err
	},
	"LookAtMatches": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		u := h.queued
		u.EntryID = h.entry.ID
		seen, err := tx.LookAtMatches(ctx, c, u)
		return strings.Contains(string(seen[u.ID]), h.invoice.Balance.String()), err
	},
	"LikelyPayers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetLikelyPayer(ctx, h.owner.ID, h.customer.ID, []int64{h.queued.ID}); err != nil {
			return false, err
		}
		found, err := tx.LikelyPayers(ctx, c)
		return len(found) > 0, err
	},
	"Search": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.Search(ctx, c, models.ReadQuery(h.invoice.KID))
		return err == nil && len(found.Hits[models.HitInvoice]) > 0, err
	},
	"ForgetLikelyPayer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetLikelyPayer(ctx, h.owner.ID, h.customer.ID, []int64{h.queued.ID}); err != nil {
			return false, err
		}
		if err := tx.ForgetLikelyPayer(ctx, c, h.customer.ID, h.queued.ID); err != nil {
			return false, err
		}
		left, err := tx.LikelyPayers(ctx, h.owner.ID)
		return err == nil && len(left) == 0, err
	},
	"PaymentsBeside": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		other := h.queued
		other.ID, other.LineKey = 0, lineKey(3)
		queue := []models.UnmatchedPayment{other}
		if err := tx.CreateUnmatchedPayments(ctx, queue); err != nil {
			return false, err
		}
		if err := tx.SetLikelyPayer(ctx, h.owner.ID, h.customer.ID, []int64{h.queued.ID, queue[0].ID}); err != nil {
			return false, err
		}
		return some(tx.PaymentsBeside(ctx, c, []models.UnmatchedPayment{h.queued}, 10))
	},
	"CustomersAlike": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		alike, err := tx.CustomersAlike(ctx, c, []models.UnmatchedPayment{{PayerName: h.customer.Recipient.Name1}})
		return err == nil && len(alike[0]) > 0, err
	},
	"PaymentsPerhapsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE unmatched_payments SET text = ?", "KID "+h.invoice.KID); err != nil {
			return false, err
		}
		return some(tx.PaymentsPerhapsOf(ctx, c, h.customer.ID, 0, 10))
	},
	"PaymentLines": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		twin := models.PaymentTwin{CreditorID: h.owner.ID, PaymentFileID: h.file.ID, LineKey: lineKey(2), KID: "42", TransactionDate: rows.Today}
		if err := tx.CreatePaymentTwins(ctx, []models.PaymentTwin{twin}); err != nil {
			return false, err
		}
		return some(tx.PaymentLines(ctx, c, nil, []string{"42"}, nil))
	},
	"NoticedBesides": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET balance = -1, notices = 1"); err != nil {
			return false, err
		}
		found, err := tx.NoticedBesides(ctx, c, map[int64]models.Date{h.invoice.ID: rows.Today})
		return len(found) > 0, err
	},
	"OwingInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.OwingInvoices(ctx, c, []int64{h.invoice.ID}))
	},
	"MovedCredits": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE entries SET moved_from = id"); err != nil {
			return false, err
		}
		return some(tx.MovedCredits(ctx, c, h.customer.ID))
	},
	"DoubtedInvoices": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE overdue_notices SET fee = 1, withdrawn = NULL"); err != nil {
			return false, err
		}
		if err := tx.Exec(ctx, "UPDATE entries SET type = 'PAYMENT', amount = 1, credit_note_id = 0"); err != nil {
			return false, err
		}
		return some(tx.DoubtedInvoices(ctx, c))
	},
	"LostMoves": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE entries SET moved_from = id"); err != nil {
			return false, err
		}
		return some(tx.LostMoves(ctx, c))
	},
}
