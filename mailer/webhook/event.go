package webhook

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	"purr/models"
)

// Event is an event as the list of events and a delivery show it. It is written as XML by its fields, and as JSON by MarshalJSON.
type Event struct {
	XMLName  xml.Name         `xml:"event"`
	ID       int64            `xml:"id,attr"`
	At       string           `xml:"at"` // in the creditor's time zone
	Type     models.EventType `xml:"type"`
	Actor    string           `xml:"actor,omitempty"`
	Invoice  *Link            `xml:"invoice"`
	Customer *Link            `xml:"customer"`
	Subject  int64            `xml:"subject_id"`
	Text     string           `xml:"text"`
	Data     string           `xml:"data,omitempty"`

	at time.Time // in the creditor's time zone
	of jsonCreditor
}

// Link points at a resource of the API.
type Link struct {
	URI string `xml:"uri,attr" json:"uri"`
}

// jsonEvent is the JSON form of an event (rule J4). Facts stand apart: some have names that the data has too.
type jsonEvent struct {
	Type      models.EventType `json:"type"`
	Timestamp string           `json:"timestamp"`
	ID        int64            `json:"id"`
	Creditor  jsonCreditor     `json:"creditor"`
	Actor     string           `json:"actor,omitempty"`
	Data      jsonData         `json:"data"`
}

// jsonCreditor says whose an event is, to whoever receives those of several creditors.
type jsonCreditor struct {
	OrganisationNumber string `json:"organisation_number"` // empty if the creditor has none
	Name               string `json:"name"`
}

type jsonData struct {
	Text     string          `json:"text"`
	Subject  int64           `json:"subject_id"`
	Invoice  *Link           `json:"invoice,omitempty"`
	Customer *Link           `json:"customer,omitempty"`
	Facts    json.RawMessage `json:"facts,omitempty"`
}

// EventOf returns an event of a creditor as it is shown, with times in the creditor's zone. Its URIs begin with the base: scheme, host
// and perhaps a path. If the base is empty, the URIs are paths alone, such as /api/v1/invoice/17.
func EventOf(e models.Event, base string, creditor models.Creditor) Event {
	at := e.At.In(creditor.DisplayZone())
	x := Event{
		ID: e.ID, At: at.Format(time.DateTime), Type: e.Type, Actor: e.Actor, Subject: e.SubjectID, Text: e.Text, Data: e.Data,
		at: at, of: jsonCreditor{creditor.OrganisationNumber, creditor.Name},
	}
	if e.InvoiceID != 0 {
		x.Invoice = &Link{base + "/api/v1/invoice/" + strconv.FormatInt(e.InvoiceID, 10)}
	}
	if e.CustomerID != 0 {
		x.Customer = &Link{base + "/api/v1/customer/" + strconv.FormatInt(e.CustomerID, 10)}
	}
	return x
}

// MarshalJSON writes the event as JSON (rule J4).
func (e Event) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	err := w.Encode(jsonEvent{
		Type: e.Type, Timestamp: e.at.Format(time.RFC3339), ID: e.ID, Creditor: e.of, Actor: e.Actor,
		Data: jsonData{Text: e.Text, Subject: e.Subject, Invoice: e.Invoice, Customer: e.Customer, Facts: json.RawMessage(e.Data)},
	})
	if err != nil {
		return nil, fmt.Errorf("write event %d as JSON: %w", e.ID, err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// Body returns the document, in UTF-8, that a delivery of an event posts: JSON or XML. EventOf says how its URIs begin.
func Body(e models.Event, base string, creditor models.Creditor, asJSON bool) (string, error) {
	shown := EventOf(e, base, creditor)
	if asJSON {
		text, err := shown.MarshalJSON()
		if err != nil {
			return "", err
		}
		return string(text) + "\n", nil
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := xml.NewEncoder(&b).Encode(shown); err != nil {
		return "", fmt.Errorf("write event %d as XML: %w", e.ID, err)
	}
	b.WriteByte('\n')
	return b.String(), nil
}

// IsJSON reports whether what Body has made is JSON.
func IsJSON(body string) bool { return strings.HasPrefix(body, "{") }

// MessageID returns the webhook-id of an event. It is the same at every attempt and redelivery, so that an
// endpoint recognises a repeated event.
func MessageID(eventID int64) string { return "evt_" + strconv.FormatInt(eventID, 10) }
