package console

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"purr/console/locale"
	"purr/dunning"
	"purr/models"
	"purr/register"
	"purr/store"
)

func (s *Server) settingsRoutes() []route {
	to := func(path string) handler {
		return func(_ context.Context, rq *request) (reply, error) { return rq.to(rq.base + path), nil }
	}
	return []route{
		{path: "/c/{creditor}/settings", area: "settings", get: to("/settings/creditor")},
		{path: "/c/{creditor}/settings/creditor", area: "settings", get: s.creditorPage, post: s.changeCreditor, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/settings/vat", area: "settings", get: s.vatPage, post: s.changeVAT, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/settings/policy", area: "settings", get: s.policyPage, post: s.changePolicy, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/settings/rules", area: "settings", get: s.rulesPage, post: s.setRule, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/settings/console", area: "settings", get: s.consolePage, post: s.changeConsole},
		{path: "/c/{creditor}/start", get: s.startPage},
	}
}

// settingsPage is a form of settings. Without an admin's key its fields cannot be changed.
type settingsPage struct {
	view
	Present string // the tab
	Groups  []group
	Seen    string // names the values that the form began with
	Rates   []models.VATRate
	Add     []input
}

// group is some fields of a form under one heading.
type group struct {
	Title  string
	Fields []input
}

// Tabs returns the tabs of the settings.
func (p *settingsPage) Tabs() []link { return p.settingsTabs(p.Present) }

func (v *view) settingsTabs(present string) []link {
	return v.tabs(present, tab{"creditor", "settings/creditor", "settings.creditor"}, tab{"vat", "settings/vat", "settings.vat"},
		tab{"policy", "settings/policy", "settings.policy"}, tab{"rules", "settings/rules", "settings.rules"}, tab{"console", "settings/console", "settings.console"})
}

// Setting returns a field that only an admin's key may change.
func (v *view) Setting(name, label string, value any, options ...string) input {
	if !v.May(string(models.ScopeAdmin)) {
		options = append(options, "readonly")
	}
	return v.Input(name, label, value, options...)
}

// SettingChoice returns a setting with a few values.
func (v *view) SettingChoice(name, label, value string, pairs ...string) input {
	in := v.Select(name, label, value, pairs...)
	in.ReadOnly = !v.May(string(models.ScopeAdmin))
	return in
}

func (s *Server) creditorPage(_ context.Context, rq *request) (reply, error) {
	p := &settingsPage{view: rq.view("settings.title"), Present: "creditor", Seen: seenOfCreditor(rq.creditor)}
	c := rq.creditor.Asked()
	p.Groups = []group{
		{rq.words.Say("settings.who"), []input{
			p.Setting("name", "settings.name", c.Name, "required", "autocomplete=organization"),
			p.Setting("organisation_number", "settings.organisation_number", c.OrganisationNumber, "inputmode=numeric", "mod11"),
			p.SettingChoice("business_register", "settings.business_register", triState(c.BusinessRegister), "", "settings.by_name", "1", "settings.yes", "0", "settings.no"),
		}},
		{rq.words.Say("settings.address"), []input{
			p.Setting("address1", "settings.address1", c.Address1), p.Setting("address2", "settings.address2", c.Address2),
			p.Setting("postal_code", "settings.postal_code", c.PostalCode), p.Setting("postal_name", "settings.postal_name", c.PostalName),
			p.Setting("country_code", "settings.country_code", c.CountryCode),
		}},
		{rq.words.Say("settings.reach"), []input{
			p.Setting("email", "settings.email", c.Email, "type=email", "hint=settings.email_hint"), p.Setting("phone", "settings.phone", c.Phone, "inputmode=tel"),
			p.Setting("website", "settings.website", c.Website),
		}},
		{rq.words.Say("settings.money"), []input{
			p.Setting("bank_account", "settings.bank_account", c.BankAccount, "inputmode=numeric", waitingAccount(&p.view)),
			p.Setting("iban", "settings.iban", c.IBAN, "hint=settings.iban_hint", waitingIBAN(&p.view)), p.Setting("bic", "settings.bic", c.BIC),
			p.Setting("ehf_default_reference", "settings.ehf_reference", c.EHFDefaultReference, "hint=settings.ehf_reference_hint"),
			p.Setting("fallback", "settings.fallback", string(c.Fallback), "hint=settings.fallback_hint"),
		}},
		{rq.words.Say("settings.numbers"), []input{
			p.Setting("kid_length", "settings.kid_length", strconv.Itoa(c.KIDLength), "inputmode=numeric", "says="+rq.words.Say("settings.kid_example", "kid", exampleKID(c))),
			p.SettingChoice("kid_modulus", "settings.kid_modulus", strconv.Itoa(c.KIDModulus), "10", "settings.modulus_10", "11", "settings.modulus_11"),
			p.Setting("first_number", "settings.first_number", strconv.FormatInt(c.FirstNumber, 10), "inputmode=numeric"),
			p.Setting("dunning_ceiling", "settings.dunning_ceiling", optional(c.DunningCeiling), "inputmode=numeric", "hint=settings.ceiling_hint"),
		}},
	}
	return show("settings", p)
}

// waitingAccount says of the field of the account that it waits for the operator (rule D101), or nothing.
func waitingAccount(v *view) string {
	switch c := v.Creditor; {
	case c.WaitingAccount == "":
		return "says="
	case c.BankAccount == "":
		return "says=" + v.rq.words.Say("settings.account_waits")
	default:
		return "says=" + v.rq.words.Say("settings.account_waits_before", "account", models.GroupAccount(c.BankAccount, " "))
	}
}

// waitingIBAN says of the field of the IBAN that it waits for the operator, or nothing.
func waitingIBAN(v *view) string {
	c := v.Creditor
	if c.WaitingIBAN == "" {
		return "says="
	}
	before := c.AccountIBAN(c.BankAccount)
	if before == "" {
		return "says=" + v.rq.words.Say("settings.account_waits")
	}
	return "says=" + v.rq.words.Say("settings.account_waits_before", "account", before)
}

// exampleKID returns the KID of an invoice with the number 4711.
func exampleKID(c models.Creditor) string {
	base := "4711"
	for len(base) < c.KIDLength-1 {
		base = "0" + base
	}
	return models.NewKID(base[:max(c.KIDLength-1, 1)], c.KIDModulus)
}

func optional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func triState(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "1"
	}
	return "0"
}

// seenOfCreditor names what the page of who the creditor is shows.
func seenOfCreditor(c models.Creditor) string {
	c = c.Asked()
	return seenOf([]any{register.CreditorTexts(&c), c.BusinessRegister, c.KIDLength, c.KIDModulus, c.FirstNumber, c.DunningCeiling})
}

// seenOfVAT names what the page of the VAT shows.
func seenOfVAT(c models.Creditor) string {
	return seenOf([]any{c.VATRegistered, c.VATKnown, c.VATExemption, c.VATRates})
}

// seenOf names the values of some settings, so that a form tells whether they were changed meanwhile.
func seenOf(settings any) string {
	text, err := json.Marshal(settings)
	if err != nil {
		return "" // impossible: they are plain values
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (s *Server) changeCreditor(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	return rq.changeSettings(ctx, f, "settings.saved", models.ThingSettings, seenOfCreditor, func(c *models.Creditor) error {
		before := *c
		for _, t := range register.CreditorTexts(c) {
			if _, sent := rq.form[t.Name]; sent {
				*t.Value = f.text(t.Name)
			}
		}
		c.OrganisationNumber, c.BankAccount, c.IBAN = withoutBlanks(c.OrganisationNumber), withoutBlanks(c.BankAccount), withoutBlanks(c.IBAN)
		c.CountryCode = cmp.Or(c.CountryCode, "NO")
		c.BusinessRegister = f.yesOrNo("business_register")
		c.KIDLength, c.KIDModulus, c.FirstNumber = int(f.number("kid_length")), int(f.number("kid_modulus")), f.number("first_number")
		c.DunningCeiling = f.optionalNumber("dunning_ceiling")
		return f.done(c.ValidateChange(before))
	})
}

// changeSettings changes the creditor, and says so on the next page. look names what the form has shown of it; if that is not as
// it was seen, nothing is changed (rule D115).
func (rq *request) changeSettings(
	ctx context.Context, f *fields, said string, kind models.ThingKind, look func(models.Creditor) string, change func(*models.Creditor) error,
) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		f.faults = nil
		rules, err := dunning.RulesFor(ctx, rq.s.cfg.Runs.Rules, tx, rq.creditor.ID)
		if err != nil {
			return done{}, err
		}
		maxFee, _, _ := rules.MaxFee(rq.today(), rq.today())
		_, err = register.ChangeCreditor(ctx, tx, rq.creditor.ID, maxFee, rq.actor(), func(c *models.Creditor) error {
			if err := tx.Same(ctx, c.ID, models.Thing{Kind: kind, ID: c.ID}, rq.seen(), models.Seen(look(*c))); err != nil {
				return err
			}
			return change(c)
		})
		return done{to: rq.back(rq.s.prefix + rq.r.URL.Path), message: rq.said(said)}, err
	})
}

func (f *fields) yesOrNo(name string) *bool {
	switch f.text(name) {
	case "1":
		return new(true)
	case "0":
		return new(false)
	}
	return nil
}

// optionalNumber reads a whole number, nil if the field is empty.
func (f *fields) optionalNumber(name string) *int {
	if f.text(name) == "" {
		return nil
	}
	return new(int(f.number(name)))
}

func withoutBlanks(s string) string {
	return strings.NewReplacer(" ", "", ".", "", "\u00A0", "").Replace(s)
}

func (s *Server) vatPage(_ context.Context, rq *request) (reply, error) {
	p := &settingsPage{view: rq.view("settings.title"), Present: "vat", Seen: seenOfVAT(rq.creditor), Rates: rq.creditor.VATRates}
	c := rq.creditor
	registered := triState(&c.VATRegistered)
	if !c.VATKnown && !c.VATRegistered {
		registered = ""
	}
	p.Groups = []group{{rq.words.Say("settings.vat"), []input{
		p.SettingChoice("vat_registered", "settings.vat_registered", registered, "", "settings.vat_unsaid", "1", "settings.yes", "0", "settings.no"),
		p.SettingChoice("vat_exemption", "settings.vat_exemption", string(c.VATExemption), "", "settings.vat_unsaid", "E", "settings.vat_exempt", "Z", "settings.vat_zero"),
	}}}
	p.Add = []input{
		p.SettingChoice("rate_name", "settings.rate_name", "LOW", "HIGH", "settings.rate_high", "MEDIUM", "settings.rate_medium", "LOW", "settings.rate_low", "NONE", "settings.rate_none"),
		p.Setting("rate_percent", "settings.rate_percent", "", "inputmode=decimal", "hint=settings.rate_hint"),
		p.Setting("rate_from", "settings.rate_from", "", "type=date"),
	}
	return show("settings", p)
}

func (s *Server) changeVAT(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	return rq.changeSettings(ctx, f, "settings.saved", models.ThingVAT, seenOfVAT, func(c *models.Creditor) error {
		before := *c
		if registered := f.yesOrNo("vat_registered"); registered != nil {
			c.VATRegistered, c.VATKnown = *registered, true
		}
		c.VATExemption = models.VATExemption(f.text("vat_exemption"))
		f.changeRates(c)
		return f.done(c.ValidateChange(before))
	})
}

// changeRates removes the VAT rates whose boxes are checked, and adds the one that was typed.
func (f *fields) changeRates(c *models.Creditor) {
	gone := f.all("remove")
	c.VATRates = slices.DeleteFunc(slices.Clone(c.VATRates), func(r models.VATRate) bool {
		return slices.Contains(gone, string(r.Name)+" "+r.FromDate.String())
	})
	if f.text("rate_percent") == "" {
		return
	}
	rate := models.VATRate{Name: models.VATName(f.text("rate_name")), FromDate: f.date("rate_from")}
	var err error
	if rate.Percent, err = models.ParsePercent(locale.Decimal(f.text("rate_percent"))); err != nil || rate.Percent < 0 || rate.Percent > 100_00 || rate.Name == models.VATNone && rate.Percent != 0 {
		f.faults.Add("invalid_vat_rate", "rate_percent", "must be from 0 to 100 with at most 2 decimals, for the class without VAT 0")
	}
	if rate.FromDate == 0 && f.text("rate_from") == "" {
		f.faults.Add("required", "rate_from", "is required")
	}
	if _, known := (models.VATRates{}).At(rate.Name, 1); !known {
		f.faults.Add("invalid_vat_rate", "rate_name", "must be HIGH, MEDIUM, LOW or NONE")
	}
	if slices.ContainsFunc(c.VATRates, func(r models.VATRate) bool { return r.Name == rate.Name && r.FromDate == rate.FromDate }) {
		f.faults.Add("invalid_vat_rate", "rate_from", "there is a rate of this class from this day already")
	}
	c.VATRates = append(c.VATRates, rate)
	slices.SortFunc(c.VATRates, func(a, b models.VATRate) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.FromDate, b.FromDate))
	})
}

// consolePage holds what each reader chooses for himself. It is kept in the browser.
func (s *Server) consolePage(_ context.Context, rq *request) (reply, error) {
	p := &settingsPage{view: rq.view("settings.title"), Present: "console"}
	keys := ""
	if rq.keysOn() {
		keys = "1"
	}
	p.Groups = []group{{rq.words.Say("settings.console"), []input{
		p.Select("language", "settings.language", rq.words.Language, "nb", "settings.nb", "nn", "settings.nn", "en", "settings.en"),
		p.Input("keys", "settings.keys", keys, "type=checkbox", "hint=settings.keys_hint"),
	}}}
	return show("settings", p)
}

func (s *Server) changeConsole(_ context.Context, rq *request) (reply, error) {
	f := rq.fields()
	language := f.text("language")
	if locale.Catalogue()[language] == nil {
		return reply{}, models.Invalid("invalid_value", "language", "must be nb, nn or en")
	}
	keys := "off"
	if f.has("keys") {
		keys = "on"
	}
	for name, value := range map[string]string{locale.Cookie: language, keysCookie: keys} {
		http.SetCookie(rq.w, &http.Cookie{Name: name, Value: value, Path: s.prefix + "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, Secure: rq.isSecure(), SameSite: http.SameSiteLaxMode})
	}
	return rq.to(rq.here()), nil
}
