package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/app/operator"
	"purr/models"
)

func ocrFetch() *cobra.Command {
	var dryRun bool
	c := &cobra.Command{Use: "fetch", Short: "Fetch the files in the bank's folder by SFTP and import them, now", Args: cobra.NoArgs}
	app.AddBank(c.Flags())
	c.Flags().BoolVar(&dryRun, "dry-run", false, "list the files, and change nothing")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		if dryRun {
			return listBankFiles(cmd, o)
		}
		return fetchNow(cmd, o)
	})
}

// fetchNow polls the bank's folder and prints the imported files, even if the poll failed for some.
func fetchNow(cmd *cobra.Command, o *operator.Operator) error {
	check, files, err := o.PollBank(cmd.Context())
	if err != nil {
		return err
	}
	table := newFileTable()
	for _, f := range files {
		if err := table.add(cmd.Context(), o, f.Filename, f); err != nil {
			return err
		}
	}
	switch waiting := check.Found - check.Files; {
	case !check.OK:
		fmt.Fprintln(os.Stderr, "purr: "+check.Failure)
		return errors.Join(table.end(cmd), errSaid)
	case waiting > 0:
		fmt.Fprintf(os.Stderr, "files still being written there: %d; they are taken when they have not changed for 2 seconds\n", waiting)
	case len(files) == 0 && !wantsJSON(cmd):
		fmt.Println("there is nothing new")
	}
	return table.end(cmd)
}

func listBankFiles(cmd *cobra.Command, o *operator.Operator) error {
	found, err := o.BankFiles(cmd.Context())
	if err != nil {
		return err
	}
	t := newTable("FILE,BYTES,CHANGED,STATUS")
	for _, f := range found {
		status := "new"
		if f.Known {
			status = fmt.Sprintf("%s as file %d", f.As.State, f.As.ID)
		}
		t.add(f.Name, f.Size, f.Changed, status)
	}
	return t.print(cmd)
}

func ocrPolls() *cobra.Command {
	var last int
	c := &cobra.Command{Use: "checks", Short: "List the last polls of the bank's folder, and how they went", Args: cobra.NoArgs}
	c.Flags().IntVar(&last, "last", 20, "number of polls to list")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		polls, err := o.DB.BankPolls(cmd.Context(), last)
		if err != nil {
			return err
		}
		t := newTable("STARTED,ENDED,RESULT,NEW,TAKEN,FOLDER,FAILURE")
		for _, p := range polls {
			t.add(p.StartedAt, p.EndedAt, resultOf(p), p.Found, p.Files, p.Remote, p.Failure)
		}
		return t.print(cmd)
	})
}

// resultOf returns a word for the result of a poll.
func resultOf(c models.BankPoll) string {
	switch {
	case c.OK:
		return "ok"
	case c.EndedAt == nil:
		return "unfinished"
	}
	return "failed"
}

func ocrConfirmNone() *cobra.Command {
	var date string
	c := &cobra.Command{Use: "confirm-none", Short: "Confirm that the bank has no file for a bank day", Args: cobra.NoArgs}
	c.Flags().StringVar(&date, "date", "", "the bank day, yyyy-mm-dd (default: the last one before today)")
	return ofCreditor(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		bankDay, err := dateFlag("date", date, 0)
		if err != nil {
			return err
		}
		if bankDay, err = o.ConfirmNone(cmd.Context(), creditor, bankDay); err != nil {
			return err
		}
		fmt.Printf("no file comes from the bank for %s\n", bankDay)
		return nil
	})
}
