package console

import (
	"context"
	"slices"
	"time"

	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

func (s *Server) letterRoutes() []route {
	return []route{
		{path: "/c/{creditor}/letters", area: "letters", get: s.lettersPage, csv: s.lettersCSV},
		{path: "/c/{creditor}/letters/{shipment}/retry", area: "letters", post: s.retryLetter, again: s.lettersPage, scope: models.ScopeWrite},
	}
}

// letterTab is a tab of the letters: what the URL says, and the states that it takes.
type letterTab struct {
	state, label string
	states       []models.ShipmentState
}

// letterTabs are all tabs. What failed comes first.
var letterTabs = []letterTab{
	{"failed", "letters.failed", []models.ShipmentState{models.ShipmentFailed, models.ShipmentReturned}},
	{"waiting", "letters.waiting", []models.ShipmentState{models.ShipmentOwed}},
	{"sent", "letters.sent", []models.ShipmentState{models.ShipmentSent, models.ShipmentDelivered}},
}

// lettersPage lists e-mails and letters of one sort, the newest first.
type lettersPage struct {
	view
	Tabs    []link
	Letters []letter
	Failed  bool
	State   string // the tab's
	Pager   pager
}

// letter is a shipment as the page shows it.
type letter struct {
	models.Shipment
	What    string // "Invoice 4711", "Credit note 12", "Notice on invoice 4711", "Statement of customer 17"
	Number  int64
	Email   input // the field for another address; without ID if it cannot go by e-mail
	OnPaper bool  // it can go on paper instead
	Owed    bool  // it waits, and may be tried at once
	Seen    models.Seen
}

func (s *Server) lettersPage(ctx context.Context, rq *request) (reply, error) {
	p := &lettersPage{view: rq.view("letters.title")}
	state := rq.query("state")
	if state == "" {
		state = letterTabs[0].state
	}
	at := slices.IndexFunc(letterTabs, func(t letterTab) bool { return t.state == state })
	if at < 0 {
		return reply{}, models.Malformed("unknown_state", "state", "must be failed, waiting or sent")
	}
	p.State, p.Failed = state, at == 0
	if err := s.readTabs(ctx, p, at); err != nil {
		return reply{}, err
	}
	if err := s.readLetters(ctx, p, letterTabs[at]); err != nil {
		return reply{}, err
	}
	if rq.refused != nil {
		p.Here = rq.back(rq.base + "/letters")
	}
	p.Lead = rq.words.SayHTML("letters_lead." + state)
	return show("letters", p)
}

// readTabs fills the tabs with how many letters need something.
func (s *Server) readTabs(ctx context.Context, p *lettersPage, present int) error {
	waiting, err := p.rq.waiting(ctx)
	if err != nil {
		return err
	}
	owed, err := s.db.CountShipmentsOf(ctx, p.rq.creditor.ID, models.ShipmentOwed)
	if err != nil {
		return err
	}
	counts := []int64{waiting.Shipments(), owed[models.ShipmentOwed], 0}
	for i, t := range letterTabs {
		p.Tabs = append(p.Tabs, link{Label: p.rq.words.Say(t.label), Path: p.rq.base + "/letters?state=" + t.state, Present: i == present, Count: counts[i]})
	}
	return nil
}

// readLetters fills the page with the letters of its tab, below ?before=ID if the URL has one.
func (s *Server) readLetters(ctx context.Context, p *lettersPage, tab letterTab) error {
	here := p.rq.base + "/letters?state=" + tab.state
	before, err := p.rq.idOr("before", "")
	if err != nil {
		return err
	}
	if before != 0 {
		p.Pager.Previous = here
	}
	found, err := s.db.NewestShipments(ctx, p.rq.creditor.ID, store.ShipmentFilter{States: tab.states, Pending: p.Failed, Before: before}, perPage+1)
	if err != nil {
		return err
	}
	slices.Reverse(found)
	found = onPage(found, &p.Pager, func(last models.Shipment) string { return here + "&before=" + toPath(last.ID) })
	numbers, err := s.db.NumbersOf(ctx, found...)
	if err != nil {
		return err
	}
	common := s.db.Common()
	for _, sent := range found {
		p.Letters = append(p.Letters, p.rq.letter(p, sent, numbers[sent.Document()], common))
	}
	return nil
}

func (rq *request) letter(p *lettersPage, s models.Shipment, number int64, common time.Time) letter {
	l := letter{Shipment: s, Seen: shipments.LookAt(s), Owed: s.WaitsForPerson(common), Number: number, What: rq.words.Say("letter_of."+string(s.DocumentKind), "number", toPath(number))}
	if s.DocumentKind.OnlyBy() == models.ByPaper || !p.Failed {
		return l
	}
	l.OnPaper = s.Method != models.ByPaper && s.Role() == models.Original && s.DocumentKind.WrongBy(models.ByPaper) == nil
	l.Email = p.Input("email", "letters.address", s.Recipient.Email, "type=email")
	l.Email.ID = "f-email-" + toPath(s.ID)
	if rq.r.PathValue("shipment") != toPath(s.ID) { // what was typed was of another letter
		l.Email.Value, l.Email.Faults = s.Recipient.Email, nil
		return l
	}
	for i := range p.Faults { // which lead to the field of this letter
		if p.Faults[i].Field == l.Email.Name {
			p.Faults[i].Field = "email-" + toPath(s.ID)
		}
	}
	return l
}

// Way returns the address that a letter goes to: of an e-mail the mailbox, of an EHF the identifier in the network, of paper the
// street. Until AUTO is decided, it is the street.
func (l letter) Way() string { return l.Method.Address(l.To()) }

// DocumentPath returns the path of the invoice that a letter is about, of the credit note, or of the statement.
func (p *lettersPage) DocumentPath(l letter) string {
	page := documentPages[l.DocumentKind]
	if l.DocumentKind.OfAccount() {
		return p.URL("customers", l.Number, page)
	}
	return p.URL(page, l.Number)
}

// documentPages are where documents are shown: of an account below its customer, the others by their number.
var documentPages = map[models.DocumentKind]string{
	models.InvoiceDocument: "invoices", models.CreditNoteDocument: "credit-notes", models.NoticeDocument: "invoices", models.StatementDocument: "statement",
}

// retryLetter sends a shipment again that failed or came back: as before, to another address, or on paper instead.
func (s *Server) retryLetter(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("shipment")
	if err != nil {
		return reply{}, err
	}
	f := rq.fields()
	how := shipments.Again{Method: models.ShipmentMethod(f.text("method")), Seen: rq.seen()}
	if how.Method != "" && !how.Method.HasChannel() {
		return reply{}, errBadForm()
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		before, err := tx.CreditorShipment(ctx, rq.creditor.ID, id)
		if err != nil {
			return done{}, err
		}
		if email := f.text("email"); how.Method != models.ByPaper && email != before.Recipient.Email && before.State != models.ShipmentOwed {
			how.Email = email
		}
		sent, err := shipments.RetryOf(ctx, tx, rq.creditor.ID, id, how, rq.actor())
		if err != nil {
			return done{}, err
		}
		said, err := rq.saidOfRetry(ctx, tx, before, sent)
		if err != nil {
			return done{}, err
		}
		document := sent.Document()
		return done{to: rq.back(rq.base + "/letters"), message: said, made: &document}, nil
	})
}

// saidOfRetry says how what was sent before is sent again.
func (rq *request) saidOfRetry(ctx context.Context, tx *store.Tx, before, sent models.Shipment) (message, error) {
	numbers, err := tx.NumbersOf(ctx, sent)
	if err != nil {
		return message{}, err
	}
	what := rq.words.Say("letter_of."+string(sent.DocumentKind), "number", toPath(numbers[sent.Document()]))
	switch {
	case before.State == models.ShipmentOwed:
		return rq.said("letters.tried_at_once", "what", what), nil
	case sent.Method == models.ByPaper:
		return rq.said("letters.sent_on_paper", "what", what), nil
	}
	return rq.said("letters.sent_to", "what", what, "address", sent.Recipient.Email), nil
}
