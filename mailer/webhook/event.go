package webhook

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"time"

	"purr/models"
)

// Event is the XML form of an event, both in the list of events and in a delivery.
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
}

// Link points at a resource of the API.
type Link struct {
	URI string `xml:"uri,attr"`
}

// EventOf returns the XML form of an event, with times in the zone. Its URIs begin with the base: scheme, host and
// perhaps a path. If the base is empty, the URIs are paths alone, such as /api/v1/invoice/17.
func EventOf(e models.Event, base string, zone *time.Location) Event {
	x := Event{ID: e.ID, At: e.At.In(zone).Format(time.DateTime), Type: e.Type, Actor: e.Actor, Subject: e.SubjectID, Text: e.Text, Data: e.Data}
	if e.InvoiceID != 0 {
		x.Invoice = &Link{base + "/api/v1/invoice/" + strconv.FormatInt(e.InvoiceID, 10)}
	}
	if e.CustomerID != 0 {
		x.Customer = &Link{base + "/api/v1/customer/" + strconv.FormatInt(e.CustomerID, 10)}
	}
	return x
}

// Body returns the XML document, in UTF-8, that a delivery of an event posts. EventOf says how its URIs begin.
func Body(e models.Event, base string, zone *time.Location) (string, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := xml.NewEncoder(&b).Encode(EventOf(e, base, zone)); err != nil {
		return "", fmt.Errorf("write event %d as XML: %w", e.ID, err)
	}
	b.WriteByte('\n')
	return b.String(), nil
}

// MessageID returns the webhook-id of an event. It is the same at every attempt and redelivery, so that an
// endpoint recognises a repeated event.
func MessageID(eventID int64) string { return "evt_" + strconv.FormatInt(eventID, 10) }
