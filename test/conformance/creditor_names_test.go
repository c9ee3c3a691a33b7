package conformance_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
)

// TestD100NumbersBeforeNames: a creditor cannot take a number for its name, and on the command line digits are always the number.
func TestD100NumbersBeforeNames(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c, victim := in.creditor(t), in.creditor(t)
		before := c.Get("/creditor").Shown().At("name")
		for _, name := range []string{victim.creditor, "1", " 17 ", "１２", "0 0"} {
			c.Put("/creditor", tag("creditor", tag("name", name))).Refused(422, "name_is_a_number name")
		}
		named := models.NewCreditor("4711")
		if err := in.App.CreateCreditor(t.Context(), &named); err == nil {
			t.Error("the command line creates a creditor 4711")
		}

		// A creditor who has such a name from before keeps it, and changes everything else.
		must(t, in.App.DB.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			id, err := strconv.ParseInt(c.creditor, 10, 64)
			must(t, err)
			old, err := tx.LockCreditor(t.Context(), id)
			must(t, err)
			old.Name = victim.creditor
			return tx.UpdateCreditor(t.Context(), &old)
		}))
		c.Put("/creditor", string(c.Get("/creditor").Body)).Is(200)
		c.Put("/creditor", tag("creditor", tag("phone", "55 00 00 00"))).Shown().Shows("name " + victim.creditor)
		for text, want := range map[string]string{
			victim.creditor: victim.creditor, "0" + victim.creditor: victim.creditor, "name:" + victim.creditor: c.creditor, `"` + victim.creditor + `"`: c.creditor,
		} {
			found, err := in.App.Creditor(t.Context(), text)
			must(t, err)
			equal(t, "the number of "+text, strconv.FormatInt(found.ID, 10), want)
		}
		c.Put("/creditor", tag("creditor", tag("name", "name:"+before))).Is(200)
		for _, text := range []string{"name:" + before, before} {
			if found, err := in.App.Creditor(t.Context(), text); err == nil {
				t.Errorf("%s is creditor %d, who calls itself %s", text, found.ID, found.Name)
			}
		}
		c.Put("/creditor", tag("creditor", tag("name", "4712"))).Refused(422, "name_is_a_number name")
		_, err := in.App.Creditor(t.Context(), "999999")
		if err == nil || !strings.Contains(err.Error(), "no such creditor") {
			t.Errorf("the creditor 999999: %v", err)
		}
	})
}

// TestD114FirstNumberLeavesRoom for a million documents, as far as the KIDs' length does.
func TestD114FirstNumberLeavesRoom(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		for _, tt := range []struct{ length, most, over string }{
			{"10", "998999999", "999000000"},
			{"8", "8999999", "9000000"},
			{"7", "999999", "1000000"},
			{"4", "999", "1000"},
			{"25", "999999999998999999", "9223372036854775807"},
		} {
			set := func(number string) *answer {
				return c.Put("/creditor", tag("creditor", tag("kid_length", tt.length), tag("first_number", number)))
			}
			set(tt.over).Refused(422, "out_of_range first_number")
			set(tt.most).Is(200)
		}
		c.Put("/creditor", tag("creditor", tag("kid_length", "10"))).Refused(422, "out_of_range first_number")
	})
}
