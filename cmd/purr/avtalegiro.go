package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/giro"
)

func avtaleGiroCommand() *cobra.Command {
	c := group("avtalegiro", "See what is drawn by AvtaleGiro, and read and check its files")
	c.AddCommand(avtaleGiroList(), avtaleGiroReceipt(), avtaleGiroInspect(), avtaleGiroLint())
	return c
}

func avtaleGiroInspect() *cobra.Command {
	c := &cobra.Command{
		Use: "inspect FILE", Short: "Print the claims and cancellations of a file", Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := readClaims(cmd.Context(), args[0])
			var faults models.FileFaults
			if errors.As(err, &faults) {
				for _, fault := range faults {
					fmt.Fprintln(os.Stderr, fault)
				}
				return errSaid
			}
			if err != nil {
				return err
			}
			return printClaims(cmd, file)
		},
	}
	return withJSON(c)
}

// readClaims reads a file of claims. The error is models.FileFaults if the file has faults.
func readClaims(ctx context.Context, path string) (*giro.ClaimFile, error) {
	in, err := openInput(ctx, path)
	if err != nil {
		return nil, err
	}
	file, err := giro.ReadClaims(in, today())
	return file, errors.Join(err, in.close())
}

func printClaims(cmd *cobra.Command, file *giro.ClaimFile) error {
	t := newTable("LINE,ACCOUNT,ASSIGNMENT,KIND,DUE,AMOUNT,KID,SHORT NAME,REFERENCE")
	for _, a := range file.Assignments {
		for _, c := range a.Claims {
			t.add(c.Line, a.Account, a.Number, c.Type.String(), c.Due, c.Amount, c.KID, c.ShortName, c.Reference)
		}
	}
	if !wantsJSON(cmd) {
		n, sum := file.Totals()
		fmt.Printf("transmission %d from %s: %s, %s\n", file.Number, file.Sender, counted(n, "claim or cancellation"), sum)
	}
	return t.print(cmd)
}

func avtaleGiroLint() *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Annotations: map[string]string{findings: "yes"},
		Use:         "lint FILE...", Short: "Check files of claims and cancellations as their receiver does", Args: files(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error { return lintFiles(cmd, args, strict, lintClaims) },
	}
	c.Flags().BoolVar(&strict, "strict", false, "count warnings as faults")
	return withJSON(c)
}

func lintClaims(ctx context.Context, path string) (linted, error) {
	file, err := readClaims(ctx, path)
	found := linted{File: path, Faults: []models.FileFinding{}, Warnings: []models.FileFinding{}, unknown: "no file of claims"}
	var faults models.FileFaults
	if errors.As(err, &faults) {
		found.Faults = append(found.Faults, faults...)
	} else if err != nil {
		return linted{}, err
	}
	found.Transactions, found.Amount = file.Totals()
	if file.Number > 0 || len(file.Assignments) > 0 {
		format := giro.FormatClaims
		found.Format = &format
	}
	found.Warnings = append(found.Warnings, file.DueTooFar(today())...)
	return found, nil
}
