package register

import (
	"context"
	"maps"
	"reflect"
	"strconv"

	"purr/models"
	"purr/store"
)

// CreateCustomer writes a new customer and sets its ID. It fails with models.Errors if a field is wrong or the
// customer's own policy is outside the law. It fails with a conflict if another customer has the customer number.
// maxFee is the legal maximum fee of today, in øre.
func CreateCustomer(ctx context.Context, tx *store.Tx, c *models.Customer, maxFee models.Amount, actor string) error {
	if err := validCustomer(*c, models.Customer{}, maxFee); err != nil {
		return err
	}
	if err := friendlyFits(ctx, tx, *c, models.Customer{}); err != nil {
		return err
	}
	if err := tx.CreateCustomer(ctx, c); err != nil {
		return err
	}
	return logCustomer(ctx, tx, models.EventCustomerCreated, *c, actor, "Customer created by "+actor, nil)
}

// ChangeCustomer calls change to set fields of a creditor's customer, and returns the changed customer. It fails if
// change fails, and in the same cases as CreateCustomer. It fails with models.ErrForgotten if the customer was forgotten.
func ChangeCustomer(
	ctx context.Context, tx *store.Tx, creditorID, id int64, maxFee models.Amount, actor string, change func(*models.Customer) error,
) (models.Customer, error) {
	before, err := tx.LockCustomer(ctx, creditorID, id)
	if err != nil {
		return models.Customer{}, err
	}
	if before.ForgottenAt != nil {
		return models.Customer{}, models.ErrForgotten
	}
	c := before
	if err := change(&c); err != nil {
		return models.Customer{}, err
	}
	if err := validCustomer(c, before, maxFee); err != nil {
		return models.Customer{}, err
	}
	if err := friendlyFits(ctx, tx, c, before); err != nil {
		return models.Customer{}, err
	}
	if r := c.Recipient; r.Addressed() || r.Email != "" && r.Email != before.Recipient.Email { // a reminder may go by e-mail (rule L22)
		c.AddressWanted = 0
	}
	changed := changes(customerElements(&before), customerElements(&c))
	text, facts := changed.text("Customer changed by "+actor), models.Facts{"changed": changed.names()}
	maps.Copy(facts, changed.facts())
	if before.LettersHeld.Since != nil && before.Recipient.Address() != c.Recipient.Address() {
		c.LettersHeld, text = models.LettersHeld{}, text+"; letters go to it again"
		facts["letters_released"] = true
		if err := tx.ReleaseLetters(ctx, creditorID, id); err != nil {
			return models.Customer{}, err
		}
	}
	if err := tx.UpdateCustomer(ctx, &c); err != nil {
		return models.Customer{}, err
	}
	return c, logCustomer(ctx, tx, models.EventCustomerChanged, c, actor, text, facts)
}

// DeleteCustomer deletes a creditor's customer. It fails with the conflict customer_has_invoices if the customer ever
// got an invoice.
func DeleteCustomer(ctx context.Context, tx *store.Tx, creditorID, id int64, actor string) error {
	c, err := tx.LockCustomer(ctx, creditorID, id)
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
	if err := tx.DeleteCustomer(ctx, creditorID, id); err != nil {
		return err
	}
	return logCustomer(ctx, tx, models.EventCustomerDeleted, c, actor, "Customer deleted by "+actor, nil)
}

// ReleaseLetters lets letters go to a creditor's customer again, to whom one came back (rule S1b). It does nothing if
// letters go out. seen is since when they are held, as the person saw it (LookAtLetters), if he looked: if it is not so any more,
// ReleaseLetters fails with the conflict changed_meanwhile (rule D115).
func ReleaseLetters(ctx context.Context, tx *store.Tx, creditorID, id int64, actor string, seen ...models.Seen) error {
	c, err := tx.LockCustomer(ctx, creditorID, id)
	if err != nil {
		return err
	}
	for _, s := range seen {
		if err := tx.Same(ctx, creditorID, models.Thing{Kind: models.ThingCustomer, ID: id}, s, LookAtLetters(c)); err != nil {
			return err
		}
	}
	if c.LettersHeld.Since == nil {
		return nil
	}
	c.LettersHeld = models.LettersHeld{}
	if err := tx.UpdateCustomer(ctx, &c); err != nil {
		return err
	}
	if err := tx.ReleaseLetters(ctx, creditorID, id); err != nil {
		return err
	}
	return logCustomer(ctx, tx, models.EventLettersReleased, c, actor, "Letters go to the customer again, by "+actor, nil)
}

// LookAtLetters returns what a person sees of a customer's letters: since when they are held.
func LookAtLetters(c models.Customer) models.Seen {
	if c.LettersHeld.Since == nil {
		return "0"
	}
	return models.Seen(strconv.FormatInt(c.LettersHeld.Since.UnixMicro(), 10))
}

// CustomerChanged reports whether an element of a customer differs.
func CustomerChanged(before, after models.Customer) bool {
	return len(changes(customerElements(&before), customerElements(&after))) > 0
}

// validCustomer returns the faults of a customer. It accepts an unchanged customer and an unchanged policy.
func validCustomer(c, before models.Customer, maxFee models.Amount) error {
	if before.ID != 0 && !CustomerChanged(before, c) {
		return nil
	}
	if err := c.ValidateChange(before); err != nil {
		return err
	}
	if reflect.DeepEqual(c.Policy, before.Policy) {
		return nil
	}
	return c.Policy.Validate(maxFee)
}

// friendlyFits returns the fault of a customer's own policy that has a friendly reminder on or after the day of the first notice, given what the
// creditor's policy fills in (rule L14). It accepts an unchanged policy.
func friendlyFits(ctx context.Context, tx *store.Tx, c, before models.Customer) error {
	own := c.Policy
	if own.FriendlyReminderDays == nil && own.FirstNoticeDays == nil || reflect.DeepEqual(own, before.Policy) {
		return nil
	}
	creditor, err := tx.Creditor(ctx, c.CreditorID)
	if err != nil {
		return err
	}
	return own.Apply(creditor.Policy).FriendlyFaults().ErrorOrNil()
}

// logCustomer logs an act on a customer. Only the event of a change has values, so that other systems can follow it (rule J6).
func logCustomer(ctx context.Context, tx *store.Tx, t models.EventType, c models.Customer, actor, text string, facts models.Facts) error {
	return tx.Log(ctx, models.Event{CreditorID: c.CreditorID, Type: t, Actor: actor, CustomerID: c.ID, SubjectID: c.ID, Text: text, Facts: facts})
}

// NoteReception keeps with a creditor's customer what the network told that a business receives by EHF, as told now, and
// returns the customer (rule H4). It keeps nothing of another business than the customer now is.
func NoteReception(ctx context.Context, tx *store.Tx, creditorID, id int64, told models.Reception) (models.Customer, error) {
	c, err := tx.LockCustomer(ctx, creditorID, id)
	if err != nil || c.Recipient.OrganisationNumber != told.OrganisationNumber {
		return c, err
	}
	told.CheckedAt = &tx.Now
	c.Reception = told
	return c, tx.UpdateCustomer(ctx, &c)
}
