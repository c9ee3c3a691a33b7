package console

import (
	"context"
	"slices"
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
	p := &policyPage{settingsPage: rq.settingsPage("policy", models.ThingPolicy), Presets: models.Presets}
	p.Follows, _ = models.PresetOf(rq.creditor.Policy)
	shown := rq.creditor.Policy
	if n := models.Preset(rq.query("preset")); slices.Contains(models.Presets, n) {
		p.Preset, shown = n, n.Apply(shown)
	}
	if shown.DueAfter, err = rq.day("due_after", shown.DueAfter); err != nil {
		return reply{}, err
	}
	p.Unsaved = p.Preset != "" || shown.DueAfter != rq.creditor.Policy.DueAfter
	with := rq.creditor
	with.Policy = shown
	p.Groups = p.settings(policyForm, with, rq.bounds(rules))
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

// policyForm is the dunning policy.
var policyForm = []section{
	{"policy.on", []setting{
		typedIn("dunning_policy/enabled", "policy.enabled"), typedIn("dunning_policy/due_after", "policy.due_after", "hint=policy.due_after_hint"),
	}},
	{"policy.ladder", []setting{
		typedIn("dunning_policy/first_notice_days", "policy.first_notice_days", "hint=policy.first_notice_hint"),
		typedIn("dunning_policy/second_notice_days", "policy.second_notice_days", "hint=policy.second_notice_hint"),
		typedIn("dunning_policy/days_to_pay", "policy.days_to_pay", "hint=policy.days_to_pay_hint"),
		typedIn("dunning_policy/postal_days", "policy.postal_days", "hint=policy.postal_days_hint"),
		typedIn("dunning_policy/handover_days", "policy.handover_days", "hint=policy.handover_days_hint"),
		chosenFrom("dunning_policy/debt_collection_notice", "policy.warning", "second", "policy.warning_second", "first", "policy.warning_first", "never", "policy.warning_never"),
		chosenFrom("dunning_policy/reminder_method", "policy.reminder_method", "PAPER", "policy.by_paper", "EMAIL", "policy.by_email", "AUTO", "policy.by_auto"),
		typedIn("dunning_policy/joint_letters", "policy.joint_letters", "hint=policy.joint_letters_hint"),
		typedIn("dunning_policy/friendly_reminder_days", "policy.friendly_reminder_days", "hint=policy.friendly_reminder_hint"),
		typedIn("dunning_policy/hand_over_days", "policy.hand_over_days", "hint=policy.hand_over_hint"),
	}},
	{"policy.charges", []setting{
		typedIn("dunning_policy/fee", "policy.fee"), typedIn("dunning_policy/compensation", "policy.compensation"),
		typedIn("dunning_policy/add_interest", "policy.add_interest"), typedIn("dunning_policy/interest_rate", "policy.interest_rate"),
	}},
	{"policy.left_alone", []setting{
		typedIn("dunning_policy/minimum_balance", "policy.minimum_balance", "hint=policy.minimum_hint"),
		chosenFrom("dunning_policy/remainder", "policy.remainder", "leave", "policy.remainder_leave", "waive", "policy.remainder_waive", "chase", "policy.remainder_chase"),
		typedIn("dunning_policy/close_below", "policy.close_below", "hint=policy.close_below_hint"),
		typedIn("dunning_policy/settle_credit", "policy.settle_credit"), typedIn("dunning_policy/ehf_reminder", "policy.ehf_reminder"),
		typedIn("dunning_policy/weekdays_only", "policy.weekdays_only"), typedIn("dunning_policy/require_payment_file", "policy.require_payment_file"),
	}},
}

// bounds returns what the law of today says of the elements of a policy.
func (rq *request) bounds(rules *law.Rules) map[string]string {
	today := rq.today()
	maxFee, feeRule, _ := rules.MaxFee(today, today)
	rate, _ := rules.InterestRate(today)
	return map[string]string{
		"dunning_policy/fee":           rq.words.Say("policy.fee_hint", "max", maxFee, "rule", provision(feeRule)),
		"dunning_policy/interest_rate": rq.words.Say("policy.interest_hint", "rate", rate),
	}
}

// provision returns the provision that a rule names, without what it says there.
func provision(rule string) string {
	name, _, _ := strings.Cut(rule, ":")
	return name
}

func (s *Server) changePolicy(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	r, err := rq.changeSettings(ctx, f, "policy.saved", models.ThingPolicy, func(c *models.Creditor) error {
		before := *c
		if f.change(policyForm, c); len(f.faults) > 0 { // the bounds of the law are the act's to check
			return f.done()
		}
		return c.MayDun(before)
	})
	if err == nil {
		s.cfg.Outlook.Forget(rq.creditor.ID)
	}
	return r, err
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
	p.Seen, p.Lead = string(seen), rq.words.SayHTML("rules.lead", "n", len(p.Figures), "date", today)
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
