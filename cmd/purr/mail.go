package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/mailer/bounce"
	"purr/mailer/shipments"
	"purr/mailer/shipments/bounces"
)

func mailCommand() *cobra.Command {
	return group("mail", "Take in mail servers' delivery reports, and see what a sending domain lacks",
		mailReport(), mailCheck())
}

// tempFail is the error of a command that a mail server is to run once more later: EX_TEMPFAIL of sysexits.h.
type tempFail struct{ error }

const exitTempFail = 75

func mailReport() *cobra.Command {
	c := &cobra.Command{
		Use: "report < MESSAGE", Short: "Take in a delivery report from standard input", Args: cobra.NoArgs,
		Long: `report reads an e-mail that came to the --bounce-address of the server. If it is a delivery report (RFC 3464) on
an e-mail of purr's, the shipment is failed where the report says so, with the reason; a delay is kept as a note.

The report must carry the token of the shipment: in To, Delivered-To or X-Original-To, as in bounce+7-TOKEN@example.no, or
as its Original-Envelope-Id. Anything else is ignored, and changes nothing.

It prints a line for each recipient, and exits with 0 whatever it was given: else the mail server would send the report
back. If the database does not answer, the report is put into the folder reports of the data folder, where the server
takes it up. Only if that fails too it exits with 75, and the mail server tries again later.

docs/mail.md shows how Postfix, Exim and Sieve hand reports over.`,
		Example: "  purr mail report --data /var/lib/purr <bounce.eml",
	}
	app.AddInstallation(c.Flags())
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		message, err := bounce.Take(os.Stdin)
		if err != nil {
			return tempFail{err}
		}
		cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
		if err != nil {
			return tempFail{err}
		}
		told, err := reportMail(cmd.Context(), cfg, message)
		if err == nil {
			for _, b := range told {
				fmt.Println(b)
			}
			return nil
		}
		if notKept := bounces.Keep(cfg.Data, message); notKept != nil {
			return tempFail{errors.Join(err, notKept)}
		}
		fmt.Printf("later: the report waits in the folder reports: %v\n", err)
		return nil
	}
	return c
}

// reportMail takes in one e-mail.
func reportMail(ctx context.Context, cfg app.Settings, message []byte) (told []shipments.Bounced, err error) {
	report, err := bounce.Read(bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	a, err := app.Start(ctx, cfg, app.Parts{}, app.NewLog(os.Stderr, cfg))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	return shipments.Bounce(ctx, a.DB, report, a.Actor)
}
