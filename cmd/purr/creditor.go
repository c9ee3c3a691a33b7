package main

import (
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func creditorCommand() *cobra.Command {
	return group("creditor", "Create, list, show and change creditors", creditorCreate(), creditorList(), creditorShow(), creditorSet())
}

// creditorFlags are the fields of a creditor that the command line sets.
type creditorFlags struct {
	name, organisationNumber, bankAccount, email         string
	address1, address2, postalCode, postalName, timeZone string
	vatRegistered, dunning, compensation                 bool
	ceiling                                              string
}

func (f *creditorFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.name, "name", "", "name, as on invoices")
	flags.StringVar(&f.organisationNumber, "organisation-number", "", "organisation number, 9 digits")
	flags.StringVar(&f.bankAccount, "bank-account", "", "account that customers pay to, 11 digits")
	flags.StringVar(&f.email, "email", "", "address that e-mails come from")
	flags.StringVar(&f.address1, "address1", "", "first address line")
	flags.StringVar(&f.address2, "address2", "", "second address line")
	flags.StringVar(&f.postalCode, "postal-code", "", "postal code")
	flags.StringVar(&f.postalName, "postal-name", "", "postal place name")
	flags.StringVar(&f.timeZone, "time-zone", "Europe/Oslo", "time zone of its days")
	flags.BoolVar(&f.vatRegistered, "vat-registered", false, "is registered for VAT: MVA stands after the organisation number")
	flags.BoolVar(&f.dunning, "dunning", false, "follow overdue invoices automatically")
	flags.BoolVar(&f.compensation, "dunning-compensation", false, "charge businesses standard compensation in place of fees")
	flags.StringVar(&f.ceiling, "dunning-ceiling", "auto", "the most notices and hand-overs that a run makes unasked; auto goes by the runs before")
}

// apply sets the fields whose flags were given.
func (f *creditorFlags) apply(cmd *cobra.Command, c *models.Creditor) error {
	texts := map[string]struct{ from, to *string }{
		"name": {&f.name, &c.Name}, "organisation-number": {&f.organisationNumber, &c.OrganisationNumber},
		"bank-account": {&f.bankAccount, &c.BankAccount}, "email": {&f.email, &c.Email}, "address1": {&f.address1, &c.Address1},
		"address2": {&f.address2, &c.Address2}, "postal-code": {&f.postalCode, &c.PostalCode}, "postal-name": {&f.postalName, &c.PostalName},
		"time-zone": {&f.timeZone, &c.TimeZone},
	}
	for flag, text := range texts {
		if cmd.Flags().Changed(flag) {
			*text.to = *text.from
		}
	}
	if cmd.Flags().Changed("vat-registered") {
		c.VATRegistered = f.vatRegistered
	}
	if cmd.Flags().Changed("dunning") {
		c.Policy.Enabled = f.dunning
	}
	if cmd.Flags().Changed("dunning-compensation") {
		c.Policy.Compensation = f.compensation
	}
	if cmd.Flags().Changed("dunning-ceiling") {
		c.DunningCeiling = nil
		if f.ceiling != "auto" {
			n, err := strconv.Atoi(f.ceiling)
			if err != nil {
				return fmt.Errorf("--dunning-ceiling: must be a whole number or auto, not %q", f.ceiling)
			}
			c.DunningCeiling = &n
		}
	}
	return nil
}

func creditorCreate() *cobra.Command {
	var f creditorFlags
	c := &cobra.Command{
		Use:     "create --name NAME",
		Short:   "Create a creditor and print its number",
		Example: "  purr creditor create --name 'Fjord Rør AS' --organisation-number 974760673 --bank-account 12345678903",
		Args:    cobra.NoArgs,
	}
	f.add(c)
	_ = c.MarkFlagRequired("name") // fails only for a flag that does not exist
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		creditor := models.NewCreditor(f.name)
		if err := f.apply(cmd, &creditor); err != nil {
			return err
		}
		if err := a.CreateCreditor(cmd.Context(), &creditor); err != nil {
			return err
		}
		fmt.Println(creditor.ID)
		return a.PostKeptAside(cmd.Context())
	})
}

func creditorSet() *cobra.Command {
	var f creditorFlags
	c := &cobra.Command{
		Use:     "set CREDITOR",
		Short:   "Change fields of a creditor, given by name or number",
		Example: "  purr creditor set default --name 'Fjord Rør AS' --bank-account 12345678903 --dunning",
		Args:    cobra.ExactArgs(1),
	}
	f.add(c)
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		creditor, err := a.ChangeCreditor(cmd.Context(), args[0], func(c *models.Creditor) error { return f.apply(cmd, c) })
		if err != nil {
			return err
		}
		showCreditor(creditor)
		return a.PostKeptAside(cmd.Context())
	})
}

func creditorShow() *cobra.Command {
	c := &cobra.Command{Use: "show CREDITOR", Short: "Show a creditor, given by name or number", Args: cobra.ExactArgs(1)}
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		creditor, err := a.Creditor(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		showCreditor(creditor)
		return nil
	})
}

func creditorList() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List all creditors", Args: cobra.NoArgs}
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		creditors, err := a.DB.Creditors(cmd.Context())
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "NUMBER\tNAME\tORGANISATION\tBANK ACCOUNT\tDUNNING")
		for _, c := range creditors {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", c.ID, c.Name, c.OrganisationNumber, c.BankAccount, onOff(c.Policy.Enabled))
		}
		return w.Flush()
	})
}

func showCreditor(c models.Creditor) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		value any
	}{
		{"number", c.ID},
		{"name", c.Name},
		{"organisation number", c.OrganisationNumber},
		{"VAT registered", onOff(c.VATRegistered)},
		{"address", fmt.Sprintf("%s %s %s %s %s", c.Address1, c.Address2, c.PostalCode, c.PostalName, c.CountryCode)},
		{"e-mail", c.Email},
		{"bank account", c.BankAccount},
		{"KID", fmt.Sprintf("%d characters, MOD%d", c.KIDLength, c.KIDModulus)},
		{"time zone", c.TimeZone},
		{"dunning", onOff(c.Policy.Enabled)},
		{"dunning ceiling", ceilingOf(c)},
		{"compensation for businesses", onOff(c.Policy.Compensation)},
	} {
		fmt.Fprintf(w, "%s\t%v\n", row.name, row.value)
	}
	_ = w.Flush() // standard output
}

func ceilingOf(c models.Creditor) string {
	if c.DunningCeiling == nil {
		return "auto"
	}
	return strconv.Itoa(*c.DunningCeiling)
}

func onOff(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
