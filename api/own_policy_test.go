package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
)

const everyElement = `<enabled>1</enabled><first_notice_days>3</first_notice_days><second_notice_days>4</second_notice_days><fee>12.50</fee>` +
	`<add_interest>0</add_interest><interest_rate>7.25</interest_rate><days_to_pay>30</days_to_pay>` +
	`<debt_collection_notice>never</debt_collection_notice><hand_over_days>9</hand_over_days><minimum_balance>100.00</minimum_balance>` +
	`<weekdays_only>0</weekdays_only><require_payment_file>0</require_payment_file>`

func policyBody(elements string) string {
	return `<customer><dunning_policy>` + elements + `</dunning_policy></customer>`
}

// ownPolicy returns a customer's own policy as it is shown, "-" where it has none.
func (r reply) ownPolicy(t *testing.T) string {
	t.Helper()
	r.is(t, http.StatusOK)
	_, rest, has := strings.Cut(r.body, "<dunning_policy>")
	shown, _, _ := strings.Cut(rest, "</dunning_policy>")
	if !has {
		return "-"
	}
	return shown
}

func TestE6eACustomersOwnPolicyIsShownAndChangedByElement(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		customer := in.customer()
		for _, step := range []struct{ why, body, want string }{
			{"none at first", `<customer/>`, "-"},
			{"an empty policy is none", policyBody(""), "-"},
			{"one element", policyBody("<enabled>0</enabled>"), "<enabled>0</enabled>"},
			{"another one beside it", policyBody("<fee>0</fee>"), "<enabled>0</enabled><fee>0.00</fee>"},
			{"the others stay", `<customer><name2>Ola</name2></customer>`, "<enabled>0</enabled><fee>0.00</fee>"},
			{"an empty element gives way to the creditor's", policyBody("<enabled/><fee> max </fee>"), "<fee>max</fee>"},
			{
				"none can be chosen",
				policyBody("<interest_rate>legal</interest_rate><hand_over_days>never</hand_over_days>"),
				"<fee>max</fee><interest_rate>legal</interest_rate><hand_over_days>never</hand_over_days>",
			},
			{"all elements", policyBody(everyElement), everyElement},
			{"the last one goes", policyBody(""), "-"},
		} {
			if got := in.send("PUT", customer, step.body).ownPolicy(t); got != step.want {
				t.Errorf("%s: the answer shows %s, want %s", step.why, got, step.want)
			}
			if got := in.get(customer).ownPolicy(t); got != step.want {
				t.Errorf("%s: the customer has %s, want %s", step.why, got, step.want)
			}
		}
		made := in.make("/api/v1/customers", `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name>`+
			`<dunning_policy>`+everyElement+`</dunning_policy></customer>`)
		if got := in.get(made).ownPolicy(t); got != everyElement {
			t.Errorf("a customer made with a policy has %s", got)
		}
	})
}

func TestE6eAPolicyOutsideTheLawIsRefused(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	in.customer()
	for elements, want := range map[string]string{
		"<fee>38.01</fee>":              "illegal_policy@dunning_policy/fee",
		"<days_to_pay>13</days_to_pay>": "illegal_policy@dunning_policy/days_to_pay",
		"<hand_over_days>0</hand_over_days><debt_collection_notice>third</debt_collection_notice>": "illegal_policy@dunning_policy/hand_over_days illegal_policy@dunning_policy/debt_collection_notice",
		"<enabled>on</enabled><fee>some</fee><pause>1</pause>":                                     "invalid_flag@dunning_policy/enabled invalid_amount@dunning_policy/fee unknown_element@dunning_policy/pause",
		"off": "unexpected_text@dunning_policy",
	} {
		in.send("PUT", "/api/v1/customer/1", policyBody(elements)).refused(t, http.StatusUnprocessableEntity, strings.Fields(want)...)
		in.send("POST", "/api/v1/customers", `<customer><name1>Ola</name1><postal_code>1</postal_code><postal_name>Oslo</postal_name><dunning_policy>`+
			elements+`</dunning_policy></customer>`).refused(t, http.StatusUnprocessableEntity, strings.Fields(want)...)
	}
	in.send("PUT", "/api/v1/customer/1", policyBody("<fee>38.00</fee>")).is(t, http.StatusOK)
	if got := in.get("/api/v1/customer/1").ownPolicy(t); got != "<fee>38.00</fee>" {
		t.Errorf("the policy is %s", got)
	}
}

// A policy that is not changed is not judged: its fee was legal when it was set.
func TestE6eAnotherChangeLeavesAPolicyAlone(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	customer := in.customer()
	in.write(func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.Customer(ctx, in.creditor.ID, 1)
		must(t, err)
		c.Policy.Fee = &models.Choice[models.Amount]{Value: new(models.Amount(39_00))} // the maximum of another year
		return tx.UpdateCustomer(ctx, &c)
	})
	in.send("PUT", customer, policyBody("<enabled>1</enabled>")).refused(t, http.StatusUnprocessableEntity, "illegal_policy@dunning_policy/fee")
	in.send("PUT", customer, `<customer><name2>Ola</name2></customer>`).is(t, http.StatusOK)
	in.send("PUT", customer, policyBody("")).is(t, http.StatusOK)
}

func TestE6eTheRunAndANoticeTakeTheCustomersPolicy(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.admin()
		in.send("PUT", "/api/v1/creditor", `<creditor><organisation_number>974760673</organisation_number><address1>Torget 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name>`+
			`<phone>22000000</phone><bank_account>86011117947</bank_account><dunning_policy><enabled>1</enabled></dunning_policy></creditor>`).is(t, http.StatusOK)
		exempt, usual, cheap := in.customer(), in.customer(), in.customer()
		in.send("PUT", exempt, policyBody("<enabled>0</enabled><fee>5</fee>")).is(t, http.StatusOK)
		in.send("PUT", cheap, policyBody("<fee>10</fee><add_interest>0</add_interest><days_to_pay>21</days_to_pay>")).is(t, http.StatusOK)
		invoices := make(map[string]string, 3)
		for _, customer := range []string{exempt, usual, cheap} {
			invoices[customer] = in.make("/api/v1/invoices", invoiceBody(customer, "0"))
		}
		in.pass(21)
		c, err := in.db.Creditor(t.Context(), in.creditor.ID)
		must(t, err)
		snapshot, err := dunning.TakeSnapshot(t.Context(), in.db, law.Default(), c, models.DateOf(in.clock.Now()))
		must(t, err)
		_, err = snapshot.Run(t.Context(), func() {})
		must(t, err)
		in.get(invoices[exempt]).shows(t, "@status=invoice_overdue_chargeable")
		in.get(invoices[usual]).shows(t, "@status=overdue_notice_sent", "ar_transactions/@balance=1296.63", "overdue_notices/overdue_notice/due_date=2026-04-06")
		in.get(invoices[cheap]).shows(t, "@status=overdue_notice_sent", "ar_transactions/@balance=1260.00", "overdue_notices/overdue_notice/due_date=2026-04-13")

		in.make(invoices[exempt]+"/overdue_notices", `<overdue_notice><add_overdue_charge>1</add_overdue_charge></overdue_notice>`)
		in.get(invoices[exempt]).shows(t, "@status=overdue_notice_sent", "ar_transactions/@balance=1255.00")
	})
}
