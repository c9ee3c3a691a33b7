package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/app/operator"
	"purr/mailer"
	"purr/mailer/sender"
	"purr/mailer/ways"
	"purr/mailer/ways/own"
	"purr/models"
)

// checkedMail is what mail check has found out about the e-mails of a creditor.
type checkedMail struct {
	Creditor string           `json:"creditor"`
	From     string           `json:"from"` // address; empty if the creditor has none
	Findings []sender.Finding `json:"findings"`
}

func mailCheck() *cobra.Command {
	var creditor, dns string
	c := &cobra.Command{
		Annotations: map[string]string{findings: "yes"},
		Use:         "check", Short: "Say what the domains that e-mails come from lack: SPF, DKIM, DMARC", Args: cobra.NoArgs,
	}
	app.AddMail(c.Flags())
	c.Flags().StringVar(&creditor, "creditor", "", "only of the creditor with this name or number")
	c.Flags().StringVar(&dns, "dns", "", "DNS server to ask, HOST:PORT (default: the system's)")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
		if err != nil {
			return err
		}
		resolver, err := resolverAt(dns)
		if err != nil {
			return err
		}
		checked, err := checkMail(cmd.Context(), o, creditor, cfg.Mail, resolver)
		if err != nil {
			return err
		}
		if err := printChecked(cmd, checked); err != nil {
			return err
		}
		return standing(checked)
	})
}

// resolverAt returns what asks the DNS server at an address, or the system's.
func resolverAt(dns string) (sender.Resolver, error) {
	if _, _, err := net.SplitHostPort(dns); dns != "" && err != nil {
		return sender.Resolver{}, badUsage("--dns: must be HOST:PORT, such as 192.0.2.53:53")
	}
	return sender.NewResolver(dns)
}

// signerOf returns whose key signs e-mails, and its record in the DNS.
func signerOf(s mailer.SignatureSettings) (signer sender.DKIM, err error) {
	signer.Domain = s.Domain
	if s.Key == "" {
		return signer, nil
	}
	dkim, err := mailer.NewDKIM(s.Key, s.Domain, s.Selector)
	if err != nil {
		return signer, fmt.Errorf("dkim-key: %w", err)
	}
	signer.Name, signer.Record, err = dkim.Record()
	return signer, err
}

// checkMail asks about each creditor's e-mails, as they leave by its own way or the installation's (rule Q7). What was asked once is not
// asked again.
func checkMail(ctx context.Context, o *operator.Operator, creditor string, mail mailer.Settings, dns sender.Resolver) ([]checkedMail, error) {
	if _, err := signerOf(mail.Signature); err != nil {
		return nil, err
	}
	creditors, err := o.Creditors(ctx, creditor)
	if err != nil {
		return nil, err
	}
	known := map[sender.Mail][]sender.Finding{}
	checked := make([]checkedMail, len(creditors))
	for i, c := range creditors {
		rows, err := o.DB.CreditorWays(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		way, from, _, err := own.SettingOf(rows, models.ByEmail, ways.Setting{BounceAddress: mail.BounceAddress, Signature: mail.Signature})
		if err != nil {
			return nil, fmt.Errorf("the e-mails of %s: %w", c.Name, err)
		}
		checked[i] = checkedMail{Creditor: c.Name, From: cmp.Or(from, c.Email, mail.From)}
		checked[i].Findings = checkDomain(ctx, checked[i].From, way, dns, known)
	}
	return checked, nil
}

// checkDomain asks about what comes from one address by one way.
func checkDomain(ctx context.Context, from string, way ways.Setting, dns sender.Resolver, known map[sender.Mail][]sender.Finding) []sender.Finding {
	_, domain, has := strings.Cut(from, "@")
	if !has {
		return []sender.Finding{{About: "From", State: sender.Lacks, Text: "The creditor has no e-mail address, so e-mails come from one that does not exist. Set it: purr creditor set --email."}}
	}
	signer, err := signerOf(way.Signature)
	if err != nil {
		return []sender.Finding{{About: "DKIM", State: sender.Lacks, Text: fmt.Sprintf("What signs its e-mails cannot be read here: %v.", err)}}
	}
	_, bounces, _ := strings.Cut(way.BounceAddress, "@")
	mail := sender.Mail{From: domain, Bounces: cmp.Or(bounces, domain), DKIM: signer}
	if known[mail] == nil {
		within, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		known[mail] = sender.Check(within, dns, mail)
	}
	return known[mail]
}

func printChecked(cmd *cobra.Command, checked []checkedMail) error {
	if wantsJSON(cmd) {
		return printJSON(checked)
	}
	for i, c := range checked {
		if i > 0 {
			fmt.Println()
		}
		fmt.Println(models.Foreign(c.Creditor+" "+c.From, 200))
		for _, f := range c.Findings {
			fmt.Printf("  %-6s %-8s %s\n", f.About, f.State, models.Foreign(f.Text, 1000))
			if f.Record != "" {
				fmt.Printf("  %-6s %-8s %s\n", "", "", f.Record)
			}
		}
	}
	return nil
}

// standing returns the error that the exit code is made of.
func standing(checked []checkedMail) error {
	has := func(state sender.State) bool {
		return slices.ContainsFunc(checked, func(c checkedMail) bool {
			return slices.ContainsFunc(c.Findings, func(f sender.Finding) bool { return f.State == state })
		})
	}
	switch {
	case has(sender.Unknown):
		return errors.New("the DNS does not answer")
	case has(sender.Lacks):
		return errSaid
	}
	return nil
}
