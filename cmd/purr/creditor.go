package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
	"purr/register"
)

func creditorCommand() *cobra.Command {
	return group("creditor", "Create, list, show and change creditors", creditorCreate(), creditorList(), creditorShow(), creditorSet(), creditorWay(), creditorAccounts())
}

// creditorTexts describes the texts of a creditor, by their names in the interface.
var creditorTexts = map[string]string{
	"name": "name, as on invoices", "organisation_number": "organisation number, 9 digits", "email": "address that e-mails come from",
	"bank_account": "account that customers pay to, 11 digits", "address1": "first address line", "address2": "second address line",
	"postal_code": "postal code", "postal_name": "postal place name", "country_code": "country, two letters", "time_zone": "time zone of its days",
	"phone": "telephone number that customers can call", "website": "website, as on documents",
	"iban": "IBAN without blanks; empty: that of the bank account", "bic": "BIC of the bank",
	"ehf_default_reference": "buyer's reference of an EHF whose invoice has none of its own",
	"fallback":              "what is tried when a method is refused, such as EHF>EMAIL>PAPER; empty: EHF>EMAIL",
	"language":              "language of documents to customers who have none: nb, nn or en",
	"footer_text":           "text at the foot of all documents, at most 500 characters",
	"vat_exemption":         "what VAT class NONE means: E (unntatt) or Z (fritatt)",
}

// creditorFlags are the fields of a creditor that the command line sets.
type creditorFlags struct {
	given    models.Creditor
	ceiling  string
	register string // yes, no or auto
}

func (f *creditorFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.given = models.NewCreditor("")
	for _, t := range register.CreditorTexts(&f.given) {
		flags.StringVar(t.Value, flagOf(t.Name), *t.Value, creditorTexts[t.Name])
	}
	flags.BoolVar(&f.given.VATRegistered, "vat-registered", false, "the creditor is registered for VAT; documents print MVA after the organisation number; =false: it is not, and issues no VAT")
	flags.StringVar(&f.register, "business-register", "auto", "print Foretaksregisteret on documents: yes, no, or auto, by the legal form in the name")
	flags.BoolVar(&f.given.Policy.Enabled, "dunning", false, "remind of overdue invoices automatically")
	flags.BoolVar(&f.given.Policy.Compensation, "dunning-compensation", false, "charge businesses standard compensation in place of fees")
	flags.StringVar(&f.ceiling, "dunning-ceiling", "auto", "most notices and hand-overs of a run without approval; auto follows from earlier runs")
}

func flagOf(element string) string { return strings.ReplaceAll(element, "_", "-") }

// apply sets the fields whose flags were given.
func (f *creditorFlags) apply(cmd *cobra.Command, c *models.Creditor) error {
	given := cmd.Flags().Changed
	texts := register.CreditorTexts(&f.given)
	for i, t := range register.CreditorTexts(c) {
		if given(flagOf(t.Name)) {
			*t.Value = models.OneLine(*texts[i].Value)
		}
	}
	if given("vat-registered") {
		c.VATRegistered, c.VATKnown = f.given.VATRegistered, true
	}
	if given("dunning") {
		c.Policy.Enabled = f.given.Policy.Enabled
	}
	if given("dunning-compensation") {
		c.Policy.Compensation = f.given.Policy.Compensation
	}
	var wrongRegister, wrongCeiling error
	if given("business-register") {
		c.BusinessRegister, wrongRegister = registerIn(f.register)
	}
	if given("dunning-ceiling") {
		c.DunningCeiling, wrongCeiling = ceilingIn(f.ceiling)
	}
	return cmp.Or(wrongRegister, wrongCeiling)
}

func registerIn(text string) (*bool, error) {
	registered, known := map[string]*bool{"yes": new(true), "no": new(false), "auto": nil}[text]
	if !known {
		return nil, badUsage("--business-register: must be yes, no or auto, not %q", text)
	}
	return registered, nil
}

func ceilingIn(text string) (*int, error) {
	if text == "auto" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil, badUsage("--dunning-ceiling: must be a whole number or auto, not %q", text)
	}
	return &n, nil
}

func creditorCreate() *cobra.Command {
	var f creditorFlags
	c := &cobra.Command{Use: "create NAME", Short: "Create a creditor and print its number", Args: cobra.MaximumNArgs(1)}
	f.add(c)
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		creditor := models.NewCreditor(strings.Join(args, ""))
		if err := f.apply(cmd, &creditor); err != nil {
			return err
		}
		if creditor.Name == "" {
			return badUsage("name the creditor: %s", cmd.UseLine())
		}
		if err := o.CreateCreditor(cmd.Context(), &creditor); err != nil {
			return err
		}
		fmt.Println(creditor.ID)
		return o.PostUnassigned(cmd.Context())
	})
}

func creditorSet() *cobra.Command {
	var f creditorFlags
	c := &cobra.Command{Use: "set CREDITOR", Short: "Change fields of a creditor, given by name or number", Args: cobra.ExactArgs(1)}
	f.add(c)
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		creditor, err := o.ChangeCreditor(cmd.Context(), args[0], func(c *models.Creditor) error { return f.apply(cmd, c) })
		if err != nil {
			return err
		}
		if err := printFacts(cmd, creditorFacts(creditor)); err != nil {
			return err
		}
		return o.PostUnassigned(cmd.Context())
	})
}

func creditorShow() *cobra.Command {
	c := &cobra.Command{Use: "show CREDITOR", Short: "Show a creditor, given by name or number", Args: cobra.ExactArgs(1)}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		creditor, err := o.Creditor(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return printFacts(cmd, creditorFacts(creditor))
	})
}

func creditorFacts(c models.Creditor) []fact {
	return slices.Concat([]fact{
		{"number", c.ID},
		{"name", c.Name},
		{"organisation number", c.OrganisationNumber},
		{"VAT registered", vatRegistered(c)},
		{"VAT exemption", string(c.VATExemption)},
		{"business register", businessRegister(c)},
		{"address", oneLine(strings.Join([]string{c.Address1, c.Address2, c.PostalCode, c.PostalName, c.CountryCode}, " "))},
		{"email", c.Email},
		{"phone", c.Phone},
		{"website", c.Website},
		{"bank account", c.BankAccount},
		{"IBAN", c.AccountIBAN(c.BankAccount)},
		{"BIC", c.BIC},
		{"EHF default reference", c.EHFDefaultReference},
		{"fallback", cmp.Or(c.Fallback, models.DefaultFallback)},
		{"KID", fmt.Sprintf("%d characters, MOD%d", c.KIDLength, c.KIDModulus)},
		{"time zone", c.TimeZone},
	}, dunningFacts(c), given(
		fact{"waiting bank account", c.WaitingAccount},
		fact{"waiting IBAN", strings.TrimSpace(c.WaitingIBAN + " " + c.WaitingBIC)},
	))
}

func dunningFacts(c models.Creditor) []fact {
	ceiling := "auto"
	if c.DunningCeiling != nil {
		ceiling = strconv.Itoa(*c.DunningCeiling)
	}
	return []fact{
		{"dunning", c.Policy.Enabled},
		{"missing", strings.Join(c.MissingToDun(), " ")},
		{"dunning ceiling", ceiling},
		{"compensation for businesses", c.Policy.Compensation},
		{"least principal that is dunned", c.Policy.MinimumBalance},
		{"remainder of fees and interest", c.Policy.Remainder},
		{"runs move credit", c.Policy.SettleCredit},
	}
}

// vatRegistered returns whether a creditor is registered for VAT, or that nobody has said.
func vatRegistered(c models.Creditor) any {
	if !c.VATKnown && !c.VATRegistered {
		return "not said"
	}
	return c.VATRegistered
}

func businessRegister(c models.Creditor) any {
	if c.BusinessRegister == nil {
		return "auto"
	}
	return *c.BusinessRegister
}

func creditorList() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List all creditors", Args: cobra.NoArgs}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		creditors, err := o.DB.Creditors(cmd.Context())
		if err != nil {
			return err
		}
		t := newTable("NUMBER,NAME,ORGANISATION,BANK ACCOUNT,DUNNING")
		for _, c := range creditors {
			t.add(c.ID, c.Name, c.OrganisationNumber, c.BankAccount, c.Policy.Enabled)
		}
		return t.print(cmd)
	})
}

// creditorFlag adds --creditor to a command that works for one creditor, and returns its value.
func creditorFlag(c *cobra.Command) *string {
	return c.Flags().String("creditor", "", "name or number of the creditor; required if there are several")
}

// ofCreditor returns a command that works for one creditor. --creditor is required if there are several.
func ofCreditor(c *cobra.Command, do func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, args []string) error) *cobra.Command {
	name := creditorFlag(c)
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		creditor, err := o.OneCreditor(cmd.Context(), *name)
		if err != nil {
			return err
		}
		return do(cmd, o, creditor, args)
	})
}
