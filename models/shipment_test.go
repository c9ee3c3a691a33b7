package models

import "testing"

// TestD92WhomAShipmentGoesTo shows of a recipient what each method uses.
func TestD92WhomAShipmentGoesTo(t *testing.T) {
	t.Parallel()
	all := Recipient{
		Name1: "Kari", Name2: "v/ Ola", Address1: "Storgata 1", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO",
		Email: "kari@example.no", CustomerNumber: "17", OrganisationNumber: "974760673",
	}
	named, letter, auto := Recipient{Name1: "Kari", Name2: "v/ Ola"}, all, all
	mail, ehf := named, named
	mail.Email, ehf.OrganisationNumber = all.Email, all.OrganisationNumber
	letter.Email, letter.OrganisationNumber, letter.CustomerNumber, auto.CustomerNumber = "", "", "", ""
	for method, want := range map[ShipmentMethod]Recipient{ByPaper: letter, ByEmail: mail, ByEHF: ehf, Auto: auto} {
		if got := (Shipment{Method: method, Recipient: all}).To(); got != want {
			t.Errorf("%s goes to %+v, want %+v", method, got, want)
		}
	}
	if id := ehf.NetworkID(); id != "0192:974760673" {
		t.Errorf("the network knows the recipient as %s", id)
	}
}
