package locale

import (
	"slices"
	"testing"

	"purr/models"
)

// TestEachMethodHasItsWords: whatever a shipment goes by, or leaves by, is called by its name on each page that shows it.
func TestEachMethodHasItsWords(t *testing.T) {
	t.Parallel()
	for _, m := range slices.Concat(models.MethodsToAsk, models.WayMethods) {
		names := []string{"fact." + m.Key(), "letter_method." + string(m)}
		if m.MayAsk() {
			names = append(names, "send."+m.Key(), "customer.way."+string(m))
		}
		for _, name := range names {
			for _, l := range languages {
				if !Catalogue()[l].Knows(name) {
					t.Errorf("%s: nothing is called %s in %s", m, name, l)
				}
			}
		}
	}
}

// TestN8EachFaultOfSendingHasItsWords in every language.
func TestN8EachFaultOfSendingHasItsWords(t *testing.T) {
	t.Parallel()
	for _, fault := range models.SendingFaults {
		for language, words := range Catalogue() {
			if name := "sending_fault." + string(fault); !words.Knows(name) {
				t.Errorf("%s: nothing says %s", language, name)
			}
		}
	}
}
