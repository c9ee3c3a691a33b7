package register_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit/rows"
)

// kept are the fields of a creditor that are no elements, and why.
var kept = map[string]string{
	"ID": "it is the row's", "CreatedAt": "it is the row's", "Policy": "its own fields are elements",
	"VATKnown": "it is a part of vat_registered", "Logo": "it is put by itself", "VATDoubted": "an event has told of it", "ToldMissing": "an event has told of it", "ClaimsDay": "the program notes it",
	"WaitingAccount": "package payee decides", "WaitingSince": "package payee decides", "WaitingIBAN": "package payee decides",
	"WaitingBIC": "package payee decides", "WaitingIBANSince": "package payee decides", "NamedAccount": "a document has named it",
	"Adopts": "adopting notes it",
}

// TestE1EachFieldOfACreditorIsAnElement walks the fields of a creditor and of its policy.
func TestE1EachFieldOfACreditorIsAnElement(t *testing.T) {
	t.Parallel()
	var c models.Creditor
	at, names := map[any]string{}, map[string]bool{}
	for _, e := range register.Settings(&c) {
		to := e.At
		if said, is := to.(register.Said); is {
			to = said.Flag
		}
		place := reflect.ValueOf(to).Pointer()
		if at[place] != "" || names[e.Name] {
			t.Errorf("%s is there twice", e.Name)
		}
		at[place], names[e.Name] = e.Name, true
	}
	for _, whole := range []reflect.Value{reflect.ValueOf(&c).Elem(), reflect.ValueOf(&c.Policy).Elem()} {
		for i := range whole.NumField() {
			name := whole.Type().Field(i).Name
			if _, is := at[whole.Field(i).Addr().Pointer()]; is == (kept[name] != "") && name != "ID" && name != "Policy" {
				t.Errorf("%s: it is an element or it is kept for a reason, and only one of both: element %t", name, is)
			}
		}
	}
}

// TestE1EachElementIsCompared gives a creditor one other element after the other.
func TestE1EachElementIsCompared(t *testing.T) {
	t.Parallel()
	fresh, other := models.NewCreditor(""), rows.OtherCreditor(t)
	if register.CreditorChanged(fresh, models.NewCreditor("")) {
		t.Error("a new creditor differs from itself")
	}
	others := register.Settings(&other)
	for i := range others {
		changed := fresh
		to := register.Settings(&changed)[i].At
		if said, is := to.(register.Said); is {
			*said.Flag = true
		} else {
			reflect.ValueOf(to).Elem().Set(reflect.ValueOf(others[i].At).Elem())
		}
		if !register.CreditorChanged(fresh, changed) {
			t.Errorf("%s may be other, and nothing is", others[i].Name)
		}
	}
}

// TestJ6EachFieldOfACustomerIsAnElement changes one field of a customer and of its own policy after the other: the event of the change
// has its old and its new value, as the interface writes it.
func TestJ6EachFieldOfACustomerIsAnElement(t *testing.T) {
	t.Parallel()
	fee, percent, days, soon := models.Amount(20_00), models.Percent(9_50), 30, 2
	step, remainder := models.WarningStep("second"), models.RemainderLeave
	method, list := models.ByEmail, models.DayList("-3 5")
	values := map[string]any{
		"ReminderMethod": &method, "FriendlyReminderDays": &models.Choice[models.DayList]{Value: &list},
		"FirstNoticeDays": &days, "SecondNoticeDays": &days, "DaysToPay": &days, "PostalDays": &soon, "PrintDays": &soon, "DebtCollectionNotice": &step, "Remainder": &remainder,
		"Fee": &models.Choice[models.Amount]{Value: &fee}, "InterestRate": &models.Choice[models.Percent]{Value: &percent}, "HandOverDays": &models.Choice[int]{Value: &days},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		creditor := rows.Creditor(t, db)
		customer := rows.Customer(t, db, creditor)
		var policy models.CustomerPolicy
		for i := range reflect.TypeOf(policy).NumField() {
			field := reflect.TypeOf(policy).Field(i)
			value := reflect.ValueOf(values[field.Name])
			if !value.IsValid() {
				value = reflect.New(field.Type.Elem())
			}
			name := "dunning_policy/" + strings.TrimSuffix(field.Tag.Get("json"), ",omitempty")
			for _, to := range []reflect.Value{value, reflect.Zero(field.Type)} {
				facts := changeOf(t, db, creditor, customer, func(c *models.Customer) { reflect.ValueOf(&c.Policy).Elem().Field(i).Set(to) })
				if change := facts[name]; change == nil || len(facts) != 2 || (change["was"] == nil) == (change["is"] == nil) {
					t.Errorf("%s changed: the event has %v", name, facts)
				}
			}
		}
		for _, text := range register.CustomerTexts(&customer) {
			if value := map[string]string{"country_code": "SE", "email": "ny@example.no", "organisation_number": "974760673", "language": "nn", "fallback": "EMAIL>PAPER"}[text.Name]; value != "" {
				want := map[string]any{"was": *text.Value, "is": value}
				facts := changeOf(t, db, creditor, customer, func(c *models.Customer) {
					for _, its := range register.CustomerTexts(c) {
						if its.Name == text.Name {
							*its.Value = value
						}
					}
				})
				if !reflect.DeepEqual(facts[text.Name], want) {
					t.Errorf("%s changed: the event has %v, want %v", text.Name, facts, want)
				}
			}
		}
		none := changeOf(t, db, creditor, customer, func(c *models.Customer) { c.Policy.Fee = &models.Choice[models.Amount]{} })
		if !reflect.DeepEqual(none["dunning_policy/fee"], map[string]any{"was": nil, "is": "max"}) {
			t.Errorf("the fee is the maximum: the event has %v", none)
		}
	})
}

// changeOf changes a customer, and returns the facts of the event: the changes by path, and changed.
func changeOf(t *testing.T, db *store.DB, creditor models.Creditor, customer models.Customer, change func(*models.Customer)) map[string]map[string]any {
	t.Helper()
	rows.Write(t, db, func(tx *store.Tx) error {
		_, err := register.ChangeCustomer(t.Context(), tx, creditor.ID, customer.ID, maxFee, actor, func(c *models.Customer) error {
			change(c)
			return nil
		})
		return err
	})
	events, err := db.NewestEvents(t.Context(), creditor.ID, store.EventFilter{Type: models.EventCustomerChanged}, 0, 1)
	if err != nil || len(events) != 1 {
		t.Fatalf("events are %v, %v", events, err)
	}
	var facts map[string]any
	if err := json.Unmarshal([]byte(events[0].Data), &facts); err != nil {
		t.Fatal(err)
	}
	changes := map[string]map[string]any{}
	for name, fact := range facts {
		changes[name], _ = fact.(map[string]any)
	}
	return changes
}
