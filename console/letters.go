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
		{path: "/c/{creditor}/joint-letters/{letter}", area: "letters", get: s.jointLetterPage},
		{path: "/c/{creditor}/joint-letters/{letter}/pdf", get: s.jointLetterPDF},
		{path: "/c/{creditor}/letters/{shipment}/retry", area: "letters", post: s.retryLetter, again: s.lettersPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/letters/{shipment}/again", area: "letters", post: s.sendAgain, again: s.lettersPage, scope: models.ScopeWrite},
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

// lettersPage lists e-mails and letters of one sort, the newest first. What failed is on cards.
type lettersPage struct {
	view
	Tabs    []link
	Letters []letter
	Cards   []failedCard
	Failed  bool
	State   string // the tab's
	Pager   pager
}

// letter is a shipment as the page shows it.
type letter struct {
	models.Shipment
	What    string // "Invoice 4711", "Credit note 12", "Notice on invoice 4711", "Statement of customer 17"
	Number  int64
	Owed    bool          // it waits, and may be tried at once
	Chosen  bool          // of one that failed: its box is checked
	Settled models.Status // of the invoice that it is, if nothing is asked for any more
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
	if err := s.leadOf(ctx, p, letterTabs[at], p.Tabs[at].Count); err != nil {
		return reply{}, err
	}
	read := func() error { return s.readLetters(ctx, p, letterTabs[at]) }
	if p.Failed {
		read = func() error { return s.readFailed(ctx, p) }
	}
	if err := read(); err != nil {
		return reply{}, err
	}
	if rq.refused != nil {
		p.Here = rq.back(rq.base + "/letters")
	}
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

// leadOf says how many letters a tab has. What failed is counted for the tab itself.
func (s *Server) leadOf(ctx context.Context, p *lettersPage, tab letterTab, failed int64) (err error) {
	n, all := failed, true
	if !p.Failed {
		if n, all, err = s.db.ListedShipments(ctx, p.rq.creditor.ID, store.ShipmentFilter{States: tab.states}); err != nil {
			return err
		}
	}
	p.Lead = p.rq.numbered("letters_lead."+tab.state, "letters_lead."+tab.state+"_many", n, all)
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
	found, err := s.db.NewestShipments(ctx, p.rq.creditor.ID, store.ShipmentFilter{States: tab.states, Before: before}, perPage+1)
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
		p.Letters = append(p.Letters, p.rq.letter(sent, numbers[sent.Document()], common))
	}
	return nil
}

func (rq *request) letter(s models.Shipment, number int64, common time.Time) letter {
	return letter{Shipment: s, Seen: shipments.LookAt(s), Owed: s.WaitsForPerson(common), Number: number, What: rq.nameOfShipment(s, number)}
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
	models.PlanDocument: "invoices", models.LetterDocument: "joint-letters",
}

// retryLetter has a shipment that waits tried at once.
func (s *Server) retryLetter(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("shipment")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		sent, err := shipments.RetryOf(ctx, tx, rq.creditor.ID, id, shipments.Again{Seen: rq.seen()}, rq.actor())
		if err != nil {
			return done{}, err
		}
		numbers, err := tx.NumbersOf(ctx, sent)
		if err != nil {
			return done{}, err
		}
		document := sent.Document()
		said := rq.said("letters.tried_at_once", "what", rq.nameOfShipment(sent, numbers[document]))
		return done{to: rq.back(rq.base + "/letters"), message: said, made: &document}, nil
	})
}
