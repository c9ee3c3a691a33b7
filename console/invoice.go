package console

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"purr/console/locale"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// mostEvents is the most events that the timeline of an invoice shows. The log has the others.
const mostEvents = 200

// invoicePage shows an invoice: what happens next, what has happened, and what is owed.
type invoicePage struct {
	view
	Today     models.Date
	Invoice   models.Invoice
	Customer  models.Customer
	Course    dunning.Course
	Next      template.HTML // the first sentence of what happens next
	Held      models.Hold   // the hold in force, the invoice's own or the customer's
	HeldOwn   bool
	Owed      law.Allocation
	Entries   []models.Entry
	Lines     []models.Line
	Coming    []coming      // the steps to come, the last first
	Events    []locale.Told // newest first
	More      bool          // there are more events
	Credit    string        // the number of its credit note; empty if there is none
	Seen      models.Seen   // the invoice, as the forms that delete its payments show it
	Perhaps   perhapsPart
	CanClose  bool
	CanCredit bool
	CanHand   bool
	// WithCollector says that the debt collector has the claim, or is about to get it.
	WithCollector bool
	CanNotice     bool
	CanWait       bool             // the customer can be given more time
	Disputed      bool             // by a hold, or a payment plan runs: neither a notice nor a hand-over is offered
	Time          models.MoreTime  // that runs
	Claim         models.BankClaim // of AvtaleGiro (rule G3); without state if there is none
	Waived        bool             // and bears no interest
	CanPlan       bool             // it can be paid by instalments
	CanAck        bool             // a person may set the day on which it was acknowledged (rule L26)
	Lapses        models.Date      // when it does, as far as it is shown
	Plan          planPart         // that runs
}

// coming is a step that is to come.
type coming struct {
	On   models.Date
	Text template.HTML
}

// invoices are what the console reads an invoice by its number from: a database, a view of it, or a transaction.
type invoices interface {
	InvoiceByNumber(ctx context.Context, creditorID, number int64) (models.Invoice, error)
}

// invoice returns the invoice in the path.
func (s *Server) invoice(ctx context.Context, rq *request, from invoices) (models.Invoice, error) {
	n, err := rq.pathID("number")
	if err != nil {
		return models.Invoice{}, err
	}
	return from.InvoiceByNumber(ctx, rq.creditor.ID, n)
}

func numberOf(i models.Invoice) string { return strconv.FormatInt(i.Number, 10) }

// pathOf returns the path of an invoice's page.
func (rq *request) pathOf(i models.Invoice) string { return rq.base + "/invoices/" + numberOf(i) }

func (s *Server) invoicePage(ctx context.Context, rq *request) (reply, error) {
	rules, err := dunning.RulesFor(ctx, s.cfg.Rules, s.db, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	number, err := rq.pathID("number")
	if err != nil {
		return reply{}, err
	}
	p := &invoicePage{Today: rq.today()}
	var looks map[models.Thing]store.LastAct
	var queue unmatched.InQueue
	err = s.db.View(ctx, func(v store.View) error {
		standing, err := v.StandingByNumber(ctx, rq.creditor.ID, number, p.Today)
		if err != nil {
			return err
		}
		p.Invoice, p.Seen = standing.Invoice, standing.LookAtPayments()
		looks = map[models.Thing]store.LastAct{
			{Kind: models.ThingHold, ID: p.Invoice.ID}: {Turn: standing.HoldTurn}, {Kind: models.ThingClosing, ID: p.Invoice.ID}: {Turn: standing.ClosingTurn},
		}
		if p.Lines, err = v.InvoiceLines(ctx, p.Invoice.ID); err != nil {
			return err
		}
		if p.Invoice.Drawn {
			if p.Claim, _, err = v.BankClaimOf(ctx, rq.creditor.ID, p.Invoice.ID); err != nil {
				return err
			}
		}
		if standing.Queue {
			if queue, err = unmatched.PaymentsPerhapsOf(ctx, v, rq.creditor, standing.Customer.ID, mostPerhaps); err != nil {
				return err
			}
		}
		p.Course, err = dunning.ReadCourseBeside(ctx, v, rules, rq.creditor, standing, queue, p.Today)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	events, err := s.db.NewestEvents(ctx, rq.creditor.ID, store.EventFilter{InvoiceID: p.Invoice.ID}, 0, mostEvents+1)
	if err != nil {
		return reply{}, err
	}
	p.view = rq.view("invoice.title", "number", numberOf(p.Invoice))
	p.looks = looks
	p.fill(events)
	p.Perhaps = p.perhaps(queue, p.Customer, &p.Invoice)
	return show("invoice", p)
}

// fill fills the page with what follows from what was read.
func (p *invoicePage) fill(events []models.Event) {
	rq, i := p.rq, p.Invoice
	if p.More = len(events) > mostEvents; p.More {
		events = events[:mostEvents]
	}
	for _, e := range events {
		t := rq.words.Tell(e, rq.zone)
		if p.Events = append(p.Events, t); t.Number != "" {
			p.Credit = t.Number
		}
	}
	p.Customer, p.Entries, p.Owed = p.Course.Customer, p.Course.Entries, law.AllocateOf(i, p.Course.Entries)
	if credited := i.RepaymentOwed - p.Owed.Repayment; credited > 0 { // the entries are of the invoice alone
		p.Owed.Principal -= credited
		p.Owed.Repayment += credited
	}
	if p.Held = p.Customer.Hold; i.Hold.Active(p.Today) {
		p.Held, p.HeldOwn = i.Hold, true
	}
	if !p.Held.Active(p.Today) {
		p.Held = models.Hold{}
	}
	for _, s := range p.Course.Steps {
		p.Coming = append([]coming{{s.On, rq.stepInFull(s)}}, p.Coming...)
	}
	p.Next = rq.nextOf(p.Course)
	p.CanClose = dunning.CanClose(i) == nil
	p.CanHand = dunning.CanHandOver(i, p.Today) == nil
	p.WithCollector = i.HandedOver != 0 && i.Closed == models.NotClosed
	p.CanNotice = dunning.Conditions(i, false, p.Today) == nil
	p.CanCredit = p.Credit == "" && p.Customer.ForgottenAt == nil && (len(p.Lines) > 0 || !i.Adopted)
	p.CanWait = dunning.CanHaveMoreTime(i) == nil
	p.CanPlan, p.Plan = dunning.CanHavePlan(i) == nil, p.planOf()
	p.CanAck, p.Lapses = dunning.CanAcknowledge(i) == nil, i.LapseShown(p.Today)
	p.Disputed = i.Hold.Disputed(p.Today) || p.Customer.Hold.Disputed(p.Today) || p.Plan.Runs
	if i.MoreTime.Active(p.Today) {
		p.Time, p.Waived = i.MoreTime, i.InterestFree.Has(i.MoreTime.Until)
	}
	p.Lead = rq.words.SayHTML("invoice.lead", "customer", called(rq.words, i.Recipient.Name1, i.CustomerID), "gross", i.Gross, "issued", i.IssueDate, "due", i.DueDate)
}

// nextOf says in a sentence what happens next: the first step and its day, or why there is none, and why the invoice is left
// alone today.
func (rq *request) nextOf(c dunning.Course) template.HTML {
	say := rq.words.SayHTML
	reason := rq.words.Say("reason." + string(c.Today.Reason))
	switch {
	case len(c.Steps) == 0 && c.Today.Reason.Listed() && c.Today.Reason != c.Then:
		return say("course.nothing_today", "then", rq.words.Say("reason."+string(c.Then)), "reason", reason)
	case len(c.Steps) == 0:
		return say("course.nothing", "reason", rq.words.Say("reason."+string(c.Then)))
	case c.Today.Action != dunning.Nothing:
		return say("course.next", "step", rq.step(c.Steps[0]))
	case c.Until != 0:
		return say("course.left_until", "step", rq.step(c.Steps[0]), "reason", reason, "until", c.Until)
	}
	return say("course.left", "step", rq.step(c.Steps[0]), "reason", reason)
}

// step says what a step is and when.
func (rq *request) step(s dunning.Step) template.HTML {
	return rq.words.SayHTML(stepNames[s.Action].when, "date", s.On)
}

// stepInFull says what a step is, with its amounts.
func (rq *request) stepInFull(s dunning.Step) template.HTML {
	n := s.Notice
	return rq.words.SayHTML(stepNames[s.Action].full, "fee", n.Fee, "interest", n.Interest, "gross", n.Gross, "due", n.DueDate, "owed", s.Invoice.Claimed(), "left", s.Left)
}

// stepNames are the names of the texts of each step.
var stepNames = map[dunning.Action]struct{ when, full string }{ //nolint:exhaustive // dunning.Nothing is no step
	dunning.Remind:   {"course.reminder", "course.reminder_full"},
	dunning.Warn:     {"course.warning", "course.warning_full"},
	dunning.HandOver: {"course.hand_over", "course.hand_over_full"},
	dunning.Befriend: {"course.friendly", "course.friendly_full"},
	dunning.Waive:    {"course.waive", "course.waive_full"},
	dunning.Close:    {"course.close", "course.close_full"},
}

// Discounted reports whether a line has a discount.
func (p *invoicePage) Discounted() bool {
	return slices.ContainsFunc(p.Lines, func(l models.Line) bool { return l.Discount != nil })
}

// EntryName returns what an entry is, in words.
func (p *invoicePage) EntryName(e models.Entry) string {
	return p.rq.words.Say("entry." + string(e.Type))
}

// Deletable reports whether a person may delete the entry (rules D31, L17).
func (p *invoicePage) Deletable(e models.Entry) bool {
	return e.Type == models.EntryPayment && e.Adopted == models.NotAdopted
}

// Reopenable reports whether the invoice is closed or handed over, and may be opened again.
func (p *invoicePage) Reopenable() bool { return dunning.CanReopen(p.Invoice) == nil }

func (s *Server) invoicePDF(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	return s.pdf(ctx, rq, i.Document(), i.Number)
}

func (s *Server) invoiceEHF(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	return s.ehf(ctx, rq, i.Document(), i.Number)
}

// ehf answers with a document as EHF, which the browser saves.
func (s *Server) ehf(ctx context.Context, rq *request, d models.Document, number int64) (reply, error) {
	content, err := s.cfg.Documents.EHF(ctx, rq.creditor.ID, d)
	if err != nil {
		return reply{}, err
	}
	a := reply{status: http.StatusOK, contentType: "application/xml", body: content}
	a.set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%d.xml"`, d.Kind, number))
	return a, nil
}

// pdf answers with the bytes that the API gives too.
func (s *Server) pdf(ctx context.Context, rq *request, d models.Document, number int64) (reply, error) {
	content, err := s.cfg.Documents.PDF(ctx, rq.creditor.ID, d)
	if err != nil {
		return reply{}, err
	}
	return pdf(fmt.Sprintf("%s-%d.pdf", d.Kind, number), content), nil
}

// noticeIn returns the notice in the path, which must be on the invoice in the path.
func (s *Server) noticeIn(ctx context.Context, rq *request) (models.Invoice, models.Notice, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return i, models.Notice{}, err
	}
	id, err := rq.pathID("notice")
	if err != nil {
		return i, models.Notice{}, err
	}
	n, err := s.db.Notice(ctx, rq.creditor.ID, id)
	if err == nil && n.InvoiceID != i.ID {
		err = models.NotFound("notice")
	}
	return i, n, err
}

func (s *Server) noticePDF(ctx context.Context, rq *request) (reply, error) {
	_, n, err := s.noticeIn(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	return s.pdf(ctx, rq, n.Document(), n.ID)
}

// bundle answers with what the debt collector gets of an invoice that is handed over.
func (s *Server) bundle(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	h, found, err := s.db.LastHandOver(ctx, i.ID)
	if err != nil {
		return reply{}, err
	}
	if !found || i.HandedOver == 0 {
		return reply{}, models.NotFound("bundle")
	}
	f, err := s.cfg.Collection.Bundle(ctx, h)
	if err != nil {
		return reply{}, err
	}
	a := reply{status: http.StatusOK, contentType: "application/zip", body: f.Content}
	a.set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s"`, f.Name))
	return a, nil
}

// Day writes a day of the timeline.
func (p *invoicePage) Day(d models.Date) string { return locale.ShortDate(d) }

// Delete returns the label of the button that deletes a payment.
func (p *invoicePage) Delete(e models.Entry) string {
	return p.rq.words.Say("invoice.delete", "amount", max(e.Amount, -e.Amount))
}

// ClaimWhy says why the claim of AvtaleGiro is not drawn, or nothing.
func (p *invoicePage) ClaimWhy() string {
	if p.Claim.Reason == "" {
		return ""
	}
	return p.rq.words.ClaimReason(p.Claim.Reason)
}
