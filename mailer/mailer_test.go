package mailer

import (
	"bytes"
	"flag"
	"net/mail"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/models"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update writes it):\n%s", path, got)
	}
}

// anEmail returns an e-mail with letters beyond ASCII in all its texts.
func anEmail() Email {
	return Email{
		ID:             "invoice-10001-shipment-17",
		From:           mail.Address{Name: "Blåbær & Sønn AS", Address: "post@blabaer.example"},
		To:             "kari.nordmann@kunde.example",
		Subject:        "Faktura 10001 fra Blåbær & Sønn AS, med en så lang tekst at linjen må brytes",
		Text:           "Hei Kari,\n\nvedlagt er faktura 10001.\n.\nÅ betale: kr 1 250,00\n",
		AttachmentName: "faktura-10001.pdf",
		Attachment:     []byte("%PDF-1.4\nnot much of a document\n%%EOF\n"),
		Date:           time.Date(2026, time.January, 2, 9, 15, 0, 0, time.UTC),
	}
}

func TestShipmentID(t *testing.T) {
	t.Parallel()
	for kind, want := range map[models.DocumentKind]string{
		models.InvoiceDocument:    "invoice-10001-shipment-17",
		models.CreditNoteDocument: "credit-note-10001-shipment-17",
		models.NoticeDocument:     "overdue-notice-10001-shipment-17",
	} {
		if got := ShipmentID(models.Shipment{ID: 17, DocumentKind: kind}, 10001); got != want {
			t.Errorf("the shipment of a document of kind %s is %s, want %s", kind, got, want)
		}
	}
}
