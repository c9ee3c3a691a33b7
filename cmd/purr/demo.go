package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"purr/app"
	"purr/app/demo"
)

// demoStart is when the demo's ten weeks begin: a Monday whose rates and holidays are known.
var demoStart = time.Date(2026, time.January, 5, 7, 0, 0, 0, time.UTC)

func demoCommand() *cobra.Command {
	var exit bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch ten simulated weeks of a small creditor",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), exit) },
	}
	c.Flags().BoolVar(&exit, "exit", false, "end when the ten weeks are over")
	return c
}

func runDemo(ctx context.Context, exit bool) (err error) {
	folder, err := os.MkdirTemp("", "purr-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	cfg, err := app.DefaultSettings(folder)
	if err != nil {
		return err
	}
	cfg.TestClock, cfg.Tour = demoStart, true
	a, err := app.Start(ctx, cfg, app.All, app.NewLog(io.Discard, cfg))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	key, err := a.FirstKey(ctx)
	if err != nil {
		return err
	}
	if err := demo.Run(ctx, demo.Options{BaseURL: a.URL, Key: key, Out: os.Stdout, Color: term.IsTerminal(int(os.Stdout.Fd())), Data: folder}); err != nil || exit {
		return err
	}
	fmt.Printf(tryIt, a.SignInLink(key), a.URL, a.URL, key)
	return a.Wait(ctx)
}

const tryIt = `
It goes on until you press Ctrl-C. Open the console in a browser:

    %s

The link works once. After that sign in at %s/sign-in with the key below. To try the API:

    export PURR=%s/api/v1 KEY=%s
    curl -H "Authorization: Bearer $KEY" "$PURR/invoices?status=overdue"
    curl -H "Authorization: Bearer $KEY" "$PURR/invoice/1"
    curl -H "Authorization: Bearer $KEY" "$PURR/invoice/1/pdf" --output invoice.pdf
`
