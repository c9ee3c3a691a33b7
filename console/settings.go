package console

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
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
		{path: "/c/{creditor}/settings/ways", area: "settings", get: s.waysPage, post: s.changeWays, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/settings/rules", area: "settings", get: s.rulesPage, post: s.setRule, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/settings/api", area: "settings", get: s.apiPage},
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
		tab{"policy", "settings/policy", "settings.policy"}, tab{"rules", "settings/rules", "settings.rules"}, tab{"ways", "settings/ways", "settings.ways"}, tab{"api", "settings/api", "settings.api"}, tab{"console", "settings/console", "settings.console"})
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

// creditorForm is who the creditor is.
var creditorForm = []section{
	{"settings.who", []setting{
		typedIn("name", "settings.name", "required", "autocomplete=organization"),
		typedIn("organisation_number", "settings.organisation_number", "inputmode=numeric", "mod11"),
		chosenFrom("business_register", "settings.business_register", "", "settings.by_name", "1", "settings.yes", "0", "settings.no"),
	}},
	{"settings.address", []setting{
		typedIn("address1", "settings.address1"), typedIn("address2", "settings.address2"), typedIn("postal_code", "settings.postal_code"),
		typedIn("postal_name", "settings.postal_name"), typedIn("country_code", "settings.country_code"),
	}},
	{"settings.reach", []setting{
		typedIn("email", "settings.email", "type=email", "hint=settings.email_hint"), typedIn("phone", "settings.phone", "inputmode=tel"),
		typedIn("website", "settings.website"),
	}},
	{"settings.money", []setting{
		typedIn("bank_account", "settings.bank_account", "inputmode=numeric"), typedIn("iban", "settings.iban", "hint=settings.iban_hint"), typedIn("bic", "settings.bic"),
		typedIn("ehf_default_reference", "settings.ehf_reference", "hint=settings.ehf_reference_hint"), typedIn("fallback", "settings.fallback", "hint=settings.fallback_hint"),
	}},
	{"settings.letters", []setting{
		chosenFrom("language", "settings.letter_language", "nb", "settings.nb", "nn", "settings.nn", "en", "settings.en"),
		typedIn("footer_text", "settings.footer_text", "hint=settings.footer_text_hint"), typedIn("max_lines", "settings.max_lines", "hint=settings.max_lines_hint"),
	}},
	{"settings.avtalegiro", []setting{
		typedIn("avtalegiro/enabled", "settings.avtalegiro_enabled"),
		typedIn("avtalegiro/sender_id", "settings.avtalegiro_sender_id", "inputmode=numeric", "hint=settings.avtalegiro_sender_id_hint"),
		typedIn("avtalegiro/lead_days", "settings.avtalegiro_lead_days"),
		chosenFrom("avtalegiro/notice", "settings.avtalegiro_notice", "own", "settings.avtalegiro_own", "bank", "settings.avtalegiro_bank"),
	}},
	{"settings.numbers", []setting{
		typedIn("kid_length", "settings.kid_length"), chosenFrom("kid_modulus", "settings.kid_modulus", "10", "settings.modulus_10", "11", "settings.modulus_11"),
		typedIn("kid_customer_digits", "settings.kid_customer_digits", "hint=settings.kid_customer_digits_hint"),
		typedIn("first_number", "settings.first_number"), typedIn("dunning_ceiling", "settings.dunning_ceiling", "hint=settings.ceiling_hint"),
	}},
}

// vatForm is the creditor's VAT without its rates.
var vatForm = []section{{"settings.vat", []setting{
	chosenFrom("vat_registered", "settings.vat_registered", "", "settings.vat_unsaid", "1", "settings.yes", "0", "settings.no"),
	chosenFrom("vat_exemption", "settings.vat_exemption", "", "settings.vat_unsaid", "E", "settings.vat_exempt", "Z", "settings.vat_zero"),
}}}

// settingsPage returns the page of the settings of a kind.
func (rq *request) settingsPage(tab string, kind models.ThingKind) settingsPage {
	return settingsPage{view: rq.view("settings.title"), Present: tab, Seen: seenOfSettings(rq.creditor, kind)}
}

func (s *Server) creditorPage(_ context.Context, rq *request) (reply, error) {
	p, c := rq.settingsPage("creditor", models.ThingSettings), rq.creditor.Asked()
	p.Groups = p.settings(creditorForm, c, map[string]string{
		"bank_account": waitingAccount(&p.view), "iban": waitingIBAN(&p.view), "kid_length": rq.words.Say("settings.kid_example", "kid", exampleKID(c)),
	})
	return show("settings", &p)
}

// waitingAccount says of the field of the account that it waits for the operator (rule D101), or nothing.
func waitingAccount(v *view) string {
	switch c := v.Creditor; {
	case c.WaitingAccount == "":
		return ""
	case c.BankAccount == "":
		return v.rq.words.Say("settings.account_waits")
	default:
		return v.rq.words.Say("settings.account_waits_before", "account", models.GroupAccount(c.BankAccount, " "))
	}
}

// waitingIBAN says of the field of the IBAN that it waits for the operator, or nothing.
func waitingIBAN(v *view) string {
	c := v.Creditor
	if c.WaitingIBAN == "" {
		return ""
	}
	before := c.AccountIBAN(c.BankAccount)
	if before == "" {
		return v.rq.words.Say("settings.account_waits")
	}
	return v.rq.words.Say("settings.account_waits_before", "account", before)
}

// exampleCustomer is the ID of the customer that the example's invoice goes to.
const exampleCustomer = 42

// exampleKID returns the KID of an invoice with the number 4711.
func exampleKID(c models.Creditor) string {
	base := "4711"
	for len(base) < c.DocumentKIDLength()-1 {
		base = "0" + base
	}
	customer, _ := c.KIDCustomer(exampleCustomer)
	return models.NewKID(customer+base[:max(c.DocumentKIDLength()-1, 1)], c.KIDModulus)
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
	return rq.changeSettings(ctx, f, "settings.saved", models.ThingSettings, func(c *models.Creditor) error {
		before := *c
		f.change(creditorForm, c)
		c.OrganisationNumber, c.BankAccount, c.IBAN = withoutBlanks(c.OrganisationNumber), withoutBlanks(c.BankAccount), withoutBlanks(c.IBAN)
		c.CountryCode = cmp.Or(c.CountryCode, "NO")
		return f.done(c.ValidateChange(before))
	})
}

// changeSettings changes the creditor, and says so on the next page. If its settings of the kind are not as they were seen, nothing is
// changed (rule D115).
func (rq *request) changeSettings(
	ctx context.Context, f *fields, said string, kind models.ThingKind, change func(*models.Creditor) error,
) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		f.faults = nil
		rules, err := dunning.RulesFor(ctx, rq.s.cfg.Runs.Rules, tx, rq.creditor.ID)
		if err != nil {
			return done{}, err
		}
		maxFee, _, _ := rules.MaxFee(rq.today(), rq.today())
		_, err = register.ChangeCreditor(ctx, tx, rq.creditor.ID, maxFee, rq.actor(), func(c *models.Creditor) error {
			if err := tx.Same(ctx, c.ID, models.Thing{Kind: kind, ID: c.ID}, rq.seen(), models.Seen(seenOfSettings(*c, kind))); err != nil {
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

func withoutBlanks(s string) string {
	return strings.NewReplacer(" ", "", ".", "", "\u00A0", "").Replace(s)
}

func (s *Server) vatPage(_ context.Context, rq *request) (reply, error) {
	p := rq.settingsPage("vat", models.ThingVAT)
	p.Groups, p.Rates = p.settings(vatForm, rq.creditor, nil), rq.creditor.VATRates
	p.Add = []input{
		p.SettingChoice("rate_name", "settings.rate_name", "LOW", "HIGH", "settings.rate_high", "MEDIUM", "settings.rate_medium", "LOW", "settings.rate_low", "NONE", "settings.rate_none"),
		p.Setting("rate_percent", "settings.rate_percent", "", "inputmode=decimal", "hint=settings.rate_hint"),
		p.Setting("rate_from", "settings.rate_from", "", "type=date"),
	}
	return show("settings", &p)
}

func (s *Server) changeVAT(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	return rq.changeSettings(ctx, f, "settings.saved", models.ThingVAT, func(c *models.Creditor) error {
		before := *c
		f.change(vatForm, c)
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
	percent := f.text("rate_percent")
	if percent == "" {
		return
	}
	c.VATRates = append(c.VATRates, models.VATRate{
		Name: models.VATName(f.text("rate_name")), FromDate: f.date("rate_from"), Percent: models.ReadVATPercent(locale.Decimal(percent)),
	})
	for _, e := range c.VATRates.Faults()[len(c.VATRates)-1] {
		switch e.Place.String() {
		case "name":
			f.faults.Add(e.Code, "rate_name", "%s", e.Msg)
		case "percent":
			f.faults.Add(e.Code, "rate_percent", "must be from 0 to 100 with at most 2 decimals, for the class without VAT 0")
		case "from":
			if f.text("rate_from") == "" {
				f.faults.Add("required", "rate_from", "is required")
			}
		default:
			f.faults.Add(e.Code, "rate_from", "there is a rate of this class from this day already")
		}
	}
	c.VATRates.Sort()
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
