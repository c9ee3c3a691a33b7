package console

import (
	"testing"

	"purr/billing"
	"purr/models"
)

// TestE10FaultsOfAnInvoiceStandAtTheirFields where the form's first row is empty: line 1 of the invoice is in row 2, line 2 in row 4.
func TestE10FaultsOfAnInvoiceStandAtTheirFields(t *testing.T) {
	t.Parallel()
	line := func(nth int) models.Place { return models.At("lines").Item("line", nth) }
	for _, tt := range []struct {
		place       models.Place
		code, field string
	}{
		{nil, "held", ""},
		{models.At("num_due_days"), "out_of_range", "num_due_days"},
		{models.At("lines"), "required", "line_text-1"},
		{models.At("line_text").Under(line(1)), "required", "line_text-2"},
		{models.At("discount_percent").Under(line(2)), "out_of_range", "discount_percent-4"},
		{line(2), "vat_not_registered", "vat_rate-4"},
		{models.At("unit_price-4"), "invalid_price", "unit_price-4"},
		{models.At("recipient", "name1"), "required", "name1"},
		{models.At("recipient", "organisation_number"), "organisation_number_required", "organisation_number"},
		{models.At("recipient", "email"), "email_required", "method"},
		{models.At("recipient"), "organisation_number_required", "method"},
		{models.At("recipient"), "not_found", "recipient"},
		{billing.AtMethod(), "invalid_shipment_method", "method"},
	} {
		fault := models.Invalid(tt.code, "", "it is wrong").Under(tt.place)
		if got := (filledRows{2, 4}).fieldOf(fault); got != tt.field {
			t.Errorf("%s at %s stands at the field %q, want %q", tt.code, tt.place, got, tt.field)
		}
	}
}
