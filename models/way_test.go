package models_test

import (
	"slices"
	"testing"
	"time"

	"purr/models"
)

func TestS2AFallbackNamesMethodsInTheirOrder(t *testing.T) {
	const paper, email, ehf = models.ByPaper, models.ByEmail, models.ByEHF
	for _, tt := range []struct {
		fallback models.Fallback
		valid    bool
		ehf      []models.ShipmentMethod // what is tried after each method
		email    []models.ShipmentMethod
		paper    []models.ShipmentMethod
	}{
		{"", true, []models.ShipmentMethod{email}, nil, nil},
		{"EMAIL", true, nil, nil, nil},
		{"EHF", true, nil, nil, nil},
		{"EMAIL>PAPER", true, nil, []models.ShipmentMethod{paper}, nil},
		{"EHF>EMAIL>PAPER", true, []models.ShipmentMethod{email, paper}, []models.ShipmentMethod{paper}, nil},
		{"EHF>PAPER>EMAIL", true, []models.ShipmentMethod{paper, email}, nil, []models.ShipmentMethod{email}},
		{"EMAIL>EHF", true, nil, []models.ShipmentMethod{ehf}, nil},
		{"PAPER>EMAIL", false, nil, nil, nil},
		{"EMAIL>EMAIL", false, nil, nil, nil},
		{"EHF>AUTO", false, nil, nil, nil},
		{"EHF>", false, nil, nil, nil},
		{"email>paper", false, nil, nil, nil},
		{"EHF > EMAIL", false, nil, nil, nil},
	} {
		c := models.NewCreditor("Fjord Rør AS")
		c.Fallback = tt.fallback
		if err := c.Validate(); (err == nil) != tt.valid {
			t.Errorf("%q: %v", tt.fallback, err)
		}
		if !tt.valid {
			continue
		}
		for method, want := range map[models.ShipmentMethod][]models.ShipmentMethod{ehf: tt.ehf, email: tt.email, paper: tt.paper} {
			if got := tt.fallback.After(method); !slices.Equal(got, want) {
				t.Errorf("%q after %s: %v, want %v", tt.fallback, method, got, want)
			}
		}
	}
}

func TestH4AnAnswerOfTheNetworkCountsForADayAndForOneBusiness(t *testing.T) {
	at := time.Date(2027, 3, 2, 9, 0, 0, 0, time.UTC)
	told := models.Reception{OrganisationNumber: "987654325", Invoice: models.ReceivesYes, CreditNote: models.ReceivesNo, Reminder: models.ReceivesNo, CheckedAt: &at}
	unknown := told
	unknown.Invoice = models.ReceivesUnknown
	for _, tt := range []struct {
		name  string
		told  models.Reception
		of    string
		later time.Duration
		known bool
	}{
		{"never asked", models.Reception{}, "987654325", 0, false},
		{"just told", told, "987654325", 0, true},
		{"a moment before the day is over", told, "987654325", 24*time.Hour - 1, true},
		{"a day later", told, "987654325", 24 * time.Hour, false},
		{"of another business", told, "974760673", 0, false},
		{"not found out", unknown, "987654325", 0, false},
	} {
		if known := tt.told.Known(tt.of, at.Add(tt.later)); known != tt.known {
			t.Errorf("%s: %t", tt.name, known)
		}
	}
	if told.Of(models.InvoiceDocument) != models.ReceivesYes || told.Of(models.NoticeDocument) != models.ReceivesNo {
		t.Error("the kinds are mixed up")
	}
}
