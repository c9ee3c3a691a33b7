package console

import (
	"strings"
	"testing"

	"purr/models"
)

// TestD92TheLettersSayToWhom by each method.
func TestD92TheLettersSayToWhom(t *testing.T) {
	t.Parallel()
	r := models.Recipient{Name1: "Kari", Address1: "Storgata 1", PostalCode: "0155", PostalName: "Oslo", Email: "kari@example.no", OrganisationNumber: "974760673"}
	for method, want := range map[models.ShipmentMethod]string{
		models.ByPaper: "Storgata 1, 0155 Oslo", models.ByEmail: "kari@example.no", models.ByEHF: "0192:974760673", models.Auto: "Storgata 1, 0155 Oslo",
	} {
		if got := (letter{Shipment: models.Shipment{Method: method, Recipient: r}}).Way(); got != want {
			t.Errorf("%s goes to %q, want %q", method, got, want)
		}
	}
}

func TestEveryKindOfDocumentHasItsPage(t *testing.T) {
	t.Parallel()
	p := lettersPage{}
	for _, kind := range models.DocumentKinds() {
		if page := documentPages[kind]; page == "" || !strings.Contains(p.DocumentPath(letter{Shipment: models.Shipment{DocumentKind: kind}, Number: 7}), "/7") {
			t.Errorf("%s is shown at %q", kind, page)
		}
	}
}
