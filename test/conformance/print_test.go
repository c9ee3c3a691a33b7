package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"purr/app/operator"
	"purr/store"
)

// TestD112AnEHFShowsTheSellerOfItsDay: what is made of a document long after it was issued shows the creditor as it was, and what is
// issued later shows it as it is.
func TestD112AnEHFShowsTheSellerOfItsDay(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, tag("ehf_default_reference", "Innkjøp"))
		customer := c.customer(kari, tag("organisation_number", "987654325"))
		first, second := c.invoices(order{to: customer.URI()}), c.invoices(order{to: customer.URI()})
		was := c.Get("/creditor").Shown()
		c.Put("/creditor", tag("creditor", tag("name", text(was.At("name")+" og sønner")), tag("organisation_number", "923609016"),
			tag("address1", "Nyveien 2"), tag("postal_code", "5003"), tag("postal_name", "Bergen"), tag("vat_registered", "0"), tag("bank_account", in.bankAccount()))).Is(200)
		now := c.Get("/creditor").Shown()
		note := c.credits(second)
		for _, tt := range []struct {
			document    node
			shows, what node
		}{{first, was, now}, {second, was, now}, {note, now, was}} {
			a := c.Get(tt.document.URI() + "/ehf")
			if tt.document.URI() == note.URI() { // with VAT, by a creditor that says it is not registered
				a.Refused(409, "not_expressible")
				continue
			}
			got := string(a.Is(200).Body)
			for _, element := range []string{"name", "organisation_number", "address1", "postal_name", "bank_account"} {
				if !strings.Contains(got, ">"+text(tt.shows.At(element))+"<") || strings.Contains(got, ">"+text(tt.what.At(element))+"<") {
					t.Errorf("%s does not show the %s %s but of another day:\n%s", tt.document.URI(), element, tt.shows.At(element), got)
				}
			}
			if !strings.Contains(got, "NO"+was.At("organisation_number")+"MVA") {
				t.Errorf("%s does not show that the seller was registered for VAT", tt.document.URI())
			}
		}
		equal(t, "the seller in the PDF of the first", bytes.Contains(c.pdf(first), author(was.At("name"))), true)
		equal(t, "the seller in the PDF of the credit note", bytes.Contains(c.pdf(note), author(now.At("name"))), true)
	})
}

// author returns how a PDF names its seller.
func author(name string) []byte {
	b := []byte("/Author (\xFE\xFF")
	for _, u := range utf16.Encode([]rune(name)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return append(b, ')')
}

// TestD111WhatCannotBePrintedIsRefusedOrLeftOut: names and addresses must have something that can be printed; of all else the signs
// that cannot are kept, and told of once for each document.
func TestD111WhatCannotBePrintedIsRefusedOrLeftOut(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		for _, element := range []string{"name1", "address1", "postal_code", "postal_name"} {
			bad := strings.Replace(kari, valueOf(kari, element), "日本 😊", 1)
			c.Post("/customers", tag("customer", bad)).Refused(422, "not_printable "+element)
			c.Post("/invoices", order{inline: bad}.xml()).Refused(422, "not_printable recipient/"+element)
		}
		c.Put("/creditor", tag("creditor", tag("name", "😊"))).Refused(422, "not_printable name")
		customer := c.customer(strings.Replace(kari, "Kari Nordmann", "Nguyễn Ọ̀ṣun 😊", 1), tag("name2", "日本"))
		equal(t, "the name that is kept", customer.At("name1"), "Nguyễn Ọ̀ṣun 😊")
		invoice := c.invoices(order{to: customer.URI(), note: "Takk 🎂"})
		equal(t, "the note that is kept", invoice.At("invoice_note"), "Takk 🎂")
		c.pdf(invoice)
		c.pdf(invoice)
		same(t, "what the events tell", c.told("document.signs_left_out"),
			[]string{"Invoice " + invoice.At("invoice_number") + " is printed without what its fonts lack: 🎂 😊 日 本"})
	})
}

// parsed returns the number that a text shows.
func parsed(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	must(t, err)
	return n
}

// valueOf returns the value of an element.
func valueOf(xml, element string) string {
	_, after, _ := strings.Cut(xml, "<"+element+">")
	value, _, _ := strings.Cut(after, "<")
	return value
}

// TestD111WhoWasTakenBefore: a customer and a creditor that an older version took although nothing can be printed of their names. Nothing
// is issued to the customer, other elements can be changed, and purr verify warns of both.
func TestD111WhoWasTakenBefore(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer(kari)
		invoice := c.invoices(order{to: customer.URI()})
		creditorID, customerID := parsed(t, c.creditor), parsed(t, path.Base(customer.URI()))
		must(t, in.App.DB.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			row, err := tx.LockCustomer(t.Context(), creditorID, customerID)
			if err != nil {
				return err
			}
			row.Recipient.Name1, row.Recipient.PostalName = "日本", "東京"
			return tx.UpdateCustomer(t.Context(), &row)
		}))
		c.Post("/invoices", order{to: customer.URI()}.xml()).Refused(422, "not_printable recipient/name1", "not_printable recipient/postal_name")
		c.Post(invoice.URI()+"/credit_notes", creditNote()).Refused(422, "not_printable recipient/name1", "not_printable recipient/postal_name")
		c.Put(customer.URI(), tag("customer", tag("email", "kari@example.no"))).Is(200)
		c.Put(customer.URI(), tag("customer", tag("name1", "東京"))).Refused(422, "not_printable name1")
		warned := func(id int64) (all []string) {
			must(t, in.App.Warnings(t.Context(), func(f operator.Finding) {
				if f.CreditorID == id && strings.Contains(f.Text, "nothing can be printed") {
					all = append(all, f.Text)
				}
			}))
			return all
		}
		same(t, "the warnings", warned(creditorID), []string{fmt.Sprintf("nothing can be printed of name1, postal_name of customer %d: "+
			"nothing is issued to it until that is changed to Latin, Greek or Cyrillic letters", customerID)})
		c.Put(customer.URI(), tag("customer", tag("name1", "Nihon"), tag("postal_name", "Tokyo"))).Is(200)
		c.invoices(order{to: customer.URI()})
		must(t, in.App.DB.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			row, err := tx.LockCreditor(t.Context(), creditorID)
			if err != nil {
				return err
			}
			row.Name = "日本"
			return tx.UpdateCreditor(t.Context(), &row)
		}))
		c.Put("/creditor", tag("creditor", tag("phone", "55 00 00 00"))).Is(200)
		same(t, "the warnings of the creditor", warned(creditorID),
			[]string{"nothing can be printed of its name: write it in Latin, Greek or Cyrillic letters (purr creditor set --help)"})
		c.Put("/creditor", tag("creditor", tag("name", "Nihon "+c.creditor))).Is(200)
	})
}
