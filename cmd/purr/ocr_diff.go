package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/bankfile"
)

func ocrDiff() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Annotations: map[string]string{findings: "yes"}, Use: "diff A B", Short: "Compare the payments of two files", Args: files(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := compareFiles(cmd.Context(), args[0], args[1], all)
			if err != nil {
				return err
			}
			out := compared{Comparison: c, paths: [2]string{args[0], args[1]}}
			if wantsJSON(cmd) {
				err = out.printJSON()
			} else {
				err = out.print()
			}
			if err == nil && !c.Equal() {
				return errSaid
			}
			return err
		},
	}
	c.Flags().BoolVar(&all, "all", false, "also print the payments that are in both files")
	return withJSON(c)
}

func compareFiles(ctx context.Context, pathA, pathB string, all bool) (*bankfile.Comparison, error) {
	if pathA == standard && pathB == standard {
		return nil, errors.New("only one of the two files can be standard input")
	}
	a, closeA, err := readTwice(ctx, pathA)
	if err != nil {
		return nil, err
	}
	b, closeB, err := readTwice(ctx, pathB)
	if err != nil {
		return nil, errors.Join(err, closeA())
	}
	c, err := bankfile.Compare(watchedFile{a, watched(ctx, "read", a)}, watchedFile{b, watched(ctx, "read", b)}, today(), all)
	return c, errors.Join(sayFaults(err, pathA, pathB), closeA(), closeB())
}

// sayFaults prints the faults of a file that cannot be compared.
func sayFaults(err error, pathA, pathB string) error {
	var wrong *bankfile.WrongFile
	var faults models.FileFaults
	if !errors.As(err, &wrong) {
		return err
	}
	path := pathA
	if wrong.Second {
		path = pathB
	}
	if !errors.As(err, &faults) {
		return inFile(path, err)
	}
	for _, fault := range faults {
		fmt.Fprintf(os.Stderr, "%s: %s\n", path, fault)
	}
	return fmt.Errorf("%s has faults, and is not compared", path)
}

// compared is a comparison in the form that diff prints.
type compared struct {
	*bankfile.Comparison
	paths [2]string
}

func (c compared) print() error {
	w := columns(os.Stdout)
	if len(c.Differences) > 0 {
		fmt.Fprintf(w, "\t%s\t%s\n", c.paths[0], c.paths[1])
		for _, d := range c.Differences {
			fmt.Fprintf(w, "%s\t%s\t%s\n", d.Field, d.A, d.B)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	c.printLines(w)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "only in %s\t%d\t%s\n", c.paths[0], len(c.OnlyA), bankfile.Sum(c.OnlyA))
	fmt.Fprintf(w, "only in %s\t%d\t%s\n", c.paths[1], len(c.OnlyB), bankfile.Sum(c.OnlyB))
	fmt.Fprintf(w, "in both\t%d\t%s\n", c.InBoth, c.BothAmount)
	return w.Flush()
}

// lists returns the payments that are only in A, only in B, and in both.
func (c compared) lists() (onlyA, onlyB, both []lineJSON) {
	for _, t := range c.OnlyA {
		onlyA = append(onlyA, newLineJSON(t, t.Line, 0))
	}
	for _, t := range c.OnlyB {
		onlyB = append(onlyB, newLineJSON(t, 0, t.Line))
	}
	for _, pair := range c.Both {
		both = append(both, newLineJSON(joined(pair), pair.A.Line, pair.B.Line))
	}
	return onlyA, onlyB, both
}

func (c compared) printLines(w *tabwriter.Writer) {
	onlyA, onlyB, both := c.lists()
	if len(onlyA)+len(onlyB)+len(both) == 0 {
		return
	}
	number := func(line int) string { return strings.TrimPrefix(strconv.Itoa(line), "0") }
	fmt.Fprintln(w, "\tLINE A\tLINE B\tACCOUNT\tDATE\tAMOUNT\tKID\tFROM ACCOUNT\tFROM\tTEXT")
	for n, list := range [][]lineJSON{onlyA, onlyB, both} {
		for _, l := range list {
			fmt.Fprintf(w, "%c\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", "<>="[n],
				number(l.LineA), number(l.LineB), l.Account, l.Date, l.Amount, l.KID, l.FromAccountNumber, l.FromName, l.Text)
		}
	}
	fmt.Fprintln(w)
}

// joined returns the data of both files on a payment: OCR giro has no names.
func joined(pair bankfile.Pair) *bankfile.Transaction {
	line := *pair.A
	line.Name, line.Text = cmp.Or(line.Name, pair.B.Name), cmp.Or(line.Text, pair.B.Text)
	return &line
}

type headJSON struct {
	File string `json:"file"`
	bankfile.Head
}

type linesJSON struct {
	Transactions int           `json:"transactions"`
	Amount       models.Amount `json:"amount"`
	Lines        []lineJSON    `json:"lines,omitempty"`
}

func (c compared) printJSON() error {
	onlyA, onlyB, both := c.lists()
	return printJSON(struct {
		Equal       bool                  `json:"equal"`
		A           headJSON              `json:"a"`
		B           headJSON              `json:"b"`
		Differences []bankfile.Difference `json:"differences"`
		OnlyA       linesJSON             `json:"only_a"`
		OnlyB       linesJSON             `json:"only_b"`
		Both        linesJSON             `json:"both"`
	}{
		c.Equal(),
		headJSON{c.paths[0], c.A},
		headJSON{c.paths[1], c.B},
		append([]bankfile.Difference{}, c.Differences...),
		linesJSON{len(onlyA), bankfile.Sum(c.OnlyA), onlyA},
		linesJSON{len(onlyB), bankfile.Sum(c.OnlyB), onlyB},
		linesJSON{c.InBoth, c.BothAmount, both},
	})
}

// lineJSON is a payment in the form that diff prints.
type lineJSON struct {
	LineA             int           `json:"line_a,omitempty"`
	LineB             int           `json:"line_b,omitempty"`
	Account           string        `json:"account"`
	Date              models.Date   `json:"date"`
	Amount            models.Amount `json:"amount"`
	KID               string        `json:"kid"`
	FromAccountNumber string        `json:"from_account_number"`
	FromName          string        `json:"from_name"`
	Text              string        `json:"text"`
}

func newLineJSON(l *bankfile.Transaction, lineA, lineB int) lineJSON {
	return lineJSON{lineA, lineB, l.Account, l.Date, l.Amount, l.KID, l.FromAccount, l.Name, l.Text}
}
