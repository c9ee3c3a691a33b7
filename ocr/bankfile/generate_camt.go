package bankfile

import (
	"fmt"
	"io"
	"iter"

	"purr/ocr/camt"
)

// mostInEntry is how many payments a line of the statement has at most.
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

// camtFile writes the payments that follow each other and are of one line of the statement as one entry.
type camtFile struct {
	*Recipe
	*camt.Writer
	entry         []Payment // that is gathered
	account       string
	notifications int
	entries       int
}

func (f *camtFile) add(p Payment) error {
	if p.KID != "" {
		p.Text = "" // a payment has the one or the other
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

// oneEntry reports whether two payments can be of one entry. One without a KID is always an entry of its own.
func oneEntry(a, b Payment) bool {
	return a.lump == b.lump && a.Date == b.Date && moneyOut(a) == moneyOut(b) && a.KID != "" && b.KID != ""
}

// moneyOut reports whether the money left the account: as Amount says, or the type.
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
