package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/mailer/ways/own"
	"purr/models"
)

func mailTest() *cobra.Command {
	var creditor string
	c := &cobra.Command{Use: "test ADDRESS", Short: "Send a plain test mail by the way that is set, and say what happened", Args: cobra.ExactArgs(1)}
	app.AddInstallation(c.Flags())
	app.AddMailServer(c.Flags())
	c.Flags().StringVar(&creditor, "creditor", "", "from the creditor with this name or number (default: from --mail-from, or else the first creditor with an address)")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
		if err != nil {
			return err
		}
		if !models.ValidEmail(args[0]) {
			return badUsage("ADDRESS: %q is no e-mail address", args[0])
		}
		from, rows, err := testSender(cmd.Context(), cfg, creditor)
		if err != nil {
			return err
		}
		sent, err := app.TestMail(cmd.Context(), cfg, rows, from, args[0])
		return errors.Join(printSent(cmd, sent, args[0], err), err)
	}
	return withJSON(c)
}

// testSender returns who a test mail is from, and the ways of the creditor that is named. It opens the installation unless the settings say it, and
// the mail leaves by a server.
func testSender(ctx context.Context, cfg app.Settings, creditor string) (from mail.Address, rows []models.CreditorWay, err error) {
	if creditor == "" && cfg.Mail.From != "" && cfg.Mail.URL != "" {
		return mail.Address{Address: cfg.Mail.From}, nil, nil
	}
	a, err := app.Start(ctx, cfg, app.Parts{}, app.NewLog(os.Stderr, cfg))
	if err != nil {
		return from, nil, err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	if creditor == "" && cfg.Mail.From != "" {
		return mail.Address{Address: cfg.Mail.From}, nil, nil
	}
	creditors, err := a.Creditors(ctx, creditor)
	if err != nil {
		return from, nil, err
	}
	for _, c := range creditors {
		sender := ""
		if creditor != "" {
			if rows, err = a.DB.CreditorWays(ctx, c.ID); err != nil {
				return from, nil, err
			}
			sender = own.SenderOf(rows)
		}
		if address := cmp.Or(sender, c.Email, cfg.Mail.From); address != "" {
			return mail.Address{Name: c.Name, Address: address}, rows, nil
		}
	}
	return from, nil, badUsage("mail-from is not set, nor PURR_MAIL_FROM, and no creditor has an e-mail address: set one of them (purr creditor set --email)")
}

// printSent prints what happened to a test mail.
func printSent(cmd *cobra.Command, sent app.SentMail, to string, failure error) error {
	facts := []fact{{"from", sent.From}, {"to", to}}
	if sent.InFolder {
		facts = append(facts, fact{"way", "no mail server is set (--smtp-url): the mail is a file in the outbox"})
	} else {
		user := sent.User
		switch {
		case user == "" && failure != nil:
			user = "no"
		case user == "":
			user = "not asked for by --smtp-url"
		}
		facts = append(facts, fact{"way", "mail server"}, fact{"server", sent.Server}, fact{"tls", cmp.Or(sent.TLS, "none")}, fact{"sign-in", user})
	}
	signed := "no"
	if sent.Domain != "" {
		signed = "for " + sent.Domain + ", selector " + sent.Selector
	}
	facts = append(facts, fact{"dkim", signed}, fact{"answer", sent.Answer})
	if failure != nil {
		facts = append(facts, fact{"failed", failure.Error()})
	}
	return printFacts(cmd, given(facts...))
}

// tryWebhook is the name of the ways that the installation's webhooks are.
const tryWebhook = "webhook"

func waysTest() *cobra.Command {
	names := append(app.WayNames(), tryWebhook)
	c := &cobra.Command{Use: "test [WAY...]", Short: "Connect to the ways that are set, sign in, and send nothing", ValidArgs: names}
	app.AddServer(c.Flags())
	c.RunE = func(cmd *cobra.Command, args []string) error {
		for _, name := range args {
			if !slices.Contains(names, name) {
				return badUsage("WAY: must be one of %s, not %q", strings.Join(names, ", "), name)
			}
		}
		cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
		if err != nil {
			return err
		}
		tried, err := tryWays(cmd.Context(), cfg, args)
		if err != nil {
			return err
		}
		return printTried(cmd, tried)
	}
	return withJSON(c)
}

// tryWays tries the named ways, or all that are set: the installation's, and those of single creditors. One that is named and that the
// installation does not have may be a creditor's.
func tryWays(ctx context.Context, cfg app.Settings, names []string) (tried []app.TriedWay, err error) {
	webhooks := slices.Contains(names, tryWebhook)
	others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == tryWebhook })
	var unset error
	if len(names) == 0 || len(others) > 0 {
		tried, unset = app.TryWays(ctx, cfg, others)
	}
	if _, refused := errors.AsType[app.RefusedError](unset); unset != nil && (!refused || len(others) > 1) || !app.HasInstallation(cfg) && !webhooks {
		return tried, unset
	}
	a, err := app.Start(ctx, cfg, app.Parts{}, app.NewLog(os.Stderr, cfg))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	if len(names) == 0 || len(others) > 0 {
		ofCreditors, err := a.TryOwnWays(ctx, cfg, others)
		if err == nil && len(ofCreditors) == 0 {
			err = unset
		}
		if err != nil {
			return nil, err
		}
		tried = append(tried, ofCreditors...)
	}
	if len(names) > 0 && !webhooks {
		return tried, nil
	}
	hooks, err := a.TryWebhooks(ctx, cfg)
	if err == nil && webhooks && len(hooks) == 0 {
		err = badUsage("no webhook is on: a creditor sets one by POST /api/v1/webhooks, or in the console")
	}
	return append(tried, hooks...), err
}

func printTried(cmd *cobra.Command, tried []app.TriedWay) error {
	t, failed := newTable("WAY,SETTING,RESULT"), false
	for _, w := range tried {
		result := "ok"
		if w.Err != nil {
			failed, result = true, w.Err.Error()
		}
		t.add(w.Name, w.Setting, result)
	}
	if len(tried) == 0 && !wantsJSON(cmd) {
		fmt.Println("no way is set: all that leaves becomes files in the data folder")
		return nil
	}
	if err := t.print(cmd); err != nil {
		return err
	}
	if failed {
		return errSaid
	}
	return nil
}
