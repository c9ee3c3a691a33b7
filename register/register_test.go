package register_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit/rows"
)

const (
	maxFee = models.Amount(38_00)
	actor  = "the command line"
)

// logged returns the events of a creditor, each as type, subject, text and data.
func logged(t *testing.T, db *store.DB, creditorID int64) []string {
	t.Helper()
	events, err := db.Events(t.Context(), creditorID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, len(events))
	for i, e := range events {
		lines[i] = strings.TrimSpace(fmt.Sprintf("%s %d: %s %s", e.Type, e.SubjectID, e.Text, e.Data))
	}
	return lines
}

func wantLog(t *testing.T, db *store.DB, creditorID int64, want ...string) {
	t.Helper()
	if got := logged(t, db, creditorID); !slices.Equal(got, want) {
		t.Errorf("the log is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// refused does something in a transaction that must fail with the code.
func refused(t *testing.T, db *store.DB, code string, do func(ctx context.Context, tx *store.Tx) error) {
	t.Helper()
	err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return do(t.Context(), tx) })
	var fault *models.Error
	if !errors.As(err, &fault) || fault.Code != code {
		t.Errorf("it ended with %v, want %s", err, code)
	}
}

func TestE1ACreditorIsCreatedAndChangedWithOneEventEach(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := models.NewCreditor("Fjord Rør AS")
		c.OrganisationNumber, c.Address1, c.PostalCode, c.PostalName, c.BankAccount = "974760673", "Kaigaten 1", "5003", "Bergen", "97104133219"
		rows.Write(t, db, func(tx *store.Tx) error { return register.CreateCreditor(t.Context(), tx, &c, actor) })
		fee := models.Amount(20_00)
		change := func(c *models.Creditor) error {
			c.Email, c.FirstNumber, c.Policy.Enabled, c.Policy.Fee = "post@example.no", 100, true, &fee
			return nil
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			changed, err := register.ChangeCreditor(t.Context(), tx, c.ID, maxFee, actor, change)
			if changed.Email != "post@example.no" {
				t.Errorf("it is %+v", changed)
			}
			return err
		})
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := register.ChangeCreditor(t.Context(), tx, c.ID, 0, actor, func(*models.Creditor) error { return nil })
			return err // the law has moved, but the policy was not changed
		})
		refused(t, db, "illegal_policy", func(ctx context.Context, tx *store.Tx) error {
			_, err := register.ChangeCreditor(ctx, tx, c.ID, 10_00, actor, func(c *models.Creditor) error { c.Policy.WeekdaysOnly = false; return nil })
			return err
		})
		refused(t, db, "required", func(ctx context.Context, tx *store.Tx) error {
			_, err := register.ChangeCreditor(ctx, tx, c.ID, maxFee, actor, func(c *models.Creditor) error { c.Name = ""; return nil })
			return err
		})
		refused(t, db, "name_in_use", func(ctx context.Context, tx *store.Tx) error {
			again := models.NewCreditor("Fjord Rør AS")
			return register.CreateCreditor(ctx, tx, &again, actor)
		})
		id := c.ID
		wantLog(
			t, db, id,
			fmt.Sprintf(`creditor.created %d: Creditor Fjord Rør AS created by the command line {"name":"Fjord Rør AS"}`, id),
			fmt.Sprintf("creditor.changed %d: Creditor changed by the command line: email, first_number, dunning_policy ", id)+
				`{"dunning_policy/enabled":{"was":false,"is":true},"dunning_policy/fee":{"was":null,"is":"20.00"},`+
				`"email":{"was":"","is":"post@example.no"},"first_number":{"was":1,"is":100}}`,
			fmt.Sprintf("creditor.changed %d: Creditor changed by the command line", id),
		)
	})
}

func TestE7LongValuesStayOutOfTheEvent(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := register.ChangeCreditor(t.Context(), tx, c.ID, maxFee, actor, func(c *models.Creditor) error {
				for day := range models.Date(500) {
					c.VATRates = append(c.VATRates, models.VATRate{Name: models.VATHigh, Percent: 25_00, FromDate: rows.Today + day})
				}
				return nil
			})
			return err
		})
		wantLog(t, db, c.ID, fmt.Sprintf("creditor.changed %d: Creditor changed by the command line: vat_rates", c.ID))
	})
}

func TestD17ACustomerIsCreatedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		customer := models.Customer{CreditorID: c.ID, Recipient: models.Recipient{Name1: "Kari", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO"}}
		rows.Write(t, db, func(tx *store.Tx) error { return register.CreateCustomer(t.Context(), tx, &customer, maxFee, actor) })
		off, fee := false, models.Amount(38_01)
		change := func(fee *models.Amount) func(ctx context.Context, tx *store.Tx) error {
			return func(ctx context.Context, tx *store.Tx) error {
				_, err := register.ChangeCustomer(ctx, tx, c.ID, customer.ID, maxFee, actor, func(c *models.Customer) error {
					c.Recipient.Name1, c.Policy.Enabled = "Kari Nordmann", &off
					if fee != nil {
						c.Policy.Fee = &models.Choice[models.Amount]{Value: fee}
					}
					return nil
				})
				return err
			}
		}
		rows.Write(t, db, func(tx *store.Tx) error { return change(nil)(t.Context(), tx) })
		refused(t, db, "illegal_policy", change(&fee))
		invoiced := rows.Customer(t, db, c)
		rows.Invoice(t, db, c, rows.To(invoiced))
		before := len(logged(t, db, c.ID))
		refused(t, db, "customer_has_invoices", func(ctx context.Context, tx *store.Tx) error {
			return register.DeleteCustomer(ctx, tx, c.ID, invoiced.ID, actor)
		})
		rows.Write(t, db, func(tx *store.Tx) error { return register.DeleteCustomer(t.Context(), tx, c.ID, customer.ID, actor) })
		log, id := logged(t, db, c.ID), customer.ID
		want := []string{
			fmt.Sprintf("customer.created %d: Customer created by the command line", id),
			fmt.Sprintf(`customer.changed %d: Customer changed by the command line: name1, dunning_policy {"changed":["name1","dunning_policy"],"dunning_policy/enabled":{"was":null,"is":false},"name1":{"was":"Kari","is":"Kari Nordmann"}}`, id),
			fmt.Sprintf("customer.deleted %d: Customer deleted by the command line", id),
		}
		if got := append(slices.Clone(log[:2]), log[before:]...); !slices.Equal(got, want) {
			t.Errorf("the log is %q, want %q", got, want)
		}
	})
}

func TestD3AKeyIsCreatedAndRevoked(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		var secret string
		rows.Write(t, db, func(tx *store.Tx) (err error) {
			secret, err = register.CreateKey(t.Context(), tx, c.ID, models.ScopeWrite, "shop", actor)
			return err
		})
		key, of, err := db.KeyByHash(t.Context(), models.HashKey(secret))
		if err != nil || of.ID != c.ID || key.Scope != models.ScopeWrite {
			t.Errorf("the key is %+v of creditor %d, %v", key, of.ID, err)
		}
		rows.Write(t, db, func(tx *store.Tx) error { return register.RevokeKey(t.Context(), tx, c.ID, key.ID, actor) })
		refused(t, db, "not_found", func(ctx context.Context, tx *store.Tx) error {
			return register.RevokeKey(ctx, tx, c.ID, key.ID, actor)
		})
		wantLog(
			t, db, c.ID,
			fmt.Sprintf(`key.created %[1]d: API key %[1]d (shop) of scope write created by the command line {"name":"shop","scope":"write"}`, key.ID),
			fmt.Sprintf(`key.revoked %[1]d: API key %[1]d (shop) of scope write revoked by the command line {"name":"shop","scope":"write"}`, key.ID),
		)
	})
}

func TestE7ARedeliveryIsLoggedWithItsActor(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		w := models.Webhook{CreditorID: c.ID, URL: "https://shop.example.no/purr", Enabled: true, Secret: "whsec_c2VjcmV0"}
		rows.Write(t, db, func(tx *store.Tx) error {
			if err := register.CreateWebhook(t.Context(), tx, &w, actor); err != nil {
				return err
			}
			return tx.Log(t.Context(), models.Event{CreditorID: c.ID, Type: models.EventLettersReleased, Actor: actor, Text: "x"})
		})
		if err := db.NumberEvents(t.Context()); err != nil {
			t.Fatal(err)
		}
		owed, _, err := db.WebhookDeliveries(t.Context(), c.ID, w.ID, nil, store.Page{Number: 1, Size: 10})
		if err != nil || len(owed) != 1 {
			t.Fatalf("there are %d deliveries, %v", len(owed), err)
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			_, err := register.Redeliver(t.Context(), tx, c.ID, owed[0].ID, actor)
			return err
		})
		want := fmt.Sprintf(`webhook_delivery.redelivered %d: Event %d (letters.released) is delivered once more to webhook %[3]d, by the command line {"event":%[2]d,"type":"letters.released","webhook":%[3]d}`,
			owed[0].ID, owed[0].EventID, w.ID)
		if log := logged(t, db, c.ID); len(log) != 3 || log[2] != want {
			t.Errorf("the log is %q, want %q last", log, want)
		}
	})
}
