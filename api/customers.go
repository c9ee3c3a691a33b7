package api

import (
	"context"
	"encoding/xml"
	"reflect"

	"purr/api/form"
	"purr/ledger"
	"purr/models"
	"purr/register"
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

// customerDetail is a customer. Only a business has an organisation number. The language and the dunning policy are
// absent unless they were chosen (rule E6e).
type customerDetail struct {
	XMLName xml.Name `xml:"customer"`
	URI     string   `xml:"uri,attr"`
	customerAddress
	CountryCode        string          `xml:"country_code"`
	Email              string          `xml:"email"`
	Phone              string          `xml:"phone,omitempty"`
	CustomerNumber     string          `xml:"customer_number"`
	OrganisationNumber string          `xml:"organisation_number,omitempty"`
	Language           string          `xml:"language,omitempty"`
	Hold               *holdXML        `xml:"dunning_hold"` // absent if there is none
	LettersHeld        *lettersHeldXML `xml:"letters_held"` // absent if letters go out
	Fallback           models.Fallback `xml:"fallback,omitempty"`
	EHF                *receptionXML   `xml:"ehf"`     // absent if the network was not asked
	Mandates           []mandateXML    `xml:"mandate"` // of AvtaleGiro, that have not ended
	Policy             *ownPolicyXML   `xml:"dunning_policy"`
}

// receptionXML says what a customer receives by EHF, as far as the network has told (rule H4a).
type receptionXML struct {
	XMLName    xml.Name        `xml:"ehf"`
	Invoice    models.Receives `xml:"receives,attr"`
	CreditNote models.Receives `xml:"credit_note,attr"`
	Reminder   models.Receives `xml:"reminder,attr"`
	CheckedAt  string          `xml:"checked_at,attr"`
}

func (rq *request) receptionXML(r models.Reception) *receptionXML {
	if r.CheckedAt == nil {
		return nil
	}
	return &receptionXML{Invoice: r.Invoice, CreditNote: r.CreditNote, Reminder: r.Reminder, CheckedAt: rq.stamp(*r.CheckedAt)}
}

// lettersHeldXML says since when, and why, letters to a customer are held (rule S1b).
type lettersHeldXML struct {
	Since  string `xml:"since,attr"`
	Reason string `xml:"reason,attr"`
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

// customerDetail shows a customer.
func (rq *request) customerDetail(c models.Customer) customerDetail {
	r := c.Recipient
	shown := customerDetail{
		URI: rq.uri("customer", c.ID), customerAddress: addressXML(r), CountryCode: r.CountryCode, Email: r.Email, Phone: r.Phone,
		CustomerNumber: r.CustomerNumber, OrganisationNumber: r.OrganisationNumber, Language: c.Language,
		Hold: rq.holdXML(c.Hold), Fallback: c.Fallback, EHF: rq.receptionXML(c.Reception), Policy: ownPolicyOf(c.Policy),
	}
	if held := c.LettersHeld; held.Since != nil {
		shown.LettersHeld = &lettersHeldXML{rq.stamp(*held.Since), held.Reason}
	}
	return shown
}

// readCustomer changes the elements of a customer that the request holds, except the policy. An empty element clears a
// text (rule D17). The default country is Norway (rule D16).
func readCustomer(e *form.Element, c *models.Customer) {
	for _, t := range register.CustomerTexts(c) {
		form.Set(t.Value)(e.Line(t.Name))
	}
	if c.Recipient.CountryCode == "" {
		c.Recipient.CountryCode = "NO"
	}
}

// readCustomerForm changes the elements of a customer and of its policy that the request holds. Its error lists every
// fault.
func readCustomerForm(f *form.Form, c *models.Customer, maxFee models.Amount) error {
	before := *c
	readCustomer(f.Element, c)
	readOwnPolicy(f.Child("dunning_policy"), &c.Policy)
	if before.ID != 0 && !register.CustomerChanged(before, *c) {
		return f.Done(nil)
	}
	return f.Done(append(faultsOf(c.ValidateChange(before)), policyFaults(reflect.DeepEqual(before.Policy, c.Policy), c.Policy, maxFee)...))
}

// listCustomers lists the customers.
func (s *Server) listCustomers(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	search := q.line("search")
	return listed("customers", q, rq.customerItem, func(p store.Page) ([]models.Customer, int64, error) {
		return s.db.Customers(ctx, rq.creditor.ID, search, p)
	})
}

// createCustomer creates a customer.
func (s *Server) createCustomer(ctx context.Context, rq *request, _ int64, body form.Body) (effect, error) {
	f, err := rq.parse(body, "customer", customerDetail{})
	if err != nil {
		return nil, err
	}
	maxFee, err := s.maxFee(ctx, s.db, rq)
	if err != nil {
		return nil, err
	}
	fresh := models.Customer{CreditorID: rq.creditor.ID}
	if err := readCustomerForm(f, &fresh, maxFee); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		customer := fresh
		if err := register.CreateCustomer(ctx, tx, &customer, maxFee, rq.actor()); err != nil {
			return answer{}, err
		}
		shown := rq.customerDetail(customer)
		return rq.created(shown.URI, shown)
	}, nil
}

// changeCustomer changes the elements of a customer that the request holds (rule D17).
func (s *Server) changeCustomer(rq *request, id int64, body form.Body) (act, error) {
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		maxFee, err := s.maxFee(ctx, tx, rq)
		if err != nil {
			return nil, err
		}
		customer, err := register.ChangeCustomer(ctx, tx, rq.creditor.ID, id, maxFee, rq.actor(), func(c *models.Customer) error {
			f, err := rq.parse(body, "customer", rq.customerDetail(*c))
			if err != nil {
				return err
			}
			return readCustomerForm(f, c, maxFee)
		})
		if err != nil {
			return nil, err
		}
		return rq.customerWithMandates(ctx, tx.View(), customer)
	}, nil
}

// settleCustomer moves the free credit of the customer in the path to its open invoices, the oldest due date first: what was
// overpaid on other invoices, and what is outstanding on credit notes. The answer is the customer. If there is nothing to
// move, nothing is written (rule L5).
func settleCustomer(rq *request, id int64, body form.Body) (act, error) {
	if err := form.ParseEmpty(body, "settle"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		customer, err := tx.Customer(ctx, rq.creditor.ID, id)
		if err != nil {
			return nil, err
		}
		if _, err := ledger.MoveCredit(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor(), nil); err != nil {
			return nil, err
		}
		return rq.customerWithMandates(ctx, tx.View(), customer)
	}, nil
}

// askReception asks the network now what the customer in the path receives by EHF, and answers with that (rule H4a).
func (s *Server) askReception(ctx context.Context, rq *request, id int64, body form.Body) (effect, error) {
	if err := form.ParseEmpty(body, "ehf"); err != nil {
		return nil, err
	}
	customer, err := s.db.Customer(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	if s.cfg.Lookup == nil {
		return nil, models.Conflict("lookup_off", "nothing asks the network: see peppol-lookup")
	}
	number := customer.Recipient.OrganisationNumber
	if number == "" {
		return nil, models.Invalid("organisation_number_required", "organisation_number", "only a business receives EHF: the customer has no organisation_number")
	}
	told, err := s.cfg.Lookup.Ask(ctx, number)
	if err != nil {
		told = models.UnknownReception(number)
		s.cfg.Log.Warn("the network could not be asked what a customer receives", "customer", id, "error", err)
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		if _, err := register.NoteReception(ctx, tx, rq.creditor.ID, id, told); err != nil {
			return answer{}, err
		}
		shown := told
		shown.CheckedAt = &tx.Now
		return rq.ok(rq.receptionXML(shown))
	}, nil
}

// deleteCustomer deletes a customer who never got an invoice.
func deleteCustomer(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return register.DeleteCustomer(ctx, tx, rq.creditor.ID, id, rq.actor())
}

// releaseLetters lets letters go to the customer in the path again.
func releaseLetters(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return register.ReleaseLetters(ctx, tx, rq.creditor.ID, id, rq.actor())
}

// ofCustomer narrows a list to what belongs to the customer in the path (rule D25).
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
