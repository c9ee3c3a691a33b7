package store_test

import (
	"context"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// documentTrials are the trials of documents and what becomes of them.
var documentTrials = map[string]trial{
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
	"CreditorShipment": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		of, err := tx.ShipmentsOf(ctx, h.invoice.Document())
		if err != nil {
			return false, err
		}
		return reached(tx.CreditorShipment(ctx, c, of[0].ID))
	},
	"NewestShipments": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.NewestShipments(ctx, c, store.ShipmentFilter{}, 100))
	},
	"FailedCustomers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.fail(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.FailedCustomers(ctx, c, 0, 100))
	},
	"FailedOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.fail(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.FailedOf(ctx, c, []int64{h.customer.ID}, 100))
	},
	"CountShipmentsOf": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		counts, err := tx.CountShipmentsOf(ctx, c, models.ShipmentOwed)
		return len(counts) > 0, err
	},
	"InvoicesByKID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.InvoicesByKID(ctx, c, []string{h.invoice.KID})
		return len(found) > 0, err
	},
	"FailedShipments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.fail(ctx, tx); err != nil {
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
	"InvoicesOwingOnlyCharges": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		charge := h.entry
		charge.ID, charge.Type = 0, models.EntryOverdueCharge
		if err := tx.CreateEntries(ctx, []models.Entry{charge}); err != nil {
			return false, err
		}
		return some(tx.InvoicesOwingOnlyCharges(ctx, c, models.Window{Stage: h.invoice.Stage()}, models.Invoice{}, 10))
	},
	"PaymentPlan": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.PaymentPlan(ctx, c, h.plan.ID))
	},
	"Plan": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Plan(ctx, c, h.plan.ID))
	},
	"PaymentPlansByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.PaymentPlansByID(ctx, c, []int64{h.plan.ID}))
	},
	"PlansOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		planned := h.invoice
		planned.PlanID = h.plan.ID
		found, err := tx.PlansOf(ctx, c, planned)
		return len(found) > 0, err
	},
	"LastPlanOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, found, err := tx.LastPlanOf(ctx, c, h.invoice.ID)
		return found, err
	},
	"PlansToLookAt": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.PlansToLookAt(ctx, c, 1<<20, models.PaymentPlan{}, 10))
	},
	"RunningPlans": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.RunningPlans(ctx, c, 0, 10))
	},
	"PlanMismatches": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return some(tx.PlanMismatches(ctx, c)) // the invoice does not name its plan
	},
	"BrokenPlans": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		broken := h.plan
		broken.State, broken.EndedOn = models.PlanBroken, rows.Today
		if err := tx.UpdatePlan(ctx, broken); err != nil {
			return false, err
		}
		return some(tx.BrokenPlans(ctx, c, rows.Today, 10))
	},
	"Letter": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.Letter(ctx, c, h.letter.ID))
	},
	"LetterByNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.LetterByNumber(ctx, c, h.letter.Number))
	},
	"LettersByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.LettersByID(ctx, c, []int64{h.letter.ID})
		return len(found) > 0, err
	},
	"NoticesOfLetters": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.NoticesOfLetters(ctx, c, []int64{h.letter.ID})
		return len(found) > 0, err
	},
	"InvoicesOfLetters": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.InvoicesOfLetters(ctx, c, []int64{h.letter.ID}))
	},
	"LettersWithFees": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		second, third := h.notice, h.notice
		second.ID, second.Sequence, second.Fee = 0, 2, 1
		third.ID, third.Sequence, third.Fee = 0, 3, 1
		if err := tx.CreateNotices(ctx, []models.Notice{second, third}, [][]models.NoticeLine{{{Position: 1}}, {{Position: 1}}}); err != nil {
			return false, err
		}
		return some(tx.LettersWithFees(ctx, c))
	},
	"NextLetterNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := tx.NextLetterNumber(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if err := tx.SetNextLetterNumber(ctx, h.owner.ID, 5); err != nil {
			return false, err
		}
		next, err := tx.NextLetterNumber(ctx, c)
		return next == 5, err
	},
	"SetNextLetterNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := tx.NextLetterNumber(ctx, h.owner.ID); err != nil {
			return false, err
		}
		if err := tx.SetNextLetterNumber(ctx, c, 9); err != nil {
			return false, err
		}
		next, err := tx.NextLetterNumber(ctx, h.owner.ID)
		return next == 9, err
	},
	"SentStatement": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.SentStatement(ctx, c, h.statement.ID))
	},
	"SentStatementsByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.SentStatementsByID(ctx, c, []int64{h.statement.ID}))
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
	"NumbersTaken": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		taken, err := tx.NumbersTaken(ctx, c, []int64{h.invoice.Number})
		return len(taken) > 0, err
	},
	"CustomersByNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.CustomersByNumber(ctx, c, []string{h.customer.Recipient.CustomerNumber})
		return len(found) > 0, err
	},
	"AdoptedInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := adopted(ctx, tx, h); err != nil {
			return false, err
		}
		found, err := tx.AdoptedInvoices(ctx, c, []int64{adoptedNumber})
		return len(found) > 0, err
	},
	"OpenAdopted": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := adopted(ctx, tx, h); err != nil {
			return false, err
		}
		found, err := tx.OpenAdopted(ctx, c, 0, 10)
		return len(found) > 0, err
	},
	"NoteAdopting": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.NoteAdopting(ctx, c); err != nil {
			return false, err
		}
		owner, err := tx.Creditor(ctx, h.owner.ID)
		return owner.Adopts, err
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
	"InvoicesInWindow": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.InvoicesInWindow(ctx, c, models.Window{Stage: h.invoice.Stage()}, models.Invoice{}, 10))
	},
	"InvoicesInWindowWithoutPlan": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return some(tx.InvoicesInWindowWithoutPlan(ctx, c, models.Window{Stage: h.invoice.Stage()}, models.Invoice{}, 10))
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
	"NoticesToIssueAnew": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.IssueAnewFrom(ctx, h.notice.ID, rows.Today); err != nil {
			return false, err
		}
		found, err := tx.NoticesToIssueAnew(ctx, c, rows.Today)
		return len(found) > 0, err
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
	"SetPDFs": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		has, err := tx.SetPDFs(ctx, c, map[models.Document]string{h.invoice.Document(): "sum"})
		return len(has) > 0, err
	},
	"EHF": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.EHF(ctx, c, h.invoice.Document()))
	},
	"SetEHF": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, fresh, err := tx.SetEHF(ctx, c, h.invoice.Document(), "sum")
		return reached(fresh, err)
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
	"ReferencesOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.ReferencesOf(ctx, c, []string{h.invoice.KID})
		return len(found) > 0, err
	},
	"WindowsWithInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		ofCustomer := models.Window{Stage: h.invoice.Stage(), CustomerID: h.customer.ID}
		return some(tx.WindowsWithInvoices(ctx, c, []models.Window{ofCustomer, {Stage: h.invoice.Stage()}}))
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
	"StandingOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.StandingOf(ctx, c, h.invoice.ID, rows.Today))
	},
	"StandingByNumber": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		return reached(tx.StandingByNumber(ctx, c, h.invoice.Number, rows.Today))
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

// adoptedNumber is the number of the invoice that adopted writes.
const adoptedNumber = 999_999

// adopted writes an invoice of the owner's that came from another system.
func adopted(ctx context.Context, tx *store.Tx, h holdings) error {
	i := h.invoice
	i.ID, i.Number, i.KID, i.Adopted, i.Balance = 0, adoptedNumber, "1230", true, 100
	return tx.CreateInvoices(ctx, []models.Invoice{i}, [][]models.Line{nil})
}
