package console

import (
	"context"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"

	"purr/console/locale"
	"purr/console/outlook"
	"purr/dunning"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

func (s *Server) todayRoutes() []route {
	return []route{{path: "/c/{creditor}/today", area: "today", get: s.todayPage}}
}

// todayPage is what a clerk looks at first: what waits, what came in, what goes out, and who owes.
type todayPage struct {
	view
	Waits []waits
	Files []fileRow    // the newest
	Plan  outlook.Plan // empty while it is being counted
	Run   models.Run   // today's; without ID if it has not begun
	Owed  owed
}

// waits is one kind of things that wait for a person.
type waits struct {
	Icon, Text, Hint string
	Link, Path       string
	Primary          bool
}

// Done reports whether today's run is made.
func (p *todayPage) Done() bool { return p.Run.State == models.RunDone }

// PlanAt says when it was counted what goes out.
func (p *todayPage) PlanAt() template.HTML { return p.Moment(p.Plan.AsOf) }

// OwedAt says when what is owed was added up.
func (p *todayPage) OwedAt() template.HTML { return p.Moment(p.Owed.at) }

// newestShown is how many payment files Today shows.
const newestShown = 3

func (s *Server) todayPage(ctx context.Context, rq *request) (reply, error) {
	p := &todayPage{view: rq.view("today.title")}
	var err error
	if p.Run, _, err = s.db.RunOf(ctx, rq.creditor.ID, models.RunDunning, rq.today()); err != nil {
		return reply{}, err
	}
	if p.Plan, err = s.plan(ctx, rq, &p.view, rq.today()); err != nil {
		return reply{}, err
	}
	if p.Waits, err = s.whatWaits(ctx, rq, p); err != nil {
		return reply{}, err
	}
	if p.Files, err = s.newestFiles(ctx, rq.creditor.ID, 0, newestShown); err != nil {
		return reply{}, err
	}
	if p.Owed, err = s.owed(ctx, rq); err != nil {
		return reply{}, err
	}
	p.Lead = rq.words.SayHTML("today.lead", "day", locale.TimeElement(rq.today().String(), rq.words.WeekdayDate(rq.today())))
	return show("today", p)
}

// whatWaits returns what waits for a person, the most pressing first.
func (s *Server) whatWaits(ctx context.Context, rq *request, p *todayPage) (all []waits, err error) {
	w, err := rq.waiting(ctx)
	if err != nil {
		return nil, err
	}
	say := rq.words.Say
	told, err := s.db.ForToday(ctx, rq.creditor.ID, rq.today(), s.db.Now())
	if err != nil {
		return nil, err
	}
	if all, err = s.unlawful(ctx, rq, told); err != nil {
		return nil, err
	}
	if w.RunID != 0 {
		all = append(all, rq.runWaits(p))
	}
	if w.Payments > 0 {
		all = append(all, rq.paymentsWait(p, w.Payments, told.Open))
	}
	if w.Shipments() > 0 {
		all = append(all, waits{
			"mail", say("today.letters_failed", "n", w.Shipments()), say("today.letters_failed_hint"), say("today.send_again"), rq.base + "/letters?state=failed", false,
		})
	}
	all = slices.Concat(all, rq.unwarned(told), rq.keptBack(told), rq.repaymentsOwed(told), rq.creditWaits(told), rq.chargesLeft(told), rq.plansBroken(told), rq.claimsLapse(told), rq.rejectedClaims(told), rq.bankClaims(told))
	if w.DatedAhead > 0 {
		all = append(all, waits{"triangle-alert", say("today.dated_ahead", "n", w.DatedAhead), say("today.dated_ahead_hint"), say("today.see_files"), rq.base + "/bank/files", false})
	}
	news, err := dunning.ReadBankNews(ctx, s.db, rq.creditor)
	if err != nil {
		return nil, err
	}
	return append(all, rq.filesLate(news)...), nil
}

// bankClaims says what of AvtaleGiro waits for a person (rule G3a).
func (rq *request) bankClaims(told store.ForToday) (all []waits) {
	say := rq.words.Say
	for _, w := range []struct {
		n          int64
		name, hint string
	}{
		{told.Refused, "today.claim_files_refused", "today.claim_files_refused_hint"},
		{told.Unanswered, "today.claim_files_unanswered", "today.claim_files_unanswered_hint"},
		{told.PayBack, "today.claims_to_pay_back", "today.claims_to_pay_back_hint"},
	} {
		if w.n > 0 {
			all = append(all, waits{"landmark", say(w.name, "n", w.n), say(w.hint), say("today.see_log"), rq.base + "/log", false})
		}
	}
	return all
}

// runWaits says that a run waits for approval.
func (rq *request) runWaits(p *todayPage) waits {
	say := rq.words.Say
	waiting := say("today.run_waits", "n", p.Plan.Steps())
	if p.Counting {
		waiting = say("today.some_run_waits")
	}
	return waits{"bell-ring", waiting, say("today.run_waits_hint", "ceiling", p.Run.Ceiling), say("today.approve"), rq.base + "/dunning", true}
}

// paymentsWait says how many payments nobody has matched yet.
func (rq *request) paymentsWait(p *todayPage, n int64, amount models.Amount) waits {
	say := rq.words.Say
	hint := say("today.payments_wait_hint", "amount", amount)
	if p.Plan.Spared > 0 {
		hint += " " + say("today.payers_spared", "n", p.Plan.Spared)
	}
	return waits{"landmark", say("today.payments_wait", "n", n), hint, say("today.match"), rq.base + "/bank", false}
}

// filesLate says that files of the bank are missing, if they are.
func (rq *request) filesLate(news dunning.BankNews) []waits {
	say, days := rq.words.Say, news.Missing(rq.today())
	if days <= 0 {
		return nil
	}
	hint := say("today.files_late_hint", "day", news.Reached)
	if rq.creditor.Policy.Enabled && rq.creditor.Policy.RequirePaymentFile {
		hint += " " + say("today.dunning_held")
	}
	return []waits{{"triangle-alert", say("today.files_late", "n", days), hint, say("today.see_files"), rq.base + "/bank/files", false}}
}

// unwarned returns the claims that wait because the debt collector has them, and their warnings were withdrawn since (rules D94, D98).
func (rq *request) unwarned(told store.ForToday) []waits {
	if len(told.Unwarned) == 0 {
		return nil
	}
	numbers := make([]string, len(told.Unwarned))
	for i, number := range told.Unwarned {
		numbers[i] = toPath(number)
	}
	say, path := rq.words.Say, rq.base+"/invoices/"+numbers[0]
	hint := say("today.unwarned_hint", "invoices", strings.Join(numbers, ", "))
	return []waits{{"triangle-alert", say("today.unwarned", "n", int64(len(numbers))), hint, say("today.see_invoice"), path, false}}
}

// repaymentsOwed returns the repayments that are owed: no letter asks for one, so a person does (rule D96).
func (rq *request) repaymentsOwed(told store.ForToday) []waits {
	if told.Repayments == 0 {
		return nil
	}
	say, path := rq.words.Say, rq.base+"/invoices/"+toPath(told.FirstRepaid)
	text := say("today.repayments_owed", "n", told.Repayments)
	return []waits{{"landmark", text, say("today.repayments_owed_hint", "amount", told.Repayment), say("today.see_invoice"), path, false}}
}

// creditWaits returns that customers have had free credit for three days (rule N12).
func (rq *request) creditWaits(told store.ForToday) []waits {
	if told.Credits == 0 {
		return nil
	}
	say := rq.words.Say
	return []waits{{"hand-coins", say("today.credit", "n", told.Credits), say("today.credit_hint", "amount", told.Credit), say("today.see_credit"), rq.base + "/money/credit", false}}
}

// chargesLeft returns that only fees and interest are left on invoices (rule N9).
func (rq *request) chargesLeft(told store.ForToday) []waits {
	if told.OnlyCharges == 0 {
		return nil
	}
	say := rq.words.Say
	return []waits{{"receipt", say("today.charges", "n", told.OnlyCharges), say("today.charges_hint", "amount", told.Charges), say("today.see_charges"), rq.base + "/money/charges", false}}
}

// keptBack returns what waits because the creditor is not ready, because the audit disagrees (rule U8), or because what was to be sent is refused or has no way any
// more (rules D105, D107, D108).
func (rq *request) keptBack(told store.ForToday) (all []waits) {
	by := told.KeptBack
	say := rq.words.Say
	if n := by[models.KeptNotReady]; n > 0 {
		all = append(all, waits{"settings", say("today.not_ready", "n", n), say("today.not_ready_hint"), say("today.complete_creditor"), rq.base + "/settings", false})
	}
	if n := by[models.KeptAudit]; n > 0 {
		all = append(all, waits{"triangle-alert", say("today.audit_stops", "n", n), say("today.audit_stops_hint"), say("today.see_waiting"), rq.base + "/letters?state=waiting", false})
	}
	if n := by[models.KeptRefused] + by[models.KeptPaused] + by[models.KeptMissing]; n > 0 {
		hint := say("today.way_refused")
		if by[models.KeptMissing] > 0 {
			hint = say("today.way_missing")
		}
		all = append(all, waits{"triangle-alert", say("today.way_stops", "n", n), hint, say("today.see_waiting"), rq.base + "/letters?state=waiting", false})
	}
	return all
}

// owed is what is owed to a creditor, and by whom most.
type owed struct {
	receivables.Ages
	Debtors []debtor
	at      time.Time
}

// debtor is a customer who owes.
type debtor struct {
	ID      int64
	Name    string
	Overdue models.Amount
	Amount  models.Amount
}

// owedShown is how many customers Today shows, and owedFresh for how long what is owed is kept: it reads every open invoice.
const (
	owedShown = 5
	owedFresh = time.Minute
)

// keptOwed keeps what is owed by creditor.
type keptOwed struct {
	mu  sync.Mutex
	all map[int64]owed
}

// addUp reads what is owed.
func (o *owed) addUp(ctx context.Context, v store.View, creditorID int64, today models.Date) error {
	report, err := receivables.Read(ctx, v, creditorID, today, today)
	if err != nil {
		return err
	}
	most := report.Debtors[:min(len(report.Debtors), owedShown)]
	names, err := receivables.CustomersOf(ctx, v, creditorID, most)
	if err != nil {
		return err
	}
	o.Ages, o.Debtors = report.Ages, nil
	for _, d := range most {
		o.Debtors = append(o.Debtors, debtor{d.CustomerID, names[d.CustomerID].Recipient.Name1, d.Overdue().Amount, d.Amount})
	}
	return nil
}

// owed returns what is owed, at most a minute old where it took long to add up.
func (s *Server) owed(ctx context.Context, rq *request) (owed, error) {
	s.kept.mu.Lock()
	known, is := s.kept.all[rq.creditor.ID]
	s.kept.mu.Unlock()
	if is && rq.now.Sub(known.at) < owedFresh && !known.at.After(rq.now) {
		return known, nil
	}
	begun := s.cfg.Wall.Now()
	o := owed{at: rq.now}
	if err := s.db.View(ctx, func(v store.View) error { return o.addUp(ctx, v, rq.creditor.ID, rq.today()) }); err != nil {
		return owed{}, err
	}
	if s.cfg.Wall.Now().Sub(begun) < owedQuick {
		return o, nil
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	if s.kept.all == nil || len(s.kept.all) > 256 {
		s.kept.all = map[int64]owed{}
	}
	s.kept.all[rq.creditor.ID] = o
	return o, nil
}

// owedQuick is how fast what is owed must be added up so that it is not kept.
const owedQuick = 20 * time.Millisecond
