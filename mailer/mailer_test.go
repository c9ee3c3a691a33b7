package mailer

import (
	"context"
	"net/mail"
	"time"
)

// anEmail returns an e-mail with letters beyond ASCII in all its texts.
func anEmail() Parcel {
	return Parcel{
		Name: "invoice-10001-shipment-17",
		Mail: Mail{
			From:           mail.Address{Name: "Blåbær & Sønn AS", Address: "post@blabaer.example"},
			To:             "kari.nordmann@kunde.example",
			Subject:        "Faktura 10001 fra Blåbær & Sønn AS, med en så lang tekst at linjen må brytes",
			Text:           "Hei Kari,\n\nvedlagt er faktura 10001.\n.\nÅ betale: kr 1 250,00\n",
			AttachmentName: "faktura-10001.pdf",
		},
		PDF:  []byte("%PDF-1.4\nnot much of a document\n%%EOF\n"),
		Date: time.Date(2026, time.January, 2, 9, 15, 0, 0, time.UTC),
	}
}

// handOver gives a parcel to a channel, for tests that do not look at the receipt.
func handOver(ctx context.Context, c Channel, p Parcel) error {
	_, err := c.HandOver(ctx, p)
	return err
}
