package ocr

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"

	"purr/models"
	"purr/ocr/camt"
)

// message is a camt.054 file as the bank delivers it.
type message struct {
	id            string // one that follows from the content where empty
	version       camt.Version
	page          camt.Page
	notifications []notification
}

// notification is what one account received.
type notification struct {
	id      string // one that follows from the message's where empty
	account string
	copy    string // COPY where the bank sends it again
	entries []entry
}

// entry is a line of the bank statement.
type entry struct {
	camt.EntryHeader
	payments []camt.Payment
}

// messageOf returns the message of one account.
func messageOf(account string, entries ...entry) message {
	return message{notifications: []notification{{account: account, entries: entries}}}
}

// lump returns a booked credit of payments that add up.
func lump(payments ...camt.Payment) entry {
	e := entry{EntryHeader: camt.EntryHeader{Booked: today - 1, Value: today, BankReference: "LUMP-1", Direction: camt.Credit}, payments: payments}
	for _, p := range payments {
		e.Amount += p.Amount
	}
	return e
}

// changed returns the entry changed.
func (e entry) changed(change func(e *entry)) entry {
	change(&e)
	return e
}

// debited returns the entry as money out.
func (e entry) debited() entry {
	return e.changed(func(e *entry) { e.Direction = camt.Debit })
}

// credited returns a payment of an amount in øre, which is the same payment as paid's in all that the formats
// have in common. Two of the same KID and amount are equal in all that the bank says of them.
func credited(kid string, amount models.Amount) camt.Payment {
	return camt.Payment{KID: kid, Amount: amount, DebitAccount: "98765432103", BankReference: "600200001", BankDate: today - 2}
}

// Bytes writes the file.
func (m message) Bytes(t tester) []byte {
	t.Helper()
	if m.id == "" {
		m.id = fmt.Sprint("MSG-", crc32.ChecksumIEEE(fmt.Append(nil, m)))
	}
	var b bytes.Buffer
	w := camt.NewWriter(&b)
	must(t, w.StartMessage(camt.MessageHeader{Version: m.version, ID: m.id, Created: today, Recipient: "12345", Page: m.page}))
	for i, n := range m.notifications {
		must(t, w.StartNotification(camt.NotificationHeader{
			ID: cmp.Or(n.id, fmt.Sprint(m.id, "-", i)), Created: today, Account: n.account, Copy: n.copy, Servicer: "DNBANOKK",
		}))
		for _, e := range n.entries {
			must(t, w.Write(e.EntryHeader, e.payments...))
		}
	}
	must(t, w.Close())
	return b.Bytes()
}
