package console

import (
	"context"
	"errors"
	"html/template"
	"strings"

	"purr/console/locale"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// planRoutes are the form that has an invoice paid by instalments, its end, and the list of plans that were broken (rule L15).
func (s *Server) planRoutes() []route {
	const one = "/c/{creditor}/invoices/{number}/payment-plan"
	return []route{
		{path: one, area: "invoices", get: s.planPage, post: s.makePlan, scope: models.ScopeWrite},
		{path: one + "/end", area: "invoices", post: s.endPlan, again: s.invoicePage, scope: models.ScopeWrite},
		{path: one + "/pdf", area: "invoices", get: s.planPDF},
		{path: "/c/{creditor}/broken-plans", area: "today", get: s.brokenPlansPage},
	}
}

// planPage asks for the first day and the sum a month, or the number of months, and shows the instalments.
type planPage struct {
	view
	Invoice models.Invoice
	Parts   models.Instalments // as they would be; empty until they are asked for
	First   models.Date
	Seen    models.Seen
}

// Written returns the instalments as the form sends them.
func (p *planPage) Written() string { return writtenParts(p.Parts) }

// Waits returns the last day on which an instalment is waited for.
func (p *planPage) Waits(i models.Instalment) models.Date { return dunning.WaitUntil(i.DueDate) }

// Sum returns what the instalments are together.
func (p *planPage) Sum() models.Amount { return p.Parts.Sum() }

// writtenParts writes instalments as one field of a form: days with amounts.
func writtenParts(all models.Instalments) string {
	parts := make([]string, len(all))
	for n, i := range all {
		parts[n] = i.DueDate.String() + " " + i.Amount.String()
	}
	return strings.Join(parts, ";")
}

// readParts reads what writtenParts has written, nil if it is no such text.
func readParts(text string) (all models.Instalments) {
	for part := range strings.SplitSeq(text, ";") {
		date, amount, _ := strings.Cut(part, " ")
		day, wrong := models.ParseDate(date)
		of, bad := models.ParseAmount(amount)
		if wrong != nil || bad != nil {
			return nil
		}
		all = append(all, models.Instalment{DueDate: day, Amount: of})
	}
	return all
}

func (s *Server) planPage(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	p := &planPage{view: rq.view("plan.title", "number", numberOf(i)), Invoice: i, First: models.MonthOf(rq.today()).Plus(1).First() + 14}
	p.Lead = rq.words.SayHTML("act.lead", "customer", i.Recipient.Name1, "owed", i.Claimed())
	if p.Seen, err = s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingHold, ID: i.ID}); err != nil {
		return reply{}, err
	}
	if rq.form != nil { // what was refused
		p.Parts = readParts(rq.form.Get("instalments"))
		return show("payment_plan", p)
	}
	if rq.query("first") == "" && rq.query("sum") == "" && rq.query("months") == "" {
		return show("payment_plan", p)
	}
	var faults models.Errors
	p.Parts, faults = rq.partsAsked(i)
	if len(faults) > 0 {
		p.Faults = rq.faults(faults)
	}
	return show("payment_plan", p)
}

// partsAsked returns the instalments that the URL asks for, or what is wrong with that.
func (rq *request) partsAsked(i models.Invoice) (models.Instalments, models.Errors) {
	var faults models.Errors
	first, wrong := dayIn("first", rq.query("first"))
	switch {
	case wrong != nil:
		faults = append(faults, wrong)
	case first == 0:
		faults.Add("required", "first", "is required")
	}
	var sum models.Amount
	var months int64
	var err error
	switch text := rq.query("sum"); {
	case text != "":
		if sum, err = locale.ReadAmount(text); err != nil || sum <= 0 {
			faults.Add("not_positive", "sum", "must be above zero")
		}
	case rq.query("months") == "":
		faults.Add("required", "sum", "is required, or the number of months")
	default:
		if months, err = locale.ParseWhole(rq.query("months")); err != nil || months < 1 || months > models.MaxInstalments {
			faults.Add("too_many_instalments", "months", "must be 1 to %d", models.MaxInstalments)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	all := models.MonthlyInstalments(i.Claimed(), first, sum, int(months))
	if all == nil && i.Claimed() > 0 {
		faults.Add("too_many_instalments", "sum", "makes more than %d instalments", models.MaxInstalments)
		return nil, faults
	}
	return all, onField("first", all.Validate(i.Claimed(), rq.today()))
}

// onField returns the faults of instalments at the one field of the form that they follow from.
func onField(name string, err error) (faults models.Errors) {
	var all models.Errors
	if errors.As(err, &all) && len(all) > 0 {
		faults = append(faults, models.Invalid(all[0].Code, name, "%s", all[0].Msg))
	}
	return faults
}

func (s *Server) makePlan(ctx context.Context, rq *request) (reply, error) {
	asked := models.PaymentPlanRequest{Instalments: readParts(rq.fields().text("instalments"))}
	return s.onPlan(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (done, error) {
		_, err := dunning.MakePaymentPlan(ctx, tx, rq.creditor, was.ID, asked, rq.actor(), rq.seen())
		if faults := onField("first", err); len(faults) > 0 {
			err = faults
		}
		if err != nil {
			return done{}, err
		}
		n := len(asked.Instalments)
		return done{message: rq.undoable(rq.pathOf(was)+"/payment-plan/end", "plan.done", "number", numberOf(was), "n", int64(n))}, nil
	})
}

func (s *Server) endPlan(ctx context.Context, rq *request) (reply, error) {
	return s.onPlan(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (done, error) {
		plans, err := tx.PlansOf(ctx, rq.creditor.ID, was)
		if err != nil {
			return done{}, err
		}
		if err := dunning.EndPaymentPlan(ctx, tx, rq.creditor, was.ID, rq.actor(), rq.seen()); err != nil {
			return done{}, err
		}
		said := rq.said("plan.ended", "number", numberOf(was))
		if old := plans[was.ID]; old.ID != 0 && old.Instalments.Validate(was.Claimed(), rq.today()) == nil { // it can be made again as it was
			said = rq.undoable(rq.pathOf(was)+"/payment-plan", "plan.ended", "number", numberOf(was)).carrying("instalments", writtenParts(old.Instalments))
		}
		return done{message: said}, nil
	})
}

// onPlan does an act on the plan of the invoice in the path, which do gets locked, as it was.
func (s *Server) onPlan(ctx context.Context, rq *request, do func(context.Context, *store.Tx, models.Invoice) (done, error)) (reply, error) {
	return s.onMoreTime(ctx, rq, do)
}

// planPDF answers with the letter of the last plan of the invoice in the path.
func (s *Server) planPDF(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	plan, found, err := s.db.LastPlanOf(ctx, rq.creditor.ID, i.ID)
	if err != nil {
		return reply{}, err
	}
	if !found {
		return reply{}, models.NotFound("payment plan")
	}
	return s.pdf(ctx, rq, plan.Document(), i.Number)
}

// planPart is the plan of an invoice on its page.
type planPart struct {
	Parts   []dunning.Instalment
	Runs    bool
	Next    template.HTML // what is waited for
	Covered models.Amount
}

// planOf returns the plan that runs for the page's invoice.
func (p *invoicePage) planOf() (part planPart) {
	plan := p.Course.Plan
	if plan.ID == 0 {
		return planPart{}
	}
	part = planPart{Runs: true, Parts: dunning.InstalmentsOf(plan, p.Invoice.Claimed())}
	for _, one := range part.Parts {
		part.Covered += one.Covered
		if one.Covered < one.Amount && part.Next == "" {
			part.Next = p.rq.words.SayHTML("plan.waits", "amount", one.Amount-one.Covered, "due", one.DueDate, "until", one.WaitUntil)
		}
	}
	return part
}

// brokenPlansPage lists the plans that were broken, and on whose invoices a person has done nothing since.
type brokenPlansPage struct {
	view
	Rows []store.BrokenPlan
}

// mostBroken is the most plans that the list shows.
const mostBroken = 500

func (s *Server) brokenPlansPage(ctx context.Context, rq *request) (reply, error) {
	p := &brokenPlansPage{view: rq.view("plan.broken_title")}
	var err error
	if p.Rows, err = s.db.BrokenPlans(ctx, rq.creditor.ID, rq.today()-store.BrokenShown, mostBroken); err != nil {
		return reply{}, err
	}
	return show("broken_plans", p)
}

// plansBroken returns that customers have missed an instalment, and their plans were broken (rule L15).
func (rq *request) plansBroken(told store.ForToday) []waits {
	if told.Broken == 0 {
		return nil
	}
	say := rq.words.Say
	return []waits{{"triangle-alert", say("today.broken_plans", "n", told.Broken), say("today.broken_plans_hint", "amount", told.BrokenOwed), say("today.see_broken_plans"), rq.base + "/broken-plans", false}}
}
