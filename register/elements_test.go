package register_test

import (
	"reflect"
	"testing"

	"purr/models"
	"purr/register"
	"purr/test/testkit/rows"
)

// kept are the fields of a creditor that are no elements, and why.
var kept = map[string]string{
	"ID": "it is the row's", "CreatedAt": "it is the row's", "Policy": "its own fields are elements",
	"VATKnown": "it is a part of vat_registered", "VATDoubted": "an event has told of it", "ToldMissing": "an event has told of it",
	"WaitingAccount": "package payee decides", "WaitingSince": "package payee decides", "WaitingIBAN": "package payee decides",
	"WaitingBIC": "package payee decides", "WaitingIBANSince": "package payee decides", "NamedAccount": "a document has named it",
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
