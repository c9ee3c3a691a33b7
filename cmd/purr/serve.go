package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"purr/app"
	"purr/models"
)

// shutdownLimit is how long a stop may take (rule R4).
const shutdownLimit = 28 * time.Second

func serveCommand() *cobra.Command {
	c := &cobra.Command{Use: "serve", Short: "Run everything in one process", Args: cobra.NoArgs, RunE: longRunning(app.All)}
	app.AddServer(c.Flags())
	app.AddTestClock(c.Flags())
	addNew(c)
	return c
}

// addNew adds the flag of a person who means to begin an installation in a folder that shows another one's files (rule D106).
func addNew(c *cobra.Command) {
	c.Flags().Bool("new", false, "begin a new installation though the data folder holds kept files of another whose database is gone")
}

// readSettings returns the configuration of a command that may make an installation.
func readSettings(cmd *cobra.Command) (app.Settings, error) {
	cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
	if err != nil || cmd.Flags().Lookup("new") == nil {
		return cfg, err
	}
	cfg.New, err = cmd.Flags().GetBool("new")
	return cfg, err
}

func partCommand(use, short string, parts app.Parts) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: longRunning(parts)}
	app.AddTestClock(c.Flags())
	_ = c.Flags().MarkHidden("test-clock") // it is only refused, by a sentence; fails only for a flag that does not exist
	if parts.API {
		app.AddServer(c.Flags())
		c.Flags().Bool(firstFlag, false, "where there is no creditor yet, make one named default and the key of its first sign-in, as purr serve does; for one API of an installation alone")
		return c
	}
	c.Long += " With --listen it\nanswers /healthz, /readyz and /metrics."
	app.AddPart(c.Flags())
	return c
}

// firstFlag is the flag of an API that makes the first creditor, as purr serve does by itself (rule Q4).
const firstFlag = "first"

// longRunning returns the function of a command that runs until it is told to stop.
func longRunning(parts app.Parts) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		cfg, err := readSettings(cmd)
		if err != nil {
			return err
		}
		log := app.NewLog(os.Stderr, cfg)
		warnOfVariables(log)
		a, err := app.Start(cmd.Context(), cfg, parts, log)
		if err != nil {
			return err
		}
		first := parts == app.All
		if cmd.Flags().Lookup(firstFlag) != nil {
			if first, err = cmd.Flags().GetBool(firstFlag); err != nil {
				return err
			}
		}
		if err = announce(cmd.Context(), a, parts, first, cfg.API.BaseURL); err == nil {
			debug.FreeOSMemory() // what only the start needed
			err = a.Wait(cmd.Context())
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(cmd.Context()), shutdownLimit)
		defer cancel()
		return errors.Join(err, a.Close(ctx))
	}
}

// announce prints where the program listens (rule R3), and the address of the console for a browser. With first it makes the first creditor of
// an empty installation, and prints the next steps (rule R5a). Of a held one it prints why it is held (rule O3).
func announce(ctx context.Context, a *app.App, parts app.Parts, first bool, baseURL string) error {
	if first {
		if err := announceFirstKey(ctx, a, baseURL); err != nil {
			return err
		}
	}
	hold, held, err := a.DB.Hold(ctx)
	if err != nil {
		return err
	}
	if held {
		fmt.Fprintf(os.Stderr, heldNotice, hold.Reason)
	}
	if a.URL != "" {
		fmt.Printf("listening on %s\n", a.URL)
	}
	if parts.API {
		fmt.Fprintf(os.Stderr, "open %s/sign-in\n", cmp.Or(strings.TrimRight(baseURL, "/"), a.URL))
	}
	return nil
}

// announceFirstKey makes the first key of an empty installation (rule R5a). A terminal is shown the key. Else standard error may be a log, and
// is told the file that keeps the key until it is used (rule Q5).
func announceFirstKey(ctx context.Context, a *app.App, baseURL string) error {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		key, err := a.FirstKey(ctx)
		if err == nil && key != "" {
			tellFirstSteps("is shown this once", key, key, a.URL, baseURL)
		}
		return err
	}
	path, made, err := a.KeepFirstKey(ctx)
	switch {
	case err != nil:
		return err
	case made:
		tellFirstSteps("lies in a file that is removed when the key is used", path, "$(cat '"+path+"')", a.URL, baseURL)
	case path != "":
		fmt.Fprintf(os.Stderr, "the first API key has not been used yet: it lies in %s\n", path)
	}
	return nil
}

func tellFirstSteps(how, where, key, url, baseURL string) {
	missing := strings.Join(models.NewCreditor(models.UnnamedCreditor).MissingToDun(), ", ")
	fmt.Fprintf(os.Stderr, firstSteps, how, where, cmp.Or(strings.TrimRight(baseURL, "/"), url), url, key, missing)
}

const heldNotice = `
This installation is held: %s.
It answers readers, but it sends nothing, makes no run and gives no number, so that nothing goes out twice.
Make sure that no other purr runs on the original or on another copy. Then: purr restore accept --help

`

const firstSteps = `
This installation is new. A creditor named "default" has been made, and an API key for it, which
%s:

    %s

It signs you in to the console at %s/sign-in. To send a first invoice:

    curl %s/api/v1/invoices -H "Authorization: Bearer %s" -H 'Content-Type: application/xml' --data '
      <invoice><num_due_days>14</num_due_days>
        <recipient><name1>Kari Nordmann</name1><address1>Storgata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name></recipient>
        <lines><line><line_text>Vask av gulv</line_text><unit_price>1000.00</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines>
        <shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments>
      </invoice>'

Its letter appears in the outbox/paper folder of the data folder. Before invoices can be dunned, set the
creditor's %s: purr creditor set default --help

`
