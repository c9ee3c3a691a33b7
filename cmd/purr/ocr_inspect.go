package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"purr/clock"
	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

func ocrInspect() *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Read a payment file and print what it holds",
		Long: `inspect reads an OCR giro or a camt.054 file, checks all of it and prints its transactions. It posts
nothing and needs no installation. For a file that is not right every fault is printed on standard error, as
"line N: what is wrong", and the exit code is 1.`,
		Example: "  purr ocr inspect OCR.txt\n  purr ocr inspect camt054.xml --json | jq .",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return inspect(args[0], wantsJSON(cmd)) },
	}
	return withJSON(c)
}

// paymentFile is a file of either format.
type paymentFile interface {
	json.Marshaler
	print(w io.Writer) []models.FileNote
}

func inspect(path string, asJSON bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	file, err := readPaymentFile(bufio.NewReader(f))
	err = errors.Join(err, f.Close())
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
	if asJSON {
		return printJSON(file)
	}
	w := columns(os.Stdout)
	for _, warning := range file.print(w) {
		fmt.Fprintln(os.Stderr, "warning:", warning)
	}
	return w.Flush()
}

// readPaymentFile reads a file of the format that its beginning shows.
func readPaymentFile(r *bufio.Reader) (paymentFile, error) {
	if begin, err := r.Peek(64); len(begin) > 0 && camt.Detect(begin) {
		file, err := camt.Parse(r)
		return camtFile{file}, err
	} else if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	file, err := giro.Parse(r, models.DateOf(clock.System{}.Now()))
	return giroFile{file}, err
}

type giroFile struct{ *giro.File }

// print writes the transactions, and returns the warnings.
func (f giroFile) print(w io.Writer) []models.FileNote {
	for _, t := range f.Transmissions {
		fmt.Fprintf(w, "transmission %s from %s to %s: %d transactions of %s\n", t.Number, t.Sender, t.Recipient, t.Transactions, t.Amount)
	}
	fmt.Fprintln(w, "LINE\tACCOUNT\tTYPE\tDATE\tBANK DATE\tAMOUNT\tKID\tFROM ACCOUNT\tTEXT")
	for i := range f.Transactions {
		tx := &f.Transactions[i]
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n",
			tx.Line, tx.Assignment.Account, tx.Type, tx.NetsDate, tx.BankDate, tx.Signed(), tx.KID(), tx.DebitAccount(), tx.Text())
	}
	return f.Warnings
}

type camtFile struct{ *camt.File }

// print writes the transactions, and returns the warnings.
func (f camtFile) print(w io.Writer) []models.FileNote {
	fmt.Fprintf(w, "message %s (%s) of %s: %d transactions of %s, of which %d of %s are ignored\n",
		f.ID, f.Version, f.Created, f.Totals.Transactions, f.Amount, f.Ignored, f.IgnoredAmount)
	fmt.Fprintln(w, "LINE\tACCOUNT\tTYPE\tDATE\tBANK DATE\tAMOUNT\tKID\tFROM ACCOUNT\tFROM\tTEXT")
	for i := range f.Transactions {
		tx := &f.Transactions[i]
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			tx.Line, tx.Entry.Notification.Account, tx.Entry.Code, tx.Entry.Booked, tx.BankDate, tx.Amount, tx.KID, tx.DebitAccount, tx.Name, tx.Text)
	}
	return f.Warnings
}
