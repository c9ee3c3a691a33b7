package console

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// failedCard is what failed for one customer by one way for the same reason: it goes again together (rule N8).
type failedCard struct {
	cardKey
	Customer models.Customer
	Seen     models.Seen // the customer, as the page shows him
	Letters  []letter
	Others   []letter // what failed for the customer by the same way for another reason
	Email    input    // the field for another address; without ID if nothing of it can go by e-mail
	Save     input    // without ID if the address is not the customer's
	OnPaper,
	ByEmail, // some of it can go by that way instead
	Stays bool // the letters came back, and the customer has no other address yet
	Refused bool // the form was sent, and is shown again
}

// cardKey tells cards apart.
type cardKey struct {
	CustomerID int64
	Method     models.ShipmentMethod
	State      models.ShipmentState
	Fault      models.SendingFault
	Beside     string // the address of a copy that goes to somebody else than the customer
}

func keyOf(s store.FailedShipment) cardKey {
	k := cardKey{CustomerID: s.CustomerID, Method: s.Method, State: s.State, Fault: s.Fault()}
	if s.Role() == models.Copy {
		k.Beside = s.Recipient.Email
	}
	return k
}

// sameWay reports whether what is on two cards may go again together.
func (k cardKey) sameWay(other cardKey) bool {
	return k.CustomerID == other.CustomerID && k.Method == other.Method && k.Beside == other.Beside && k.comesBack() == other.comesBack()
}

// comesBack reports whether the cards' letters need another address.
func (k cardKey) comesBack() bool { return k.State == models.ShipmentReturned && k.Method.IsLetter() }

// readFailed fills the page with cards, by customer, whoever has the newest failure first, below ?before=ID if the URL has one.
func (s *Server) readFailed(ctx context.Context, p *lettersPage) error {
	here := p.rq.base + "/letters?state=" + letterTabs[0].state
	before, err := p.rq.idOr("before", "")
	if err != nil {
		return err
	}
	if before != 0 {
		p.Pager.Previous = here
	}
	return s.db.View(ctx, func(v store.View) error {
		p.Cards = nil
		of, err := v.FailedCustomers(ctx, p.rq.creditor.ID, before, perPage+1)
		if err != nil {
			return err
		}
		of = onPage(of, &p.Pager, func(last store.FailedCustomer) string { return here + "&before=" + toPath(last.Newest) })
		ids, things := make([]int64, len(of)), make([]models.Thing, len(of))
		for i, c := range of {
			ids[i], things[i] = c.CustomerID, models.Thing{Kind: models.ThingCustomer, ID: c.CustomerID}
		}
		if err := p.lookAt(ctx, v, things...); err != nil {
			return err
		}
		found, err := v.FailedOf(ctx, p.rq.creditor.ID, ids, shipments.MaxRetried)
		if err != nil {
			return err
		}
		return p.fillCards(ctx, v, ids, found)
	})
}

// fillCards makes the cards of what failed for the customers, in their order.
func (p *lettersPage) fillCards(ctx context.Context, v store.View, customerIDs []int64, found []store.FailedShipment) error {
	customers, err := v.CustomersByID(ctx, p.rq.creditor.ID, customerIDs)
	if err != nil {
		return err
	}
	all := make([]models.Shipment, len(found))
	var invoiceIDs []int64
	for i, f := range found {
		if all[i] = f.Shipment; f.DocumentKind == models.InvoiceDocument {
			invoiceIDs = append(invoiceIDs, f.DocumentID)
		}
	}
	numbers, err := v.NumbersOf(ctx, all...)
	if err != nil {
		return err
	}
	invoices, err := v.InvoicesByID(ctx, p.rq.creditor.ID, invoiceIDs)
	if err != nil {
		return err
	}
	status := map[models.Document]models.Status{}
	for _, i := range invoices {
		if i.Claimed() <= 0 || i.Closed != models.NotClosed {
			status[i.Document()] = i.Status(p.rq.today())
		}
	}
	place := map[cardKey]int{}
	for _, f := range found {
		key := keyOf(f)
		at, there := place[key]
		if !there {
			at, place[key] = len(p.Cards), len(p.Cards)
			p.Cards = append(p.Cards, failedCard{cardKey: key, Customer: customers[key.CustomerID], Seen: p.Look(string(models.ThingCustomer), key.CustomerID)})
		}
		l := p.rq.letter(f.Shipment, numbers[f.Document()], p.rq.s.db.Common())
		l.Settled = status[f.Document()]
		p.Cards[at].Letters = append(p.Cards[at].Letters, l)
	}
	slices.SortStableFunc(p.Cards, func(a, b failedCard) int {
		return cmp.Compare(slices.Index(customerIDs, a.CustomerID), slices.Index(customerIDs, b.CustomerID))
	})
	for i := range p.Cards {
		p.finishCard(&p.Cards[i])
	}
	return nil
}

// finishCard gives a card, whose letters it has, its fields and what else may be done with it.
func (p *lettersPage) finishCard(c *failedCard) {
	for _, other := range p.Cards {
		if other.cardKey != c.cardKey && other.sameWay(c.cardKey) {
			c.Others = append(c.Others, other.Letters...)
		}
	}
	c.Refused = p.rq.r.PathValue("shipment") == toPath(c.ID())
	c.Stays = c.comesBack() && slices.ContainsFunc(slices.Concat(c.Letters, c.Others), func(l letter) bool { return !shipments.HasMoved(l.Shipment, c.Customer) })
	can := func(m models.ShipmentMethod) bool {
		return c.Method != m && slices.ContainsFunc(c.Letters, func(l letter) bool { return m.Carries(l.DocumentKind, l.Role()) == nil })
	}
	c.OnPaper, c.ByEmail = can(models.ByPaper), can(models.ByEmail)
	if c.Method == models.ByEmail || c.ByEmail {
		c.Email = p.onCard(c, "email", "letters.address", c.address(), "type=email")
	}
	if c.Email.ID != "" && c.Beside == "" {
		c.Save = p.onCard(c, "save", "letters.save", true, "type=checkbox")
	}
	for i, l := range c.Letters {
		chosen := func(value string) bool { return strings.HasPrefix(value, toPath(l.ID)+":") }
		c.Letters[i].Chosen = !c.Refused || slices.ContainsFunc(p.rq.form["shipment"], chosen)
	}
}

// onCard returns a field of a card. What was typed, and its faults, are shown on the card whose form was sent.
func (p *lettersPage) onCard(c *failedCard, name, label string, value any, options ...string) input {
	in := p.Input(name, label, value, options...)
	if !c.Refused {
		in.Value, in.Faults, in.Checked = p.rq.words.Typed(value), nil, value == true
	}
	in.ID = "f-" + name + "-" + toPath(c.ID())
	if c.Refused {
		for i := range p.Faults { // which lead to the field of this card
			if p.Faults[i].Field == name {
				p.Faults[i].Field = name + "-" + toPath(c.ID())
			}
		}
	}
	return in
}

// ID tells the card's form apart from the others of the page: it is that of its newest letter.
func (c *failedCard) ID() int64 { return c.Letters[0].ID }

// address returns the e-mail address that is offered: the customer's, who may have another one since, or that of a copy beside.
func (c *failedCard) address() string {
	return cmp.Or(c.Beside, c.Customer.Recipient.Email, c.Letters[0].Recipient.Email)
}

// GoesTo returns where letters that came back are sent, empty of others, and of those of a customer who has no other address yet.
func (c *failedCard) GoesTo() string {
	if !c.comesBack() || c.Stays {
		return ""
	}
	return c.Method.Address(c.Customer.Recipient)
}

// All returns how many are on the card and on those of the same way.
func (c *failedCard) All() int { return len(c.Letters) + len(c.Others) }

// Reasons are the channel's words, each once, the newest first.
func (c *failedCard) Reasons() (all []string) {
	for _, l := range c.Letters {
		if l.Reason != "" && !slices.Contains(all, l.Reason) {
			all = append(all, l.Reason)
		}
	}
	return all
}
