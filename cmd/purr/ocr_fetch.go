package main

import (
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/config"
	"purr/models"
)

func ocrFetch() *cobra.Command {
	var dryRun bool
	c := &cobra.Command{
		Use:   "fetch",
		Short: "Fetch the files in the bank's folder by SFTP and import them, now",
		Long: `fetch looks into the bank's folder at once, imports every file that is complete and new, oldest first, and prints
what came. With --dry-run it only lists what lies there.

purr serve, worker and scheduler do the same every --sftp-every when they are started with --sftp-url: set the same
flags for all, or better the variables. The server must prove itself by --sftp-host-key: leave it out at first, and
the error says which key the server showed, to compare with what the bank has told you.

A file that lies there half written is waited for. A fetched one stays, or --sftp-after move puts it into the folder
"fetched" there, or --sftp-after delete deletes it, but not before its bytes are kept here.

The exit code is 1 when the bank could not be reached, or a file was rejected.`,
		Example: `  export PURR_SFTP_URL=sftp://acme@sftp.bank.example.no/out PURR_SFTP_KEY_FILE=/etc/purr/bank-key
  export PURR_SFTP_HOST_KEY=SHA256:uNiVztksCsDhcc0u9e8BrQ7C1JE5fHIXjaPMHnwVtKc
  purr ocr fetch --dry-run
  purr ocr fetch`,
		Args: cobra.NoArgs,
	}
	config.AddSFTP(c.Flags())
	c.Flags().BoolVar(&dryRun, "dry-run", false, "list what lies there, and change nothing")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		if dryRun {
			return listOffers(cmd, a)
		}
		return fetchNow(cmd, a)
	})
}

// fetchNow fetches, and tells what came also where not all could.
func fetchNow(cmd *cobra.Command, a *app.App) error {
	check, files, err := a.FetchFiles(cmd.Context())
	if err != nil {
		return err
	}
	table := newFileTable()
	for _, f := range files {
		if err := table.add(cmd.Context(), a, f.Filename, f); err != nil {
			return err
		}
	}
	switch waiting := check.Found - check.Files; {
	case !check.OK:
		fmt.Fprintln(os.Stderr, "purr: "+check.Failure)
		return errors.Join(table.end(), errSaid)
	case waiting > 0:
		fmt.Fprintf(os.Stderr, "files still being written there: %d; they are taken when they have not changed for 2 seconds\n", waiting)
	case len(files) == 0:
		fmt.Println("there is nothing new")
	}
	return table.end()
}

func listOffers(cmd *cobra.Command, a *app.App) error {
	offers, err := a.OfferedFiles(cmd.Context())
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FILE\tBYTES\tCHANGED (UTC)\tSTATUS")
	for _, o := range offers {
		status := "new"
		if o.Known {
			status = fmt.Sprintf("%s as file %d", o.As.State, o.As.ID)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", o.Name, o.Size, o.Changed.Format("2006-01-02 15:04:05"), status)
	}
	return w.Flush()
}

func ocrChecks() *cobra.Command {
	var last int
	c := &cobra.Command{
		Use:     "checks",
		Short:   "List the last looks into the bank's folder, and how they went",
		Example: "  purr ocr checks --last 100",
		Args:    cobra.NoArgs,
	}
	c.Flags().IntVar(&last, "last", 20, "how many")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		checks, err := a.BankChecks(cmd.Context(), last)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "STARTED (UTC)\tENDED\tRESULT\tNEW\tTAKEN\tFOLDER\tFAILURE")
		for _, c := range checks {
			ended := ""
			if c.EndedAt != nil {
				ended = c.EndedAt.Format("15:04:05")
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n",
				c.StartedAt.Format("2006-01-02 15:04:05"), ended, resultOf(c), c.Found, c.Files, c.Remote, oneLine(c.Failure))
		}
		return w.Flush()
	})
}

// resultOf says in a word how a look went.
func resultOf(c models.BankCheck) string {
	switch {
	case c.OK:
		return "ok"
	case c.EndedAt == nil:
		return "unfinished"
	}
	return "failed"
}

func ocrConfirmNone() *cobra.Command {
	var name, date string
	c := &cobra.Command{
		Use:   "confirm-none --creditor CREDITOR [--date DATE]",
		Short: "Say that the bank has no file for a bank day",
		Long: `confirm-none says, on your word, that no file comes from the bank for a bank day: nothing was paid, or you have looked
in the bank's online service. It counts as a file that reaches the day. Overdue notices, which wait for the bank's
files (require_payment_file), then go on: today's run is made again for what it held back.`,
		Example: "  purr ocr confirm-none --creditor acme\n  purr ocr confirm-none --creditor acme --date 2026-05-15",
		Args:    cobra.NoArgs,
	}
	c.Flags().StringVar(&name, "creditor", "", "name or number of the creditor, where there are several")
	c.Flags().StringVar(&date, "date", "", "the bank day, yyyy-mm-dd (default: the last one before today)")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		var bankDay models.Date
		if err := bankDay.UnmarshalText([]byte(date)); err != nil {
			return fmt.Errorf("--date: %w", err)
		}
		creditor, err := a.OneCreditor(cmd.Context(), name)
		if err != nil {
			return err
		}
		if bankDay, err = a.ConfirmNone(cmd.Context(), creditor, bankDay); err != nil {
			return err
		}
		fmt.Printf("no file comes from the bank for %s\n", bankDay)
		return nil
	})
}
