package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/bankfile"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// generating holds the flags of purr ocr generate.
type generating struct {
	recipe     bankfile.Recipe
	random     bankfile.Random
	date, from string
	output     string
	force      bool
	listFaults bool
}

func ocrGenerate() *cobra.Command {
	var g generating
	c := &cobra.Command{Use: "generate", Short: "Make up a payment file, with or without a fault", Args: cobra.NoArgs}
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if g.listFaults {
			return printFaults(cmd)
		}
		given := cmd.Flags().Changed("seed")
		if !given {
			g.recipe.Seed = uint64(rand.Uint32())
		}
		if err := g.write(cmd.Context()); err != nil || given || g.from != "" {
			return err
		}
		fmt.Fprintf(os.Stderr, "made with --seed %d\n", g.recipe.Seed)
		return nil
	}
	g.addFlags(c)
	c.Flags().Bool("json", false, "with --list-faults, print JSON")
	return c
}

func (g *generating) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&g.recipe.Format, "format", giro.Format, strings.Join(bankfile.Formats(), ", ")+"; camt.054 is the first of these")
	f.Uint64Var(&g.recipe.Seed, "seed", 0, "number that decides the made-up payments (default: random, and printed)")
	f.IntVar(&g.random.Transactions, "transactions", 10, "number of payments that are made up")
	f.IntVar(&g.random.Assignments, "assignments", 1, "number of accounts that they are paid to")
	f.StringSliceVar(&g.random.Accounts, "account", nil, "account that they are paid to; may be repeated (default: made up)")
	f.IntVar(&g.random.KIDLength, "kid-length", 13, "characters of a KID, 4 to 25")
	f.IntVar(&g.random.KIDModulus, "kid-modulus", models.Modulus10, "10 or 11")
	f.IntVar(&g.random.WithoutKID, "without-kid", 0, "percent of the payments that have a text instead; only in camt.054")
	f.StringVar(&g.date, "date", "", "date of the payments and the file, yyyy-mm-dd (default: today)")
	f.IntVar(&g.recipe.Number, "number", 0, "number of the transmission (default: made from the seed)")
	f.StringVar(&g.recipe.Recipient, "recipient", "12345", "customer unit that the file is for")
	f.BoolVar(&g.recipe.UseCRLF, "crlf", false, "end the records of OCR giro with CR LF")
	f.StringVar(&g.from, "from", "", "list of payments to write, instead of making some up; - is standard input")
	f.StringVar(&g.recipe.Fault, "fault", "", "fault to put into the file; see --list-faults")
	f.BoolVar(&g.listFaults, "list-faults", false, "print the possible faults, and end")
	outputFlags(c, &g.output, &g.force)
}

// write writes the file.
func (g *generating) write(ctx context.Context) error {
	r := &g.recipe
	r.Date = today()
	if g.date != "" {
		var err error
		if r.Date, err = models.ParseDate(g.date); err != nil {
			return badUsage("--date: %w", err)
		}
	}
	if r.Format == camt.Format {
		r.Format = string(camt.Version02)
	}
	r.Number = cmp.Or(r.Number, int(1+r.Seed%9_999_999))
	payments, done, err := g.payments(ctx)
	if err != nil {
		return err
	}
	err = writeOutput(ctx, g.output, g.force, func(w io.Writer) error { return bankfile.Generate(w, *r, payments) })
	return errors.Join(err, done())
}

// payments returns the payments to write.
func (g *generating) payments(ctx context.Context) (payments iter.Seq2[bankfile.Payment, error], done func() error, err error) {
	if g.from == "" {
		if g.recipe.Format == giro.Format && g.random.WithoutKID > 0 {
			return nil, nil, errors.New("--without-kid: OCR giro holds only payments with a KID; give --format camt.054")
		}
		g.random.Assignments = max(g.random.Assignments, len(g.random.Accounts))
		payments, err = g.random.Payments(g.recipe.Seed, g.recipe.Date)
		return payments, func() error { return nil }, err
	}
	in, err := openInput(ctx, g.from)
	if err != nil {
		return nil, nil, err
	}
	usual := bankfile.Payment{Date: g.recipe.Date}
	if len(g.random.Accounts) > 0 {
		usual.Account = g.random.Accounts[0]
	}
	return bankfile.ReadPayments(in, usual), in.close, nil
}

func printFaults(cmd *cobra.Command) error {
	t := newTable("FORMAT,NAME,CODE,WHAT IS WRONG")
	for _, format := range []string{giro.Format, camt.Format} {
		for _, f := range bankfile.Faults(format) {
			code := f.Code
			if f.Warning {
				code = "warning: " + code
			}
			t.add(format, f.Name, code, f.Sentence)
		}
	}
	return t.print(cmd)
}
