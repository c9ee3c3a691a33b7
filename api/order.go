package api

import (
	"context"

	"purr/billing"
	"purr/models"
)

// readOrder reads the body of a new invoice, and fails with everything that is wrong with it.
func (s *Server) readOrder(ctx context.Context, rq *request, body []byte) (billing.Order, error) {
	f, err := parseForm(body, "invoice")
	if err != nil {
		return billing.Order{}, err
	}
	o := billing.Order{Actor: rq.actor()}
	f.require("num_due_days")
	o.NumDueDays, _ = f.integer("num_due_days")
	o.Note, _ = f.string("invoice_note")
	o.CustomerID, o.NewCustomer = rq.readRecipient(f)
	o.Lines = readLines(f)
	o.Method, o.Copies = readShipments(f, true)
	if err := f.done(o.Validate()); err == nil {
		return o, nil
	}
	if err := s.recipientFaults(ctx, rq, f, o); err != nil {
		return o, err
	}
	return o, f.faults
}

// readRecipient reads who gets an invoice: a customer that there is, or a new one.
func (rq *request) readRecipient(f *form) (customerID int64, fresh *models.Customer) {
	e := f.child("recipient")
	uri, known := e.attr("uri")
	switch {
	case known:
		id, found := rq.idIn(uri, "customer")
		if !found {
			return nobody, nil
		}
		return id, nil
	case e == nil || len(e.children) == 0:
		f.add("required", "recipient", "is required: the uri of a customer, or a new customer's name and address")
		return 0, nil
	}
	fresh = &models.Customer{}
	readCustomer(e, fresh)
	e.require("address1")
	return 0, fresh
}

// nobody is the ID of no customer.
const nobody = -1

func readLines(f *form) []models.Line {
	var lines []models.Line
	for _, e := range f.child("lines").each("line") {
		var l models.Line
		e.require("unit_price", "num_items", "vat_rate")
		l.Text, _ = e.string("line_text")
		l.UnitPrice, _ = e.price("unit_price")
		l.NumItems, _ = e.quantity("num_items")
		l.Discount = e.optionalPercent("discount_percent")
		vat, _ := e.token("vat_rate")
		l.VAT = models.VATName(vat)
		lines = append(lines, l)
	}
	return lines
}

// readShipments reads how a document goes out: the one original, and the addresses of copies where the
// document may have any. A method that is wrong reads as paper, its fault being noted.
func readShipments(f *form, copies bool) (original models.ShipmentMethod, emails []string) {
	found := false
	for _, e := range f.child("shipments").each("shipment") {
		method := readMethod(e)
		switch kind, _ := e.attr("type"); {
		case kind == "original" && found:
			f.add("duplicate_element", e.path(), "there must be one original only")
		case kind == "original":
			found, original = true, method
		case kind == "copy" && copies:
			emails = append(emails, readCopy(e, method)...)
		case copies:
			f.add("invalid_shipment_type", e.path(), "the attribute type must be original or copy")
		default:
			f.add("invalid_shipment_type", e.path(), "the attribute type must be original")
		}
	}
	if !found {
		f.add("required", "shipments", "a shipment of type original is required")
		original = models.ByPaper
	}
	return original, emails
}

func readMethod(e *element) models.ShipmentMethod {
	e.require("shipment_method")
	text, _ := e.token("shipment_method")
	method := models.ShipmentMethod(text)
	if method != models.ByPaper && method != models.ByEmail {
		e.form.add("invalid_shipment_method", e.pathOf("shipment_method"), "must be PAPER or EMAIL")
		return models.ByPaper
	}
	return method
}

// readCopy reads the address of a copy, none where it is wrong.
func readCopy(e *element, method models.ShipmentMethod) []string {
	if method != models.ByEmail {
		e.form.add("invalid_shipment_method", e.pathOf("shipment_method"), "a copy goes by EMAIL")
	}
	recipient := e.child("recipient")
	if recipient == nil {
		e.form.add("required", e.pathOf("recipient/email"), "is required")
		return nil
	}
	recipient.require("email")
	email, _ := recipient.token("email")
	if len(email) > models.MaxEmail || !models.ValidEmail(email) {
		e.form.add("invalid_email", recipient.pathOf("email"), "is not a valid e-mail address")
		return nil
	}
	return []string{email}
}

// recipientFaults adds what is wrong with an order for its customer to what is wrong with it in itself,
// so that a refusal names all (rule D5).
func (s *Server) recipientFaults(ctx context.Context, rq *request, f *form, o billing.Order) error {
	field, customer := "recipient/email", o.NewCustomer
	if o.CustomerID != 0 {
		found, err := s.db.Customer(ctx, rq.creditor.ID, o.CustomerID)
		if models.KindOf(err) == models.KindNotFound {
			f.add("not_found", "recipient", "no such customer")
			return nil
		}
		if err != nil {
			return err
		}
		field, customer = "recipient", &found
	}
	if customer != nil && o.Method == models.ByEmail && customer.Recipient.Email == "" {
		f.add("email_required", field, "delivery by EMAIL needs a customer with an e-mail address")
	}
	return nil
}
