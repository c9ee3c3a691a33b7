package store_test

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// searched is what a search finds, in a line: "customer Kari Nordmann, invoice 1".
func searched(t *testing.T, db *store.DB, c models.Creditor, typed string) string {
	t.Helper()
	var asked store.Queries
	found, err := db.Search(asked.Counting(t.Context()), c.ID, models.ReadQuery(typed))
	must(t, err)
	if asked.Count() > 10 {
		t.Errorf("%q asks %d questions", typed, asked.Count())
	}
	var all []string
	for _, kind := range models.HitKinds {
		for _, h := range found.Hits[kind] {
			switch kind {
			case models.HitCustomer, models.HitUnmatched:
				all = append(all, fmt.Sprint(kind, " ", h.Name1))
			default:
				all = append(all, fmt.Sprint(kind, " ", h.Number))
			}
		}
		if found.More[kind] {
			all = append(all, "more")
		}
	}
	return strings.Join(all, ", ")
}

func TestN3SearchFinds(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		customer := func(name, number, place string) models.Customer {
			return rows.Customer(t, db, c, func(customer *models.Customer) {
				customer.Recipient = models.Recipient{
					Name1: name, Address1: "Lia 2", PostalCode: "5003", PostalName: place, CountryCode: "NO", CustomerNumber: number,
					Email: strings.ToLower(strings.ReplaceAll(models.Fold(name), " ", ".")) + "@example.no",
				}
			})
		}
		kari := customer("Kari Nordmann", "17", "Bergen")
		aase := customer("Åse Bjørnstad", "K-18", "Mo i Rana")
		business := rows.Customer(t, db, c, func(customer *models.Customer) {
			customer.Recipient = models.Recipient{
				Name1: "Faktura Service AS", Address1: "Lia 2", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO", OrganisationNumber: "974760673",
			}
		})
		customer("100 % katt_hund", "", "Oslo")
		invoice := rows.Invoice(t, db, c, rows.To(kari), rows.Of(4980_00)) // 1
		rows.Invoice(t, db, c, rows.To(business), rows.Of(499_00))         // 2
		note := rows.CreditNote(t, db, c, invoice)                         // 3
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.CreateNotices(t.Context(), []models.Notice{{
				CreditorID: c.ID, CustomerID: kari.ID, InvoiceID: invoice.ID, Sequence: 1, IssueDate: rows.Today, DueDate: rows.Today + 14,
				Gross: 5018_00, KID: invoice.KID, Recipient: kari.Recipient,
			}}, [][]models.NoticeLine{{{Position: 1, Text: "x", Gross: 5018_00}}}))
			must(t, tx.CreateEntries(t.Context(), []models.Entry{{
				CreditorID: c.ID, CustomerID: kari.ID, InvoiceID: invoice.ID, Type: models.EntryOCR, Amount: -4980_00, TransactionDate: rows.Today, FromAccountNumber: "12345678903",
			}}))
			return tx.CreateUnmatchedPayments(t.Context(), []models.UnmatchedPayment{{
				CreditorID: c.ID, LineKey: lineKey(1), Amount: 77_50, TransactionDate: rows.Today, Status: models.PaymentOpen, KID: "0000000042",
				PayerName: "Truls Mørk", Text: "gjelder 20744", FromAccountNumber: "98765432109",
			}})
		})
		other := rows.Creditor(t, db)
		rows.Customer(t, db, other, func(customer *models.Customer) {
			customer.Recipient.Name1, customer.Recipient.Email = "Per Fremmed", ""
		})
		const allOfKari = "customer Kari Nordmann, invoice 1, credit_note 3, overdue_notice 1, ar_transaction 1, shipment 3, shipment 1"
		for typed, want := range map[string]string{
			"1":                              "invoice 1, overdue_notice 1, shipment 1",
			"faktura 1":                      "invoice 1",
			"fakturanr. 1":                   "invoice 1",
			"kreditnota 1":                   "credit_note 3",
			"credit note 3":                  "credit_note 3",
			"purring 1":                      "overdue_notice 1",
			"betaling 1":                     "ar_transaction 1",
			"brev 1":                         "shipment 1",
			"kunde 17":                       "customer Kari Nordmann",
			"17":                             "customer Kari Nordmann",
			fmt.Sprint("customer ", aase.ID): "customer Åse Bjørnstad",
			"kunde k-18":                     "customer Åse Bjørnstad",
			"K-18":                           "customer Åse Bjørnstad",
			invoice.KID:                      "invoice 1, overdue_notice 1, shipment 1",
			note.KID:                         "credit_note 3, shipment 3",
			"0000000042":                     "unmatched_payment Truls Mørk",
			"kid 0000000042":                 "unmatched_payment Truls Mørk",
			"20744":                          "unmatched_payment Truls Mørk",
			"1234 56 78903":                  "customer Kari Nordmann, ar_transaction 1",
			"konto 9876.54.32109":            "unmatched_payment Truls Mørk",
			"974 760 673":                    "customer Faktura Service AS",
			"NO974760673MVA":                 "customer Faktura Service AS",
			"4980":                           "invoice 1, credit_note 3, ar_transaction 1",
			"4 980,00":                       "invoice 1, credit_note 3, ar_transaction 1",
			"499.00":                         "invoice 2",
			"5018":                           "overdue_notice 1",
			"77,5":                           "unmatched_payment Truls Mørk",
			"nordmann, kari":                 allOfKari,
			"kar NORDM":                      allOfKari,
			"nordmann bergen":                allOfKari,
			"nordman kari":                   allOfKari,
			"nordmnan kari":                  allOfKari,
			"noordmann":                      allOfKari, // folded, it has another vowel
			"purring kari nordmann":          "overdue_notice 1",
			"bergen":                         "customer Kari Nordmann",
			"mo i rana":                      "customer Åse Bjørnstad",
			"aase":                           "customer Åse Bjørnstad",
			"bjrnstad":                       "customer Åse Bjørnstad",
			"ase.bjorn":                      "customer Åse Bjørnstad",
			"kari.nordmann@":                 "customer Kari Nordmann",
			"faktura service":                "customer Faktura Service AS, invoice 2, shipment 2",
			"faktura nordmann":               "invoice 1",
			"moerk":                          "unmatched_payment Truls Mørk",
			"trusl mørk":                     "unmatched_payment Truls Mørk",
			"100 % katt":                     "customer 100 % katt_hund",
			"kqrl":                           "", // too short for a slip
			"%":                              "",
			"_":                              "",
			"=service":                       "customer Faktura Service AS, invoice 2, shipment 2",
			"=":                              "",
			"'; DROP TABLE words":            "",
			"😀":                              "",
			"\x00":                           "",
			"\xff":                           "",
			"fremmed":                        "",
			"0":                              "",
			"99999999999999999999":           "",
		} {
			if got := searched(t, db, c, typed); got != want {
				t.Errorf("%q finds\n%s, want\n%s", typed, got, want)
			}
		}
		for range 12 {
			customer("Ola Tolvmann", "", "Oslo")
		}
		if got := searched(t, db, c, "tolvmann"); strings.Count(got, "customer") != store.MostFound || !strings.HasSuffix(got, "more") {
			t.Errorf("of twelve it finds %s", got)
		}
		for _, typed := range []string{"1", "4980", "kari", "17", invoice.KID, "12345678903", "974760673", "0000000042", "5018", "77.50", "customer 1"} {
			if got := searched(t, db, other, typed); got != "" {
				t.Errorf("another creditor finds %s by %q", got, typed)
			}
		}
	})
}
