package accounts_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/ledger"
	"purr/ledger/accounts"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
	"purr/test/testkit/saft"
	"purr/test/testkit/validate"
)

// mustBeValid fails unless SAF-T files are valid by the official schema.
func mustBeValid(t *testing.T, files ...string) {
	t.Helper()
	schema, err := os.ReadFile(filepath.Join("testdata", "saft", "Norwegian_SAF-T_Financial_Schema_v_1.30.xsd"))
	must(t, err)
	for n, fault := range validate.Faults(t, schema, files) {
		if fault != "" {
			t.Errorf("file %d is not valid:\n%s", n, fault)
		}
	}
}

// TestA1bSAFTIsValidByTheOfficialSchema holds the golden files against the tax administration's schema, and looks for what it cannot say.
func TestA1bSAFTIsValidByTheOfficialSchema(t *testing.T) {
	t.Parallel()
	var files []string
	for _, name := range []string{"first.saft", "second.saft", "rare.saft"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		must(t, err)
		if f := saft.Read(t, content); f.Version != "1.30" || len(f.Entries.Vouchers) == 0 {
			t.Errorf("%s is of version %s with %d vouchers", name, f.Version, len(f.Entries.Vouchers))
		}
		files = append(files, string(content))
	}
	mustBeValid(t, files...)
}

// TestA1bSAFTTakesWhateverNamesAreLike has names of more characters than SAF-T has room for, with all that XML must escape, customers
// without an address, a plan with its own groupings and codes, a period without anything, and one of 2027.
func TestA1bSAFTTakesWhateverNamesAreLike(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		l.change(func(c *models.Creditor) {
			c.Name, c.Address1, c.Phone = strings.Repeat("Ærlig & <Å> \"ø\" ", 5), "Gaten & veien <1>", "+47 22 33 44 55 66 77 88 99"
			c.Email, c.Language = strings.Repeat("a", 60)+"@"+strings.Repeat("b", 60)+".example.no", "nn"
			c.AccountPlan = models.DefaultAccountPlan()
			c.AccountPlan.Kinds[len(c.AccountPlan.Kinds)-1].Account = "1920" // told
			c.AccountPlan.Sales[3].VATCode, c.AccountPlan.Sales[0].VATCode = "52", "77"
			c.AccountPlan.Groupings = []models.AccountGrouping{{Account: "3000", Category: "annenDriftsinntekt", Code: "3600"}}
		})
		l.customer = rows.Customer(t, l.db, l.creditor, func(c *models.Customer) {
			c.Recipient = models.Recipient{Name1: "Æ & <Ø>\"'", Name2: strings.Repeat("ø", 100), CustomerNumber: strings.Repeat("9", 40), PostalCode: "0001", PostalName: "Oslo", CountryCode: "SE"}
		})
		start := l.today()
		l.months()
		l.pass(400)
		first := l.content(l.make(start, start+29, models.FormSAFT))
		empty := l.content(l.make(start-20, start-1, models.FormSAFT))
		next := l.content(l.make(rows.Day("2027-01-01"), rows.Day("2027-01-31"), models.FormSAFT))
		mustBeValid(t, string(first), string(empty), string(next))
		f := saft.Read(t, first)
		saft.Read(t, empty)
		for _, a := range f.Accounts {
			if a.ID == "3000" && (a.Category != "annenDriftsinntekt" || a.Code != "3600") {
				t.Errorf("account 3000 is grouped as %s %s", a.Category, a.Code)
			}
		}
		standard := map[string]string{}
		for _, tax := range f.Taxes {
			standard[tax.Code] = tax.Standard
		}
		for code, want := range map[string]string{"77": "3", "31": "31", "52": "52", "6": "6", "7": "7"} {
			if standard[code] != want {
				t.Errorf("VAT code %s has the standard code %q, want %s", code, standard[code], want)
			}
		}
		if got := saft.Read(t, next); got.Version != "1.40" {
			t.Errorf("a period of 2027 is of version %s", got.Version)
		}
		if strings.Contains(string(first), "<Telephone>") || strings.Contains(string(first), "<Email>") {
			t.Error("a telephone number or an e-mail address was cut")
		}
	})
}

// TestA1bSAFTNamesTheOrganisation refuses SAF-T for a creditor without an organisation number, and other forms not.
func TestA1bSAFTNamesTheOrganisation(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		l.months()
		l.change(func(c *models.Creditor) { c.OrganisationNumber = "" })
		l.make(start, start+9, models.FormCSV)
		_, err := l.accounts.Make(t.Context(), l.creditor, accounts.Request{From: start, To: start + 9, Form: models.FormSAFT}, "a person")
		if got := rows.Faults(err); got != "format creditor_organisation_number_missing" {
			t.Errorf("SAF-T without an organisation number: %q (%v)", got, err)
		}
	})
}

// TestA1bClosingBalancesByCustomerAreTheLedgers compares the balances of SAF-T with those of the ledger, some days after the period, when
// more was booked and deleted (rule D33).
func TestA1bClosingBalancesByCustomerAreTheLedgers(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		l := live(t, db)
		start := l.today()
		other := rows.Customer(t, l.db, l.creditor)
		rows.Invoice(t, l.db, l.creditor, rows.To(other))
		paid := l.months()
		l.clock.Set(l.clock.Now().Truncate(24 * time.Hour).Add(36 * time.Hour))
		end := l.today() - 1
		owed := map[string]models.Amount{}
		must(t, l.db.View(t.Context(), func(v store.View) error {
			now, err := v.Balances(t.Context(), l.creditor.ID, []int64{l.customer.ID, other.ID})
			for id, balance := range now {
				owed[strconv.FormatInt(id, 10)] = balance
			}
			return err
		}))
		rows.Write(t, l.db, func(tx *store.Tx) error {
			return ledger.DeletePayment(t.Context(), tx, l.creditor.ID, paid.ID, l.today(), "a person")
		})
		l.invoice()
		f := saft.Read(t, l.content(l.make(start, end, models.FormSAFT)))
		if len(f.Parties) != 2 {
			t.Fatalf("the file has %d customers, want 2", len(f.Parties))
		}
		for _, c := range f.Parties {
			if want := owed[c.ID]; c.Balances.Closing() != want || want == 0 {
				t.Errorf("customer %s ends with %s, the ledger had %s", c.ID, c.Balances.Closing(), want)
			}
		}
	})
}
