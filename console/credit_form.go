package console

import (
	"context"

	"purr/billing"
	"purr/models"
	"purr/store"
)

// What of an invoice the form credits.
const (
	creditAll  = "all"
	creditPart = "part"
)

// creditForm asks how an invoice is credited: all of it, what earlier credit notes have left, or a part (rules D21, L27).
type creditForm struct {
	*actPage
	Left  []models.CreditNoteLine // a line for each VAT rate of which something is left
	Gross models.Amount           // what is left
}

func (s *Server) creditPage(ctx context.Context, rq *request) (reply, error) {
	act, err := s.actPage(ctx, rq, "credit.title")
	if err != nil {
		return reply{}, err
	}
	p := &creditForm{actPage: act}
	if p.Customer, err = s.db.Customer(ctx, rq.creditor.ID, p.Invoice.CustomerID); err != nil {
		return reply{}, err
	}
	p.Email = p.Customer.Recipient.Email != ""
	left, err := billing.LeftToCredit(ctx, s.db, p.Invoice)
	if err != nil && models.KindOf(err) != models.KindConflict { // the act says that nothing is left
		return reply{}, err
	}
	for _, l := range left {
		p.Gross += l.Gross
		if l.Net > 0 {
			p.Left = append(p.Left, l)
		}
	}
	return show("credit", p)
}

// Partial reports whether the invoice has a partial credit note already.
func (p *creditForm) Partial() bool { return p.Gross != p.Invoice.Gross }

// Extent returns the field that asks for all or a part.
func (p *creditForm) Extent() input {
	all := "credit.all"
	if p.Partial() {
		all = "credit.rest"
	}
	return p.Select("extent", "credit.extent", creditAll, creditAll, all, creditPart, "credit.part")
}

// Text returns the field for the text of what is credited at a VAT rate.
func (p *creditForm) Text(l models.CreditNoteLine) input {
	return p.Input("line_text-"+string(l.VAT), "credit.text", "")
}

// Net returns the field for how much is credited at a VAT rate.
func (p *creditForm) Net(l models.CreditNoteLine) input {
	return p.Input("net_amount-"+string(l.VAT), "credit.net", "", "inputmode=decimal", "says="+p.rq.words.Say("credit.left", "net", l.Net))
}

// Rate names a VAT rate, as it stands on the invoice.
func (p *creditForm) Rate(l models.CreditNoteLine) string {
	return p.rq.words.Say("credit.rate", "percent", l.VATPercent.String())
}

// credit credits the invoice, or a part of it (rules D21, L27). The page says so before: nothing takes it back.
func (s *Server) credit(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	cr := billing.CreditNoteRequest{Method: models.ShipmentMethod(f.text("method")), Comment: f.text("comment"), Actor: rq.actor(), Seen: rq.surelySeen()}
	cr.Lines = f.creditLines()
	rq.fieldOf = creditedRates(cr.Lines).fieldOf
	if err := f.done(cr.Validate(rq.creditor)); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		note, err := billing.IssueCreditNote(ctx, tx, rq.creditor, i.ID, cr)
		if err != nil {
			return done{}, err
		}
		made, said := note.Document(), "credit.done"
		if note.Partial {
			said = "credit.done_part"
		}
		return done{
			to: rq.base + "/credit-notes/" + toPath(note.Number), made: &made,
			message: rq.said(said, "credit_note", toPath(note.Number), "gross", note.Gross, "number", numberOf(i)),
		}, nil
	})
}

// creditLines reads what is credited of each VAT rate, nil if all is asked for. To ask for all and to fill a part in is a fault: nothing
// takes a credit note back.
func (f *fields) creditLines() []billing.CreditLine {
	lines := []billing.CreditLine{}
	for _, vat := range []models.VATName{models.VATHigh, models.VATMedium, models.VATLow, models.VATNone} {
		text, net := f.text("line_text-"+string(vat)), f.text("net_amount-"+string(vat))
		if text != "" || net != "" {
			lines = append(lines, billing.CreditLine{Text: text, Net: f.amount("net_amount-" + string(vat)), VAT: vat})
		}
	}
	switch {
	case f.text("extent") == creditPart:
		return lines
	case len(lines) > 0:
		f.faults.Add("part_of_all", "extent", "a part is filled in: choose a part, or empty its fields")
	}
	return nil
}

// creditedRates are the lines of a request, which lead to their VAT rates.
type creditedRates []billing.CreditLine

// fieldOf returns the form's field for a fault. What is wrong with the lines as a whole stands where all or a part is asked for.
func (rates creditedRates) fieldOf(e *models.Error) string {
	at := e.Place
	switch {
	case at.Is(models.At("lines")):
		return "extent"
	case len(at) > 2 && at[0].Name == "lines" && at[1].Nth <= len(rates):
		field := at[2].Name
		if field == "vat_rate" {
			field = "net_amount"
		}
		return field + "-" + string(rates[at[1].Nth-1].VAT)
	}
	return fieldOfSending(e)
}
