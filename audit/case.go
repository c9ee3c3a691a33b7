package audit

import (
	"time"

	"purr/audit/reckoning"
	"purr/models"
	"purr/store"
)

// Case is all that the rows say of one invoice, and what holds for its creditor.
type Case struct {
	Of        *Creditor
	Customer  models.Customer
	Invoice   models.Invoice
	Entries   []models.Entry // of the invoice and of its credit notes, oldest first
	Deleted   []store.DeletedEntry
	Credits   []models.CreditNote
	Notices   []Notice // withdrawn ones too, oldest first
	HandOvers []models.HandOver
	Originals []sending // of the invoice
	Stops     []models.Standstill
	Plans     []models.PaymentPlan
	Events    []models.Event                           // of an invoice that was handed over or closed
	Moves     []models.Event                           // that the customer was changed or deleted
	Told      map[int64]bool                           // entries of which the debt collector was told
	Elsewhere map[models.Document][]models.Entry       // the customer's documents with free credit, as far as they matter
	Gone      map[models.Document][]store.DeletedEntry // what was deleted of those
	Sources   map[int64]models.Entry                   // the entries from which credit was moved here
	Givers    map[int64]models.Invoice                 // from which that credit was moved
	Reserved  []models.Repayment
	Repaid    []models.AuditRepayment   // what was put right before
	Queued    []models.UnmatchedPayment // open payments in the queue that pointed at the customer
}

// Creditor is what holds for all cases of a creditor.
type Creditor struct {
	models.Creditor

	Zone    *time.Location
	Law     *reckoning.Law
	Changes []models.Event // of its settings, oldest first
}

// day returns the creditor's day of a moment.
func (c *Creditor) day(at time.Time) models.Date { return models.DateOf(at.In(c.Zone)) }

// Notice is a notice with all that belongs to it.
type Notice struct {
	models.Notice

	Lines   []models.NoticeLine
	Again   []models.Recalculation
	Letter  *models.Letter // that it shares, or nil
	Sharing []models.Notice
	Sent    []sending // of its letter, oldest first
	Seller  *models.Seller
	Waiting []models.UnmatchedPayment // open payments of just what was claimed, which pointed at nobody

	notLooked bool // at what waited for it: there was too much
	files     bankDay
	sheet     sheet // the first
	last      sheet // the latest
	plain     bool  // the sheets can be read

	booked       []models.Entry // what Case.bookedBefore returns, once it was sought
	sure, sought bool
}

// inForce reports whether the notice was not withdrawn.
func (n *Notice) inForce() bool { return n.Withdrawn == 0 }

// casesOf returns the cases of the invoices, given their rows.
func casesOf(of *Creditor, invoices []models.Invoice, rows store.AuditRows) []*Case {
	cases := make([]*Case, len(invoices))
	gone := goneOf(rows)
	for i, invoice := range invoices {
		c := &Case{
			Of: of, Customer: rows.Customers[invoice.CustomerID], Invoice: invoice, Entries: rows.Entries[invoice.ID], Deleted: rows.Deleted[invoice.ID],
			Credits: rows.CreditNotes[invoice.ID], HandOvers: rows.HandOvers[invoice.ID], Plans: rows.Plans[invoice.ID], Events: rows.Events[invoice.ID],
			Moves: rows.Moves[invoice.CustomerID], Told: rows.Direct, Elsewhere: rows.Credit[invoice.CustomerID], Reserved: rows.Reserved[invoice.CustomerID],
			Gone: gone, Sources: rows.Sources, Givers: rows.Givers, Queued: rows.Queued[invoice.CustomerID], Repaid: rows.Repaid[invoice.ID],
		}
		c.Originals = c.sendings(invoice.Document(), invoice.IssueDate, rows)
		for _, s := range rows.Standstills[invoice.CustomerID] {
			if s.InvoiceID == 0 || s.InvoiceID == invoice.ID {
				c.Stops = append(c.Stops, s)
			}
		}
		notices := rows.Notices[invoice.ID]
		c.Notices = make([]Notice, len(notices))
		for k, n := range notices {
			c.Notices[k] = c.noticeOf(n, rows)
		}
		cases[i] = c
	}
	return cases
}

// goneOf returns the deleted entries by the documents that they were on.
func goneOf(rows store.AuditRows) map[models.Document][]store.DeletedEntry {
	if len(rows.Credit) == 0 {
		return nil
	}
	gone := map[models.Document][]store.DeletedEntry{}
	for _, all := range rows.Deleted {
		for _, d := range all {
			of := models.Document{Kind: models.InvoiceDocument, ID: d.InvoiceID}
			if d.CreditNoteID != 0 {
				of = models.Document{Kind: models.CreditNoteDocument, ID: d.CreditNoteID}
			}
			gone[of] = append(gone[of], d)
		}
	}
	return gone
}

func (c *Case) noticeOf(row models.Notice, rows store.AuditRows) Notice {
	n := Notice{Notice: row, Lines: rows.Lines[row.ID], Again: rows.Recalculations[row.ID], Sent: c.sendings(row.SentAs(), row.IssueDate, rows)}
	if letter, is := rows.Letters[row.LetterID]; is {
		n.Letter, n.Sharing = &letter, rows.OfLetters[row.LetterID]
	}
	if s, is := rows.Sellers[row.SellerID]; is {
		n.Seller = &s
	}
	n.Waiting, n.notLooked = rows.Waiting[row.ID], rows.NotLooked[row.ID]
	n.readSheets()
	return n
}

// business reports whether a notice is to a trader.
func (n *Notice) business() bool { return n.Recipient.OrganisationNumber != "" }

// automatic reports whether automatic dunning issued the notice.
func (n *Notice) automatic() bool { return n.AskedBy == "" }

// kind returns what the notice is to the law of fees.
func (n *Notice) kind() reckoning.LetterKind {
	if n.Warning {
		return reckoning.Warning
	}
	return reckoning.Reminder
}
