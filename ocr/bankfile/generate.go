package bankfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// Formats are those that Generate writes: OCR giro, and both versions of camt.054.
func Formats() []string {
	return []string{giro.Format, string(camt.Version02), string(camt.Version08)}
}

// Recipe says what a made-up file is like.
type Recipe struct {
	Format    string // one of Formats
	Seed      uint64 // the same seed, with all else, makes the same file
	Date      models.Date
	Number    int    // of the transmission, the message; up to 7 digits
	Recipient string // customer unit, up to 8 digits
	UseCRLF   bool   // OCR giro with CR LF
	Fault     string // the name of one of Faults; empty for a file that is right
}

// Random says what payments are to be made up.
type Random struct {
	Transactions int
	Assignments  int      // at least one, at most one for each transaction
	Accounts     []string // of the assignments; those that are missing are made up
	KIDLength    int      // 4 to 25
	KIDModulus   int      // models.Modulus10 or models.Modulus11
	WithoutKID   int      // percent of the payments, which have a text instead; only in camt.054
}

// Payment is a payment that a file is to have. What is empty is not known.
type Payment struct {
	Account     string
	KID         string
	Amount      models.Amount // øre, negative for money out
	Date        models.Date
	Type        giro.Type // of OCR giro; 0 for the usual one
	FromAccount string
	Name        string // only in camt.054
	Text        string
	BankDate    models.Date
	Reference   string // of the archive, the bank
	lump        int    // payments of one number are one line of the bank statement
}

// Generate writes a file of payments. Those of one account that follow each other are an assignment.
func Generate(w io.Writer, r Recipe, payments iter.Seq2[Payment, error]) error {
	switch {
	case !slices.Contains(Formats(), r.Format):
		return fmt.Errorf("there is no format %q; there are %s", r.Format, strings.Join(Formats(), ", "))
	case r.Date == 0:
		return errors.New("a file needs a date")
	case r.Fault == "":
		return r.write(w, payments)
	}
	fault, err := findFault(r.Fault, r.Format)
	if err != nil {
		return err
	}
	damaging := newDamaging(w, fault, r.Date)
	if err := r.write(damaging, payments); err != nil {
		return err
	}
	return damaging.Close()
}

func (r *Recipe) write(w io.Writer, payments iter.Seq2[Payment, error]) error {
	if r.Format == giro.Format {
		return r.writeGiro(w, payments)
	}
	return r.writeCamt(w, payments)
}
