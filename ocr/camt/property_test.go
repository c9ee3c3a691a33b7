package camt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

func digitString(length int) *rapid.Generator[string] {
	return rapid.StringMatching(fmt.Sprintf("[0-9]{%d}", length))
}

func anyReference() *rapid.Generator[string] {
	return rapid.OneOf(rapid.Just(""), rapid.StringMatching("[A-Za-z0-9/-]{1,35}"))
}

// words draws a text as it comes back: one blank between words.
func words() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return oneLine(rapid.StringMatching(`[ -~¡-ÿ€"'<>&]{0,140}`).Draw(t, "words"))
	})
}

// drawPayment draws any payment that can be written.
func drawPayment(t *rapid.T) Payment {
	p := Payment{
		Amount:        models.Amount(rapid.Int64Range(0, 1e12).Draw(t, "amount")),
		Name:          words().Draw(t, "name"),
		DebitAccount:  rapid.SampledFrom([]string{"", testAccount, otherAccount, "SE4550000000058398257466"}).Draw(t, "payer"),
		BankReference: anyReference().Draw(t, "bank reference"),
		TransactionID: anyReference().Draw(t, "transaction ID"),
		EndToEndID:    anyReference().Draw(t, "end to end"),
	}
	if rapid.Bool().Draw(t, "has a bank date") {
		p.BankDate = testDay - models.Date(rapid.IntRange(0, 5).Draw(t, "days in the bank"))
	}
	if rapid.Bool().Draw(t, "has a KID") {
		p.KID = rapid.StringMatching("[0-9]{3,24}[0-9-]").Draw(t, "KID")
	} else {
		p.Text = words().Draw(t, "text")
	}
	return p
}

// drawnEntry is an entry as it is meant.
type drawnEntry struct {
	EntryHeader
	payments []Payment
}

func drawEntry(t *rapid.T) drawnEntry {
	e := drawnEntry{EntryHeader: EntryHeader{
		Reference:     anyReference().Draw(t, "entry reference"),
		BankReference: anyReference().Draw(t, "lump sum"),
		Code:          anyReference().Draw(t, "code"),
		Status:        rapid.SampledFrom([]string{StatusBooked, StatusBooked, "PDNG"}).Draw(t, "status"),
		Direction:     rapid.SampledFrom([]string{Credit, Credit, Debit}).Draw(t, "direction"),
		Currency:      Currency,
		Booked:        testDay - models.Date(rapid.IntRange(0, 1000).Draw(t, "days before")),
		Value:         testDay,
		Reversal:      rapid.IntRange(0, 9).Draw(t, "reversal") == 0,
	}}
	for range rapid.IntRange(0, 4).Draw(t, "payments") {
		p := drawPayment(t)
		e.payments = append(e.payments, p)
		e.Amount += p.Amount
	}
	if len(e.payments) == 0 {
		e.Amount = models.Amount(rapid.Int64Range(0, 1e12).Draw(t, "amount"))
	}
	return e
}

// drawn is a file as it is meant.
type drawn struct {
	message       MessageHeader
	notifications []NotificationHeader
	entries       [][]drawnEntry
}

func drawFile(t *rapid.T) drawn {
	d := drawn{message: MessageHeader{
		Version: rapid.SampledFrom([]Version{Version02, Version08}).Draw(t, "version"),
		ID:      digitString(20).Draw(t, "message"), Created: testDay, Recipient: digitString(8).Draw(t, "recipient"),
	}}
	for range rapid.IntRange(1, 3).Draw(t, "notifications") {
		d.notifications = append(d.notifications, NotificationHeader{
			ID: digitString(20).Draw(t, "notification"), Created: testDay, Servicer: "DNBANOKK",
			Copy:    rapid.SampledFrom([]string{"", "", "COPY", "DUPL"}).Draw(t, "copy"),
			Account: rapid.SampledFrom([]string{testAccount, otherAccount}).Draw(t, "account"),
		})
		var entries []drawnEntry
		for range rapid.IntRange(0, 4).Draw(t, "entries") {
			entries = append(entries, drawEntry(t))
		}
		d.entries = append(d.entries, entries)
	}
	return d
}

func (d drawn) write() string {
	var out strings.Builder
	w := NewWriter(&out)
	must(w.StartMessage(d.message))
	for i, n := range d.notifications {
		must(w.StartNotification(n))
		for _, e := range d.entries[i] {
			must(w.Write(e.EntryHeader, e.payments...))
		}
	}
	must(w.Close())
	return out.String()
}

// transactions returns what should be read of the notification, as texts.
func (d drawn) transactions(notification int) (all []string, amount models.Amount) {
	for _, e := range d.entries[notification] {
		amount += signed(e.Direction, e.Amount)
		if e.Status != StatusBooked {
			continue
		}
		payments := e.payments
		if len(payments) == 0 {
			payments = []Payment{{Amount: e.Amount}}
		}
		for _, p := range payments {
			p.Amount = signed(e.Direction, p.Amount)
			all = append(all, fmt.Sprint(e.EntryHeader, p))
		}
	}
	return all, amount
}

// asWritten returns what a transaction was written from, as a text.
func asWritten(tx *Transaction) string {
	p := Payment{
		Amount: tx.Amount, Name: tx.Name, KID: tx.KID, Text: tx.Text, DebitAccount: tx.DebitAccount, BankReference: tx.BankReference,
		TransactionID: tx.TransactionID, EndToEndID: tx.EndToEndID, BankDate: tx.BankDate,
	}
	return fmt.Sprint(tx.Entry.EntryHeader, p)
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawFile(t)
		file, err := Parse(strings.NewReader(want.write()))
		if err != nil {
			t.Fatal(err)
		}
		if file.MessageHeader != want.message || len(file.Notifications) != len(want.notifications) {
			t.Fatalf("got %+v", file.MessageHeader)
		}
		rest := file.Transactions
		for i, n := range file.Notifications {
			var got []string
			for len(rest) > 0 && rest[0].Entry.Notification == n {
				got = append(got, asWritten(&rest[0]))
				rest = rest[1:]
			}
			all, amount := want.transactions(i)
			if n.NotificationHeader != want.notifications[i] || n.Amount != amount || !slices.Equal(got, all) {
				t.Fatalf("got %+v\n%v\nwant %+v\n%v", n, got, want.notifications[i], all)
			}
		}
		for _, w := range file.Warnings {
			if w.Code != CodeCopy {
				t.Fatal(w)
			}
		}
	})
}

// TestNoLossOfMoneyGoesUnseen changes a digit of an amount: what is read then adds up to what was booked
// nevertheless, or is doubtful, or both.
func TestNoLossOfMoneyGoesUnseen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawFile(t).write()
		amounts := strings.Split(text, `Ccy="NOK">`)
		if len(amounts) == 1 {
			return
		}
		n := rapid.IntRange(1, len(amounts)-1).Draw(t, "amount")
		digit := amounts[n][0]
		changed := string('0' + (digit-'0'+byte(rapid.IntRange(1, 9).Draw(t, "by")))%10)
		amounts[n] = changed + amounts[n][1:]
		file, err := Parse(strings.NewReader(strings.Join(amounts, `Ccy="NOK">`)))
		if err != nil {
			t.Fatal(err)
		}
		addUp(t, file)
	})
}

// addUp expects the transactions of every notification to add up to its entries, and those of an entry that
// says so itself to be doubtful where they did not.
func addUp(t interface {
	Fatalf(format string, args ...any)
}, file *File,
) {
	var total Totals
	given, booked := map[*Entry]models.Amount{}, map[*Entry]models.Amount{}
	for i := range file.Transactions {
		tx := &file.Transactions[i]
		given[tx.Entry] += tx.Amount
		booked[tx.Entry] = tx.Entry.Signed()
		total.Transactions++
		total.Amount += tx.Amount
	}
	for e := range given {
		if given[e] != booked[e] || e.Ignored() || e.Booked == 0 {
			t.Fatalf("entry %d gives %s of %s", e.Number, given[e], booked[e])
		}
	}
	if file.Totals.Transactions != total.Transactions+file.Ignored || file.Amount != total.Amount+file.IgnoredAmount {
		t.Fatalf("the totals are %+v, there are %+v", file.Totals, total)
	}
}
