package dunning

import (
	"context"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// Letters says what has left of an invoice: its original, and the letter of its last notice (rule L1). The zero value
// says that each left on the day of its issue.
type Letters struct {
	Unsent        bool // one of the two has not left
	InvoiceUnsent bool // the invoice has not left
	InvoiceLate   int  // how many days after its issue date the invoice left
	// NoticeUntil is until when the last notice runs by the day on which its letter left (rule D94), zero if it left on its
	// day. The notice itself says the same, but for one whose letter left under an earlier release.
	NoticeUntil models.Date
	// Bounced is the e-mail of a reminder that was withdrawn because its e-mail came to nothing (rule L22): the step, which is the BouncedStep-th,
	// is taken anew on paper, from the day AnewFrom on. Zero if there is none.
	Bounced     int64
	BouncedStep int
	BouncedBy   string // why it bounced
	AnewFrom    models.Date
}

// bouncedFor reports whether the e-mail of an invoice's next notice came to nothing before.
func (l Letters) bouncedFor(invoice models.Invoice) bool {
	return l.Bounced != 0 && l.BouncedStep == invoice.Notices+1
}

// runsUntil returns until when the last document of an invoice runs (rule D94).
func (l Letters) runsUntil(invoice models.Invoice) models.Date {
	return max(invoice.Deadline, l.NoticeUntil)
}

// deadline returns the day from which automatic dunning counts, before it is moved off weekends and holidays: until when the
// last document runs, and never before the invoice's due date moved by as many days as the invoice left late (rules L1, D94).
func (l Letters) deadline(invoice models.Invoice) models.Date {
	return max(invoice.DueDate+models.Date(l.InvoiceLate), l.runsUntil(invoice))
}

// post is what an invoice's shipments say of its letters, and what will become of them.
type post struct {
	Letters
	failed      bool  // something has not left and will not leave by itself: it failed or came back
	invoiceOwed bool  // the invoice has not left, but will
	renews      int64 // the notice that is issued anew when its owed letter leaves (rule L2), or zero
	waits       int64 // the withdrawn notice whose step is not taken anew before its letter is sent again (rule L2), or zero
	tooLate     int64 // the last notice, which stands although its letter left too late: nothing was owed when that was told (rule D94); or zero
	refuses     bool  // what a person asks for: the invoice or the last notice has not left, and is not on its way
	onItsWay    bool  // the last notice is of today, and its letter leaves in a moment
}

// readPost reads the letters of invoices, by the invoice's ID. today is the creditor's.
func readPost(ctx context.Context, v store.View, c models.Creditor, invoices []models.Invoice, today models.Date) (map[int64]post, error) {
	ids := make([]int64, len(invoices))
	for i, invoice := range invoices {
		ids[i] = invoice.ID
	}
	letters, err := v.LettersOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	posts := make(map[int64]post, len(invoices))
	for _, invoice := range invoices {
		var p post
		sent := letters[invoice.ID]
		notices := slices.IndexFunc(sent, func(l store.Letter) bool { return l.NoticeID != 0 })
		if notices < 0 {
			notices = len(sent)
		}
		if err := p.addInvoice(c, invoice, sent[:notices]); err != nil {
			return nil, err
		}
		if err := p.addNotice(c, invoice, sent[notices:], today); err != nil {
			return nil, err
		}
		posts[invoice.ID] = p
	}
	return posts, nil
}

// readPostOf reads the letters of one invoice.
func readPostOf(ctx context.Context, v store.View, c models.Creditor, invoice models.Invoice, today models.Date) (post, error) {
	posts, err := readPost(ctx, v, c, []models.Invoice{invoice}, today)
	if err != nil {
		return post{}, err
	}
	return posts[invoice.ID], nil
}

// InvoiceLate returns how many days after its issue date an invoice left (rule L1).
func InvoiceLate(ctx context.Context, v store.View, c models.Creditor, invoice models.Invoice) (int, error) {
	p, err := readPostOf(ctx, v, c, invoice, invoice.IssueDate)
	if err != nil {
		return 0, err
	}
	return p.InvoiceLate, nil
}

// addInvoice adds what became of an invoice's original. The original has several shipments if it was sent again by another
// method. One that went once more, since AvtaleGiro does not draw it, counts from then on: what said before that it is drawn asked for nothing
// (rule G3a). An invoice without any was not to be sent: it counts as sent on its issue date.
func (p *post) addInvoice(c models.Creditor, invoice models.Invoice, originals []store.Letter) error {
	if len(originals) == 0 {
		return nil
	}
	if ordinary := slices.IndexFunc(originals, func(l store.Letter) bool { return l.Ordinary != 0 }); ordinary >= 0 {
		originals = originals[ordinary:]
	}
	var s sending
	for _, o := range originals {
		if err := s.add(c, o.State, o.SentAt, invoice.IssueDate); err != nil {
			return err
		}
	}
	p.InvoiceLate, p.InvoiceUnsent, p.invoiceOwed, p.refuses = s.late, !s.left, s.owed && !s.left, !s.left
	p.addUnsent(s)
	return nil
}

// addNotice adds what became of the letter of an invoice's last notice, and of the letter of a withdrawn notice whose
// step was not taken anew. Such a letter failed, and keeps the ladder waiting until a person or the program has it sent
// again (rule L2).
func (p *post) addNotice(c models.Creditor, invoice models.Invoice, letters []store.Letter, today models.Date) error {
	var last, waiting store.Letter
	var lasts, waits sending
	for _, l := range letters {
		switch {
		case l.Withdrawn == 0 && l.Sequence == invoice.Notices:
			last = l
			if err := lasts.add(c, l.State, l.SentAt, l.IssueDate); err != nil {
				return err
			}
		case l.Withdrawn != 0 && l.Method == models.ByEmail && l.State != models.ShipmentOwed:
			p.Bounced, p.BouncedStep, p.BouncedBy = l.ID, l.Sequence, l.Failure
			if l.Sequence > invoice.Notices {
				p.AnewFrom = max(p.AnewFrom, l.Withdrawn+1)
			}
		case l.Withdrawn != 0 && l.Sequence > invoice.Notices:
			if l.NoticeID != waiting.NoticeID {
				waiting, waits = l, sending{}
			}
			if err := waits.add(c, l.State, l.SentAt, l.IssueDate); err != nil {
				return err
			}
		}
	}
	if last.NoticeID != 0 {
		if lasts.late > 0 {
			p.NoticeUntil = last.DueDate + models.Date(lasts.late)
			n := models.Notice{IssueDate: last.IssueDate, DueDate: last.DueDate}
			if _, keeps := n.LeftOn(last.IssueDate + models.Date(lasts.late)); !keeps && last.Counts != 0 { // else a person tells of it (LeftWrong)
				p.tooLate = last.NoticeID
			}
		}
		p.onItsWay = !p.Unsent && lasts.owed && last.IssueDate == today && last.Failure == ""
		p.refuses = p.refuses || !lasts.left
		if lasts.owed && !lasts.left && last.IssueDate < today {
			p.renews = last.NoticeID
		}
		p.addUnsent(lasts)
	}
	if waiting.NoticeID != 0 {
		p.waits = waiting.NoticeID
		if waits.owed {
			p.renews = waiting.NoticeID
		}
		p.addUnsent(waits)
	}
	return nil
}

func (p *post) addUnsent(s sending) {
	p.Unsent = p.Unsent || !s.left
	p.failed = p.failed || !s.left && !s.owed
}

// sending is what became of the shipments of one document.
type sending struct {
	left bool
	late int // how many days after its issue date the document left
	owed bool
}

// add adds a shipment of the document, in the order in which they were made. The first that left counts.
func (s *sending) add(c models.Creditor, state models.ShipmentState, sentAt *time.Time, issued models.Date) error {
	switch {
	case state == models.ShipmentOwed:
		s.owed = true
	case state.HasLeft() && !s.left:
		s.left = true
		if sentAt == nil {
			return nil
		}
		day, err := c.Today(*sentAt)
		if err != nil {
			return err
		}
		s.late = max(0, int(day-issued))
	}
	return nil
}

// errNotSent refuses what a person asks for while the invoice or the letter of its last notice has not left (rule L1).
func errNotSent() *models.Error {
	return models.Conflict("not_sent", "the invoice or the letter of its last notice has not been sent")
}
