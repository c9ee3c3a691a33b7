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
)

func mailCommand() *cobra.Command {
	return group("mail", "Send a test mail, take in mail servers' delivery reports, and see what a sending domain lacks",
		mailTest(), mailReport(), mailCheck())
}

// tempFail is the error of a command that a mail server is to run once more later: EX_TEMPFAIL of sysexits.h.
type tempFail struct{ error }

const exitTempFail = 75

func mailReport() *cobra.Command {
	c := &cobra.Command{Use: "report < MESSAGE", Short: "Take in a delivery report from standard input", Args: cobra.NoArgs}
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
		if notKept := app.KeepReport(cmd.Context(), cfg, message); notKept != nil {
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
