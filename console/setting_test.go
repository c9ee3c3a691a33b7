package console

import (
	"net/url"
	"reflect"
	"slices"
	"testing"

	"purr/console/locale"
	"purr/models"
	"purr/register"
	"purr/test/testkit/rows"
)

// besides are the elements of a creditor that are no field of a form, and why.
var besides = map[string]string{
	"time_zone":    "the operator sets it, or a key by the interface",
	"vat_rates":    "the page of the VAT lists them, and takes one more",
	"account_plan": "a key by the interface sets it whole",
}

// TestE10EachElementHasItsField walks the elements of a creditor: each is a field of one form with a label in each language, and what
// the field shows is what it reads.
func TestE10EachElementHasItsField(t *testing.T) {
	t.Parallel()
	forms := slices.Concat(creditorForm, vatForm, policyForm)
	fields := map[string]setting{}
	for _, section := range forms {
		for _, s := range section.settings {
			if _, twice := fields[s.name]; twice {
				t.Errorf("%s is there twice", s.name)
			}
			fields[s.name] = s
		}
	}
	other, sent := rows.OtherCreditor(t), url.Values{}
	shown := register.Settings(&other)
	for _, e := range shown {
		s, there := fields[e.Name]
		if there == (besides[e.Name] != "") {
			t.Errorf("%s: it is a field of a form or it is besides for a reason, and only one of both", e.Name)
		}
		if !there {
			continue
		}
		for _, language := range []string{"nb", "nn", "en"} {
			if !locale.Catalogue()[language].Knows(s.label) {
				t.Errorf("%s has no label in %s", e.Name, language)
			}
		}
		if value, options := typed(locale.Catalogue()["nb"], e); value != "" || !slices.Contains(options, "type=checkbox") {
			sent.Set(e.Name, value)
		}
	}
	read := models.NewCreditor("")
	f := (&request{form: sent, fieldOf: fieldAtPlace}).fields()
	if f.change(forms, &read); len(f.faults) > 0 {
		t.Error(f.faults)
	}
	for i, e := range register.Settings(&read) {
		if got := e.Value(); besides[e.Name] == "" && !reflect.DeepEqual(got, shown[i].Value()) {
			t.Errorf("%s: %v was shown and sent, and %v read", e.Name, shown[i].Value(), got)
		}
	}
}
