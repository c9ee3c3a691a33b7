package models_test

import (
	"slices"
	"strings"
	"testing"

	"purr/models"
)

// TestE20EFakturaInAFallback: it may begin one, and stand anywhere in it. Where none names it, e-mail comes after it.
func TestE20EFakturaInAFallback(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fallback models.Fallback
		valid    bool
		after    []models.ShipmentMethod
	}{
		{"", true, []models.ShipmentMethod{models.ByEmail}},
		{"EFAKTURA", true, nil},
		{"EFAKTURA>EMAIL", true, []models.ShipmentMethod{models.ByEmail}},
		{"EFAKTURA>EMAIL>PAPER", true, []models.ShipmentMethod{models.ByEmail, models.ByPaper}},
		{"EHF>EFAKTURA>EMAIL>PAPER", true, []models.ShipmentMethod{models.ByEmail, models.ByPaper}},
		{"EFAKTURA>PAPER", true, []models.ShipmentMethod{models.ByPaper}},
		{"EMAIL>PAPER", true, nil},
		{"PAPER>EFAKTURA", false, nil},
		{"EFAKTURA>EFAKTURA", false, nil},
		{"EFAKTURA>AUTO", false, nil},
	} {
		c := models.NewCreditor("Fjord Rør AS")
		c.Fallback = tt.fallback
		if err := c.Validate(); (err == nil) != tt.valid {
			t.Errorf("%q: %v", tt.fallback, err)
		}
		if got := tt.fallback.After(models.ByEFaktura); tt.valid && !slices.Equal(got, tt.after) {
			t.Errorf("%q: after eFaktura comes %v, want %v", tt.fallback, got, tt.after)
		}
	}
	if got := models.DefaultFallback.After(models.ByEHF); !slices.Equal(got, []models.ShipmentMethod{models.ByEmail}) {
		t.Errorf("after EHF comes %v", got)
	}
}

// TestE20WhoMayAskForIt: an invoice may, and nothing else.
func TestE20WhoMayAskForIt(t *testing.T) {
	t.Parallel()
	for _, k := range models.DocumentKinds() {
		wrong := models.ByEFaktura.AskedFor(k)
		if (wrong == nil) != (k == models.InvoiceDocument) || wrong != nil && (wrong.Code != "invalid_shipment_method" || strings.Contains(wrong.Msg, "EFAKTURA")) {
			t.Errorf("a %s by eFaktura: %v", k, wrong)
		}
	}
	if wrong := models.ShipmentMethod("EFAKTUR").AskedFor(models.InvoiceDocument); wrong == nil || !strings.Contains(wrong.Msg, "PAPER, EMAIL, EHF, EFAKTURA or AUTO") {
		t.Error(wrong)
	}
}

// TestE20AUTOTriesItForPersons: with the invoice itself. A business gets what it got before.
func TestE20AUTOTriesItForPersons(t *testing.T) {
	t.Parallel()
	person, business := models.Recipient{Name1: "Kari"}, models.Recipient{Name1: "Bygg AS", OrganisationNumber: "987654325"}
	for _, tt := range []struct {
		kind models.DocumentKind
		role models.Role
		to   models.Recipient
		want bool
	}{
		{models.InvoiceDocument, models.Original, person, true},
		{models.InvoiceDocument, models.Original, business, false},
		{models.CreditNoteDocument, models.Original, person, false},
		{models.PlanDocument, models.Original, person, false},
		{models.NoticeDocument, models.Courtesy, person, false},
		{models.NoticeDocument, models.Original, person, false},
	} {
		s := models.NewShipment(1, models.Document{Kind: tt.kind, ID: 2}, tt.role, models.Auto, tt.to)
		if got := s.MayTryEFaktura(); got != tt.want {
			t.Errorf("%s of a %s to %s: %v", tt.role, tt.kind, tt.to.Name1, got)
		}
	}
}

// TestE20ATelephoneNumberHasItsCountry and between 8 and 15 digits (E.164).
func TestE20ATelephoneNumberHasItsCountry(t *testing.T) {
	t.Parallel()
	for phone, right := range map[string]bool{
		"": true, "+4791234567": true, "+12345678": true, "+123456789012345": true,
		"+1234567": false, "+1234567890123456": false, "91234567": false, "004791234567": false, "+47 912 34 567": false, "+47-91234567": false, "+0791234567": false,
		"+": false, "+4791234567\n": false, "+479123456a": false, "tel:+4791234567": false, "+４７９１２３４５６７": false,
	} {
		c := models.Customer{Recipient: models.Recipient{Name1: "Kari", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO", Phone: phone}}
		err := c.Validate()
		if (err == nil) != right || err != nil && (!strings.Contains(err.Error(), "phone") || !strings.Contains(err.Error(), "8 to 15 digits")) {
			t.Errorf("%q: %v", phone, err)
		}
	}
}

// TestE20TheWayThatIsNoneIsNotReal, and is not written down: what was kept of installations without eFaktura stays as it was.
func TestE20TheWayThatIsNoneIsNotReal(t *testing.T) {
	t.Parallel()
	off := models.Ways{models.ByEmail: models.WaySMTP, models.ByEFaktura: models.WayNone}
	if off.Real(models.ByEFaktura) || off.Of(models.ByEFaktura) != models.WayNone || strings.Contains(off.String(), "EFAKTURA") || models.Ways(nil).Of(models.ByEFaktura) != models.WayNone {
		t.Errorf("%q", off)
	}
	on := models.ParseWays(models.Ways{models.ByEFaktura: models.WayREST}.String())
	if !on.Real(models.ByEFaktura) || on.Of(models.ByPaper) != models.WayFolder || len(on.RealMethods()) != 1 {
		t.Errorf("%q", on)
	}
	if w := (models.Ways{models.ByPaper: models.WaySFTP, models.ByEmail: models.WaySMTP, models.ByEHF: models.WaySFTP, models.ByEFaktura: models.WayREST, models.Bundles: models.WaySFTP}); len(w.String()) > 120 {
		t.Errorf("%q does not fit into its column", w)
	}
}
