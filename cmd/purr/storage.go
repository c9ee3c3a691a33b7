package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/app/operator"
	"purr/internal/clock"
	"purr/internal/storage"
)

func storageCommand() *cobra.Command {
	return group("storage", "Where the files lie: archive, outboxes, inbox and reports", storageCopyCommand(), storageCheckCommand())
}

func storageCopyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "copy FROM TO", Short: "Copy an installation's files from one folder or bucket to another", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			shown, next := newProgress(), clock.System{}.Now().Add(leftEvery)
			done, err := app.CopyStorage(cmd.Context(), args[0], args[1], func(c storage.Copied) {
				shown.say("%d of %d files left", c.Left, c.Files)
				if now := (clock.System{}).Now(); !shown.terminal && now.After(next) {
					next = now.Add(leftEvery)
					fmt.Fprintf(os.Stderr, "%d of %d files left\n", c.Left, c.Files)
				}
			})
			shown.end()
			if err != nil { // what was brought is said all the same
				return errors.Join(sayCopied(cmd, done), err)
			}
			if err := sayCopied(cmd, done); err != nil {
				return err
			}
			if len(done.Faults) > 0 {
				return fmt.Errorf("%s could not be brought", counted(len(done.Faults), "file"))
			}
			return nil
		},
	}
	return withJSON(c)
}

// leftEvery is the pause between two lines of progress where there is no terminal.
const leftEvery = 10 * time.Second

// sayCopied prints how far a copying has come, also if it was broken off.
func sayCopied(cmd *cobra.Command, c storage.Copied) error {
	if wantsJSON(cmd) {
		return printJSON(struct {
			Files   int      `json:"files"`
			Left    int      `json:"left"`
			Brought int      `json:"brought"`
			Bytes   int64    `json:"bytes"`
			Removed int      `json:"removed"`
			Stayed  int      `json:"stayed"`
			Faults  []string `json:"faults"`
		}{c.Files, c.Left, c.Brought, c.Bytes, c.Removed, c.Stayed, append([]string{}, c.Faults...)})
	}
	for _, f := range c.Faults {
		fmt.Println(f)
	}
	if c.Removed > 0 {
		fmt.Printf("%s removed at the destination, since they were taken at the source\n", counted(c.Removed, "file"))
	}
	if c.Stayed > 0 {
		fmt.Printf("%s of outbox, inbox and reports not brought: an installation works at the destination, and what waits there is its own\n", counted(c.Stayed, "file"))
	}
	_, err := fmt.Printf("%s, %d brought (%d bytes), %d left\n", counted(c.Files, "file"), c.Brought, c.Bytes, c.Left)
	return err
}

func storageCheckCommand() *cobra.Command {
	c := &cobra.Command{Use: "check", Short: "Read every kept file, and compare it with the SHA-256 that the database has", Args: cobra.NoArgs}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		wrong := []operator.Finding{}
		files, err := o.CheckArchive(cmd.Context(), into(cmd, &wrong))
		if err != nil {
			return err
		}
		if wantsJSON(cmd) {
			err = printJSON(struct {
				Files int                `json:"files"`
				Wrong []operator.Finding `json:"wrong"`
			}{files, wrong})
		} else {
			_, err = fmt.Printf("%s, %d lost or damaged\n", counted(files, "kept file"), len(wrong))
		}
		if err == nil && len(wrong) > 0 {
			err = fmt.Errorf("%s lost or damaged: purr archive repair makes again what can be made again", counted(len(wrong), "kept file"))
		}
		return err
	})
}
