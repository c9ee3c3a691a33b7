package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// holdings is one of everything that a creditor can have.
type holdings struct {
	db        *store.DB
	owner     models.Creditor
	customer  models.Customer
	invoice   models.Invoice
	note      models.CreditNote
	notice    models.Notice
	handOver  models.HandOver
	entry     models.Entry
	key       models.Key
	file      models.PaymentFile
	queued    models.UnmatchedPayment
	statement models.SentStatement
	webhook   models.Webhook
	delivery  models.WebhookDelivery
}

// trial tries to reach the holdings by a method, as a creditor, and reports whether it did.
type trial func(ctx context.Context, tx *store.Tx, h holdings, creditorID int64) (reached bool, err error)

// trials has a trial for each exported method that takes a creditor's ID.
var trials = map[string]trial{
	"Customer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Customer(ctx, c, h.customer.ID))
	},
	"SellersByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.SellersByID(ctx, c, []int64{h.invoice.SellerID})
		return len(found) > 0, err
	},
	"SellersOf": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.SellersOf(ctx, c))
	},
	"KeepSeller": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		id, err := tx.KeepSeller(ctx, c, h.owner.Seller())
		return id == h.invoice.SellerID, err
	},
	"SetSeller": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetSeller(ctx, c, models.InvoiceDocument, []int64{h.invoice.ID}, 17); err != nil {
			return false, err
		}
		after, err := tx.Invoice(ctx, h.owner.ID, h.invoice.ID)
		return after.SellerID == 17, err
	},
	"LockUndrawn": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.LockUndrawn(ctx, c, models.InvoiceDocument, []int64{h.invoice.ID}))
	},
	"Customers": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Customers(ctx, c, "kari", everything))
	},
	"CreditorShipment": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
		if err != nil {
			return false, err
		}
		return reached(tx.CreditorShipment(ctx, c, of[0].ID))
	},
	"Shipments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return counted(tx.Shipments(ctx, c, store.ShipmentFilter{Document: h.invoice.Document(), States: []models.ShipmentState{models.ShipmentOwed}, Method: models.ByPaper}, everything))
	},
	"NewestShipments": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.NewestShipments(ctx, c, store.ShipmentFilter{}, 100))
	},
	"CountShipmentsOf": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		counts, err := tx.CountShipmentsOf(ctx, c, models.ShipmentOwed)
		return len(counts) > 0, err
	},
	"WaitingOf": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		w, err := tx.WaitingOf(ctx, c, rows.Today)
		return w != store.Waiting{}, err
	},
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
	"InvoicesByKID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.InvoicesByKID(ctx, c, []string{h.invoice.KID})
		return len(found) > 0, err
	},
	"FailedShipments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
		if err != nil {
			return false, err
		}
		of[0].State = models.ShipmentFailed
		if err := tx.UpdateShipment(ctx, of[0]); err != nil {
			return false, err
		}
		return some(tx.FailedShipments(ctx, c))
	},
	"ReleaseLetters": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
		if err != nil {
			return false, err
		}
		of[0].HeldFor = h.customer.ID
		if err := tx.UpdateShipment(ctx, of[0]); err != nil {
			return false, err
		}
		if err := tx.ReleaseLetters(ctx, c, h.customer.ID); err != nil {
			return false, err
		}
		after, err := tx.Shipment(ctx, of[0].ID)
		return after.HeldFor == 0, err
	},
	"CustomersWithPolicy": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.CustomersWithPolicy(ctx, c))
	},
	"WantAddress": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return tx.WantAddress(ctx, c, h.customer.ID, rows.Today)
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
	"InvoicesOwingOnlyCharges": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		charge := h.entry
		charge.ID, charge.Type = 0, models.EntryOverdueCharge
		if err := tx.CreateEntries(ctx, []models.Entry{charge}); err != nil {
			return false, err
		}
		return some(tx.InvoicesOwingOnlyCharges(ctx, c, models.Window{Stage: h.invoice.Stage()}, models.Invoice{}, 10))
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
		return some(tx.NewestInvoicesOf(ctx, c, h.customer.ID, 0, 10))
	},
	"NewestPaymentsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		paid := h.entry
		paid.ID, paid.Type, paid.Amount = 0, models.EntryOCR, -1
		if err := tx.CreateEntries(ctx, []models.Entry{paid}); err != nil {
			return false, err
		}
		return some(tx.NewestPaymentsOf(ctx, c, h.customer.ID, paid.ID+1<<40, 10))
	},
	"NewestLettersOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.NewestLettersOf(ctx, c, h.customer.ID, 10))
	},
	"DayMismatches": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if err := tx.Exec(ctx, "UPDATE list_days SET amount = amount + 1"); err != nil {
			return false, err
		}
		return some(tx.DayMismatches(ctx, c))
	},
	"SentStatement": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.SentStatement(ctx, c, h.statement.ID))
	},
	"SentStatementsByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.SentStatementsByID(ctx, c, []int64{h.statement.ID}))
	},
	"CustomersByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.CustomersByID(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"LockCustomer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockCustomer(ctx, c, h.customer.ID))
	},
	"LockCustomers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.LockCustomers(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"LockRecipients": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.LockRecipients(ctx, c, []int64{h.customer.ID})
		return len(found) > 0, err
	},
	"DeleteCustomer": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.DeleteCustomer(ctx, c, h.customer.ID); err != nil {
			return false, err
		}
		there, err := reached(tx.Customer(ctx, h.owner.ID, h.customer.ID))
		return !there, err
	},
	"Invoice": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Invoice(ctx, c, h.invoice.ID))
	},
	"Invoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		f := store.InvoiceFilter{
			CustomerID: h.customer.ID, Search: "kari", Issued: store.Dates{From: rows.Today, To: rows.Today},
			Statuses: models.Statuses, Today: rows.Today,
		}
		return counted(tx.Invoices(ctx, c, f, everything))
	},
	"OrderedInvoices": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		for _, f := range []store.InvoiceFilter{{Search: "kari"}, {Search: "1", Wide: true}, {Statuses: models.Statuses, Today: rows.Today}, {}} {
			if found, err := counted(tx.OrderedInvoices(ctx, c, f, store.LongestDueFirst, store.InvoiceMark{}, 10)); err != nil || found {
				return found, err
			}
		}
		return false, nil
	},
	"EachInvoice": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (found bool, err error) {
		err = tx.EachInvoice(ctx, c, store.InvoiceFilter{Statuses: models.Statuses, Today: rows.Today}, store.NewestFirst, func(models.ListedInvoice) error {
			found = true
			return nil
		})
		return found, err
	},
	"InvoiceByNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.InvoiceByNumber(ctx, c, h.invoice.Number))
	},
	"CreditNoteByNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.CreditNoteByNumber(ctx, c, h.note.Number))
	},
	"CountInvoices": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, err := tx.CountInvoices(ctx, c, store.InvoiceFilter{Statuses: models.Statuses, Today: rows.Today})
		return n > 0, err
	},
	"InvoiceIDs": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.InvoiceIDs(ctx, c, models.Statuses, rows.Today))
	},
	"CountLists": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, c); err != nil {
			return false, err
		}
		counted, err := tx.Counted(ctx, h.owner.ID)
		return counted > 0, err
	},
	"InvoicesInWindow": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.InvoicesInWindow(ctx, c, models.Window{Stage: h.invoice.Stage()}, models.Invoice{}, 10))
	},
	"LockInvoice": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockInvoice(ctx, c, h.invoice.ID))
	},
	"LockInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		invoices, err := tx.LockInvoices(ctx, c, []int64{h.invoice.ID})
		return len(invoices) > 0, err
	},
	"CreditNote": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.CreditNote(ctx, c, h.note.ID))
	},
	"CreditNotesByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.CreditNotesByID(ctx, c, []int64{h.note.ID})
		return len(found) > 0, err
	},
	"CreditNotes": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		f := store.CreditNoteFilter{CustomerID: h.customer.ID, Search: "kari", Status: &models.CreditNoteFilter{Paid: true, NotPaid: true}}
		return counted(tx.CreditNotes(ctx, c, f, everything))
	},
	"LockCreditNote": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockCreditNote(ctx, c, h.note.ID))
	},
	"Notice": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Notice(ctx, c, h.notice.ID))
	},
	"InvoicesOfNotices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.InvoicesOfNotices(ctx, c, []int64{h.notice.ID})
		return len(found) > 0, err
	},
	"NoticesByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.NoticesByID(ctx, c, []int64{h.notice.ID})
		return len(found) > 0, err
	},
	"Notices": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Notices(ctx, c, store.NoticeFilter{}, everything))
	},
	"HandOver": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.HandOver(ctx, c, h.handOver.ID))
	},
	"LockHandOver": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockHandOver(ctx, c, h.handOver.ID))
	},
	"SetBundle": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.SetBundle(ctx, c, h.handOver.ID, "sum"))
	},
	"PDF": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.PDF(ctx, c, h.invoice.Document()))
	},
	"SetPDF": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.SetPDF(ctx, c, h.invoice.Document(), "sum"))
	},
	"SetPDFs": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		has, err := tx.SetPDFs(ctx, c, models.InvoiceDocument, map[int64]string{h.invoice.ID: "sum"})
		return len(has) > 0, err
	},
	"EHF": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.EHF(ctx, c, h.invoice.Document()))
	},
	"SetEHF": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, fresh, err := tx.SetEHF(ctx, c, h.invoice.Document(), "sum")
		return reached(fresh, err)
	},
	"Entry": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Entry(ctx, c, h.entry.ID))
	},
	"Entries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return counted(tx.Entries(ctx, c, store.EntryFilter{CustomerID: h.customer.ID, Type: models.EntryInvoice}, everything))
	},
	"Events": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return some(h.db.Events(ctx, c, 0, 10))
	},
	"NewestEvents": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return some(h.db.NewestEvents(ctx, c, store.EventFilter{}, 0, 10))
	},
	"Event": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Event(ctx, c, h.delivery.EventID))
	},
	"MissFutureRuns": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, err := tx.MissFutureRuns(ctx, c, models.RunDunning, rows.Today-1)
		return n > 0, err
	},
	"EventPage": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return counted(h.db.EventPage(ctx, c, 0, everything))
	},
	"Webhook": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Webhook(ctx, c, h.webhook.ID))
	},
	"Webhooks": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Webhooks(ctx, c, everything))
	},
	"LockWebhook": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockWebhook(ctx, c, h.webhook.ID))
	},
	"DeleteWebhook": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.DeleteWebhook(ctx, c, h.webhook.ID); err != nil {
			return false, err
		}
		there, err := reached(tx.Webhook(ctx, h.owner.ID, h.webhook.ID))
		owed, deliveryErr := reached(tx.WebhookDelivery(ctx, h.owner.ID, h.delivery.ID))
		return !there || !owed, errors.Join(err, deliveryErr)
	},
	"WebhookDelivery": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.WebhookDelivery(ctx, c, h.delivery.ID))
	},
	"WebhookDeliveries": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		return counted(h.db.WebhookDeliveries(ctx, c, h.webhook.ID, nil, everything))
	},
	"NewestWebhookDeliveries": func(ctx context.Context, _ *store.Tx, h holdings, c int64) (bool, error) {
		found, _, _, err := h.db.NewestWebhookDeliveries(ctx, c, h.webhook.ID, nil, everything)
		return len(found) > 0, err
	},
	"UndeliveredCounts": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		counts, err := tx.UndeliveredCounts(ctx, c)
		return len(counts) > 0, err
	},
	"DueShipments": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.DueShipments(ctx, c, rows.Start, 10, models.ByPaper, models.ByEmail))
	},
	"DueShipmentIDs": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.DueShipmentIDs(ctx, c, rows.Start, 10, models.ByPaper, models.ByEmail))
	},
	"LockDueBatch": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, found, err := tx.LockDueBatch(ctx, c)
		return found, err
	},
	"UnsettledBatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.UnsettledBatches(ctx, c))
	},
	"MailPause": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		pause, err := tx.MailPause(ctx, c, rows.Start)
		return pause > 0, err
	},
	"TakeMailTurn": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.TakeMailTurn(ctx, c, rows.Start); err != nil {
			return false, err
		}
		pause, err := tx.MailPause(ctx, h.owner.ID, rows.Start)
		return pause == 0, err
	},
	"LockWebhookDelivery": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LockWebhookDelivery(ctx, c, h.delivery.ID))
	},
	"Keys": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.Keys(ctx, c))
	},
	"RevokeKey": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(h.key, tx.RevokeKey(ctx, c, h.key.ID))
	},
	"AnswerTo": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, found, err := tx.AnswerTo(ctx, c, "key", tx.Now)
		return found, err
	},
	"ReferencesOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.ReferencesOf(ctx, c, []string{h.invoice.KID})
		return len(found) > 0, err
	},
	"Chores": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE shipments SET state = 'failed', document_kind = 'overdue_notice'"); err != nil {
			return false, err
		}
		if err := tx.Exec(ctx, "UPDATE runs SET kind = 'status', state = 'done'"); err != nil {
			return false, err
		}
		is, err := tx.Chores(ctx, c, rows.Today, tx.Now.Add(time.Hour))
		if all := (store.Chores{Payments: true, Queue: true, Waits: true, Letters: true}); is != all && is != (store.Chores{Status: true}) {
			return false, fmt.Errorf("some of the chores are there: %+v", is)
		}
		return is.Payments, err
	},
	"WindowsWithInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		ofCustomer := models.Window{Stage: h.invoice.Stage(), CustomerID: h.customer.ID}
		return some(tx.WindowsWithInvoices(ctx, c, []models.Window{ofCustomer, {Stage: h.invoice.Stage()}}))
	},
	"RunsAround": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		on, err := tx.RunsAround(ctx, c, models.RunDunning, rows.Today)
		if err != nil {
			return false, err
		}
		before, err := tx.RunsAround(ctx, c, models.RunDunning, rows.Today+1)
		if err != nil {
			return false, err
		}
		after, err := tx.RunsAround(ctx, c, models.RunDunning, rows.Today-1)
		return on.On.ID != 0 && before.Before.ID != 0 && after.After, err
	},
	"LastRun": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, found, err := tx.LastRun(ctx, c, models.RunDunning, rows.Today+1)
		return found, err
	},
	"RunOf": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, found, err := tx.RunOf(ctx, c, models.RunDunning, rows.Today)
		return found, err
	},
	"HasFault": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return tx.HasFault(ctx, c, models.WorkDays)
	},
	"KeepFault": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		fresh, err := tx.KeepFault(ctx, c, models.WorkDays, "again")
		return !fresh, err
	},
	"EndFault": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		_, was, err := tx.EndFault(ctx, c, models.WorkDays)
		return was, err
	},
	"Run": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		run, _, err := tx.RunOf(ctx, h.owner.ID, models.RunDunning, rows.Today)
		if err != nil {
			return false, err
		}
		return reached(tx.Run(ctx, c, run.ID))
	},
	"Runs": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Runs(ctx, c, models.RunDunning, everything))
	},
	"RunsBefore": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.RunsBefore(ctx, c, models.RunDunning, rows.Today+1, 10))
	},
	"RunsAndProof": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		latest, _, err := tx.RunsAndProof(ctx, c, rows.Today+1, 10)
		return some(latest, err)
	},
	"LastSteps": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE runs SET done = 7"); err != nil {
			return false, err
		}
		return some(tx.LastSteps(ctx, c, rows.Today+1, 10))
	},
	"AddSteps": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.AddSteps(ctx, c, rows.Today, models.RunSteps{Reminders: 7}); err != nil {
			return false, err
		}
		return some(tx.LastSteps(ctx, h.owner.ID, rows.Today+1, 10))
	},
	"DunningRules": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetDunningRule(ctx, ruleOf(h.owner)); err != nil {
			return false, err
		}
		return some(tx.DunningRules(ctx, c))
	},
	"DeleteDunningRule": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.SetDunningRule(ctx, ruleOf(h.owner)); err != nil {
			return false, err
		}
		return tx.DeleteDunningRule(ctx, c, models.RuleLateInterest, rows.Today)
	},
	"RecordRuleWarning": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := tx.RecordRuleWarning(ctx, c, models.RuleAct, rows.Today); err != nil {
			return false, err
		}
		fresh, err := tx.RecordRuleWarning(ctx, h.owner.ID, models.RuleAct, rows.Today)
		return !fresh, err
	},
	"NextNumbers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return nextMoved(ctx, tx, h, func() error { _, err := tx.NextNumbers(ctx, c, 1); return err })
	},
	"LoseNumbers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return nextMoved(ctx, tx, h, func() error { _, err := tx.LoseNumbers(ctx, c, 77); return err })
	},
	"NoteAcceptedSeries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteAcceptedSeries(ctx, c); err != nil {
			return false, models.IgnoreNotFound(err)
		}
		_, open, err := tx.AcceptedSeries(ctx, h.owner.ID)
		return open, err
	},
	"AcceptedSeries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteAcceptedSeries(ctx, h.owner.ID); err != nil {
			return false, err
		}
		_, open, err := tx.AcceptedSeries(ctx, c)
		return open, err
	},
	"ResumeSeries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteAcceptedSeries(ctx, h.owner.ID); err != nil {
			return false, err
		}
		resumed, err := tx.ResumeSeries(ctx, c)
		return resumed, models.IgnoreNotFound(err)
	},
	"ApproveAccount": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.ApproveAccount(ctx, c, h.owner.BankAccount); err != nil {
			return false, err
		}
		account, err := tx.BankAccount(ctx, h.owner.BankAccount)
		return account.ApprovedAt != nil, err
	},
	"SetFirstNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		moved, err := nextMoved(ctx, tx, h, func() error { return tx.SetFirstNumber(ctx, c, 77) })
		return moved || models.KindOf(err) == models.KindConflict, nil // the owner's first invoice has been sent
	},
	"Series": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		s, err := tx.Series(ctx, c)
		return s.Documents > 0, err
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
	"FileTotals": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.FileTotals(ctx, c))
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
	"FailedLetters": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		letter := []models.Shipment{{CreditorID: h.owner.ID, DocumentKind: models.NoticeDocument, DocumentID: 1}}
		if err := tx.CreateShipments(ctx, letter); err != nil {
			return false, err
		}
		letter[0].State = models.ShipmentFailed
		if err := tx.UpdateShipment(ctx, letter[0]); err != nil {
			return false, err
		}
		return some(tx.FailedLetters(ctx, c))
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
	"InvoicesByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.InvoicesByID(ctx, c, []int64{h.invoice.ID}))
	},
	"InvoicesByNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.InvoicesByNumber(ctx, c, []int64{h.invoice.Number}))
	},
	"InvoicesOwing": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET balance = 77"); err != nil {
			return false, err
		}
		found, err := tx.InvoicesOwing(ctx, c, []models.Amount{77}, 10)
		return len(found) > 0, err
	},
	"OpenInvoicesOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET balance = 77"); err != nil {
			return false, err
		}
		found, err := tx.OpenInvoicesOf(ctx, c, []int64{h.invoice.CustomerID}, 10)
		return len(found) > 0, err
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
	"PaymentsPerhapsOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE unmatched_payments SET text = ?", "KID "+h.invoice.KID); err != nil {
			return false, err
		}
		return some(tx.PaymentsPerhapsOf(ctx, c, h.customer.ID, 0, 10))
	},
	"StandingOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.StandingOf(ctx, c, h.invoice.ID, rows.Today))
	},
	"StandingByNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.StandingByNumber(ctx, c, h.invoice.Number, rows.Today))
	},
	"PaymentLines": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		twin := models.PaymentTwin{CreditorID: h.owner.ID, PaymentFileID: h.file.ID, LineKey: lineKey(2), KID: "42", TransactionDate: rows.Today}
		if err := tx.CreatePaymentTwins(ctx, []models.PaymentTwin{twin}); err != nil {
			return false, err
		}
		return some(tx.PaymentLines(ctx, c, nil, []string{"42"}))
	},
	"Orphans": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET customer_id = 4711"); err != nil {
			return false, err
		}
		return some(tx.Orphans(ctx, c))
	},
	"AmountMismatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		var reached []bool
		for relation, damage := range map[store.Relation]string{
			store.InvoiceBalance:    "UPDATE invoices SET balance = balance + 1",
			store.CreditNoteBalance: "UPDATE credit_notes SET balance = balance - 1",
			store.InvoiceGross:      "UPDATE invoices SET gross = gross + 1",
			store.CreditNoteGross:   "UPDATE credit_notes SET gross = gross + 1",
			store.InvoiceLines:      "UPDATE invoice_lines SET gross = gross + 10",
			store.NoticeLines:       "UPDATE overdue_notices SET gross = gross + 1",
			store.MatchedAmount:     "UPDATE unmatched_payments SET status = 'matched'",
			store.ManualMatches:     "UPDATE unmatched_payments SET status = 'matched'",
		} {
			if err := tx.Exec(ctx, damage); err != nil {
				return false, err
			}
			found, err := some(tx.AmountMismatches(ctx, c, relation))
			if err != nil {
				return false, err
			}
			reached = append(reached, found)
		}
		if slices.Contains(reached, true) && slices.Contains(reached, false) {
			return false, fmt.Errorf("of the relations it finds %v", reached)
		}
		return reached[0], nil
	},
	"CountEntries": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, err := tx.CountEntries(ctx, c, 1)
		return n == 1, err
	},
	"SplitMismatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE unmatched_payments SET status = 'matched', further_entries = '[4711]'"); err != nil {
			return false, err
		}
		return some(tx.SplitMismatches(ctx, c))
	},
	"TextMismatches": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		later := *tx
		later.Now = tx.Now.Add(24 * time.Hour)
		if err := later.CountLists(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if wrong, err := some(tx.TextMismatches(ctx, c)); err != nil || wrong {
			return false, errors.Join(err, errors.New("the texts are right"))
		}
		if err := tx.Exec(ctx, "UPDATE invoice_texts SET texts = 'other'"); err != nil {
			return false, err
		}
		return some(tx.TextMismatches(ctx, c))
	},
	"LostReferences": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "DELETE FROM payment_references"); err != nil {
			return false, err
		}
		return some(tx.LostReferences(ctx, c))
	},
	"Unlogged": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "DELETE FROM new_events"); err != nil {
			return false, err
		}
		return some(tx.Unlogged(ctx, c))
	},
	"StageMismatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET stage = 'warned'"); err != nil {
			return false, err
		}
		return some(tx.StageMismatches(ctx, c))
	},
	"NoticedBesides": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE invoices SET balance = -1, notices = 1"); err != nil {
			return false, err
		}
		found, err := tx.NoticedBesides(ctx, c, map[int64]models.Date{h.invoice.ID: rows.Today})
		return len(found) > 0, err
	},
	"LastActs": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		acts, err := tx.LastActs(ctx, c, held)
		return acts[held].Turn > 0, err
	},
	"Look": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		look, err := tx.Look(ctx, c, held)
		return look != "0", err
	},
	"Unchanged": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		err = tx.Unchanged(ctx, c, held, "0") // seen before somebody held it
		return err != nil, without(err, models.KindConflict)
	},
	"Same": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		held, err := heldInvoice(ctx, tx, h)
		if err != nil {
			return false, err
		}
		var told *models.Error
		if err = tx.Same(ctx, c, held, "0", "1"); !errors.As(err, &told) {
			return false, err
		}
		return told.Change != nil, nil
	},
	"ForToday": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		for _, change := range []string{
			"UPDATE shipments SET kept_back = 'creditor_not_ready'", "UPDATE overdue_notices SET withdrawn = issue_date, warning = 1",
			"UPDATE invoices SET balance = 77, repayment_owed = 7, stage = 'collection', handed_over = (SELECT issue_date FROM overdue_notices LIMIT 1)",
		} {
			if err := tx.Exec(ctx, change); err != nil {
				return false, err
			}
		}
		t, err := tx.ForToday(ctx, c)
		reached := []bool{t.Open != 0, t.KeptBack[models.KeptNotReady] > 0, t.Repayments > 0, slices.Contains(t.Unwarned, h.invoice.Number)}
		if slices.Contains(reached, true) && slices.Contains(reached, false) {
			return false, fmt.Errorf("of the topics it reaches %v", reached)
		}
		return reached[0], err
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
	"WaysOut": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := tx.LockWayOut(ctx, h.owner.ID, models.ByPaper); err != nil {
			return false, err
		}
		return some(tx.WaysOut(ctx, c))
	},
	"LockWayOut": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		w, err := tx.LockWayOut(ctx, c, models.ByPaper)
		return w.CreditorID == h.owner.ID, err
	},
	"LetGo": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return letGo(ctx, tx, h, func() error { return tx.LetGo(ctx, c, models.KeptNotReady, models.ByPaper) })
	},
	"LetReadyGo": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return letGo(ctx, tx, h, func() error { return tx.LetReadyGo(ctx, c) })
	},
	"DueAcceptedIDs": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		if err := tx.Exec(ctx, "UPDATE shipments SET receipt = 'job 7'"); err != nil {
			return false, err
		}
		return some(tx.DueAcceptedIDs(ctx, c, tx.Common.Add(24*time.Hour), 10, models.ByPaper))
	},
	"WithoutAccount": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
		if err != nil {
			return false, err
		}
		if err := tx.Exec(ctx, "UPDATE invoices SET bank_account = ''"); err != nil {
			return false, err
		}
		return some(tx.WithoutAccount(ctx, c, []int64{of[0].ID}))
	},
}

// heldInvoice has somebody hold the owner's invoice, and returns what was acted on.
func heldInvoice(ctx context.Context, tx *store.Tx, h holdings) (models.Thing, error) {
	err := tx.Log(ctx, models.Event{CreditorID: h.owner.ID, Type: models.EventHoldSet, SubjectID: h.invoice.ID, InvoiceID: h.invoice.ID, Text: "Held"})
	return models.Thing{Kind: models.ThingHold, ID: h.invoice.ID}, err
}

// letGo keeps the shipments back, and reports whether do lets the owner's go.
func letGo(ctx context.Context, tx *store.Tx, h holdings, do func() error) (bool, error) {
	if err := tx.Exec(ctx, "UPDATE shipments SET kept_back = 'creditor_not_ready'"); err != nil {
		return false, err
	}
	if err := do(); err != nil {
		return false, err
	}
	of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
	return err == nil && of[0].KeptBack == "", err
}

// without returns the error unless it is of the kind.
func without(err error, kind models.Kind) error {
	if models.KindOf(err) == kind {
		return nil
	}
	return err
}

func ruleOf(c models.Creditor) *models.DunningRule {
	return &models.DunningRule{CreditorID: c.ID, Kind: models.RuleLateInterest, FromDate: rows.Today, Value: "12", Source: "a regulation"}
}

func reached[T any](_ T, err error) (bool, error) {
	if models.KindOf(err) == models.KindNotFound {
		return false, nil
	}
	return err == nil, err
}

func some[T any](found []T, err error) (bool, error) { return len(found) > 0, err }

func counted[T any](found []T, total int64, err error) (bool, error) {
	return len(found) > 0 || total > 0, err
}

// nextMoved reports whether do changes the owner's next number.
func nextMoved(ctx context.Context, tx *store.Tx, h holdings, do func() error) (bool, error) {
	before, err := tx.Series(ctx, h.owner.ID)
	if err != nil {
		return false, err
	}
	if err := do(); err != nil {
		return false, err
	}
	after, err := tx.Series(ctx, h.owner.ID)
	return before.Next != after.Next, err
}

// TestNothingIsReachedAsAnotherCreditorD2 tries every method that takes a creditor's ID. The owner must reach its
// holdings, and another creditor must not.
func TestNothingIsReachedAsAnotherCreditorD2(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		h := hold(t, db)
		stranger := rows.Creditor(t, db)
		freeStage(t, db)
		for method, try := range trials {
			t.Run(method, func(t *testing.T) {
				for _, c := range []models.Creditor{h.owner, stranger} {
					undo := errors.New("undo")
					err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
						got, err := try(t.Context(), tx, h, c.ID)
						if err != nil {
							return err
						}
						if want := c.ID == h.owner.ID; got != want {
							t.Errorf("as the owner %t: reached %t", want, got)
						}
						return undo
					})
					if !errors.Is(err, undo) {
						t.Error(err)
					}
				}
			})
		}
	})
}
