package store_test

import (
	"reflect"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestRowsComeBackAsTheyWentIn writes rows with every field set and rows with only the required ones, and reads
// them again. They cover missing dates and times, microseconds, UTC, letters and extreme numbers.
func TestRowsComeBackAsTheyWentIn(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		now := time.Date(2026, time.December, 31, 23, 59, 59, 999_999_000, time.UTC)
		late := db.WithClock(clock.NewTest(now.In(time.FixedZone("somewhere", 5*3600))))
		recipient := models.Recipient{
			Name1: "Åse Øygård 🐈", Name2: `"; -- \`, Address1: "Storgata 1", Address2: "3. etg.", PostalCode: "0155", PostalName: "Oslo",
			CountryCode: "NO", Email: "åse@øygård.no", CustomerNumber: "0017", OrganisationNumber: "974760673",
		}
		note := "one line\n\tanother with % and ' and \\"

		invoices := []models.Invoice{
			{CreditorID: c.ID, Number: 1, IssueDate: 1, DueDate: 1, Deadline: 1},
			{
				CreditorID: c.ID, CustomerID: 1 << 62, Number: 2, IssueDate: day("2026-12-31"), DueDate: day("9999-12-31"), NumDueDays: 365,
				Gross: models.MaxAmount, Net: -models.MaxAmount, Note: note,
				Order: models.Order{YourReference: "Åse", OrderNumber: "PO 1", DeliveryDate: day("2026-12-30"), DeliveryPlace: "kai 3"}, KID: "0000000000000000000000018", BankAccount: "01234567890",
				Recipient: recipient, Balance: -1, Notices: 2, Warned: true, Deadline: day("2027-02-28"), Closed: models.ClosedOther,
				HandedOver: day("2027-03-01"), Hold: models.Hold{Held: true, Until: day("2028-02-29"), Reason: models.HoldDispute, Comment: note}, PDF: "sum",
			},
		}
		discount := models.Percent(0)
		lines := []models.Line{
			{Position: 1, Text: note, UnitPrice: -1, NumItems: 1, Discount: &discount, VAT: models.VATLow, VATPercent: 12_25, Net: -1, Gross: -2},
			{Position: 2, Text: "no discount", UnitPrice: 1 << 62, NumItems: -1 << 62, VAT: models.VATNone},
		}
		entries := []models.Entry{
			{CreditorID: c.ID, Type: models.EntryPayment, Amount: -1 << 62, TransactionDate: day("2026-12-31")},
			{
				CreditorID: c.ID, CustomerID: 1, InvoiceID: 2, CreditNoteID: 3, Type: models.EntryOCR, Amount: 1 << 62, TransactionDate: day("2026-12-31"),
				BankDate: day("2026-12-30"), Comment: note, FromAccountNumber: "01234567890", NoticeID: 4, PaymentFileID: 5, LineKey: lineKey(255),
			},
			{CreditorID: c.ID, Type: models.EntryPayment, TransactionDate: day("2026-12-31")}, // no line key, so no duplicate
		}
		rows.Write(t, late, func(tx *store.Tx) error {
			of := make([][]models.Line, len(invoices))
			for n := range invoices {
				of[n] = lines[n : n+1]
			}
			must(t, tx.CreateInvoices(ctx, invoices, of))
			return tx.CreateEntries(ctx, entries)
		})
		for n, want := range invoices {
			got, err := db.Invoice(ctx, c.ID, want.ID)
			must(t, err)
			same(t, got, want)
			gotLines, err := db.InvoiceLines(ctx, want.ID)
			must(t, err)
			lines[n].ID, lines[n].InvoiceID = gotLines[0].ID, want.ID
			same(t, gotLines, []models.Line{lines[n]})
		}
		for _, want := range entries {
			got, err := db.Entry(ctx, c.ID, want.ID)
			must(t, err)
			same(t, got, want)
		}
		if at := entries[0].CreatedAt; !at.Equal(now) || at.Location() != time.UTC {
			t.Errorf("the transaction's moment is %s, want %s", at, now)
		}
	})
}

// TestD9AnAnswerComesBackAsItWasGiven keeps two answers together, and one of work of several transactions.
func TestD9AnAnswerComesBackAsItWasGiven(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		wanted := []store.Answer{
			{CreditorID: 1, IdempotencyKey: "ærlig 🐈", RequestHash: "hash", Status: 201, Location: "/there", MediaType: "application/json", Body: `{"name": "Åse"}`},
			{CreditorID: 1, IdempotencyKey: "b", RequestHash: "hash"},
			{CreditorID: 1, IdempotencyKey: "c", RequestHash: "hash", Status: 422, MediaType: "application/problem+json", Body: "{}"},
		}
		for n := range wanted {
			want := &wanted[n]
			rows.Write(t, db, func(tx *store.Tx) error {
				if n < 2 {
					key := store.Reservation{Answer: *want}
					must(t, tx.ReserveKeys(ctx, []*store.Reservation{&key}))
					*want = key.Answer
					return tx.FinishAnswers(ctx, []store.Answer{*want})
				}
				leased := store.Answer{CreditorID: 1, IdempotencyKey: want.IdempotencyKey, RequestHash: want.RequestHash}
				_, err := tx.LeaseKey(ctx, &leased)
				must(t, err)
				leased.Status, leased.MediaType, leased.Body = want.Status, want.MediaType, want.Body
				*want, err = tx.FinishLeased(ctx, leased)
				leased.LeasedUntil, leased.CreatedAt = want.LeasedUntil, want.CreatedAt
				same(t, *want, leased)
				return err
			})
			got, _, err := db.AnswerTo(ctx, 1, want.IdempotencyKey, rows.Start)
			must(t, err)
			same(t, got, *want)
		}
	})
}

// same checks that a row was read as it was written.
func same[T any](t *testing.T, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("came back as\n%+v, want\n%+v", got, want)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, value := range []string{"", "2026-03-02T11:00:00Z", "åtte", ""} {
			rows.Write(t, db, func(tx *store.Tx) error {
				must(t, tx.SetSetting(t.Context(), "other", "untouched"))
				return tx.SetSetting(t.Context(), "test_clock", value)
			})
			if got, err := db.Setting(t.Context(), "test_clock"); got != value || err != nil {
				t.Errorf("the setting is %q, %v, want %q", got, err, value)
			}
		}
		if got, err := db.Setting(t.Context(), "other"); got != "untouched" || err != nil {
			t.Errorf("another setting is %q, %v", got, err)
		}
		if got, err := db.Setting(t.Context(), "never set"); got != "" || err != nil {
			t.Errorf("a setting that was never set is %q, %v", got, err)
		}
	})
}

// TestAViewStandsStill checks that the reads of a view agree while others write (D33).
func TestAViewStandsStill(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		set := func(value string) {
			rows.Write(t, db, func(tx *store.Tx) error { return tx.SetSetting(ctx, "word", value) })
		}
		set("before")
		must(t, db.View(ctx, func(v store.View) error {
			for range 2 {
				if got, err := v.Setting(ctx, "word"); got != "before" || err != nil {
					t.Errorf("the view sees %q, %v", got, err)
				}
				if creditors, err := v.Creditors(ctx); len(creditors) != 0 || err != nil { // a read that gorm builds
					t.Errorf("the view sees %d creditors, %v", len(creditors), err)
				}
				set("after")
				rows.Creditor(t, db)
			}
			return nil
		}))
		must(t, db.View(ctx, func(v store.View) error {
			if got, err := v.Setting(ctx, "word"); got != "after" || err != nil {
				t.Errorf("a later view sees %q, %v", got, err)
			}
			return nil
		}))
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.SetSetting(ctx, "word", "own"))
			if got, err := tx.View().Setting(ctx, "word"); got != "own" || err != nil {
				t.Errorf("a transaction's view sees %q, %v", got, err)
			}
			return nil
		})
		failed := models.NotFound("word")
		if err := db.View(ctx, func(store.View) error { return failed }); models.KindOf(err) != models.KindNotFound {
			t.Errorf("the error came back as %v", err)
		}
	})
}
