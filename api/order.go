package api

import (
	"context"

	"purr/api/form"
	"purr/billing"
	"purr/models"
)

// readOrder reads the body of a new invoice. Its error lists every fault.
func (s *Server) readOrder(ctx context.Context, rq *request, body form.Body) (billing.InvoiceRequest, error) {
	f, err := rq.parse(body, "invoice", invoiceDetail{})
	if err != nil {
		return billing.InvoiceRequest{}, err
	}
	o := billing.InvoiceRequest{Actor: rq.actor()}
	f.Require("num_due_days")
	o.NumDueDays, _ = f.Integer("num_due_days")
	o.Note, _ = f.Text("invoice_note")
	o.Order = readReferences(f)
	o.CustomerID, o.NewCustomer = rq.readRecipient(f)
	o.Lines = readLines(f)
	o.Method, o.Copies = readShipments(f, models.InvoiceDocument)
	if err := f.Done(o.Validate(rq.creditor)); err == nil {
		if f.HasClaims() {
			o.Accept = func(d billing.Draft) error {
				return f.Agrees(rq.newInvoiceDetail(d.Invoice, d.Lines, d.Shipments, nil))
			}
		}
		return o, nil
	}
	if err := s.recipientFaults(ctx, rq, f, o); err != nil {
		return billing.InvoiceRequest{}, err
	}
	return billing.InvoiceRequest{}, f.Done(nil)
}

// readReferences reads what an invoice says of its order and delivery (rule L18).
func readReferences(f *form.Form) (o models.Order) {
	o.YourReference, _ = f.Line("your_reference")
	o.OrderNumber, _ = f.Line("order_number")
	o.DeliveryPlace, _ = f.Line("delivery_place")
	if day, _ := f.Token("delivery_date"); day != "" {
		o.DeliveryDate, _ = f.Date("delivery_date")
	}
	return o
}

// readRecipient reads who gets an invoice: the ID of a customer, or a new customer.
func (rq *request) readRecipient(f *form.Form) (customerID int64, fresh *models.Customer) {
	e := f.Child("recipient")
	uri, known := e.Attr("uri")
	switch {
	case known:
		id, found := rq.idIn(uri, "customer")
		if !found {
			return nobody, nil
		}
		return id, nil
	case e.Empty():
		f.Fault("recipient", "required", "is required: the uri of a customer, or a new customer's name and address")
		return 0, nil
	}
	fresh = &models.Customer{}
	readCustomer(e, fresh)
	e.Require("address1")
	return 0, fresh
}

// nobody is an ID that no customer has.
const nobody = -1

func readLines(f *form.Form) []models.Line {
	var lines []models.Line
	for _, e := range f.Child("lines").Each("line") {
		var l models.Line
		e.Require("unit_price", "num_items", "vat_rate")
		l.Text, _ = e.Text("line_text")
		l.UnitPrice, _ = e.Price("unit_price")
		l.NumItems, _ = e.Quantity("num_items")
		form.Clearable(e, "discount_percent", "", &l.Discount, e.Percent)
		vat, _ := e.Token("vat_rate")
		l.VAT = models.VATName(vat)
		exemption, _ := e.Token("vat_exemption")
		l.VATExemption = models.VATExemption(exemption)
		lines = append(lines, l)
	}
	return lines
}

// readShipments reads how a document of a kind is sent: the method of the original, and of an invoice the addresses of the copies. A
// wrong method is a fault and becomes paper.
func readShipments(f *form.Form, of models.DocumentKind) (original models.ShipmentMethod, emails []string) {
	found, copies := false, of == models.InvoiceDocument
	for _, e := range f.Child("shipments").Each("shipment") {
		kind, _ := e.Attr("type")
		method := readMethod(e, of)
		switch {
		case kind == "original" && found:
			e.Fault("", "duplicate_element", "there must be only one original")
		case kind == "original":
			found, original = true, method
		case kind == "copy" && copies:
			emails = append(emails, readCopy(e, method)...)
		case copies:
			e.Fault("", "invalid_shipment_type", "the attribute type must be original or copy")
		default:
			e.Fault("", "invalid_shipment_type", "the attribute type must be original")
		}
	}
	if !found {
		f.Fault("shipments", "required", "a shipment of type original is required")
		original = models.ByPaper
	}
	return original, emails
}

func readMethod(e *form.Element, of models.DocumentKind) models.ShipmentMethod {
	e.Require("shipment_method")
	text, _ := e.Token("shipment_method")
	method := models.ShipmentMethod(text)
	if wrong := method.AskedFor(of); wrong != nil {
		e.Fault("shipment_method", wrong.Code, "%s", wrong.Msg)
		return models.ByPaper
	}
	return method
}

// readCopy returns the address of a copy, none if it is wrong.
func readCopy(e *form.Element, method models.ShipmentMethod) []string {
	if fault := method.Carries(models.InvoiceDocument, models.Copy); fault != nil {
		e.Fault("shipment_method", fault.Code, "%s", fault.Msg)
	}
	recipient := e.Child("recipient")
	if recipient == nil {
		e.Merge(models.Invalid("required", "email", "is required").Under(models.At("recipient")))
		return nil
	}
	recipient.Require("email")
	email, _ := recipient.Token("email")
	if len(email) > models.MaxEmail || !models.ValidEmail(email) {
		recipient.Fault("email", "invalid_email", "is not a valid e-mail address")
		return nil
	}
	return []string{email}
}

// recipientFaults adds the faults of the customer to those of the invoice. So the refusal lists all faults (rule D5).
func (s *Server) recipientFaults(ctx context.Context, rq *request, f *form.Form, o billing.InvoiceRequest) error {
	faults, err := billing.FaultsOfWay(ctx, s.db, o.Method)
	if err != nil {
		return err
	}
	f.Merge(faults...)
	fresh, customer := true, o.NewCustomer
	if o.CustomerID != 0 {
		found, err := s.db.Customer(ctx, rq.creditor.ID, o.CustomerID)
		if models.KindOf(err) == models.KindNotFound {
			f.Fault("recipient", "not_found", "no such customer")
			return nil
		}
		if err != nil {
			return err
		}
		fresh, customer = false, &found
	}
	if customer != nil {
		f.Merge(o.FaultsOfRecipient(rq.creditor, customer.Recipient, fresh)...)
	}
	return nil
}
