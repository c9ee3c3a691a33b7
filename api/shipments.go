package api

import (
	"context"
	"encoding/xml"
	"slices"

	"purr/api/form"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// sentXML is a shipment with what became of it (rule S1a). What is not known is absent.
type sentXML struct {
	XMLName     xml.Name              `xml:"shipment"`
	URI         string                `xml:"uri,attr"`
	Type        string                `xml:"type,attr"`
	Name        string                `xml:"name,attr"`
	Method      models.ShipmentMethod `xml:"shipment_method"`
	State       models.ShipmentState  `xml:"state"`
	Attempts    int                   `xml:"attempts"`
	SentAt      string                `xml:"sent_at,omitempty"`
	DeliveredAt string                `xml:"delivered_at,omitempty"`
	Receipt     string                `xml:"receipt,omitempty"`
	Reason      string                `xml:"reason,omitempty"`
	Fault       models.SendingFault   `xml:"fault,omitempty"`
	Document    link                  `xml:"document"`
	FallbackOf  *link                 `xml:"fallback_of"`
	MoreTime    *models.Date          `xml:"more_time"`         // of a letter of more time, its last day
	Friendly    *models.Date          `xml:"friendly_reminder"` // of a friendly reminder, its day
	Recipient   *goesToXML            `xml:"recipient"`         // absent in lists, and so are the reports
	Reports     *reportsXML           `xml:"reports"`
}

// goesToXML is whom a shipment goes to, or went to: what its method uses (rule D92).
type goesToXML struct {
	Name1       string `xml:"name1,omitempty"`
	Name2       string `xml:"name2,omitempty"`
	Address1    string `xml:"address1,omitempty"`
	Address2    string `xml:"address2,omitempty"`
	PostalCode  string `xml:"postal_code,omitempty"`
	PostalName  string `xml:"postal_name,omitempty"`
	CountryCode string `xml:"country_code,omitempty"`
	Email       string `xml:"email,omitempty"`
	Phone       string `xml:"phone,omitempty"`
	NetworkID   string `xml:"network_id,omitempty"`
}

func goesTo(s models.Shipment) *goesToXML {
	r := s.To()
	return &goesToXML{r.Name1, r.Name2, r.Address1, r.Address2, r.PostalCode, r.PostalName, r.CountryCode, r.Email, r.Phone, r.NetworkID()}
}

// friendlyOf returns the day of a friendly reminder (rule L14), nil of any other shipment.
func friendlyOf(s models.Shipment) *models.Date {
	if s.Role() != models.Friendly {
		return nil
	}
	return &s.Friendly
}

type reportsXML struct {
	Reports []reportXML `xml:"report"`
}

type reportXML struct {
	At     string               `xml:"at,attr"`
	State  models.ShipmentState `xml:"state,attr"`
	Reason string               `xml:"reason,attr"`
}

func (rq *request) sentXML(s models.Shipment, number int64) sentXML {
	x := sentXML{
		URI: rq.uri("shipment", s.ID), Type: shownType(s), Name: s.Name(number), Method: s.Method, State: s.State, Attempts: s.Attempts,
		Receipt: s.Receipt, Reason: s.Reason, Fault: s.Fault(), Document: link{rq.base + "/api/v1/" + s.Document().Resource(number)},
	}
	if s.SentAt != nil {
		x.SentAt = rq.stamp(*s.SentAt)
	}
	if s.DeliveredAt != nil {
		x.DeliveredAt = rq.stamp(*s.DeliveredAt)
	}
	if s.FallbackOf != 0 {
		x.FallbackOf = &link{rq.uri("shipment", s.FallbackOf)}
	}
	x.MoreTime, x.Friendly = toldOf(s), friendlyOf(s)
	return x
}

// shipmentDetail shows a shipment with whom it goes to and what was reported of it.
func (rq *request) shipmentDetail(ctx context.Context, v store.View, s models.Shipment) (sentXML, error) {
	numbers, err := v.NumbersOf(ctx, s)
	if err != nil {
		return sentXML{}, err
	}
	reports, err := v.ShipmentReports(ctx, s.ID)
	if err != nil {
		return sentXML{}, err
	}
	x := rq.sentXML(s, numbers[s.Document()])
	x.Recipient, x.Reports = goesTo(s), &reportsXML{}
	for _, r := range reports {
		x.Reports.Reports = append(x.Reports.Reports, reportXML{rq.stamp(r.At), r.State, r.Reason})
	}
	return x, nil
}

// listShipments lists the shipments of all documents, or of one.
func (s *Server) listShipments(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	var f store.ShipmentFilter
	if uri, sent := q.text("document"); sent {
		var known bool
		if f.Document, known = rq.documentIn(uri); !known {
			q.fault("invalid_uri", "document", "must be the uri of an invoice, a credit note or an overdue notice")
		}
	}
	if state, sent := q.text("state"); sent {
		if f.States = []models.ShipmentState{models.ShipmentState(state)}; !slices.Contains(models.ShipmentStates, f.States[0]) {
			q.fault("unknown_state", "state", "is not a state of shipments")
		}
	}
	method, sent := q.text("method")
	if f.Method = models.ShipmentMethod(method); sent && !f.Method.MayAsk() {
		q.fault("invalid_shipment_method", "method", "must be "+models.Alternatives(models.MethodsToAsk))
	}
	var numbers map[models.Document]int64
	show := func(s models.Shipment) sentXML { return rq.sentXML(s, numbers[s.Document()]) }
	return listed("shipments", q, show, func(p store.Page) (found []models.Shipment, total int64, err error) {
		if found, total, err = s.db.Shipments(ctx, rq.creditor.ID, f, p); err != nil {
			return nil, 0, err
		}
		numbers, err = s.db.NumbersOf(ctx, found...)
		return found, total, err
	})
}

// documentIn returns the document of a uri.
func (rq *request) documentIn(uri string) (models.Document, bool) {
	for _, kind := range models.DocumentKinds() {
		if id, is := rq.idIn(uri, string(kind)); is && !kind.OfAccount() {
			return models.Document{Kind: kind, ID: id}, true
		}
	}
	return models.Document{}, false
}

// retryShipment has the shipment in the path sent again, if it failed or came back: as before, to another e-mail address,
// or by another method. By another method it is a new shipment, which is the answer.
func (s *Server) retryShipment(_ context.Context, rq *request, id int64, body form.Body) (effect, error) {
	how, err := readRetry(body)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		sent, err := shipments.RetryOf(ctx, tx, rq.creditor.ID, id, how, rq.actor())
		if err != nil {
			return answer{}, err
		}
		shown, err := rq.shipmentDetail(ctx, tx.View(), sent)
		if err != nil {
			return answer{}, err
		}
		a, err := rq.ok(shown)
		if err != nil {
			return answer{}, err
		}
		d := sent.Document()
		a.made = &d
		return a, nil
	}, nil
}

// readRetry reads how a shipment is sent again.
func readRetry(body form.Body) (how shipments.Again, err error) {
	if body.Empty() {
		return how, nil
	}
	f, err := form.Parse(body, "retry")
	if err != nil {
		return how, err
	}
	if email, sent := f.Token("email"); sent {
		if how.Email = email; len(email) > models.MaxEmail || !models.ValidEmail(email) {
			f.Fault("email", "invalid_email", "is not a valid e-mail address")
		}
	}
	if method, sent := f.Token("shipment_method"); sent {
		if how.Method = models.ShipmentMethod(method); !how.Method.HasChannel() {
			f.Fault("shipment_method", "invalid_shipment_method", "must be %s", models.Alternatives(models.ShipmentMethods))
		}
	}
	return how, f.Done(nil)
}
