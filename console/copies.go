package console

import (
	"context"

	"purr/documents"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// copyRoutes are the forms that have a copy of a document sent (rule N4).
func (s *Server) copyRoutes() []route {
	const invoice = "/c/{creditor}/invoices/{number}"
	of := func(path string, find found) route {
		return route{path: path + "/copy", area: "invoices", get: s.copyPage(find), post: s.sendCopy(find), scope: models.ScopeWrite}
	}
	return []route{
		of(invoice, s.invoiceInPath), of(invoice+"/notices/{notice}", s.noticeInPath), of("/c/{creditor}/credit-notes/{number}", s.creditNoteInPath),
	}
}

// found returns the document in the path, and the page that shows it.
type found func(ctx context.Context, rq *request) (models.Document, string, error)

func (s *Server) invoiceInPath(ctx context.Context, rq *request) (models.Document, string, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return models.Document{}, "", err
	}
	return i.Document(), rq.pathOf(i), nil
}

func (s *Server) noticeInPath(ctx context.Context, rq *request) (models.Document, string, error) {
	i, n, err := s.noticeIn(ctx, rq)
	if err != nil {
		return models.Document{}, "", err
	}
	return n.Document(), rq.pathOf(i), nil
}

func (s *Server) creditNoteInPath(ctx context.Context, rq *request) (models.Document, string, error) {
	n, err := s.creditNote(ctx, rq, s.db)
	if err != nil {
		return models.Document{}, "", err
	}
	return n.Document(), rq.pathOfNote(n), nil
}

// copyPage is the form that has a copy of a document sent.
type copyPage struct {
	view
	documents.Rows
	Customer models.Customer
	Page     string // shows the document
	Addressed,
	Withdrawn, // it is a notice that claims nothing any more
	Settled bool // nothing is owed on the invoice
	Seen models.Seen
}

func (s *Server) copyPage(find found) handler {
	return func(ctx context.Context, rq *request) (reply, error) {
		d, page, err := find(ctx, rq)
		if err != nil {
			return reply{}, err
		}
		p := &copyPage{Page: page}
		err = s.db.View(ctx, func(v store.View) (err error) {
			if p.Rows, err = documents.Read(ctx, v, rq.creditor.ID, d); err != nil {
				return err
			}
			if p.Customer, err = v.Customer(ctx, rq.creditor.ID, p.Head.CustomerID); err != nil {
				return err
			}
			p.Seen, err = shipments.LookAtCopies(ctx, v, rq.creditor.ID, p.Invoice.ID, p.Customer.ID)
			return err
		})
		if err != nil {
			return reply{}, err
		}
		p.view = rq.view("copy.title", "what", rq.nameOf(d.Kind, p.Head.Number))
		p.Lead = rq.words.SayHTML("copy.lead")
		p.Addressed = p.Customer.Recipient.Addressed()
		p.Withdrawn, p.Settled = p.Notice.Withdrawn != 0, p.Invoice.Claimed() <= 0
		return show("copy", p)
	}
}

// nameOf returns what a document is called.
func (rq *request) nameOf(kind models.DocumentKind, number int64) string {
	return rq.words.Say("letter_of."+string(kind), "number", toPath(number))
}

// nameOfShipment returns what a shipment is called by what it sends, whose number is given.
func (rq *request) nameOfShipment(s models.Shipment, number int64) string {
	if s.Role() == models.TellsOfTime {
		return rq.words.Say("letter_of.more_time", "number", toPath(number))
	}
	if s.Role() == models.TellsOfCorrection {
		return rq.words.Say("letter_of.correction", "number", toPath(number))
	}
	if s.Role() == models.Friendly {
		return rq.words.Say("letter_of.friendly_reminder", "number", toPath(number))
	}
	return rq.nameOf(s.DocumentKind, number)
}

// Methods returns the field with the ways in which a copy goes.
func (p *copyPage) Methods() input {
	first := string(models.ByPaper)
	if p.Customer.Recipient.Email != "" || !p.Addressed {
		first = string(models.ByEmail)
	}
	return p.Select("shipment_method", "copy.method", first, string(models.ByEmail), "send.email", string(models.ByPaper), "send.paper")
}

// sendCopy has a copy of a document sent. What stands in the field of the address counts for an e-mail alone.
func (s *Server) sendCopy(find found) handler {
	return func(ctx context.Context, rq *request) (reply, error) {
		d, page, err := find(ctx, rq)
		if err != nil {
			return reply{}, err
		}
		f := rq.fields()
		asked := shipments.CopyRequest{Method: models.ShipmentMethod(f.text("shipment_method")), Actor: rq.actor(), Seen: rq.surelySeen()}
		if asked.Method == models.ByEmail {
			if asked.Email, asked.Save = f.text("email"), f.has("save"); asked.Email == "" {
				f.faults.Add("required", "email", "is required")
			}
		}
		if err := f.done(asked.Validate()); err != nil {
			return reply{}, err
		}
		return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
			sent, err := shipments.SendCopy(ctx, tx, rq.creditor.ID, d, asked)
			if err != nil {
				return done{}, err
			}
			return done{to: rq.back(page), message: rq.saidOfCopy(sent), made: &d}, nil
		})
	}
}

// saidOfCopy says where a copy goes.
func (rq *request) saidOfCopy(sent models.Shipment) message {
	if sent.Method == models.ByEmail {
		return rq.said("copy.sent_to", "address", sent.Recipient.Email)
	}
	return rq.said("copy.sent_on_paper", "address", sent.Method.Address(sent.To()))
}
