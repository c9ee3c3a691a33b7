package models_test

import (
	"slices"
	"testing"

	"purr/models"
)

// TestTheTableOfMethods: each method has its words, what goes by it can, and nothing is left that no method carries.
func TestTheTableOfMethods(t *testing.T) {
	t.Parallel()
	listed := slices.Concat(models.MethodsToAsk, models.WayMethods)
	for _, m := range listed {
		if m.InWords() == "" {
			t.Errorf("%s has no words", m)
		}
		if m.HasChannel() != slices.Contains(models.ShipmentMethods, m) || m.MayAsk() != slices.Contains(models.MethodsToAsk, m) {
			t.Errorf("%s: the lists differ from what is said of it", m)
		}
		if m.HasChannel() && !m.MayAsk() {
			t.Errorf("%s has a channel, and nobody may ask for it", m)
		}
		if m.HasChannel() && !slices.Contains(models.WayMethods, m) {
			t.Errorf("%s has a channel and no way out", m)
		}
	}
	for _, m := range models.MethodsToAsk {
		one, batch := slices.Contains(models.SingleMethods, m), slices.Contains(models.BatchMethods, m)
		if one == batch {
			t.Errorf("%s: taken one by one %v, in batches %v, want one of both", m, one, batch)
		}
	}
	for _, k := range models.DocumentKinds() {
		if !slices.ContainsFunc(models.ShipmentMethods, func(m models.ShipmentMethod) bool { return m.Carries(k, models.Original) == nil }) {
			t.Errorf("nothing carries a %s", k)
		}
	}
	if models.ShipmentMethod("PIGEON").MayAsk() || models.ShipmentMethod("PIGEON").HasChannel() || models.ShipmentMethod("").MayAsk() {
		t.Error("a method that is not in the table may be asked for")
	}
}

// TestS1aWhatGoesByWhichMethod, and how a refusal says it.
func TestS1aWhatGoesByWhichMethod(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		m    models.ShipmentMethod
		k    models.DocumentKind
		role models.Role
		want string
	}{
		{models.ByPaper, models.InvoiceDocument, models.Original, ""},
		{models.ByPaper, models.NoticeDocument, models.Original, ""},
		{models.ByEmail, models.StatementDocument, models.Original, ""},
		{models.ByEmail, models.InvoiceDocument, models.Copy, ""},
		{models.ByEHF, models.CreditNoteDocument, models.Original, ""},
		{models.ByEmail, models.NoticeDocument, models.Original, "a notice goes on PAPER"},
		{models.ByEHF, models.NoticeDocument, models.Courtesy, "a notice goes on PAPER"},
		{models.ByPaper, models.NoticeDocument, models.Courtesy, "a copy is sent by EMAIL"},
		{models.ByPaper, models.InvoiceDocument, models.Copy, "a copy is sent by EMAIL"},
		{models.Auto, models.InvoiceDocument, models.Copy, "a copy is sent by EMAIL"},
		{models.ByEFaktura, models.InvoiceDocument, models.Original, ""}, // rule E20
		{models.ByEFaktura, models.CreditNoteDocument, models.Original, "only an invoice goes by EFAKTURA"},
		{models.ByEFaktura, models.PlanDocument, models.Original, "only an invoice goes by EFAKTURA"},
		{models.ByEFaktura, models.NoticeDocument, models.Original, "a notice goes on PAPER"},
		{models.ByEFaktura, models.LetterDocument, models.Original, "a letter for several invoices goes on PAPER"},
		{models.ByEFaktura, models.StatementDocument, models.Original, "a statement is sent by EMAIL"},
		{models.ByEFaktura, models.InvoiceDocument, models.Copy, "a copy is sent by EMAIL"},
		{models.ByEFaktura, models.InvoiceDocument, models.Duplicate, "a copy is sent by PAPER or EMAIL"},
		{models.ByEFaktura, models.InvoiceDocument, models.TellsOfTime, "a copy is sent by PAPER or EMAIL"},
		{models.ByPaper, models.PlanDocument, models.Original, ""}, // rule L15
		{models.ByEmail, models.PlanDocument, models.Original, ""},
		{models.ByPaper, models.StatementDocument, models.Original, "a statement is sent by EMAIL"},
		{models.ByEmail, models.NoticeDocument, models.Duplicate, ""}, // rule N4
		{models.ByPaper, models.NoticeDocument, models.Duplicate, ""},
		{models.ByPaper, models.InvoiceDocument, models.Duplicate, ""},
		{models.ByEHF, models.InvoiceDocument, models.Duplicate, "a copy is sent by PAPER or EMAIL"},
		{models.ByEmail, models.StatementDocument, models.Duplicate, "a copy is sent by PAPER or EMAIL"},
	} {
		got := ""
		if fault := tt.m.Carries(tt.k, tt.role); fault != nil {
			got = fault.Msg
		}
		if got != tt.want {
			t.Errorf("%s of a %s by %s: %q, want %q", tt.role, tt.k, tt.m, got, tt.want)
		}
	}
	if got := models.Alternatives(models.MethodsToAsk); got != "PAPER, EMAIL, EHF, EFAKTURA or AUTO" {
		t.Errorf("a request may ask for %q", got)
	}
}

// TestTheRoleOfAShipment is read from its row, as it was written.
func TestTheRoleOfAShipment(t *testing.T) {
	t.Parallel()
	for role, kinds := range map[models.Role][]models.DocumentKind{
		models.Original: models.DocumentKinds(), models.Copy: {models.InvoiceDocument, models.CreditNoteDocument}, models.Courtesy: {models.NoticeDocument},
		models.Duplicate: {models.InvoiceDocument, models.CreditNoteDocument, models.NoticeDocument},
	} {
		for _, k := range kinds {
			if got := models.NewShipment(1, models.Document{Kind: k, ID: 2}, role, models.ByEmail, models.Recipient{}).Role(); got != role {
				t.Errorf("a %s of a %s is read as a %s", role, k, got)
			}
		}
	}
}
