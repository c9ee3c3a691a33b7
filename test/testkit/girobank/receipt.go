package girobank

import (
	"fmt"
	"html"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"
)

// Receipt is a file that the bank gives back.
type Receipt struct {
	Name    string
	Content []byte
}

// waitingReceipt is a receipt that is not given yet.
type waitingReceipt struct {
	from time.Time
	Receipt
}

// rejectedHeader is the first line of L00202, as purr takes it where nothing else is set.
const rejectedHeader = "Forsendelse;Oppdrag;Konto;KID;Forfallsdato;Beløp;Status;Kode;Melding"

// answer makes the receipts of a file: one of the transmission, and one of the claims if there is anything to tell of them.
func (b *Bank) answer(f *file, rows []row) {
	b.give(f, func(at time.Time) Receipt {
		number := f.number
		if number == "" {
			number = "0000000"
		}
		kind := "GODKJENT"
		if len(f.faults) > 0 {
			kind = "AVVIST"
		}
		name := fmt.Sprintf("KV.%s.F%s.%s.html", kind, number, b.stamp(at))
		return Receipt{name, []byte(transmissionReceipt(f, kind, number))}
	})
	if len(rows) > 0 {
		b.give(f, func(at time.Time) Receipt {
			return Receipt{"L00202." + b.stamp(at) + ".csv", rejected(rows)}
		})
	}
}

// stamp is the part of a receipt's name that tells when it was made, and for whom.
func (b *Bank) stamp(at time.Time) string {
	return at.Format("D060102.T150405") + ".K" + b.settings.Sender
}

// give makes a receipt under a name that no receipt has, and lets it wait.
func (b *Bank) give(f *file, made func(time.Time) Receipt) {
	at := f.at.Add(b.delay)
	receipt := made(at)
	for next := at; b.receiptNames[receipt.Name]; {
		next = next.Add(time.Second)
		receipt = made(next)
	}
	b.receiptNames[receipt.Name] = true
	b.receipts = append(b.receipts, waitingReceipt{at, receipt})
	if b.RepeatReceipts {
		b.receipts = append(b.receipts, waitingReceipt{at.Add(time.Hour), receipt})
	}
}

// ready takes the receipts that are ready by the moment.
func (b *Bank) ready(at time.Time) (given []Receipt) {
	var later []waitingReceipt
	for _, r := range b.receipts {
		if r.from.After(at) {
			later = append(later, r)
			continue
		}
		given = append(given, r.Receipt)
	}
	b.receipts = later
	return given
}

// transmissionReceipt is the page that tells of a transmission (L226).
func transmissionReceipt(f *file, kind, number string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Kvittering</title></head><body>\n<h1>Forsendelse %s</h1>\n", kind)
	fmt.Fprintf(&out, "<table>\n<tr><td>Avsender</td><td>%s</td></tr>\n<tr><td>Forsendelsesnummer</td><td>%s</td></tr>\n",
		html.EscapeString(decoded(f.sender)), number)
	fmt.Fprintf(&out, "<tr><td>Mottatt</td><td>%s</td></tr>\n<tr><td>Antall transaksjoner</td><td>%d</td></tr>\n<tr><td>Sum</td><td>%s</td></tr>\n</table>\n",
		f.at.Format("02.01.2006 15:04:05"), f.claims(), strings.Replace(f.sums.amount.String(), ".", ",", 1))
	for _, fault := range f.faults {
		fmt.Fprintf(&out, "<p>%s</p>\n", html.EscapeString(fault))
	}
	out.WriteString("</body></html>\n")
	return out.String()
}

// rejected is the table of claims that were refused, or taken with a warning (L00202), in ISO-8859-1.
func rejected(rows []row) []byte {
	var out strings.Builder
	out.WriteString(rejectedHeader + "\r\n")
	for _, r := range rows {
		status := "AVVIST"
		if r.warning {
			status = "ADVARSEL"
		}
		due := ""
		if r.claim.Due != 0 {
			due = r.claim.Due.Time().Format("02.01.2006")
		}
		fields := []string{
			r.file.number, decoded(r.claim.assignment.number), decoded(r.claim.Account), decoded(r.claim.KID), due,
			strings.Replace(r.claim.Amount.String(), ".", ",", 1), status, r.code, r.words,
		}
		out.WriteString(strings.Join(fields, ";") + "\r\n")
	}
	text, err := charmap.ISO8859_1.NewEncoder().String(out.String())
	if err != nil {
		panic("girobank: " + err.Error())
	}
	return []byte(text)
}
