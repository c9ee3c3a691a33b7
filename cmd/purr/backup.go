package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/app/backup"
	"purr/app/operator"
	"purr/internal/storage"
)

func backupCommand() *cobra.Command {
	var by string
	c := &cobra.Command{
		Use: "backup DEST", Short: "Back up the database and every kept file, while purr runs", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
			if err != nil {
				return err
			}
			shown := newProgress()
			m, err := app.Backup(cmd.Context(), cfg, args[0], backup.By(by), app.NewLog(os.Stderr, cfg), func(done, of int) {
				shown.say("kept file %d of %d", done, of)
			})
			shown.end()
			if err != nil && !errors.As(err, new(backup.LostError)) {
				return err
			}
			if args[0] != "-" {
				fmt.Printf("backed up to %s: %s\n", args[0], held(m))
			}
			return err
		},
	}
	app.AddInstallation(c.Flags())
	c.Flags().StringVar(&by, "database-by", "", "how the database is copied: mysqldump, or none if you back it up otherwise, before (default: by purr itself)")
	c.AddCommand(backupCheck())
	return c
}

// held says what a backup holds.
func held(m backup.Manifest) string {
	size := int64(0)
	for _, f := range m.Files {
		size += f.Bytes
	}
	const mega = 1_000_000
	return fmt.Sprintf("%d invoices, %d entries, %s, %.1f MB", m.Counts["invoices"], m.Counts["entries"], counted(len(m.Files), "file"), float64(size)/mega)
}

func backupCheck() *cobra.Command {
	return &cobra.Command{
		Use: "check SRC", Short: "Rehearse the restore of a backup in a temporary place", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			shown := newProgress()
			r, err := app.Rehearse(cmd.Context(), args[0], func(done, of int) { shown.say("file %d of %d", done, of) })
			shown.end()
			if err != nil {
				return err
			}
			return restored(r, "the backup of %s is good: %s\n")
		},
	}
}

// restored prints what a restore has found, and fails if the books differ.
func restored(r app.Restored, good string) error {
	for _, d := range r.Differences {
		fmt.Println(oneLine(d))
	}
	if n := len(r.Manifest.Lost); n > 0 {
		fmt.Fprintf(os.Stderr, "warning: %d kept files were lost or damaged when the backup was made: %s\n", n, strings.Join(r.Manifest.Lost, " "))
	}
	if n := len(r.Differences); n > 0 {
		return fmt.Errorf("every byte is right, but the books that were backed up have %d differences", n)
	}
	fmt.Printf(good, inText(r.Manifest.Time), held(r.Manifest))
	return nil
}

func restoreCommand() *cobra.Command {
	var lists []string
	c := &cobra.Command{
		Use: "restore SRC", Short: "Put a backup in an empty place, held until you accept it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
			if err != nil {
				return err
			}
			shown := newProgress()
			r, err := app.Restore(cmd.Context(), cfg, args[0], app.NewLog(os.Stderr, cfg), func(done, of int) { shown.say("file %d of %d", done, of) }, lists...)
			shown.end()
			if err != nil {
				return err
			}
			if r.Forgotten > 0 {
				fmt.Fprintf(os.Stderr, "%s who were forgotten after the backup are forgotten again\n", counted(r.Forgotten, "customer"))
			}
			if r.Doubtful {
				fmt.Fprintln(os.Stderr, "warning: customers who were forgotten after the backup may be back: run purr customers forget --again FILE with the forgotten.csv of a newer backup or of the folder that this one replaces, or --none")
			}
			fmt.Fprintln(os.Stderr, "the installation is held: start it, compare it with what left since, then run purr restore accept")
			return restored(r, "the backup of %s is restored: %s\n")
		},
	}
	app.AddInstallation(c.Flags())
	c.Flags().StringArrayVar(&lists, "forgotten", nil, "list of customers who were forgotten after the backup: the forgotten.csv of a newer backup")
	c.AddCommand(restoreAccept())
	return c
}

func restoreAccept() *cobra.Command {
	var last backup.Last
	var outbox string
	c := &cobra.Command{Use: "accept", Short: "Let a restored or copied installation send and give numbers again", Args: cobra.NoArgs}
	creditor := creditorFlag(c)
	c.Flags().BoolVar(&last.Force, "force", false, "take a last number that looks wrong: more than 10 000 above the last one known, or with no KID left after it")
	c.Flags().BoolVar(&last.NoClaims, "no-claims-left", false, "no file of AvtaleGiro left after the backup: claims stay as they are")
	c.Flags().Int64Var(&last.Number, "last-number", 0, "last invoice number that left before the restore")
	c.Flags().StringVar(&outbox, "outbox", "", "outbox to look in, as a path or a URL (default: that of the installation)")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		if cmd.Flags().Changed("last-number") && last.Number < 1 {
			return badUsage("--last-number: must be a number from 1 on")
		}
		in, err := outboxOf(cmd, outbox)
		if err != nil {
			return err
		}
		return accept(cmd, o, *creditor, last, in)
	})
}

// outboxOf returns the outbox that a person has named, by URL or path, or that of the installation.
func outboxOf(cmd *cobra.Command, named string) (storage.Place, error) {
	if named != "" {
		return storage.Open(cmd.Context(), named)
	}
	cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return app.OpenOutbox(cmd.Context(), cfg)
}

func accept(cmd *cobra.Command, o *operator.Operator, creditor string, last backup.Last, outbox storage.Place) error {
	left, err := backup.Left(cmd.Context(), o.DB, outbox)
	if err != nil {
		return err
	}
	a, err := o.AcceptRestore(cmd.Context(), creditor, last, left)
	if err != nil {
		return err
	}
	fmt.Printf("%s left that the database does not know of, as far as %s shows\n", counted(len(left), "file"), outbox)
	for _, f := range left {
		fmt.Println("  " + f.Name)
	}
	fmt.Println("what a mail server took leaves no file: its log shows what left since the backup")
	if a.Last != 0 {
		fmt.Printf("the next invoice number is %d\n", a.Last+1)
	}
	for _, c := range a.Waiting {
		fmt.Printf("creditor %d, %s, is still held: purr restore accept --creditor %d\n", c.ID, c.Name, c.ID)
	}
	if len(a.Waiting) == 0 {
		fmt.Println("the installation is held no longer")
	}
	return nil
}
