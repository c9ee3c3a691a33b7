package girobank

import (
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/giro"
)

// TestDeadlinesOfClaimsG3 sends a claim with a due date at a moment.
func TestDeadlinesOfClaimsG3(t *testing.T) {
	for _, c := range []struct {
		name, at, due string
		notice        bool
		complaint     string // empty: taken
	}{
		{"nine days ahead", "2027-01-15 13:59", "2027-01-24", false, ""},
		{"eight days ahead", "2027-01-15 13:59", "2027-01-23", false, "too late"},
		{"today", "2027-01-15 09:00", "2027-01-15", false, "too late"},
		{"yesterday", "2027-01-15 09:00", "2027-01-14", false, "which is past"},
		{"twelve months ahead", "2027-01-15 09:00", "2028-01-15", false, ""},
		{"a day more", "2027-01-15 09:00", "2028-01-16", false, "more than 12 months ahead"},
		{"at 14:00", "2027-01-14 14:00", "2027-02-10", false, "after 14:00"},
		{"on a Saturday", "2027-01-16 09:00", "2027-02-10", false, "no bank day"},
		{"on Christmas Eve, when banks rest", "2026-12-24 09:00", "2027-02-10", false, "no bank day"},
		{"notice: due on the 15th, last bank day of the month before", "2027-01-29 13:00", "2027-02-15", true, ""},
		{"notice: due on the 15th, first of its month", "2027-02-01 09:00", "2027-02-15", true, "too late"},
		{"notice: due on the 14th, month before", "2027-01-29 13:00", "2027-02-14", true, "too late"},
		{"notice: due on the 14th, two months before", "2026-12-31 13:00", "2027-02-14", true, ""},
		{"notice: due in January, November of the year before", "2026-11-30 13:00", "2027-01-14", true, ""},
		{"notice: due in January, December", "2026-12-01 09:00", "2027-01-14", true, "too late"},
	} {
		b := newBank(t)
		claim := claimOf(sampleKID, day(t, c.due), 100)
		if c.notice {
			claim.Type = giro.ClaimBankNotice
		}
		receipts := b.Receive(c.name, fileOf(t, 1, claim), on(t, c.at))
		if c.complaint == "" {
			mustBeContent(t, b)
		} else {
			mustComplain(t, b, c.complaint)
		}
		refused := false
		for _, row := range rowsOf(t, receipts) {
			refused = refused || strings.Contains(row, ";AVVIST;")
		}
		taken := c.complaint == "" || strings.Contains(c.complaint, "14:00") || strings.Contains(c.complaint, "bank day") // it counts as of the next one
		if refused == taken {
			t.Errorf("%s: refused is %t", c.name, refused)
		}
	}
	b := New(Settings{Sender: sender, LeadDays: 20})
	b.Agreement(account)
	b.SignUp(account, sampleKID, false, 1)
	b.Receive("its own lead", fileOf(t, 1, claimOf(sampleKID, day(t, "2027-02-03"), 100)), on(t, "2027-01-15 09:00"))
	mustComplain(t, b, "too late")
}

// TestCancellationsG3a sends a claim due on Wednesday 10 February, and takes it back at a moment.
func TestCancellationsG3a(t *testing.T) {
	claim := claimOf(sampleKID, 0, 5000)
	for _, c := range []struct {
		name, due, at string
		change        func(*giro.Claim)
		complaint     string
	}{
		{"the day before, before 14:00", "2027-02-10", "2027-02-09 13:59", nil, ""},
		{"the day before, at 14:00", "2027-02-10", "2027-02-09 14:00", nil, "too late to cancel"},
		{"on the due date", "2027-02-10", "2027-02-10 09:00", nil, "too late to cancel"},
		{"on the Friday before a Monday", "2027-02-08", "2027-02-05 13:59", nil, ""},
		{"on the Sunday before a Monday", "2027-02-08", "2027-02-07 09:00", nil, "too late to cancel"},
		{"of another KID", "2027-02-10", "2027-01-20 09:00", func(c *giro.Claim) { c.KID = kidOf("0000000", "99") }, "is of no claim"},
		{"of another amount", "2027-02-10", "2027-01-20 09:00", func(c *giro.Claim) { c.Amount++ }, "is of no claim"},
		{"of another due date", "2027-02-10", "2027-01-20 09:00", func(c *giro.Claim) { c.Due++ }, "is of no claim"},
	} {
		b := newBank(t)
		claim.Due = day(t, c.due)
		b.Receive("claim", fileOf(t, 1, claim), on(t, "2027-01-15 09:00"))
		cancellation := back(claim)
		if c.change != nil {
			c.change(&cancellation)
		}
		rows := rowsOf(t, b.Receive("cancellation", fileOf(t, 2, cancellation), on(t, c.at)))
		drawn := b.Draw(claim.Due) != nil
		if c.complaint == "" {
			mustBeContent(t, b)
		} else if all := strings.Join(b.Complaints(), "\n"); !strings.Contains(all, c.complaint) || len(rows) != 1 {
			t.Errorf("%s: complaints %q, rows %q", c.name, all, rows)
		}
		if drawn != (c.complaint != "") {
			t.Errorf("%s: drawn is %t", c.name, drawn)
		}
	}
}

func TestCancellationInTheFileOfItsClaimG3a(t *testing.T) {
	b := newBank(t)
	claim := claimOf(sampleKID, day(t, "2027-02-10"), 5000)
	rows := rowsOf(t, b.Receive("both", written(t, &giro.ClaimFile{Sender: sender, Number: 1, Assignments: []giro.ClaimAssignment{
		{Number: 1, Account: account, Claims: []giro.Claim{claim}},
		{Number: 2, Account: account, Cancellations: true, Claims: []giro.Claim{back(claim)}},
	}}), on(t, "2027-01-15 09:00")))
	mustComplain(t, b, "in the file of its claim")
	if len(rows) != 1 || !strings.Contains(rows[0], "0000001;0000002;") || b.Draw(claim.Due) == nil {
		t.Errorf("the rows are %q, or the claim is not drawn", rows)
	}
}

// TestChangeIsCancellationAndClaimG3a takes a claim back and asks for another amount in one file, then takes back what was taken back.
func TestChangeIsCancellationAndClaimG3a(t *testing.T) {
	b := newBank(t)
	claim := claimOf(sampleKID, day(t, "2027-02-10"), 5000)
	b.Receive("claim", fileOf(t, 1, claim), on(t, "2027-01-15 09:00"))
	other := claim
	other.Amount = 4000
	b.Receive("change", written(t, &giro.ClaimFile{Sender: sender, Number: 2, Assignments: []giro.ClaimAssignment{
		{Number: 2, Account: account, Claims: []giro.Claim{other}},
		{Number: 3, Account: account, Cancellations: true, Claims: []giro.Claim{back(claim)}},
	}}), on(t, "2027-01-18 09:00"))
	mustBeContent(t, b)
	b.Receive("again", fileOf(t, 4, back(claim)), on(t, "2027-01-19 09:00"))
	mustComplain(t, b, "is of no claim")
	b.Draw(claim.Due)
	if drawn := b.Drawn(); len(drawn) != 1 || drawn[0].Amount != 4000 {
		t.Errorf("drawn is %v", drawn)
	}
}

// TestNothingTwiceG3 gives numbers and claims twice.
func TestNothingTwiceG3(t *testing.T) {
	claim := func(document string) giro.Claim {
		return claimOf(kidOf("0000000", document), day(t, "2027-12-10"), 5000)
	}
	send := func(b *Bank, transmission, assignment int, at string, c giro.Claim) string {
		return names(b.Receive("claims", written(t, &giro.ClaimFile{Sender: sender, Number: transmission, Assignments: []giro.ClaimAssignment{
			{Number: assignment, Account: account, Claims: []giro.Claim{c}},
		}}), on(t, at)))
	}
	for _, c := range []struct {
		name                     string
		transmission, assignment int
		at                       string
		claim                    giro.Claim
		complaint, receipt       string
	}{
		{"another", 2, 2, "2027-01-18 09:00", claim("12"), "", "KV.GODKJENT.F0000002"},
		{"the transmission's number", 1, 2, "2027-06-15 09:00", claim("12"), "transmission number 0000001 was given before", "KV.AVVIST.F0000001"},
		{"the assignment's number", 2, 1, "2027-06-15 09:00", claim("12"), "the number was given on 2027-01-15", "L00202."},
		{"the claim", 2, 2, "2027-06-15 09:00", claim("11"), "a second claim for KID", "L00202."},
	} {
		b := newBank(t)
		send(b, 1, 1, "2027-01-15 09:00", claim("11"))
		if got := send(b, c.transmission, c.assignment, c.at, c.claim); !strings.Contains(got, c.receipt) {
			t.Errorf("%s: the receipts are %s", c.name, got)
		}
		if c.complaint == "" {
			mustBeContent(t, b)
			continue
		}
		mustComplain(t, b, c.complaint)
	}
	for at, again := range map[string]bool{"2028-01-14 09:00": false, "2028-01-17 09:00": true} { // twelve months and a day after 15 January
		b := newBank(t)
		send(b, 1, 1, "2027-01-15 09:00", claim("11"))
		next := claim("12")
		next.Due += models.Date(200)
		if send(b, 2, 1, at, next); (len(b.Complaints()) == 0) != again {
			t.Errorf("%s: the number may come again: %t, %q", at, again, b.Complaints())
		}
	}
}

// TestWrongAssignmentLeavesTheOthersG4: what is wrong with one account's assignment refuses the claims of that one alone.
func TestWrongAssignmentLeavesTheOthersG4(t *testing.T) {
	b := newBank(t)
	kid, due := kidOf("0000009", "11"), day(t, "2027-02-10")
	b.SignUp(otherAccount, kid, false, 1)
	rows := rowsOf(t, b.Receive("claims", written(t, &giro.ClaimFile{Sender: sender, Number: 1, Assignments: []giro.ClaimAssignment{
		{Number: 1, Account: "99991042764", Claims: []giro.Claim{claimOf(sampleKID, due, 100), claimOf(kid, due, 200)}},
		{Number: 1, Account: otherAccount, Claims: []giro.Claim{claimOf(kid, due, 300)}},
	}}), on(t, "2027-01-15 09:00")))
	if len(rows) != 2 || !strings.Contains(rows[1], ";2,00;AVVIST;10;Oppdraget er avvist") {
		t.Errorf("the rows are %q", rows)
	}
	mustComplain(t, b, "the account 99991042764 has no agreement")
	if b.Draw(due); len(b.Drawn()) != 1 || b.Drawn()[0].Amount != 300 {
		t.Errorf("drawn is %v", b.Drawn())
	}
}
