package console

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"purr/console/locale"
	"purr/console/outlook"
	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// policyPage is the dunning policy with the bounds of the law, the presets, and what switching dunning on would do.
type policyPage struct {
	settingsPage
	Presets  []models.Preset
	Follows  models.Preset // the preset that the saved policy follows; empty if none
	Preset   models.Preset // whose values the form shows, though they are not saved; empty for the saved policy
	DueAfter models.Date   // that the form shows
	Unsaved  bool          // the form shows what is not saved
	Backlog  []dunning.Backlog
	Days     int // for which Backlog looks ahead
}

func (s *Server) policyPage(ctx context.Context, rq *request) (reply, error) {
	rules, err := dunning.RulesFor(ctx, s.cfg.Runs.Rules, s.db, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	p := &policyPage{settingsPage: settingsPage{view: rq.view("settings.title"), Present: "policy", Seen: seenOf(rq.creditor.Policy)}, Presets: models.Presets}
	p.Follows, _ = models.PresetOf(rq.creditor.Policy)
	shown := rq.creditor.Policy
	if n := models.Preset(rq.query("preset")); slices.Contains(models.Presets, n) {
		p.Preset, shown = n, n.Apply(shown)
	}
	if asked := rq.query("due_after"); asked != "" {
		if shown.DueAfter, err = locale.ReadDate(asked); err != nil {
			return reply{}, models.Malformed("invalid_date", "due_after", "must be a date, such as 22.11.2026")
		}
	}
	p.Unsaved = p.Preset != "" || shown.DueAfter != rq.creditor.Policy.DueAfter
	p.Groups = p.policyGroups(rules, shown)
	if p.DueAfter = shown.DueAfter; !rq.creditor.Policy.Enabled {
		p.Days = outlook.SwitchingDays
		asked := rq.creditor
		asked.Policy.DueAfter = shown.DueAfter
		if p.Backlog, err = s.switchingOn(ctx, asked, &p.view, p.Preset); err != nil {
			return reply{}, err
		}
	}
	return show("policy", p)
}

// switchingOn returns for a page what dunning would do to the invoices that are overdue, which the page notes if it is still
// being counted.
func (s *Server) switchingOn(ctx context.Context, c models.Creditor, v *view, preset models.Preset) ([]dunning.Backlog, error) {
	return counted(ctx, v, func(ctx context.Context) ([]dunning.Backlog, error) { return s.cfg.Outlook.SwitchingOn(ctx, c, preset) })
}

// Old returns how many old invoices would get a letter.
func (p *policyPage) Old() (n int) {
	for _, b := range p.Backlog {
		n += b.Written
	}
	return n
}

// Age returns the name of a span of days after the due date.
func (p *policyPage) Age(a dunning.Age) string {
	if a == dunning.Ages[len(dunning.Ages)-1] {
		return p.rq.words.Say("policy.older", "days", a.From-1)
	}
	return p.rq.words.Say("policy.age", "from", a.From, "to", a.To)
}

// policyGroups returns the fields of a policy, each with its bound by the law of today.
func (p *policyPage) policyGroups(rules *law.Rules, shown models.Policy) []group {
	w, today := p.rq.words, p.rq.today()
	maxFee, feeRule, _ := rules.MaxFee(today, today)
	rate, _ := rules.InterestRate(today)
	fee, interest := "", ""
	if shown.Fee != nil {
		fee = w.Typed(*shown.Fee)
	}
	if shown.InterestRate != nil {
		interest = strings.ReplaceAll(shown.InterestRate.String(), ".", ",")
	}
	days := func(name, label string, value int, hint string) input {
		return p.Setting("dunning_policy/"+name, label, strconv.Itoa(value), "inputmode=numeric", "hint="+hint)
	}
	box := func(name, label string, value bool) input {
		return p.Setting("dunning_policy/"+name, label, value, "type=checkbox")
	}
	return []group{
		{w.Say("policy.on"), []input{
			box("enabled", "policy.enabled", shown.Enabled),
			p.Setting("dunning_policy/due_after", "policy.due_after", shown.DueAfter, "type=date", "hint=policy.due_after_hint"),
		}},
		{w.Say("policy.ladder"), []input{
			days("first_notice_days", "policy.first_notice_days", shown.FirstNoticeDays, "policy.first_notice_hint"),
			days("second_notice_days", "policy.second_notice_days", shown.SecondNoticeDays, "policy.second_notice_hint"),
			days("days_to_pay", "policy.days_to_pay", shown.DaysToPay, "policy.days_to_pay_hint"),
			days("postal_days", "policy.postal_days", shown.PostalDays, "policy.postal_days_hint"),
			days("handover_days", "policy.handover_days", shown.PrintDays, "policy.handover_days_hint"),
			p.SettingChoice("dunning_policy/debt_collection_notice", "policy.warning", string(shown.DebtCollectionNotice),
				"second", "policy.warning_second", "first", "policy.warning_first", "never", "policy.warning_never"),
			p.Setting("dunning_policy/hand_over_days", "policy.hand_over_days", optional(shown.HandOverDays), "inputmode=numeric", "hint=policy.hand_over_hint"),
		}},
		{w.Say("policy.charges"), []input{
			p.Setting("dunning_policy/fee", "policy.fee", fee, "inputmode=decimal", "says="+w.Say("policy.fee_hint", "max", maxFee, "rule", provision(feeRule))),
			box("compensation", "policy.compensation", shown.Compensation),
			box("add_interest", "policy.add_interest", shown.AddInterest),
			p.Setting("dunning_policy/interest_rate", "policy.interest_rate", interest, "inputmode=decimal", "says="+w.Say("policy.interest_hint", "rate", rate)),
		}},
		{w.Say("policy.left_alone"), []input{
			p.Setting("dunning_policy/minimum_balance", "policy.minimum_balance", shown.MinimumBalance, "inputmode=decimal", "hint=policy.minimum_hint"),
			p.SettingChoice("dunning_policy/remainder", "policy.remainder", string(shown.Remainder),
				"leave", "policy.remainder_leave", "waive", "policy.remainder_waive", "chase", "policy.remainder_chase"),
			box("settle_credit", "policy.settle_credit", shown.SettleCredit),
			box("ehf_reminder", "policy.ehf_reminder", shown.EHFReminder),
			box("weekdays_only", "policy.weekdays_only", shown.WeekdaysOnly),
			box("require_payment_file", "policy.require_payment_file", shown.RequirePaymentFile),
		}},
	}
}

// provision returns the provision that a rule names, without what it says there.
func provision(rule string) string {
	name, _, _ := strings.Cut(rule, ":")
	return name
}

func (s *Server) changePolicy(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	r, err := rq.changeSettings(ctx, f, "policy.saved", models.ThingPolicy, func(c models.Creditor) string { return seenOf(c.Policy) }, func(c *models.Creditor) error {
		before := *c
		c.Policy = f.policy(c.Policy)
		if len(f.faults) > 0 {
			return f.done()
		}
		return c.MayDun(before)
	})
	if err == nil {
		s.cfg.Outlook.Forget(rq.creditor.ID)
	}
	return r, err
}

// policy reads a policy. The bounds of the law are the act's to check.
func (f *fields) policy(p models.Policy) models.Policy {
	at := func(name string) string { return "dunning_policy/" + name }
	whole := func(name string) int { return int(f.number(at(name))) }
	p.Enabled, p.Compensation, p.AddInterest = f.has(at("enabled")), f.has(at("compensation")), f.has(at("add_interest"))
	p.EHFReminder, p.DueAfter = f.has(at("ehf_reminder")), f.date(at("due_after"))
	p.SettleCredit, p.WeekdaysOnly, p.RequirePaymentFile = f.has(at("settle_credit")), f.has(at("weekdays_only")), f.has(at("require_payment_file"))
	p.FirstNoticeDays, p.SecondNoticeDays, p.DaysToPay, p.PostalDays = whole("first_notice_days"), whole("second_notice_days"), whole("days_to_pay"), whole("postal_days")
	if len(f.all(at("handover_days"))) > 0 { // a form that was open before the upgrade has no such field
		p.PrintDays = whole("handover_days")
	}
	p.DebtCollectionNotice, p.Remainder = models.WarningStep(f.text(at("debt_collection_notice"))), models.Remainder(f.text(at("remainder")))
	p.HandOverDays, p.MinimumBalance = f.optionalNumber(at("hand_over_days")), f.amount(at("minimum_balance"))
	p.Fee, p.InterestRate = nil, nil
	if f.text(at("fee")) != "" {
		p.Fee = new(f.amount(at("fee")))
	}
	if text := f.text(at("interest_rate")); text != "" {
		rate, err := models.ParsePercent(locale.Decimal(text))
		if err != nil {
			f.faults.Add("invalid_percent", at("interest_rate"), "must be a percentage with at most two decimals, such as 12,50")
		}
		p.InterestRate = &rate
	}
	return p
}

// rulesPage shows the figures of the law, until when each is known, and takes the next one.
type rulesPage struct {
	settingsPage
	Figures []law.Figure
	Known   []law.Expiry
	Warned  []string
}

func (s *Server) rulesPage(ctx context.Context, rq *request) (reply, error) {
	rules, err := dunning.RulesFor(ctx, s.cfg.Runs.Rules, s.db, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	today := rq.today()
	p := &rulesPage{settingsPage: settingsPage{view: rq.view("settings.title"), Present: "rules"}, Figures: rules.Figures(today), Known: rules.Expiries(today)}
	for _, w := range rules.Warnings(today, rq.creditor.Policy) {
		p.Warned = append(p.Warned, w.Text)
	}
	var kinds []string
	for _, k := range models.RuleKinds {
		kinds = append(kinds, string(k), "rules.kind."+string(k))
	}
	p.Add = []input{
		p.SettingChoice("kind", "rules.kind", string(models.RuleLateInterest), kinds...),
		p.Setting("from", "rules.from", "", "type=date", "required"),
		p.Setting("value", "rules.value", "", "inputmode=decimal", "required"),
		p.Setting("source", "rules.source", "", "required", "hint=rules.source_hint"),
	}
	seen, err := s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingRules, ID: rq.creditor.ID})
	if err != nil {
		return reply{}, err
	}
	p.Seen, p.Lead = string(seen), rq.words.SayHTML("rules.lead", "date", today)
	return show("rules", p)
}

// setRule sets the next figure of a kind for this creditor alone.
func (s *Server) setRule(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	rule := models.DunningRule{
		CreditorID: rq.creditor.ID, SetBy: rq.actor(), Kind: models.RuleKind(f.text("kind")), FromDate: f.date("from"), Value: locale.Decimal(f.text("value")), Source: f.text("source"),
	}
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		return done{to: rq.here(), message: rq.said("rules.set")}, dunning.SetRule(ctx, tx, s.cfg.Runs.Rules, rule, rq.seen())
	})
}
