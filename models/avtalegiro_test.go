package models_test

import (
	"strings"
	"testing"

	"purr/models"
)

func TestTheCustomerUnitStaysG1a(t *testing.T) {
	unit := func(enabled bool, sender string) models.Creditor {
		c := models.NewCreditor("A firm")
		c.AvtaleGiro.Enabled, c.AvtaleGiro.SenderID = enabled, sender
		return c
	}
	for _, tt := range []struct {
		why         string
		now, before models.Creditor
		refused     bool
	}{
		{"it never had one", unit(false, ""), unit(false, ""), false},
		{"it gets one", unit(true, "12345678"), unit(false, ""), false},
		{"it gets another one", unit(true, "87654321"), unit(true, "12345678"), false},
		{"it stops", unit(false, "12345678"), unit(true, "12345678"), false},
		{"it is taken away", unit(false, ""), unit(true, "12345678"), true},
		{"it is taken away later", unit(false, ""), unit(false, "12345678"), true},
	} {
		err := tt.now.MayFollow(tt.before)
		if refused := err != nil && strings.Contains(err.Error(), "sender_id"); refused != tt.refused {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}
