package console

import (
	"context"
	"net/url"
	"slices"
	"unicode/utf8"

	"purr/models"
	"purr/store"
)

func (s *Server) searchRoutes() []route {
	return []route{{path: "/c/{creditor}/search", get: s.searchPage}}
}

// searchPage shows what was found, by kind (rule N3).
type searchPage struct {
	view
	Sought string
	Groups []hitGroup
}

// hitGroup is what was found of one kind; the payments are one, whether they found their invoice by themselves or not.
type hitGroup struct {
	Name string
	Hits []hit
	More bool
}

// hit is one thing that was found, as the page shows it.
type hit struct {
	models.Hit
	Path  string
	What  string // "Invoice 4711"; of a customer the name
	State string // in words
}

// hitGroups are the groups in order.
var hitGroups = []struct {
	name  string
	kinds []models.HitKind
}{
	{"customer", []models.HitKind{models.HitCustomer}},
	{"invoice", []models.HitKind{models.HitInvoice}},
	{"credit_note", []models.HitKind{models.HitCreditNote}},
	{"overdue_notice", []models.HitKind{models.HitNotice}},
	{"payment", []models.HitKind{models.HitUnmatched, models.HitPayment}},
	{"shipment", []models.HitKind{models.HitLetter}},
}

// searchPage shows what fits ?q=. If that is one thing, it leads there.
func (s *Server) searchPage(ctx context.Context, rq *request) (reply, error) {
	p := &searchPage{view: rq.view("search.title"), Sought: models.OneLine(rq.query("q"))}
	if utf8.RuneCountInString(p.Sought) > models.MaxQuery {
		return reply{}, models.Malformed("too_long", "q", "must have at most %d characters", models.MaxQuery)
	}
	if p.Sought == "" {
		p.Lead = rq.words.SayHTML("search.empty")
		return show("search", p)
	}
	found, err := s.db.Search(ctx, rq.creditor.ID, models.ReadQuery(p.Sought))
	if err != nil {
		return reply{}, err
	}
	if only, is := onlyHit(found); is {
		return rq.to(p.hit(only).Path), nil
	}
	for _, of := range hitGroups {
		g := hitGroup{Name: of.name}
		for _, kind := range of.kinds {
			for _, h := range found.Hits[kind] {
				g.Hits = append(g.Hits, p.hit(h))
			}
			g.More = g.More || found.More[kind]
		}
		if len(g.Hits) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	if p.Lead = rq.words.SayHTML("search.found", "search", p.Sought); len(p.Groups) == 0 {
		p.Lead = rq.words.SayHTML("search.none", "search", p.Sought)
	}
	return show("search", p)
}

// onlyHit returns what was found if it is one thing. The notices and letters of an invoice that was found with them are none of their
// own: the invoice's page shows them.
func onlyHit(found store.Found) (only models.Hit, is bool) {
	var all []models.Hit
	for _, kind := range models.HitKinds {
		if found.More[kind] {
			return only, false
		}
		all = append(all, slices.DeleteFunc(slices.Clone(found.Hits[kind]), func(h models.Hit) bool { return isPart(found, h) })...)
	}
	if len(all) != 1 {
		return only, false
	}
	return all[0], true
}

// isPart reports whether a hit is a notice or a letter of something else that was found.
func isPart(found store.Found, h models.Hit) bool {
	has := func(kind models.HitKind, id int64) bool {
		return slices.ContainsFunc(found.Hits[kind], func(other models.Hit) bool { return other.ID == id })
	}
	switch h.Kind {
	case models.HitNotice:
		return has(models.HitInvoice, h.OfID)
	case models.HitLetter:
		return has(models.HitKind(h.OfKind), h.OfID)
	case models.HitCustomer, models.HitInvoice, models.HitCreditNote, models.HitUnmatched, models.HitPayment:
	}
	return false
}

// hit returns what the page shows of a hit, and where it leads.
func (p *searchPage) hit(h models.Hit) hit {
	say := p.rq.words.Say
	shown, number := hit{Hit: h}, toPath(h.Number)
	switch h.Kind {
	case models.HitCustomer:
		shown.Path, shown.What = p.URL("customers", h.ID), called(p.rq.words, h.Name1, h.ID)
	case models.HitInvoice:
		shown.Path, shown.What, shown.State = p.URL("invoices", h.Number), say("letter_of.invoice", "number", number), say("status."+h.Status(p.rq.today()))
	case models.HitCreditNote:
		shown.Path, shown.What = p.URL("credit-notes", h.Number), say("letter_of.credit_note", "number", number)
		shown.State = p.rq.stateOfNote(models.CreditNote{Balance: h.Balance})
	case models.HitNotice:
		shown.Path, shown.What, shown.State = p.URL("invoices", h.Number), say("letter_of.overdue_notice", "number", number), say("found_state."+h.State)
	case models.HitUnmatched:
		shown.Path, shown.What, shown.State = p.URL("bank")+"?payment="+toPath(h.ID), say("search.payment_of"), say("found_state."+h.State)
	case models.HitPayment:
		shown.Path, shown.What, shown.State = p.URL(documentPages[h.OfKind], h.Number), say("search.payment_on", "number", number), say("entry."+h.State)
	case models.HitLetter:
		shown.Path, shown.What, shown.State = p.URL(documentPages[h.OfKind], h.Number), say("letter_of."+string(h.OfKind), "number", number), say("letter_state."+h.State)
	}
	return shown
}

// InList returns the path of a list that looks for the same.
func (p *searchPage) InList(list string) string {
	return p.URL(list) + "?" + url.Values{"search": {p.Sought}}.Encode()
}
