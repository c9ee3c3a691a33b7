package api

import (
	"context"
	"encoding/xml"

	"purr/models"
	"purr/store"
)

// customerItem is a customer in a list.
type customerItem struct {
	XMLName xml.Name `xml:"customer"`
	URI     string   `xml:"uri,attr"`
	customerAddress
	Email          string `xml:"email"`
	CustomerNumber string `xml:"customer_number"`
}

// customerDetail is a customer. A private person has no organisation number, and a language and a dunning
// policy are there only where they were chosen (rule E6e).
type customerDetail struct {
	XMLName xml.Name `xml:"customer"`
	URI     string   `xml:"uri,attr"`
	customerAddress
	CountryCode        string        `xml:"country_code"`
	Email              string        `xml:"email"`
	CustomerNumber     string        `xml:"customer_number"`
	OrganisationNumber string        `xml:"organisation_number,omitempty"`
	Language           string        `xml:"language,omitempty"`
	Hold               *holdXML      `xml:"dunning_hold"` // while it is held
	Policy             *ownPolicyXML `xml:"dunning_policy"`
}

type customerAddress struct {
	Name1      string `xml:"name1"`
	Name2      string `xml:"name2"`
	Address1   string `xml:"address1"`
	Address2   string `xml:"address2"`
	PostalCode string `xml:"postal_code"`
	PostalName string `xml:"postal_name"`
}

func addressXML(r models.Recipient) customerAddress {
	return customerAddress{r.Name1, r.Name2, r.Address1, r.Address2, r.PostalCode, r.PostalName}
}

func (rq *request) customerItem(c models.Customer) customerItem {
	return customerItem{
		URI: rq.uri("customer", c.ID), customerAddress: addressXML(c.Recipient),
		Email: c.Recipient.Email, CustomerNumber: c.Recipient.CustomerNumber,
	}
}

func (rq *request) customerDetail(c models.Customer) customerDetail {
	r := c.Recipient
	return customerDetail{
		URI: rq.uri("customer", c.ID), customerAddress: addressXML(r), CountryCode: r.CountryCode, Email: r.Email,
		CustomerNumber: r.CustomerNumber, OrganisationNumber: c.OrganisationNumber, Language: c.Language,
		Hold: rq.holdXML(c.Hold), Policy: ownPolicyOf(c.Policy),
	}
}

// customerFields are the elements that a customer may be sent with, and where each goes.
var customerFields = []struct {
	name string
	of   func(c *models.Customer) *string
}{
	{"name1", func(c *models.Customer) *string { return &c.Recipient.Name1 }},
	{"name2", func(c *models.Customer) *string { return &c.Recipient.Name2 }},
	{"address1", func(c *models.Customer) *string { return &c.Recipient.Address1 }},
	{"address2", func(c *models.Customer) *string { return &c.Recipient.Address2 }},
	{"postal_code", func(c *models.Customer) *string { return &c.Recipient.PostalCode }},
	{"postal_name", func(c *models.Customer) *string { return &c.Recipient.PostalName }},
	{"country_code", func(c *models.Customer) *string { return &c.Recipient.CountryCode }},
	{"email", func(c *models.Customer) *string { return &c.Recipient.Email }},
	{"customer_number", func(c *models.Customer) *string { return &c.Recipient.CustomerNumber }},
	{"organisation_number", func(c *models.Customer) *string { return &c.OrganisationNumber }},
	{"language", func(c *models.Customer) *string { return &c.Language }},
}

// readCustomer changes what was sent of a customer, and nothing else; an empty element clears (rule D17).
// No country is Norway (rule D16).
func readCustomer(e *element, c *models.Customer) {
	for _, field := range customerFields {
		if text, sent := e.string(field.name); sent {
			*field.of(c) = text
		}
	}
	if c.Recipient.CountryCode == "" {
		c.Recipient.CountryCode = "NO"
	}
}

// customerFaults returns what is wrong with a customer as it would be, besides what the form is faulted for.
func (s *Server) customerFaults(ctx context.Context, rq *request, f *form, c models.Customer) (models.Errors, error) {
	faults, err := s.policyFaults(ctx, rq, f.child("dunning_policy"), c.Policy)
	return append(faultsOf(c.Validate()), faults...), err
}

func (s *Server) listCustomers(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	search, _ := q.text("search")
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	found, total, err := s.db.Customers(ctx, rq.creditor.ID, search, p)
	if err != nil {
		return answer{}, err
	}
	return listed("customers", p, found, total, rq.customerItem)
}

func showCustomer(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	customer, err := v.Customer(ctx, rq.creditor.ID, id)
	return rq.customerDetail(customer), err
}

// createCustomer makes a customer.
func (s *Server) createCustomer(ctx context.Context, rq *request, body []byte) (effect, error) {
	f, err := parseForm(body, "customer")
	if err != nil {
		return nil, err
	}
	fresh := models.Customer{CreditorID: rq.creditor.ID}
	readCustomer(f.element, &fresh)
	readOwnPolicy(f.child("dunning_policy"), &fresh.Policy)
	faults, err := s.customerFaults(ctx, rq, f, fresh)
	if err != nil {
		return nil, err
	}
	if err := f.done(faults); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		customer := fresh
		if err := tx.CreateCustomer(ctx, &customer); err != nil {
			return answer{}, err
		}
		if err := tx.Log(ctx, rq.customerEvent(models.EventCustomerCreated, customer, "created")); err != nil {
			return answer{}, err
		}
		shown := rq.customerDetail(customer)
		return created(shown.URI, shown)
	}, nil
}

// changeCustomer changes the elements of a customer that are sent (rule D17).
func (s *Server) changeCustomer(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	body, err := rq.readXML()
	if err != nil {
		return answer{}, err
	}
	var customer models.Customer
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if customer, err = tx.LockCustomer(ctx, rq.creditor.ID, id); err != nil {
			return err
		}
		f, err := parseForm(body, "customer")
		if err != nil {
			return err
		}
		readCustomer(f.element, &customer)
		readOwnPolicy(f.child("dunning_policy"), &customer.Policy)
		faults, err := s.customerFaults(ctx, rq, f, customer)
		if err != nil {
			return err
		}
		if err := f.done(faults); err != nil {
			return err
		}
		if err := tx.UpdateCustomer(ctx, &customer); err != nil {
			return err
		}
		return tx.Log(ctx, rq.customerEvent(models.EventCustomerChanged, customer, "changed ("+f.names()+")"))
	})
	if err != nil {
		return answer{}, err
	}
	return ok(rq.customerDetail(customer))
}

// deleteCustomer removes a customer to whom no invoice was ever sent.
func (s *Server) deleteCustomer(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		customer, err := tx.LockCustomer(ctx, rq.creditor.ID, id)
		if err != nil {
			return err
		}
		invoiced, err := tx.HasInvoices(ctx, id)
		if err != nil {
			return err
		}
		if invoiced {
			return models.Conflict("customer_has_invoices", "invoices have been sent to the customer")
		}
		if err := tx.DeleteCustomer(ctx, rq.creditor.ID, id); err != nil {
			return err
		}
		return tx.Log(ctx, rq.customerEvent(models.EventCustomerDeleted, customer, "deleted"))
	})
	return noContent(), err
}

// customerEvent says what was done to a customer, and with which key.
func (rq *request) customerEvent(t models.EventType, c models.Customer, done string) models.Event {
	return models.Event{
		CreditorID: c.CreditorID, Type: t, Actor: rq.actor(), CustomerID: c.ID, SubjectID: c.ID, Text: "Customer " + done + " by " + rq.actor(),
	}
}

// ofCustomer narrows a list to the customer in the path (rule D25).
func (s *Server) ofCustomer(list handler) handler {
	return func(ctx context.Context, rq *request) (answer, error) {
		id, err := rq.pathID()
		if err != nil {
			return answer{}, err
		}
		if _, err := s.db.Customer(ctx, rq.creditor.ID, id); err != nil {
			return answer{}, err
		}
		rq.customerID = id
		return list(ctx, rq)
	}
}
