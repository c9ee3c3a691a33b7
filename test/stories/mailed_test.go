//go:build whole

package stories_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"purr/test/testkit/house"
)

// byMail is the policy of customers who are reminded by e-mail.
var byMail = tag("reminder_method", "EMAIL")

// mailed tells of reminders by e-mail (rule L22). Invoices of 1000 kroner are due on Monday 5 January.
var mailed = []story{
	{
		title: "A reminder goes by e-mail, and the warning on paper", policy: byMail,
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-16", isPlanned(1, "2026-01-19", `<notice `, `shipment_method="EMAIL"`), isPlanned(1, "2026-02-16", `is_incasso_notice="1"`, `shipment_method="PAPER"`)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "Who has no e-mail address is left alone until there is one, where reminders go by e-mail", policy: byMail,
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-16", isPlanned(1, "2026-01-19", `<left_alone `, `reason="no_address"`)),
			on("2026-01-26", hasEmail("Kari Nordmann", "kari@example.no")),
		},
		charged: []charge{
			{"2026-01-27 Reminder 1 on invoice 1", "38.00", "22/365 of 1000.00 at 12", "2026-02-10"},
			{"2026-02-24 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-10"},
		},
	},
	{
		title: "By the way that suits, who has no e-mail address is reminded on paper, and the other by e-mail", policy: tag("reminder_method", "AUTO"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), invoice("Ola Nordmann", "1000.00", 0), hasEmail("Ola Nordmann", "ola@example.no")),
			on("2026-01-16", isPlanned(1, "2026-01-19", `<notice `, `shipment_method="PAPER"`), isPlanned(2, "2026-01-19", `<notice `, `shipment_method="EMAIL"`)),
			on("2026-02-10", pays(1, "1042.60"), pays(2, "1042.60")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 2", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		// The e-mail comes back on Friday 23 January: Monday the 26th is the next sending day.
		title: "A reminder whose e-mail bounces after days is withdrawn, and goes on paper on the next sending day", policy: byMail,
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-23", bounces(1), owes(1, "1000.00"), isPlanned(1, "2026-01-26", `<notice `, `shipment_method="PAPER"`, `overdue_charge="38.00"`)),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-26 Reminder 1 on invoice 1", "38.00", "21/365 of 1000.00 at 12", "2026-02-09"},
			{"2026-02-23 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-09"},
		},
	},
	{
		title: "Who pays after the e-mail has bounced owes no fee, and hears nothing", policy: byMail,
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-23", bounces(1)),
			on("2026-01-24", pays(1, "1000.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
		},
	},
	{
		title: "A reminder that is asked for by e-mail and bounces goes on paper on the next sending day", policy: tag("first_notice_days", "30"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0)),
			on("2026-01-19", isRefusedBy(1, "EMAIL", false, "email_required"), hasEmail("Kari Nordmann", "kari@example.no"),
				isRefusedBy(1, "EMAIL", true, "warning_on_paper"), isRefusedBy(1, "EHF", false, "invalid_shipment_method"), asksBy(1, "EMAIL")),
			on("2026-01-23", bounces(1), owes(1, "1000.00")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-26 Reminder 1 on invoice 1", "38.00", "21/365 of 1000.00 at 12", "2026-02-09"},
			{"2026-02-23 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-09"},
		},
	},
}

// friendly tells of e-mails that remind of an invoice and are no notices (rule L14).
var friendly = []story{
	{
		// Due on Monday 19 January. Five days later is a Saturday, so that the second e-mail leaves on Monday the 26th.
		title: "Two friendly reminders cost nothing, and the ladder goes its way", policy: tag("friendly_reminder_days", "-3 5"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-13", isPlanned(1, "2026-01-15"), isPlanned(1, "2026-01-16", `<friendly_reminder `), isPlanned(1, "2026-01-24", `reason="too_early"`), isPlanned(1, "2026-01-26", `<friendly_reminder `)),
			on("2026-01-28", owes(1, "1000.00")),
			on("2026-02-10", pays(1, "1042.60")),
		},
		charged: []charge{{"2026-02-02 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-16"}},
	},
	{
		title: "Who has paid, or has no e-mail address, gets no friendly reminder", policy: tag("friendly_reminder_days", "-3"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14), hasEmail("Kari Nordmann", "kari@example.no"), invoice("Ola Nordmann", "1000.00", 14)),
			on("2026-01-15", pays(1, "1000.00"), isPlanned(1, "2026-01-16"), isPlanned(2, "2026-01-16")),
			on("2026-01-20", pays(2, "1000.00")),
		},
	},
	{
		title: "A friendly reminder that is held on its day is not sent later, and a hold that has ended lets the next one go", policy: tag("friendly_reminder_days", "-3 5"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-15", holds(1, "2026-01-17")),
			on("2026-01-29", pays(1, "1000.00")),
		},
	},
	{
		// Due on Friday 16 January; 13 days later is Thursday the 29th. The other is due on Sunday the 18th, and so counts as due on Monday: a
		// reminder is due on 2 February, a Monday. Thirteen days are Saturday 31 January, which would be that Monday.
		title: "A friendly reminder does not come on the day of a notice", policy: tag("friendly_reminder_days", "13"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 11), invoice("Kari Nordmann", "500.00", 13), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-27", isPlanned(1, "2026-01-29", `<friendly_reminder `), isPlanned(2, "2026-02-02", `<notice `)),
			on("2026-02-10", pays(1, "1042.60"), pays(2, "540.30")),
		},
		charged: []charge{
			{"2026-01-30 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-13"},
			{"2026-02-02 Reminder 1 on invoice 2", "38.00", "14/365 of 500.00 at 12", "2026-02-16"},
		},
	},
}

// unmailed tells of e-mails that cannot leave from 05:00 on 19 January until noon, and from 05:00 on 2 February until the night after.
var unmailed = []story{
	{
		title: "Who has no e-mail address any more when the reminder leaves gets it on paper on the same day, and is charged once", policy: tag("reminder_method", "AUTO"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 0), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-19 05:00", mailGone()),
			on("2026-01-19 08:00", hasEmail("Kari Nordmann", "")),
			on("2026-01-19 12:00", mailBack()),
			on("2026-01-20", owes(1, "1042.60")),
		},
		charged: []charge{
			{"2026-01-19 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-01-19 Reminder 1 on invoice 1", "38.00", "14/365 of 1000.00 at 12", "2026-02-02"},
			{"2026-02-16 Debt-collection warning 2 on invoice 1", "38.00", "28/365 of 1000.00 at 12", "2026-03-02"},
		},
	},
	{
		title: "A friendly reminder that is paid for before it leaves is withdrawn", policy: tag("friendly_reminder_days", "-1"),
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 15), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-01-19 09:00", pays(1, "1000.00")),
		},
	},
	{
		title: "A reminder by e-mail that leaves a day late is issued anew on that day", policy: byMail,
		happens: []happening{
			on("2026-01-05", invoice("Kari Nordmann", "1000.00", 14), hasEmail("Kari Nordmann", "kari@example.no")),
			on("2026-02-02 05:00", mailGone()),
			on("2026-02-03 00:30", mailBack()),
		},
		charged: []charge{
			{"2026-02-02 Reminder 1 on invoice 1, withdrawn", "38.00", "14/365 of 1000.00 at 12", "2026-02-16"},
			{"2026-02-03 Reminder 1 on invoice 1", "38.00", "15/365 of 1000.00 at 12", "2026-02-17"},
		},
	},
}

// TestMailedInWinterL14L22 is told of reminders by e-mail, and of friendly reminders.
func TestMailedInWinterL14L22(t *testing.T) {
	t.Parallel()
	chapter{begins: "2026-01-05", ends: "2026-03-09", policy: tag("require_payment_file", "0"), stories: append(mailed, friendly...)}.tellInBothForms(t)
}

// TestMailThatWaitsL14L22 is told of e-mails that cannot leave for a while. It is told on MySQL and Redis too.
func TestMailThatWaitsL14L22(t *testing.T) {
	t.Parallel()
	waits := chapter{begins: "2026-01-05", ends: "2026-02-24", policy: tag("require_payment_file", "0"), stories: unmailed}
	for _, s := range house.Setups {
		t.Run(s.Name, func(t *testing.T) { t.Parallel(); waits.tell(t, s.Change) })
	}
}

// hasEmail gives a customer an e-mail address, or none.
func hasEmail(name, address string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, c.customer(t, name), tag("customer", tag("email", address)))
	}
}

// bounces reports, as the command line does, that the e-mail of the last notice on an invoice came to nothing.
func bounces(invoice int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		notices := read[struct {
			Notices []struct {
				URI string `xml:"uri,attr"`
			} `xml:"overdue_notices>overdue_notice"`
		}](t, c.get(t, c.at(t, invoice))).Notices
		sent := read[struct {
			Shipments []struct {
				URI string `xml:"uri,attr"`
			} `xml:"shipment"`
		}](t, c.get(t, "/shipments?method=EMAIL&state=sent&document=/api/v1"+below(notices[len(notices)-1].URI)))
		if len(sent.Shipments) != 1 {
			t.Fatalf("invoice %d: %d e-mails of the notice were sent", invoice, len(sent.Shipments))
		}
		uri := sent.Shipments[0].URI
		_, err := c.in.App.ReportShipment(t.Context(), uri[strings.LastIndexByte(uri, '/')+1:], "failed", "5.1.1 no such user", nil)
		must(t, err)
	}
}

// owes fails the test unless the balance of an invoice is as given.
func owes(invoice int, balance string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		if got := read[invoiceXML](t, c.get(t, c.at(t, invoice))).Ledger.Balance; got != balance {
			t.Errorf("invoice %d owes %s on %s, want %s", invoice, got, c.today(), balance)
		}
	}
}

// isPlanned fails the test unless the plan of a day says all that of an invoice; that it does not list it, if nothing is given.
func isPlanned(invoice int, day string, says ...string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		plan := string(c.get(t, "/dunning_plan?per_page=1000&date="+day))
		number := fmt.Sprintf(`invoice_number="%d"`, c.document(t, invoice).Number)
		for _, line := range strings.Split(plan, "<") {
			if line = "<" + line; !strings.Contains(line, number) {
				continue
			}
			for _, want := range says {
				if !strings.Contains(line, want) {
					t.Errorf("the plan for %s has %s, want %s", day, line, want)
				}
			}
			if len(says) == 0 {
				t.Errorf("the plan for %s has %s", day, line)
			}
			return
		}
		if len(says) > 0 {
			t.Errorf("the plan for %s has nothing of invoice %d:\n%s", day, invoice, plan)
		}
	}
}

// asksBy asks for a reminder with fee and interest by a way.
func asksBy(invoice int, method string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		body := strings.Replace(noticeOf(true, true, false), "</overdue_notice>", tag("shipment_method", method)+"</overdue_notice>", 1)
		c.create(t, c.at(t, invoice)+"/overdue_notices", body, http.StatusCreated)
	}
}

// isRefusedBy asks for a notice by a way in vain.
func isRefusedBy(invoice int, method string, warning bool, code string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		body := strings.Replace(noticeOf(true, true, warning), "</overdue_notice>", tag("shipment_method", method)+"</overdue_notice>", 1)
		answer := c.create(t, c.at(t, invoice)+"/overdue_notices", body, http.StatusUnprocessableEntity)
		if !strings.Contains(string(answer), `code="`+code+`"`) {
			t.Errorf("refused with %s, want %s", answer, code)
		}
	}
}

// mailGone takes the folder for e-mails away: a file stands in its place.
func mailGone() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		email := c.in.Path("outbox", "email")
		err := os.Rename(email, email+"-gone")
		if errors.Is(err, os.ErrNotExist) {
			err = os.MkdirAll(email+"-gone", 0o700)
		}
		must(t, errors.Join(err, os.WriteFile(email, nil, 0o600)))
	}
}

// mailBack gives the folder for e-mails back.
func mailBack() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		email := c.in.Path("outbox", "email")
		must(t, errors.Join(os.Remove(email), os.Rename(email+"-gone", email)))
	}
}

// TestMailedInJSONL14L22 sets both in JSON, and reads the plan of a friendly reminder, of a reminder by e-mail, and of one on paper after a
// bounce in JSON.
func TestMailedInJSONL14L22(t *testing.T) {
	t.Parallel()
	in := start(t, "2026-01-05 00:01", house.Embedded)
	c := in.newCreditor(t, tag("require_payment_file", "0")).cast("")
	inJSON, answered := house.ContentType("application/json"), house.Header("Accept", "application/json")
	shown := c.On(t).Put("/creditor", `{"dunning_policy": {"reminder_method": "EMAIL", "friendly_reminder_days": "5 -3"}}`, inJSON, answered).Is(http.StatusOK).Body
	says := func(answer []byte, all ...string) {
		t.Helper()
		for _, want := range all {
			if !strings.Contains(strings.ReplaceAll(string(answer), `": `, `":`), want) {
				t.Errorf("on %s the answer lacks %s:\n%s", c.today(), want, answer)
			}
		}
	}
	plan := func(day string, all ...string) {
		t.Helper()
		says(c.On(t).Get("/dunning_plan?date="+day, answered).Is(http.StatusOK).Body, all...)
	}
	says(shown, `"reminder_method":"EMAIL"`, `"friendly_reminder_days":"-3 5"`)
	invoice("Kari Nordmann", "1000.00", 14)(t, c)
	hasEmail("Kari Nordmann", "kari@example.no")(t, c)
	plan("2026-01-16", `friendly_reminder`, `"invoice_number":1`)
	in.goesOn(t, "2026-01-16 12:00")
	says(c.On(t).Get("/shipments?method=EMAIL", answered).Is(http.StatusOK).Body, `"friendly_reminder":"2026-01-16"`, `"state":"sent"`)
	says(c.On(t).Get("/events", answered).Is(http.StatusOK).Body, `"friendly_reminder.sent"`)
	plan("2026-02-02", `"shipment_method":"EMAIL"`)
	in.goesOn(t, "2026-02-04 12:00")
	bounces(1)(t, c)
	owes(1, "1000.00")(t, c)
	plan("2026-02-05", `"shipment_method":"PAPER"`)
	in.goesOn(t, "2026-02-05 12:00")
	owes(1, "1043.59")(t, c)
	in.mustNotComplain(t)
}
