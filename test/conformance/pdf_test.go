package conformance_test

import (
	"bytes"
	"strconv"
	"testing"
)

// TestD35APDFIsMadeOnce: whoever asks first, and whatever changes later, the same bytes are answered and sent.
func TestD35APDFIsMadeOnce(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI()})
		first := c.pdf(invoice) // as likely as not before the job has made it
		note := c.credits(invoice)
		firstOfNote := c.pdf(note)
		c.Put(customer.URI(), tag("customer", tag("name1", "Kari Hansen"))).Is(200)
		c.Put("/creditor", tag("creditor", tag("address1", "Nyveien 2"), tag("postal_code", "5003"), tag("postal_name", "Bergen"))).Is(200)
		for _, document := range []struct {
			node
			pdf []byte
		}{{invoice, first}, {note, firstOfNote}} {
			eventually(t, "it is sent", func() (bool, any) {
				at := c.again(document.node).At("shipments/shipment/sent_at")
				return at != "", at
			})
			equal(t, "the same bytes later", bytes.Equal(c.pdf(document.node), document.pdf), true)
			sent := 0
			for _, letter := range in.Letters(t) {
				if bytes.Equal(letter, document.pdf) {
					sent++
				}
			}
			equal(t, "number of letters of the same bytes", sent, 1)
		}
		if bytes.Equal(first, firstOfNote) {
			t.Error("the invoice and its credit note are the same PDF")
		}
		for _, a := range c.AtOnce(4, func() *answer { return c.Get(invoice.URI() + "/pdf") }) {
			equal(t, "the same bytes for many at once", bytes.Equal(a.Is(200).Body, first), true)
			equal(t, "length", a.Header.Get("Content-Length"), strconv.Itoa(len(first)))
		}
	})
}
