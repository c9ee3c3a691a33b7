package peppol

import (
	"encoding/xml"
	"os"
	"strings"
	"testing"
	"time"

	"purr/mailer"
	"purr/models"
)

// aParcel is an invoice by EHF on its way.
func aParcel() mailer.Parcel {
	return mailer.Parcel{
		Name: "invoice-10001-shipment-17", ShipmentID: 17, InstanceID: InstanceID("an installation", 17), Creditor: "974760673",
		DocumentKind: models.InvoiceDocument, DocumentNumber: 10001, Recipient: models.Recipient{Name1: "Brygge & Drift AS", OrganisationNumber: "987654325"},
		EHF:  mailer.EHF{UBL: []byte(xml.Header + `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>Æ &amp; Ø</ID></Invoice>` + "\n"), Sender: "974760673"},
		Date: time.Date(2026, 11, 22, 11, 0, 0, 0, time.FixedZone("", 3600)), Attempt: 1,
	}
}

func TestH3aTheInstanceIDIsMadeFromTheShipment(t *testing.T) {
	t.Parallel()
	id := InstanceID("an installation", 17)
	if id != InstanceID("an installation", 17) || id == InstanceID("an installation", 18) || id == InstanceID("another", 17) || id[14] != '5' {
		t.Errorf("the ID is %s", id)
	}
	if id != "2d69016b-404e-5c5c-8023-5756df928a67" {
		t.Errorf("it must never change, but is %s", id)
	}
}

func TestH3aTheIdentifiersAreThoseOfTheNetwork(t *testing.T) {
	t.Parallel()
	const invoice = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
	for kind, want := range map[models.DocumentKind][2]string{
		models.InvoiceDocument:    {invoice + "::2.1", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"},
		models.CreditNoteDocument: {strings.ReplaceAll(strings.ReplaceAll(invoice, "Invoice-2", "CreditNote-2"), "::Invoice##", "::CreditNote##") + "::2.1", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"},
		models.NoticeDocument:     {invoice + "#conformant#urn:fdc:anskaffelser.no:2019:ehf:reminder:3.0::2.1", "urn:fdc:anskaffelser.no:2019:ehf:postaward:g3:06:1.0"},
	} {
		if got := TypeOf(kind); got.ID != want[0] || got.Process != want[1] {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	for _, kind := range models.DocumentKinds() {
		if known := TypeOf(kind) != (DocumentType{}); known != kind.HasEHF() {
			t.Errorf("%s has an EHF: %t, and the network knows it: %t", kind, kind.HasEHF(), known)
		}
	}
}

func TestH3aTheEnvelopeIsThatOfTheNetwork(t *testing.T) {
	t.Parallel()
	p := aParcel()
	got, err := Envelope(p)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/envelope.xml")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the envelope is\n%s\nwant\n%s", got, want)
	}
	again, err := Envelope(p)
	if err != nil || string(again) != string(got) {
		t.Errorf("another attempt makes other bytes: %v", err)
	}
}

func TestH3aAnEnvelopeTakesNoOtherXML(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"", "no XML", `<!DOCTYPE x [<!ENTITY a "b">]><Invoice/>`} {
		p := aParcel()
		p.EHF.UBL = []byte(document)
		if got, err := Envelope(p); err == nil {
			t.Errorf("%q became %s", document, got)
		}
	}
}
