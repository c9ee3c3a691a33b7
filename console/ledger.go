package console

import (
	"context"
	"strconv"
	"strings"

	"purr/console/locale"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// ledgerPage lists what was booked in a month, of all kinds or of one (rule N5).
type ledgerPage struct {
	view
	Month   models.Month
	Kind    models.Movement // empty for all
	Entries []store.BookedEntry
	Pager   pager
}

// askedMovement returns the kind of bookings that the URL asks for, empty for all.
func (rq *request) askedMovement() (models.Movement, error) {
	text := rq.query("kind")
	m, known := models.ParseMovement(text)
	if text != "" && !known {
		return "", models.Malformed("unknown_kind", "kind", "is not a kind of bookings")
	}
	return m, nil
}

// bookedAfter reads where the part of the ledger before this one ended.
func (rq *request) bookedAfter() (m store.BookedMark, err error) {
	text := rq.query("after")
	if text == "" {
		return m, nil
	}
	entry, deletion, _ := strings.Cut(text, ".")
	if m.Entry, err = strconv.ParseInt(entry, 10, 64); err == nil {
		m.Deletion, err = strconv.ParseInt(deletion, 10, 64)
	}
	if err != nil || m.Entry < 0 || m.Deletion < 0 {
		return store.BookedMark{}, models.Malformed("invalid_id", "after", "is not a place in this list")
	}
	return m, nil
}

func (s *Server) ledgerPage(ctx context.Context, rq *request) (reply, error) {
	p := &ledgerPage{view: rq.view("money.ledger")}
	var err error
	if p.Kind, err = rq.askedMovement(); err != nil {
		return reply{}, err
	}
	after, err := rq.bookedAfter()
	if err != nil {
		return reply{}, err
	}
	report, err := s.readMonth(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p.Month = report.Month
	f := store.BookedFilter{Dates: store.Dates{From: p.Month.First(), To: p.Month.Last()}, Zone: rq.creditor.DisplayZone(), Movement: p.Kind}
	if p.Entries, err = s.db.BookedEntries(ctx, rq.creditor.ID, f, after, perPage+1); err != nil {
		return reply{}, err
	}
	if err := s.db.ActorsOfBooked(ctx, rq.creditor.ID, p.Entries); err != nil {
		return reply{}, err
	}
	if len(p.Entries) > perPage {
		for _, e := range p.Entries[:perPage] {
			after = e.Mark(after)
		}
		p.Entries, p.Pager.Next = p.Entries[:perPage], p.With("after", toPath(after.Entry)+"."+toPath(after.Deletion))
	}
	p.Lead = rq.words.SayHTML("ledger.lead", "month", rq.words.Month(p.Month), "n", report.Items(), "sum", report.Movements())
	if p.Kind != "" {
		of := report.Of(p.Kind)
		p.Lead = rq.words.SayHTML("ledger.lead_of", "kind", p.rq.words.Say("movement."+string(p.Kind)), "month", rq.words.Month(p.Month), "n", of.Items, "sum", of.Amount)
	}
	return show("ledger", p)
}

// Kinds returns the field that narrows the list to a kind.
func (p *ledgerPage) Kinds() input {
	in := p.Select("kind", "ledger.kind", string(p.Kind), "", "ledger.any")
	for _, m := range models.Movements {
		if m == models.MovementAdopted && m != p.Kind && !p.rq.creditor.Adopts {
			continue
		}
		in.Options = append(in.Options, option{string(m), p.rq.words.Say("movement." + string(m)), m == p.Kind})
	}
	return in
}

// Typed returns the month as people type it.
func (p *ledgerPage) Typed() string { return locale.ShortMonth(p.Month) }

// What returns what was booked, in words.
func (p *ledgerPage) What(e store.BookedEntry) string { return p.rq.booked(e) }

// Document returns the name of the document of what was booked.
func (p *ledgerPage) Document(e store.BookedEntry) string { return p.rq.documentOf(e) }

// Path returns the path of that document.
func (p *ledgerPage) Path(e store.BookedEntry) string {
	if e.CreditNoteNumber != 0 {
		return p.URL("credit-notes", e.CreditNoteNumber)
	}
	return p.URL("invoices", e.InvoiceNumber)
}

// booked returns what was booked, in words.
func (rq *request) booked(e store.BookedEntry) string {
	name := rq.words.Say("movement." + string(e.Movement))
	if e.DeletionID != 0 {
		return rq.words.Say("ledger.deleted", "kind", name)
	}
	return name
}

// documentOf returns the name of the document of what was booked.
func (rq *request) documentOf(e store.BookedEntry) string {
	if e.CreditNoteNumber != 0 {
		return rq.words.Say("letter_of."+string(models.CreditNoteDocument), "number", toPath(e.CreditNoteNumber))
	}
	return rq.words.Say("letter_of."+string(models.InvoiceDocument), "number", toPath(e.InvoiceNumber))
}

// ledgerCSV answers with all that was booked in a month, with what all customers owe after each row; of one kind with its sum.
func (s *Server) ledgerCSV(ctx context.Context, rq *request) (reply, error) {
	month, err := rq.askedMonth()
	if err != nil {
		return reply{}, err
	}
	kind, err := rq.askedMovement()
	if err != nil {
		return reply{}, err
	}
	balance := "ledger.balance"
	if kind != "" {
		balance = "ledger.sum"
	}
	header := rq.words.Header("bank.date", "ledger.booked_at", "ledger.kind", "ledger.document", "invoices.customer", "customers.number", "month.kid", "money.amount", balance, "log.who", "log.comment")
	return rq.csv("ledger-"+month.String(), header, func(write func(...any) error) error {
		days := store.Dates{From: month.First(), To: month.Last()}
		return receivables.EachInLedger(ctx, s.db, rq.creditor, days, kind, func(r receivables.LedgerRow) error {
			return write(r.TransactionDate, r.BookedAt.In(rq.zone).Format("2006-01-02 15:04:05"), rq.booked(r.BookedEntry), rq.documentOf(r.BookedEntry),
				r.CustomerName, r.CustomerNumber, r.KID, r.Amount, r.Balance, rq.words.Actor(r.Actor), rq.words.Comment(r.Comment))
		})
	})
}
