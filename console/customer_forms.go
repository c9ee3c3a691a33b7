package console

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"purr/console/locale"
	"purr/dunning"
	"purr/models"
	"purr/register"
	"purr/store"
)

// customerFormPage is the form that changes a customer, or makes one.
type customerFormPage struct {
	view
	Customer models.Customer
	Seen     string // names what the form began with
}

func (s *Server) customerForm(ctx context.Context, rq *request) (reply, error) {
	c, err := s.customerOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	return show("customer_change", &customerFormPage{rq.view("customer.change_title", "name", c.Recipient.Name1), c, seenCustomer(c)})
}

func (s *Server) newCustomerForm(_ context.Context, rq *request) (reply, error) {
	p := &customerFormPage{view: rq.view("customer.new_title")}
	p.Customer.Recipient.CountryCode = "NO"
	return show("customer_change", p)
}

func (s *Server) createCustomer(ctx context.Context, rq *request) (reply, error) {
	fresh := models.Customer{CreditorID: rq.creditor.ID}
	f := rq.readCustomer(&fresh)
	if err := f.done(fresh.Validate()); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		maxFee, err := s.maxFee(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		c := fresh
		if err := register.CreateCustomer(ctx, tx, &c, maxFee, rq.actor()); err != nil {
			return done{}, err
		}
		return done{to: rq.ofCustomer(c.ID, ""), message: rq.said("customer.created", "name", c.Recipient.Name1)}, nil
	})
}

// readCustomer reads the form into a customer.
func (rq *request) readCustomer(c *models.Customer) *fields {
	f := rq.fields()
	for _, t := range register.CustomerTexts(c) {
		*t.Value = f.text(t.Name)
	}
	c.Recipient.CountryCode = strings.ToUpper(cmp.Or(c.Recipient.CountryCode, "NO"))
	c.Recipient.OrganisationNumber, c.Recipient.Phone = withoutBlanks(c.Recipient.OrganisationNumber), withoutBlanks(c.Recipient.Phone)
	return f
}

// maxFee returns the legal maximum fee of today.
func (s *Server) maxFee(ctx context.Context, rq *request, tx *store.Tx) (models.Amount, error) {
	rules, err := dunning.RulesFor(ctx, s.cfg.Runs.Rules, tx, rq.creditor.ID)
	if err != nil {
		return 0, err
	}
	maxFee, _, _ := rules.MaxFee(rq.today(), rq.today())
	return maxFee, nil
}

// seenCustomer names what can be changed of a customer, as it is.
func seenCustomer(c models.Customer) string {
	texts := []string{fmt.Sprintf("%+v", ownTexts(c.Policy))}
	for _, t := range register.CustomerTexts(&c) {
		texts = append(texts, *t.Value)
	}
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:8])
}

func (s *Server) changeCustomer(ctx context.Context, rq *request) (reply, error) {
	return s.actOnCustomer(ctx, rq, "customer.changed", func(c *models.Customer) error {
		before := *c
		f := rq.readCustomer(c)
		return f.done(c.ValidateChange(before))
	})
}

// actOnCustomer changes the customer in the path, unless somebody has changed it since the form was shown.
func (s *Server) actOnCustomer(ctx context.Context, rq *request, said string, change func(*models.Customer) error) (reply, error) {
	id, err := rq.pathID("id")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		maxFee, err := s.maxFee(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		c, err := register.ChangeCustomer(ctx, tx, rq.creditor.ID, id, maxFee, rq.actor(), func(c *models.Customer) error {
			customer := models.Thing{Kind: models.ThingCustomer, ID: id}
			if err := tx.Same(ctx, rq.creditor.ID, customer, rq.surelySeen(), models.Seen(seenCustomer(*c))); err != nil {
				return err
			}
			return change(c)
		})
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.ofCustomer(id, "")), message: rq.said(said, "name", c.Recipient.Name1)}, nil
	})
}

// ownPolicyPage is the form of a customer's own dunning policy. An empty field leaves the creditor's value.
type ownPolicyPage struct {
	view
	Customer models.Customer
	Seen     string
	Fields   []input
}

func (s *Server) ownPolicyForm(ctx context.Context, rq *request) (reply, error) {
	c, err := s.customerOf(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p := &ownPolicyPage{view: rq.view("customer.policy_title", "name", c.Recipient.Name1), Customer: c, Seen: seenCustomer(c)}
	p.Lead = rq.words.SayHTML("customer.policy_lead")
	own, usual := ownTexts(c.Policy), usualTexts(rq.creditor.Policy)
	for _, f := range ownFields {
		name, label := policyPrefix+f.name, "own_policy."+f.name
		in := p.Input(name, label, own[f.name], "autocomplete=off")
		if len(f.choices) > 0 {
			in = p.Select(name, label, own[f.name], f.choices...)
		}
		in.Hint = rq.words.Say("customer.usual", "value", f.say(rq.words, usual[f.name]))
		p.Fields = append(p.Fields, in)
	}
	return show("customer_policy", p)
}

func (s *Server) changeOwnPolicy(ctx context.Context, rq *request) (reply, error) {
	return s.actOnCustomer(ctx, rq, "customer.policy_changed", func(c *models.Customer) error {
		f, was := rq.fields(), c.Policy
		c.Policy = models.CustomerPolicy{ // what the form does not show stays
			Compensation: was.Compensation, SettleCredit: was.SettleCredit, EHFReminder: was.EHFReminder, WeekdaysOnly: was.WeekdaysOnly, RequirePaymentFile: was.RequirePaymentFile,
		}
		for _, field := range ownFields {
			if text := f.text(policyPrefix + field.name); text != "" && !field.read(&c.Policy, text) {
				f.faults.Add("invalid_value", policyPrefix+field.name, "is not a value that it can have")
			}
		}
		return f.done()
	})
}

// policyPrefix begins the names of the fields, as it does those of the elements in faults.
const policyPrefix = "dunning_policy/"

// ownField is an element of a customer's own policy as a field of a form. Its value is a text; empty is the creditor's value.
type ownField struct {
	name    string
	show    func(models.CustomerPolicy) string
	read    func(own *models.CustomerPolicy, text string) bool // false if the text is no value
	choices []string                                           // of a field that has a few values: values and the names of their labels
	words   map[string]string                                  // the names of what words stand for
}

// say returns a value as a person reads it.
func (f ownField) say(w *locale.Words, value string) string {
	for i := 0; i+1 < len(f.choices); i += 2 {
		if f.choices[i] == value {
			return w.Say(f.choices[i+1])
		}
	}
	if name := f.words[value]; name != "" {
		return w.Say(name)
	}
	return value
}

// ownFields are the fields in the order of the form.
var ownFields = []ownField{
	flagField("enabled", func(p *models.CustomerPolicy) **bool { return &p.Enabled }),
	wholeField("first_notice_days", func(p *models.CustomerPolicy) **int { return &p.FirstNoticeDays }),
	wholeField("second_notice_days", func(p *models.CustomerPolicy) **int { return &p.SecondNoticeDays }),
	wholeField("days_to_pay", func(p *models.CustomerPolicy) **int { return &p.DaysToPay }),
	wholeField("postal_days", func(p *models.CustomerPolicy) **int { return &p.PostalDays }),
	wholeField("handover_days", func(p *models.CustomerPolicy) **int { return &p.PrintDays }),
	choiceField("fee", "max", "own_policy.legal_max", func(p *models.CustomerPolicy) **models.Choice[models.Amount] { return &p.Fee }, locale.ReadAmount, showAmount),
	flagField("add_interest", func(p *models.CustomerPolicy) **bool { return &p.AddInterest }),
	choiceField("interest_rate", "legal", "own_policy.legal_rate", func(p *models.CustomerPolicy) **models.Choice[models.Percent] { return &p.InterestRate },
		func(s string) (models.Percent, error) { return models.ParsePercent(locale.Decimal(s)) }, showPercent),
	wordField("debt_collection_notice", func(p *models.CustomerPolicy) **models.WarningStep { return &p.DebtCollectionNotice },
		"second", "own_policy.warning.second", "first", "own_policy.warning.first", "never", "own_policy.warning.never"),
	wordField("reminder_method", func(p *models.CustomerPolicy) **models.ShipmentMethod { return &p.ReminderMethod },
		"PAPER", "policy.by_paper", "EMAIL", "policy.by_email", "AUTO", "policy.by_auto"),
	flagField("joint_letters", func(p *models.CustomerPolicy) **bool { return &p.JointLetters }),
	choiceField("friendly_reminder_days", "none", "own_policy.no_friendly", func(p *models.CustomerPolicy) **models.Choice[models.DayList] { return &p.FriendlyReminderDays },
		readDayList, func(l models.DayList) string { return string(l) }),
	choiceField("hand_over_days", "never", "own_policy.by_hand", func(p *models.CustomerPolicy) **models.Choice[int] { return &p.HandOverDays }, readWhole, strconv.Itoa),
	amountField("minimum_balance", func(p *models.CustomerPolicy) **models.Amount { return &p.MinimumBalance }),
	wordField("remainder", func(p *models.CustomerPolicy) **models.Remainder { return &p.Remainder },
		"leave", "own_policy.remainder.leave", "waive", "own_policy.remainder.waive", "chase", "own_policy.remainder.chase"),
	amountField("close_below", func(p *models.CustomerPolicy) **models.Amount { return &p.CloseBelow }),
}

func flagField(name string, place func(*models.CustomerPolicy) **bool) ownField {
	return ownField{
		name: name,
		show: func(p models.CustomerPolicy) string {
			return shown(*place(&p), func(b bool) string { return map[bool]string{true: "1", false: "0"}[b] })
		},
		read: func(p *models.CustomerPolicy, text string) bool {
			on := text == "1"
			*place(p) = &on
			return on || text == "0"
		},
		choices: []string{"", "own_policy.usual", "1", "own_policy.yes", "0", "own_policy.no"},
	}
}

func wholeField(name string, place func(*models.CustomerPolicy) **int) ownField {
	return ownField{
		name: name,
		show: func(p models.CustomerPolicy) string { return shown(*place(&p), strconv.Itoa) },
		read: func(p *models.CustomerPolicy, text string) bool { return take(place(p), readWhole, text) },
	}
}

func amountField(name string, place func(*models.CustomerPolicy) **models.Amount) ownField {
	return ownField{
		name: name,
		show: func(p models.CustomerPolicy) string { return shown(*place(&p), showAmount) },
		read: func(p *models.CustomerPolicy, text string) bool { return take(place(p), locale.ReadAmount, text) },
	}
}

func wordField[T ~string](name string, place func(*models.CustomerPolicy) **T, choices ...string) ownField {
	return ownField{
		name:    name,
		show:    func(p models.CustomerPolicy) string { return shown(*place(&p), func(v T) string { return string(v) }) },
		read:    func(p *models.CustomerPolicy, text string) bool { v := T(text); *place(p) = &v; return true }, // Validate knows the words
		choices: append([]string{"", "own_policy.usual"}, choices...),
	}
}

// choiceField is a field that takes a value or a word for none.
func choiceField[T any](name, none, says string, place func(*models.CustomerPolicy) **models.Choice[T], read func(string) (T, error), show func(T) string) ownField {
	return ownField{
		name: name, words: map[string]string{none: says},
		show: func(p models.CustomerPolicy) string {
			switch c := *place(&p); {
			case c == nil:
				return ""
			case c.Value == nil:
				return none
			default:
				return show(*c.Value)
			}
		},
		read: func(p *models.CustomerPolicy, text string) bool {
			c := &models.Choice[T]{}
			*place(p) = c
			return strings.EqualFold(text, none) || take(&c.Value, read, text)
		},
	}
}

func shown[T any](v *T, show func(T) string) string {
	if v == nil {
		return ""
	}
	return show(*v)
}

// take reads a text into a place, and reports whether it is a value.
func take[T any](place **T, read func(string) (T, error), text string) bool {
	v, err := read(text)
	if err != nil {
		return false
	}
	*place = &v
	return true
}

func readDayList(s string) (models.DayList, error) {
	list, right := models.ParseDayList(s)
	if !right {
		return "", fmt.Errorf("%q is no list of days", s)
	}
	return list, nil
}

func readWhole(s string) (int, error) { return strconv.Atoi(locale.Decimal(s)) }

func showPercent(p models.Percent) string { return locale.Number(p.String()) }

func showAmount(a models.Amount) string { return strings.ReplaceAll(a.String(), ".", ",") }

// ownTexts returns the fields of a customer's own policy by name.
func ownTexts(p models.CustomerPolicy) map[string]string {
	texts := map[string]string{}
	for _, f := range ownFields {
		texts[f.name] = f.show(p)
	}
	return texts
}

// usualTexts returns the creditor's policy as the fields show it.
func usualTexts(p models.Policy) map[string]string {
	friendly := &models.Choice[models.DayList]{}
	if p.FriendlyReminderDays != "" {
		friendly.Value = &p.FriendlyReminderDays
	}
	return ownTexts(models.CustomerPolicy{
		Enabled: &p.Enabled, FirstNoticeDays: &p.FirstNoticeDays, SecondNoticeDays: &p.SecondNoticeDays, Fee: &models.Choice[models.Amount]{Value: p.Fee},
		AddInterest: &p.AddInterest, InterestRate: &models.Choice[models.Percent]{Value: p.InterestRate}, DaysToPay: &p.DaysToPay, PostalDays: &p.PostalDays, PrintDays: &p.PrintDays,
		DebtCollectionNotice: &p.DebtCollectionNotice, HandOverDays: &models.Choice[int]{Value: p.HandOverDays}, MinimumBalance: &p.MinimumBalance,
		Remainder: &p.Remainder, CloseBelow: &p.CloseBelow, ReminderMethod: &p.ReminderMethod, JointLetters: &p.JointLetters, FriendlyReminderDays: friendly,
	})
}
