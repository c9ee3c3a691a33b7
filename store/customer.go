package store

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// Customer returns one customer of the creditor.
func (r reads) Customer(ctx context.Context, creditorID, id int64) (models.Customer, error) {
	return readOne[models.Customer](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "customer")
}

// CustomerOfAny returns a customer of any creditor: for the operator.
func (r reads) CustomerOfAny(ctx context.Context, id int64) (models.Customer, error) {
	return readOne[models.Customer](r.with(ctx).Where("id = ?", id), "customer")
}

// CustomerOf returns the customer whose document it is.
func (r reads) CustomerOf(ctx context.Context, d models.Document) (models.Customer, error) {
	return readOne[models.Customer](r.with(ctx).Where("id = (SELECT customer_id FROM "+documentTables[d.Kind].name+" WHERE id = ?)", d.ID), "customer")
}

// CustomersOf returns the IDs of the customers whose documents they are, by document.
func (r reads) CustomersOf(ctx context.Context, ds []models.Document) (map[models.Document]int64, error) {
	customers := make(map[models.Document]int64, len(ds))
	for kind, of := range byKind(ds) {
		found, err := scan[[]struct{ ID, CustomerID int64 }](r.with(ctx).Table(documentTables[kind].name).Select("id, customer_id").Where("id IN ?", of))
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			customers[models.Document{Kind: kind, ID: row.ID}] = row.CustomerID
		}
	}
	return customers, nil
}

// WithLettersHeld returns, for each of the documents whose customer's letters are held (rule S1b), the customer's ID.
func (r reads) WithLettersHeld(ctx context.Context, ds []models.Document) (map[models.Document]int64, error) {
	held := map[models.Document]int64{}
	for kind, of := range byKind(ds) {
		found, err := scan[[]struct{ ID, CustomerID int64 }](r.with(ctx).Table(documentTables[kind].name+" d").Joins("JOIN customers c ON c.id = d.customer_id").
			Select("d.id, d.customer_id").Where("d.id IN ? AND c.letters_held_since IS NOT NULL", of))
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			held[models.Document{Kind: kind, ID: row.ID}] = row.CustomerID
		}
	}
	return held, nil
}

// CustomersByID returns the creditor's customers with the IDs, by ID.
func (r reads) CustomersByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Customer, error) {
	return readBy(r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID), customerID)
}

func customerID(c models.Customer) int64 { return c.ID }

// Customers returns a page of the creditor's customers whose names or e-mail address contain the text. It also
// returns the number of all such customers.
func (r reads) Customers(ctx context.Context, creditorID int64, text string, p Page) ([]models.Customer, int64, error) {
	narrow := func(g *gorm.DB) *gorm.DB { return g.Where("creditor_id = ?", creditorID) }
	if text != "" {
		return search[models.Customer](ctx, r, customerTexts(text), narrow, p)
	}
	all, err := r.span(ctx, customerList, creditorID, Dates{}, "")
	if err != nil || p.beyond(all.Items) {
		return nil, all.Items, err
	}
	ids, err := p.from(ctx, r, customerList, creditorID, narrow(r.from(ctx, customerList.table, customerList.index)))
	if err != nil {
		return nil, 0, err
	}
	items, err := pageOf[models.Customer](r.with(ctx), ids)
	return items, all.Items, err
}

// CustomersWithPolicy returns the creditor's customers with a dunning policy of their own, in order of ID (rule
// E6e).
func (r reads) CustomersWithPolicy(ctx context.Context, creditorID int64) ([]models.Customer, error) {
	return customersWithPolicy.all(ctx, r, creditorID)
}

var customersWithPolicy = selecting[models.Customer]("FROM customers WHERE creditor_id = ? AND dunning_policy IS NOT NULL ORDER BY id")

// HasInvoices reports whether an invoice was ever sent to the customer.
func (r reads) HasInvoices(ctx context.Context, customerID int64) (bool, error) {
	return exists(r.with(ctx).Model(&models.Invoice{}).Where("customer_id = ?", customerID))
}

// LockCustomer reads a customer of the creditor and locks it until the transaction ends.
func (tx *Tx) LockCustomer(ctx context.Context, creditorID, id int64) (models.Customer, error) {
	return readOne[models.Customer](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "customer")
}

// LockCustomers locks the creditor's customers with the IDs, in order of ID, and returns them by ID. It skips IDs
// that do not exist.
func (tx *Tx) LockCustomers(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Customer, error) {
	return readBy(forUpdate(tx.with(ctx)).Where("id IN ? AND creditor_id = ?", ids, creditorID).Order("id"), customerID)
}

// LockRecipients locks as LockCustomers does, and returns of each customer only what a document shows: the
// recipient and the language, and whether it was forgotten.
func (tx *Tx) LockRecipients(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Customer, error) {
	type locked struct {
		ID          int64
		Recipient   models.Recipient `gorm:"embedded"`
		Language    string
		ForgottenAt *time.Time
	}
	customers := forUpdate(tx.with(ctx)).Model(&models.Customer{}).Where("id IN ? AND creditor_id = ?", ids, creditorID).Order("id")
	rows, err := readAll[locked](customers)
	if err != nil {
		return nil, err
	}
	recipients := make(map[int64]models.Customer, len(rows))
	for _, row := range rows {
		recipients[row.ID] = models.Customer{ID: row.ID, CreditorID: creditorID, Recipient: row.Recipient, Language: row.Language, ForgottenAt: row.ForgottenAt}
	}
	return recipients, nil
}

// CreateCustomer writes a new customer and sets its ID and CreatedAt. It fails with a conflict if another customer has
// the customer number.
func (tx *Tx) CreateCustomer(ctx context.Context, c *models.Customer) error {
	cs := []models.Customer{*c}
	err := tx.CreateCustomers(ctx, cs)
	*c = cs[0]
	return err
}

// CreateCustomers does for any number of customers what CreateCustomer does for one.
func (tx *Tx) CreateCustomers(ctx context.Context, cs []models.Customer) error {
	if len(cs) == 0 {
		return nil
	}
	for i := range cs {
		cs[i].CreatedAt = tx.Now
		cs[i].Search = customerSearch(cs[i].Recipient)
	}
	if err := numberTaken(tx.insert(ctx, &cs)); err != nil {
		return err
	}
	var words []word
	for _, c := range cs {
		words = append(words, wordsOfCustomer(c)...)
	}
	return tx.addWords(ctx, words)
}

// UpdateCustomer writes all fields of a customer. It fails with a conflict as CreateCustomer does.
func (tx *Tx) UpdateCustomer(ctx context.Context, c *models.Customer) error {
	c.Search = customerSearch(c.Recipient)
	if err := numberTaken(tx.put(ctx, c)); err != nil {
		return err
	}
	return tx.keepWords(ctx, *c)
}

// WantAddress notes the day since when a notice has waited for a customer's address. It reports false if that is noted
// already.
func (tx *Tx) WantAddress(ctx context.Context, creditorID, id int64, since models.Date) (bool, error) {
	n, err := tx.setSome(ctx, &models.Customer{}, map[string]any{"address_wanted": since}, "id = ? AND creditor_id = ? AND address_wanted IS NULL", id, creditorID)
	if err != nil {
		return false, err
	}
	return n > 0, nil
}

// DeleteCustomer deletes a customer, which the caller has locked and knows to have no invoices.
func (tx *Tx) DeleteCustomer(ctx context.Context, creditorID, id int64) error {
	deleted := tx.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID).Delete(&models.Customer{})
	if deleted.Error != nil || deleted.RowsAffected == 0 {
		return classify(deleted.Error, "customer")
	}
	if err := tx.dropWords(ctx, creditorID, id); err != nil {
		return err
	}
	if err := tx.with(ctx).Where("customer_id = ? AND creditor_id = ?", id, creditorID).Delete(&models.Standstill{}).Error; err != nil {
		return classify(err, "")
	}
	if err := tx.set(ctx, &models.Mandate{}, map[string]any{"customer_id": 0}, "customer_id = ? AND creditor_id = ?", id, creditorID); err != nil {
		return err
	}
	return tx.uncount(ctx, customerList, countedRow{creditorID: creditorID, id: id, day: customersDay})
}

func numberTaken(err error) error {
	if errors.Is(err, ErrDuplicate) {
		return &models.Error{Kind: models.KindConflict, Code: "customer_number_in_use", Place: models.At("customer_number"), Msg: "another customer has this customer number"}
	}
	return err
}
