package api_test

import (
	"encoding/xml"
	"reflect"
	"slices"
	"testing"

	"purr/api"
	"purr/api/schema"
	"purr/models"
	"purr/register"
	"purr/test/testkit/rows"
)

// TestE1EachElementIsShownAndRead shows a creditor each of whose elements is other than usual, and sends the answer for a new one.
func TestE1EachElementIsShownAndRead(t *testing.T) {
	t.Parallel()
	other, read := rows.OtherCreditor(t), models.NewCreditor("")
	must(t, api.SendShown(other, &read))
	want := register.Settings(&other)
	for i, e := range register.Settings(&read) {
		if got := e.Value(); !reflect.DeepEqual(got, want[i].Value()) {
			t.Errorf("%s: %v was shown and sent, and %v read", e.Name, want[i].Value(), got)
		}
	}
}

// TestE9EachElementIsInTheSchema looks for the elements of a creditor, of its policy and of a customer's own in the types of answers
// and of requests.
func TestE9EachElementIsInTheSchema(t *testing.T) {
	t.Parallel()
	var c models.Creditor
	creditor, policy := register.CreditorElements(&c), register.PolicyElements(&c.Policy)
	own := slices.DeleteFunc(slices.Clone(policy), func(e register.Element) bool { return e.Name == "due_after" }) // the creditor's alone
	for _, of := range []struct {
		document []byte
		typ      string
		elements []register.Element
	}{
		{schema.Answers(), "Creditor", creditor},
		{schema.Answers(), "Policy", policy},
		{schema.Answers(), "OwnPolicy", own},
		{schema.Requests(), "CreditorRequest", creditor},
		{schema.Requests(), "PolicyRequest", policy},
		{schema.Requests(), "OwnPolicyRequest", own},
	} {
		var x xsd
		must(t, xml.Unmarshal(of.document, &x))
		var names []string
		for _, one := range x.Types {
			if one.Name == of.typ {
				for _, e := range slices.Concat(one.All, one.Sequence) {
					names = append(names, e.Name)
				}
			}
		}
		for _, e := range of.elements {
			if !slices.Contains(names, e.Name) {
				t.Errorf("the type %s has no %s", of.typ, e.Name)
			}
		}
	}
}
