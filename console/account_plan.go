package console

import (
	"context"
	"reflect"

	"purr/models"
)

// accountPlanPage shows on which accounts the ledger is booked, and changes it (rules A1b, A1c).
type accountPlanPage struct {
	view
	Usual  bool // it is the one that stands where none is set
	Groups []group
	Seen   string // names the plan that the form began with
}

// The names of the form's fields: each is of a row of the plan, and of an attribute of it in the interface.
func kindField(k models.AccountKind, attribute string) string { return string(k) + "-" + attribute }
func salesField(c models.SalesClass, attribute string) string { return string(c) + "-" + attribute }
func receiverField(name string, c models.SalesClass) string   { return name + "-" + string(c) }

func (s *Server) accountPlanPage(_ context.Context, rq *request) (reply, error) {
	p := &accountPlanPage{view: rq.view("accounts.plan"), Usual: rq.creditor.AccountPlan.IsZero(), Seen: seenOfSettings(rq.creditor, models.ThingAccountPlan)}
	p.Lead = rq.words.SayHTML("accounts.plan_lead")
	plan := rq.creditor.AccountPlan.OrDefault()
	kinds := group{Title: rq.words.Say("accounts.plan_kinds")}
	for _, k := range plan.Kinds {
		kinds.Fields = append(kinds.Fields, p.account(kindField(k.Kind, "number"), "accounts.kind."+string(k.Kind), k.Account))
		if k.Kind == models.AccountFee || k.Kind == models.AccountInterest || k.VATCode != "" {
			code := p.account(kindField(k.Kind, "vat_code"), "accounts.vat_code", k.VATCode)
			code.Label = rq.words.Say("accounts.vat_code_of", "what", rq.words.Say("accounts.kind."+string(k.Kind)))
			kinds.Fields = append(kinds.Fields, code)
		}
	}
	p.Groups = append(p.Groups, kinds)
	for _, c := range plan.Sales {
		sales := group{rq.words.Say("accounts.sales." + string(c.Class)), []input{p.account(salesField(c.Class, "account"), "accounts.account", c.Account)}}
		if c.Class.HasVAT() {
			sales.Fields = append(sales.Fields, p.account(salesField(c.Class, "vat_account"), "accounts.vat_account", c.VATAccount))
		}
		sales.Fields = append(sales.Fields, p.account(salesField(c.Class, "vat_code"), "accounts.vat_code", c.VATCode))
		p.Groups = append(p.Groups, sales)
	}
	for _, name := range models.Receivers() {
		codes := group{Title: rq.words.Say("accounts.plan_receiver", "name", exportFormName(rq, name))}
		for _, c := range plan.Sales {
			own := ""
			for _, r := range plan.Receivers {
				if r.Receiver == name && r.Class == c.Class {
					own = r.VATCode
				}
			}
			codes.Fields = append(codes.Fields, p.account(receiverField(name, c.Class), "accounts.sales."+string(c.Class), own))
		}
		p.Groups = append(p.Groups, codes)
	}
	return show("account_plan", p)
}

// exportFormName returns the name of the form of GBAT10 for a receiver.
func exportFormName(rq *request, receiver string) string {
	return rq.words.Say(exportFormLabel(rq, models.AccountForm("gbat10_"+receiver)))
}

// account returns a field with an account or a VAT code.
func (p *accountPlanPage) account(name, label, value string) input {
	return p.Setting(name, label, value, "inputmode=numeric", "autocomplete=off")
}

// changeAccountPlan sets the plan, as PUT /api/v1/creditor does. What is as the default has it is not set, so that the default stands.
func (s *Server) changeAccountPlan(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	said := "accounts.plan_saved"
	if f.has("usual") {
		said = "accounts.plan_is_usual"
	}
	return rq.changeSettings(ctx, f, said, models.ThingAccountPlan, func(c *models.Creditor) error {
		c.AccountPlan = models.AccountPlan{}
		if f.has("usual") {
			return nil
		}
		typed := f.accountPlan()
		if f.planFaults(typed); len(f.faults) > 0 {
			return f.done()
		}
		if usual := models.DefaultAccountPlan(); reflect.DeepEqual(typed.Kinds, usual.Kinds) && reflect.DeepEqual(typed.Sales, usual.Sales) {
			typed.Kinds, typed.Sales = nil, nil
		}
		c.AccountPlan = typed
		return nil
	})
}

// accountPlan reads the plan that was typed. A receiver without a VAT code of its own has that of the plan.
func (f *fields) accountPlan() (p models.AccountPlan) {
	usual := models.DefaultAccountPlan()
	for _, k := range usual.Kinds {
		p.Kinds = append(p.Kinds, models.KindAccount{Kind: k.Kind, Account: f.text(kindField(k.Kind, "number")), VATCode: f.text(kindField(k.Kind, "vat_code"))})
	}
	for _, c := range usual.Sales {
		p.Sales = append(p.Sales, models.SalesAccount{
			Class: c.Class, Account: f.text(salesField(c.Class, "account")), VATAccount: f.text(salesField(c.Class, "vat_account")), VATCode: f.text(salesField(c.Class, "vat_code")),
		})
	}
	for _, name := range models.Receivers() {
		for _, c := range usual.Sales {
			if code := f.text(receiverField(name, c.Class)); code != "" {
				p.Receivers = append(p.Receivers, models.ReceiverCode{Receiver: name, Class: c.Class, VATCode: code})
			}
		}
	}
	return p
}

// planFaults adds what is wrong with a plan, each fault at its field.
func (f *fields) planFaults(p models.AccountPlan) {
	wrong := p.Faults()
	f.faults = append(f.faults, wrong.Whole...)
	add := func(at func(attribute string) string, faults models.Errors) {
		for _, e := range faults {
			f.faults.Add(e.Code, at(e.Place.String()), "%s", e.Msg)
		}
	}
	for i, k := range p.Kinds {
		add(func(attribute string) string { return kindField(k.Kind, attribute) }, wrong.Kinds[i])
	}
	for i, c := range p.Sales {
		add(func(attribute string) string { return salesField(c.Class, attribute) }, wrong.Sales[i])
	}
	for i, r := range p.Receivers {
		add(func(string) string { return receiverField(r.Receiver, r.Class) }, wrong.Receivers[i])
	}
}
