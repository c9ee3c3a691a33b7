package peppol

import (
	"bytes"
	"encoding/xml"
	"errors"
	"time"

	"purr/mailer"
	"purr/models"
)

// The envelope of the network, a Standard Business Document. Its names are those of the specification.
type (
	header struct {
		XMLName  xml.Name `xml:"StandardBusinessDocumentHeader"`
		Version  string   `xml:"HeaderVersion"`
		Sender   party    `xml:"Sender"`
		Receiver party    `xml:"Receiver"`
		Document identification
		Scopes   []scope `xml:"BusinessScope>Scope"`
	}
	party struct {
		Identifier identifier
	}
	identifier struct {
		Authority string `xml:",attr"`
		Value     string `xml:",chardata"`
	}
	identification struct {
		XMLName     xml.Name `xml:"DocumentIdentification"`
		Standard    string
		TypeVersion string
		Instance    string `xml:"InstanceIdentifier"`
		Type        string
		Created     string `xml:"CreationDateAndTime"`
	}
	scope struct {
		Type       string
		Instance   string `xml:"InstanceIdentifier"`
		Identifier string `xml:",omitempty"`
	}
)

const envelopeNamespace = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"

// Envelope returns the parcel's document in the network's envelope. Between the tags of the envelope the document stands as
// it is, without its XML declaration.
func Envelope(p mailer.Parcel) ([]byte, error) {
	document, err := undeclared(p.EHF.UBL)
	if err != nil {
		return nil, err
	}
	t := TypeOf(p.DocumentKind)
	at := func(number string) party { return party{identifier{ParticipantScheme, Participant(number)}} }
	head, err := xml.Marshal(header{
		Version: "1.0", Sender: at(p.EHF.Sender), Receiver: at(p.Recipient.OrganisationNumber),
		Document: identification{
			Standard: t.Namespace, TypeVersion: ublVersion, Instance: p.InstanceID, Type: t.Root, Created: p.Date.UTC().Format(time.RFC3339),
		},
		Scopes: []scope{
			{"DOCUMENTID", t.ID, documentScheme},
			{"PROCESSID", t.Process, processScheme},
			{"COUNTRY_C1", senderCountry, ""},
		},
	})
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{
		[]byte(xml.Header + `<StandardBusinessDocument xmlns="` + envelopeNamespace + `">`), head, document, []byte("</StandardBusinessDocument>\n"),
	}, nil), nil
}

// undeclared returns an XML document without its declaration. It refuses a document type declaration, which may not stand
// within an envelope.
func undeclared(document []byte) ([]byte, error) {
	d := xml.NewDecoder(bytes.NewReader(document))
	for {
		from := d.InputOffset()
		token, err := d.RawToken()
		if err != nil {
			return nil, models.Invalid("not_expressible", "", "the document is no XML: %v", err)
		}
		switch token.(type) {
		case xml.StartElement:
			return bytes.TrimRight(document[from:], "\r\n\t "), nil
		case xml.Directive:
			return nil, errors.New("peppol: a document with a document type has no place in an envelope")
		}
	}
}
