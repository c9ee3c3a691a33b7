package dispatch

import (
	"cmp"
	"context"
	"errors"
	"net/mail"
	"slices"

	"purr/documents"
	"purr/documents/pdf"
	"purr/mailer"
	"purr/mailer/peppol"
	"purr/mailer/shipments"
	"purr/models"
)

// contents are what the parcels of shipments of one creditor are made of.
type contents struct {
	pdfs         map[models.Document]documents.PDF
	creditor     models.Creditor
	installation string
	customers    map[int64]models.Customer // of the e-mails and the covers
}

// contentsOf reads what the parcels are made of. It makes the PDFs that are not made yet.
func (d *Dispatcher) contentsOf(ctx context.Context, ss []models.Shipment) (of contents, err error) {
	creditorID := ss[0].CreditorID
	if of.creditor, err = d.DB.Creditor(ctx, creditorID); err != nil {
		return contents{}, err
	}
	if of.installation, err = d.DB.InstallationID(ctx); err != nil {
		return contents{}, err
	}
	var all, ehf []models.Document
	seen := map[models.Document]bool{}
	for _, s := range ss {
		if document := s.Document(); !seen[document] {
			all, seen[document] = append(all, document), true
		}
		if s.Method == models.ByEHF {
			ehf = append(ehf, s.Document())
		}
	}
	of.pdfs = d.Documents.PDFs(ctx, creditorID, all, ehf...)
	var worded []int64
	for _, s := range ss {
		if pdf := of.pdfs[s.Document()]; s.Method == models.ByEmail || wantsCover(s, pdf.Rows) {
			worded = append(worded, pdf.Head.CustomerID)
		}
	}
	if len(worded) > 0 {
		of.customers, err = d.DB.CustomersByID(ctx, creditorID, worded)
	}
	return of, err
}

// wantsCover reports whether a letter has a cover in front of its document: it is a copy or a letter of more time that a
// person asked for, tells of a correction, asks anew for what is not drawn, or goes to another address than the document shows (rules N4, N8, N11, U6, G3a).
func wantsCover(s models.Shipment, rows documents.Rows) bool {
	if !s.Method.IsLetter() || s.DocumentKind.OfAccount() {
		return false
	}
	shows := rows.Head.Recipient
	moved := s.Recipient.Addressed() && (s.Recipient.Address() != shows.Address() || s.Recipient.Name1 != shows.Name1 || s.Recipient.Name2 != shows.Name2)
	return s.Role().ByWish() || s.Ordinary != 0 || moved
}

// parcel returns what the channel of a shipment gets: what all get, and what this one does.
func (d *Dispatcher) parcel(ctx context.Context, s models.Shipment, of contents) (mailer.Parcel, error) {
	pdf := of.pdfs[s.Document()]
	if pdf.Err != nil {
		return mailer.Parcel{}, pdf.Err
	}
	dayOver, err := d.dayOver(s, pdf.Rows, of.creditor)
	if err != nil {
		return mailer.Parcel{}, err
	}
	p := mailer.Parcel{
		DayOver: dayOver, Name: s.Name(pdf.Head.Number), ShipmentID: s.ID, InstanceID: peppol.InstanceID(of.installation, s.ID), Creditor: of.creditor.OrganisationNumber,
		DocumentKind: s.DocumentKind, DocumentNumber: pdf.Head.Number, Recipient: s.Recipient, PDF: pdf.Content, Date: s.CreatedAt, Attempt: s.Attempts, Receipt: s.Receipt,
	}
	if s.RetriedAt != nil && d.Wall == nil { // channels do not live in simulated time
		p.SinceRetry = d.Clock.Now().Sub(*s.RetriedAt)
	}
	switch s.Method {
	case models.ByEHF:
		p.EHF, err = d.ehf(ctx, s, of)
	case models.ByEmail:
		p.Mail, err = d.mail(ctx, s, of)
	case models.ByEFaktura:
		p.EFaktura, err = efakturaOf(pdf.Invoice, s)
	default:
		p.PDF, err = d.letter(ctx, s, of)
	}
	return p, err
}

// letter returns the document as it goes on paper.
func (d *Dispatcher) letter(ctx context.Context, s models.Shipment, of contents) ([]byte, error) {
	kept := of.pdfs[s.Document()]
	if !wantsCover(s, kept.Rows) {
		return kept.Content, nil
	}
	again, err := d.again(ctx, s)
	if err != nil {
		return nil, err
	}
	day, err := of.creditor.Today(s.CreatedAt)
	if err != nil {
		return nil, err
	}
	logo, err := d.Documents.DrawnLogo(kept.Seller)
	if err != nil {
		return nil, err
	}
	head := kept.Head
	return pdf.Cover{
		Creditor: of.creditor.As(kept.Seller), Logo: logo, To: s.Recipient, Copy: again, Language: kept.LanguageFor(of.creditor, of.customers[head.CustomerID]),
		Kind: s.DocumentKind, Number: head.Number, Date: day, Notice: shownNotice(kept.Rows),
		Time: s.MoreTime, Correction: s.Correction, Ordinary: s.Ordinary, Unpaid: max(kept.Invoice.Claimed(), 0), BankAccount: kept.Invoice.BankAccount, KID: kept.Invoice.KID,
	}.Before(kept.Content)
}

// again reports whether a shipment is the document once more, because a person asked for it, after a first has left (rule N4).
func (d *Dispatcher) again(ctx context.Context, s models.Shipment) (bool, error) {
	if s.Role() != models.Duplicate {
		return false, nil
	}
	all, err := d.DB.ShipmentsOf(ctx, s.Document())
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(all, func(o models.Shipment) bool { return o.ID != s.ID && shipments.HasLeftHouse(o) }), nil
}

// dayOver reports whether the day of a notice's letter has ended while its channel has it. It fails if the day has ended before: since
// the letter was taken.
func (d *Dispatcher) dayOver(s models.Shipment, rows documents.Rows, creditor models.Creditor) (bool, error) {
	if !s.IsNoticeLetter() {
		return false, nil
	}
	today, err := creditor.Today(d.Clock.Now())
	if err != nil {
		return false, err
	}
	if !s.Accepted() && s.BatchID == 0 && rows.Outdated(today) { // the next attempt issues it anew
		return false, models.Unavailable("the channel", errors.New("the day of the letter has ended"))
	}
	return s.Accepted() && (rows.Outdated(today) || rows.Withdrawn()), nil
}

// ehf returns the document as the network gets it. The network's sender is the seller inside.
func (d *Dispatcher) ehf(ctx context.Context, s models.Shipment, of contents) (mailer.EHF, error) {
	shown, err := d.Documents.Seller(ctx, of.creditor, s.Document())
	if err != nil {
		return mailer.EHF{}, err
	}
	ubl, err := d.EHF(ctx, s.CreditorID, s.Document())
	if models.KindOf(err) == models.KindConflict { // it would break the network's rules
		err = models.Refuse(models.BlameRecipient, err, "the document cannot go by EHF")
	}
	if err != nil {
		return mailer.EHF{}, err
	}
	return mailer.EHF{UBL: ubl, Sender: shown.OrganisationNumber}, nil
}

// efakturaOf returns what the recipient's bank gets of an invoice (rule E20).
func efakturaOf(i models.Invoice, s models.Shipment) (mailer.EFaktura, error) {
	if s.DocumentKind != models.InvoiceDocument || i.KID == "" || i.BankAccount == "" {
		return mailer.EFaktura{}, models.Refuse(models.BlameRecipient, nil, "eFaktura needs an invoice with an account and a KID")
	}
	return mailer.EFaktura{
		KID: i.KID, Account: i.BankAccount, Amount: i.Gross, DueDate: i.DueDate,
		AvtaleGiro: i.Drawn,
	}, nil
}

// unpaid returns what is unpaid on an invoice that the creditor still claims himself, and that nobody draws; zero otherwise.
func unpaid(i models.Invoice) models.Amount {
	if i.Closed != models.NotClosed || i.HandedOver != 0 || i.DrawnUntil != 0 {
		return 0
	}
	return max(i.Claimed(), 0)
}

// shownNotice returns the notice of a document; of a letter for several invoices one that has its kind and its fee (rule L23).
func shownNotice(r documents.Rows) models.Notice {
	if !r.Document.Kind.Joint() {
		return r.Notice
	}
	n := models.Notice{Warning: r.Letter.Warning, DueDate: r.Letter.DueDate}
	for _, p := range r.Parts {
		n.Fee += p.Notice.Fee
		n.Interest += p.Notice.Interest
		n.Compensation = n.Compensation || p.Notice.Compensation
	}
	return n
}

// ofLetter returns the cover as it is around a letter for several invoices, if the document is one (rule L23).
func ofLetter(r documents.Rows, c mailer.Cover) mailer.Cover {
	if !r.Document.Kind.Joint() || len(r.Parts) == 0 {
		return c
	}
	n := shownNotice(r)
	c.Warning, c.Until, c.Fee, c.Interest, c.Compensation = n.Warning, n.DueDate, n.Fee, n.Interest, n.Compensation
	c.KID, c.BankAccount, c.Invoices = r.Letter.KID, r.Parts[0].Invoice.BankAccount, len(r.Parts)
	return c
}

// noSender is the sender address of a creditor who has none yet. It receives no answers: RFC 2606 reserves the domain.
const noSender = "no-reply@purr.invalid"

// mail returns the e-mail around the document.
func (d *Dispatcher) mail(ctx context.Context, s models.Shipment, of contents) (mailer.Mail, error) {
	pdf := of.pdfs[s.Document()]
	i, head, period := pdf.Invoice, pdf.Head, pdf.Statement
	customer, there := of.customers[head.CustomerID]
	if !there {
		return mailer.Mail{}, models.NotFound("customer")
	}
	again, err := d.again(ctx, s)
	if err != nil {
		return mailer.Mail{}, err
	}
	today, err := of.creditor.Today(d.Clock.Now())
	if err != nil {
		return mailer.Mail{}, err
	}
	text, err := ofLetter(pdf.Rows, mailer.Cover{
		Kind: s.DocumentKind, Copy: s.Role() == models.Copy || s.Role() == models.Courtesy, Again: again, Unpaid: unpaid(i), Warning: pdf.Notice.Warning, Creditor: pdf.Seller.Name, Customer: cmp.Or(head.Recipient.Name1, s.Recipient.Name1),
		Number: head.Number, Invoice: i.Number, Amount: head.Gross, DueDate: i.DueDate, BankAccount: i.BankAccount, KID: i.KID,
		Drawn: i.Drawn && s.Ordinary == 0, Ordinary: s.Ordinary, Time: s.MoreTime, Correction: s.Correction, Friendly: s.Role() == models.Friendly, Overdue: i.DueDate < today,
		Notice: s.IsNoticeMail(), Until: pdf.Notice.DueDate, Fee: pdf.Notice.Fee, Interest: pdf.Notice.Interest, Compensation: pdf.Notice.Compensation,
		From: period.FromDate, To: period.ToDate,
	}).Text(pdf.LanguageFor(of.creditor, customer))
	if err != nil {
		return mailer.Mail{}, err
	}
	return mailer.Mail{
		From: mail.Address{Name: pdf.Seller.Name, Address: cmp.Or(of.creditor.Email, d.Sender, noSender)}, To: s.Recipient.Email,
		Subject: text.Subject, Text: text.Body, AttachmentName: text.FileName, Tag: shipments.Tag(d.BounceKey, s),
	}, nil
}
