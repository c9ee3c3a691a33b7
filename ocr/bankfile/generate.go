package bankfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// Formats returns the formats that Generate writes: OCR giro, and both versions of camt.054.
func Formats() []string {
	return []string{giro.Format, string(camt.Version02), string(camt.Version08)}
}

// Recipe describes a made-up file.
type Recipe struct {
	Format    string // one of Formats
	Seed      uint64 // the same seed and recipe make the same file
	Date      models.Date
	Number    int    // of the transmission, the message; up to 7 digits
	Recipient string // customer unit, up to 8 digits
	UseCRLF   bool   // OCR giro with CR LF
	Fault     string // the name of one of Faults; empty for none
}

// Random says which payments to make up.
type Random struct {
	Transactions int
	Assignments  int      // at least one, at most one for each transaction
	Accounts     []string // of the first assignments; the others are made up
	KIDLength    int      // 4 to 25
	KIDModulus   int      // models.Modulus10 or models.Modulus11
	WithoutKID   int      // percent of the payments that have a text and no KID; only in camt.054
}

// Payment is a payment to be written. An empty field is unknown.
type Payment struct {
	Account     string
	KID         string
	Amount      models.Amount // øre, negative for money out
	Date        models.Date
	Type        giro.Type // of OCR giro; 0 for the usual type
	FromAccount string
	Name        string // only in camt.054
	Text        string
	BankDate    models.Date
	Reference   string // archive reference, or the bank's
	lump        int    // payments with the same number are one statement line
}

// Generate writes a file of payments. Consecutive payments to one account become an assignment.
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

func (r *Recipe) writeGiro(w io.Writer, payments iter.Seq2[Payment, error]) error {
	file := giro.NewWriter(w)
	file.UseCRLF = r.UseCRLF
	err := file.StartTransmission(giro.TransmissionHeader{Number: strconv.Itoa(r.Number), Recipient: r.Recipient, Created: r.Date})
	if err != nil {
		return err
	}
	account, assignments := "", 0
	for p, err := range payments {
		if err != nil {
			return err
		}
		if assignments == 0 || p.Account != account {
			assignments++
			account = p.Account
			if err := file.StartAssignment(r.assignment(account, assignments)); err != nil {
				return err
			}
		}
		if err := file.Write(giroPayment(p)); err != nil {
			return err
		}
	}
	return file.Close()
}

func (r *Recipe) assignment(account string, number int) giro.AssignmentHeader {
	return giro.AssignmentHeader{
		Account: account, AgreementID: "00" + account[4:], Number: fmt.Sprintf("%07d", 10*r.Number%1_000_000+number), Created: r.Date,
	}
}

// giroPayment converts a payment. A payment with a text and without a KID becomes a purchase by card.
func giroPayment(p Payment) giro.Payment {
	out := giro.Payment{
		Type: p.Type, NetsDate: p.Date, BankDate: p.BankDate, Amount: max(p.Amount, -p.Amount), Negative: p.Amount < 0,
		KID: p.KID, DebitAccount: p.FromAccount, ArchiveReference: p.Reference, Text: p.Text,
		Centre: "80", DayCode: p.Date.Time().Format("02"), PartialSettlement: strconv.Itoa(1 + p.lump%4), Serial: strconv.Itoa(p.lump % 100_000),
	}
	if out.Type == 0 {
		out.Type = giro.TypeCorporateGiro
		if p.KID == "" && p.Text != "" {
			out.Type = giro.TypePurchaseWithText
		}
	}
	if out.Type.HasText() || out.Type == giro.TypeCardPurchase || out.Type == giro.TypeCardReversal {
		out.CardIssuer, out.DebitAccount, out.PartialSettlement = "01", "", "0"
		if out.Type.Reversal() {
			out.Negative = false // the type already means money out
		}
	} else {
		out.Text = ""
	}
	return out
}

// lateBy returns the date some days after or before d, in the form of OCR giro.
func lateBy(d models.Date, days models.Date) string { return (d + days).Time().Format("020106") }

// mostInEntry is the most payments of a statement line.
const mostInEntry = 100

func (r *Recipe) writeCamt(w io.Writer, payments iter.Seq2[Payment, error]) error {
	file := camtFile{Recipe: r, Writer: camt.NewWriter(w)}
	message := camt.MessageHeader{Version: camt.Version(r.Format), ID: fmt.Sprintf("PURR-%s-%d", r.Date, r.Number), Created: r.Date, Recipient: r.Recipient}
	if err := file.StartMessage(message); err != nil {
		return err
	}
	for p, err := range payments {
		if err != nil {
			return err
		}
		if err := file.add(p); err != nil {
			return err
		}
	}
	if file.notifications == 0 {
		return fmt.Errorf("a camt.054 file needs a payment, to say of which account it is")
	}
	if err := file.endEntry(); err != nil {
		return err
	}
	return file.Close()
}

// camtFile writes consecutive payments of one statement line as one entry.
type camtFile struct {
	*Recipe
	*camt.Writer
	entry         []Payment // of the current entry
	account       string
	notifications int
	entries       int
}

func (f *camtFile) add(p Payment) error {
	if p.KID != "" {
		p.Text = "" // a payment has a KID or a text
	}
	switch {
	case f.notifications == 0 || p.Account != f.account:
		if err := f.startNotification(p.Account); err != nil {
			return err
		}
	case len(f.entry) > 0 && !oneEntry(f.entry[0], p), len(f.entry) == mostInEntry:
		if err := f.endEntry(); err != nil {
			return err
		}
	}
	f.entry = append(f.entry, p)
	return nil
}

// oneEntry reports whether two payments belong to one entry. A payment without a KID has an entry of its own.
func oneEntry(a, b Payment) bool {
	return a.lump == b.lump && a.Date == b.Date && moneyOut(a) == moneyOut(b) && a.KID != "" && b.KID != ""
}

// moneyOut reports whether the money left the account, by the sign of the amount or by the type.
func moneyOut(p Payment) bool { return p.Amount < 0 || p.Type.Reversal() }

func (f *camtFile) startNotification(account string) error {
	if err := f.endEntry(); err != nil {
		return err
	}
	f.notifications++
	f.account = account
	return f.StartNotification(camt.NotificationHeader{
		ID: fmt.Sprintf("PURR-%s-%d-%d", f.Date, f.Number, f.notifications), Created: f.Date, Account: account, Servicer: "DNBANOKK",
	})
}

func (f *camtFile) endEntry() error {
	if len(f.entry) == 0 {
		return nil
	}
	f.entries++
	first := f.entry[0]
	e := camt.EntryHeader{
		Reference: fmt.Sprint(f.entries), BankReference: fmt.Sprintf("%05d", first.lump), Code: "230", Booked: first.Date, Value: first.Date,
	}
	if moneyOut(first) {
		e.Direction = camt.Debit
	}
	if first.KID == "" {
		e.Code = "233"
	}
	payments := make([]camt.Payment, len(f.entry))
	for i, p := range f.entry {
		amount := max(p.Amount, -p.Amount)
		if amount > camt.MaxAmount || e.Amount > camt.MaxAmount-amount {
			return fmt.Errorf("the amounts of an entry add up to more than %s", camt.MaxAmount)
		}
		e.Amount += amount
		payments[i] = camt.Payment{
			Amount: amount, Name: p.Name, KID: p.KID, Text: p.Text, DebitAccount: p.FromAccount, BankReference: p.Reference,
			EndToEndID: "NOTPROVIDED", BankDate: p.BankDate,
		}
	}
	f.entry = f.entry[:0]
	return f.Write(e, payments...)
}
