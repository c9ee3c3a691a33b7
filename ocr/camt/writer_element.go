package camt

import (
	"encoding/xml"
	"strconv"

	"purr/models"
)

// raw writes texts as they are.
func (w *Writer) raw(texts ...string) {
	for _, t := range texts {
		w.w.WriteString(t) //nolint:errcheck // Flush returns the first error of a bufio.Writer
	}
}

// leaf writes an element of text.
func (w *Writer) leaf(name, text string) {
	w.raw("<", name, ">")
	w.text(text)
	w.raw("</", name, ">")
}

// optional writes an element of text, unless it is empty.
func (w *Writer) optional(name, text string) {
	if text != "" {
		w.leaf(name, text)
	}
}

func (w *Writer) text(s string) {
	_ = xml.EscapeText(w.w, []byte(s)) // Flush returns the first error
}

func (w *Writer) money(name string, amount models.Amount, currency string) {
	w.raw("<", name, ` Ccy="`)
	w.text(currency)
	w.raw(`">`, amount.String(), "</", name, ">")
}

// day writes a date, unless there is none.
func (w *Writer) day(name string, d models.Date) {
	if d != 0 {
		w.raw("<", name, ">")
		w.leaf("Dt", d.String())
		w.raw("</", name, ">")
	}
}

// account writes the identification of an account.
func (w *Writer) account(account string) {
	switch norwegian := models.ValidBankAccount(account); {
	case norwegian && w.version == Version08:
		w.leaf("IBAN", IBAN(account))
	case norwegian:
		w.raw("<Othr>")
		w.leaf("Id", account)
		w.raw("<SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr>")
	default:
		w.raw("<Othr>")
		w.leaf("Id", account)
		w.raw("</Othr>")
	}
}

// page writes a pagination, unless there is none.
func (w *Writer) page(name string, p Page) {
	if p == (Page{}) {
		return
	}
	last := "false"
	if p.Last {
		last = "true"
	}
	w.raw("<", name, ">")
	w.leaf("PgNb", strconv.Itoa(p.Number))
	w.leaf("LastPgInd", last)
	w.raw("</", name, ">")
}

// moments returns a time of the day, as an element of a moment has it, and nothing for no day.
func moments(d models.Date) string {
	if d == 0 {
		return ""
	}
	return d.String() + "T12:00:00+01:00"
}
