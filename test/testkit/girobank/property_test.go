package girobank

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
	"purr/models/calendar"
	"purr/ocr/giro"
)

// drawFile draws a file of claims, within the limits of the format, that counts as of a day. The KIDs differ.
func drawFile(t *rapid.T, number int, today models.Date) *giro.ClaimFile {
	f := &giro.ClaimFile{Sender: sender, Number: number}
	for i := range rapid.IntRange(1, 3).Draw(t, "assignments") {
		a := giro.ClaimAssignment{Number: number*10 + i, Account: rapid.SampledFrom([]string{account, otherAccount}).Draw(t, "account")}
		for j := range rapid.IntRange(1, 5).Draw(t, "claims") {
			a.Claims = append(a.Claims, drawClaim(t, fmt.Sprintf("%d%d%d", number, i, j), today))
		}
		f.Assignments = append(f.Assignments, a)
	}
	return f
}

func drawClaim(t *rapid.T, base string, today models.Date) giro.Claim {
	text := func(most int, name string) string {
		return giro.ClaimText(strings.TrimLeft(rapid.StringMatching(fmt.Sprintf(`[ -~¡-¬®-ÿ]{0,%d}`, most)).Draw(t, name), " \u00a0"), most)
	}
	c := giro.Claim{
		Type: giro.ClaimOwnNotice, Due: today + models.Date(rapid.IntRange(9, 365).Draw(t, "days")),
		Amount:    models.Amount(rapid.Int64Range(1, 1e12).Draw(t, "amount")),
		KID:       models.NewKID(base+rapid.StringMatching("[0-9]{1,17}").Draw(t, "KID"), rapid.SampledFrom([]int{10, 11}).Draw(t, "modulus")),
		ShortName: text(giro.MaxShortName, "short name"), Reference: text(giro.MaxClaimReference, "reference"),
	}
	if strings.HasSuffix(c.KID, "-") {
		c.KID = models.NewKID(base+"17", models.Modulus10)
	}
	if rapid.Bool().Draw(t, "notice") {
		c.Type = giro.ClaimBankNotice
		c.Due = max(c.Due, today+62)
		for range rapid.IntRange(0, giro.MaxSpecificationLines).Draw(t, "lines") {
			c.Specification = append(c.Specification, text(giro.MaxSpecificationLine, "line"))
		}
	}
	return c
}

// TestWhatPurrWritesIsTakenG4 sends claims, then cancellations of some of them, and lets all be drawn: each that was not cancelled is drawn
// once, by its amount and on its day, and giro reads all that the bank writes.
func TestWhatPurrWritesIsTakenG4(t *testing.T) {
	today := day(t, "2027-01-15")
	at, later := on(t, "2027-01-15 09:00"), on(t, "2027-01-18 09:00")
	rapid.Check(t, func(rt *rapid.T) {
		b := New(Settings{Sender: sender})
		b.Agreement(account)
		b.Agreement(otherAccount)
		f := drawFile(rt, rapid.IntRange(1, 999).Draw(rt, "number"), today)
		back := cancelled(rt, f)
		expected := map[string]Drawn{}
		for i, a := range f.Assignments {
			for j, c := range a.Claims {
				b.SignUp(a.Account, c.KID, c.Type == giro.ClaimBankNotice, today)
				if !back.has(i, j) {
					expected[a.Account+c.KID] = Drawn{a.Account, c.KID, c.Amount, c.Due, calendar.NextBankDay(c.Due)}
				}
			}
		}
		readPayments(t, b.MandateFile(f.Assignments[0].Account, false), today)
		content := written(t, f)
		b.Receive("claims", content, at)
		if _, err := giro.ReadClaims(bytes.NewReader(content), today); err != nil {
			rt.Fatalf("giro does not read it: %v", err)
		}
		if len(back.file.Assignments) > 0 {
			b.Receive("cancellations", written(t, back.file), later)
		}
		if c := b.Complaints(); len(c) > 0 {
			rt.Fatalf("the bank complains: %s", strings.Join(c, "\n"))
		}
		for d := today; d < today+380; d++ {
			if payments := b.Draw(d); payments != nil {
				readPayments(t, payments, d)
			}
		}
		drawn := b.Drawn()
		for _, d := range drawn {
			if expected[d.Account+d.KID] != d {
				rt.Fatalf("drawn is %v, want %v", d, expected[d.Account+d.KID])
			}
		}
		if len(drawn) != len(expected) {
			rt.Fatalf("%d are drawn of %d", len(drawn), len(expected))
		}
	})
}

// taken are claims that are taken back, by assignment and place.
type taken struct {
	file  *giro.ClaimFile
	which map[[2]int]bool
}

func (c *taken) has(i, j int) bool { return c.which[[2]int{i, j}] }

// cancelled draws which claims are taken back, and the file that does it. Its due dates leave time for it.
func cancelled(t *rapid.T, f *giro.ClaimFile) *taken {
	of := &taken{&giro.ClaimFile{Sender: f.Sender, Number: f.Number + 1}, map[[2]int]bool{}}
	for i, a := range f.Assignments {
		c := giro.ClaimAssignment{Number: a.Number + 5000, Account: a.Account, Cancellations: true}
		for j, claim := range a.Claims {
			if rapid.Bool().Draw(t, "cancelled") {
				of.which[[2]int{i, j}] = true
				c.Claims = append(c.Claims, back(claim))
			}
		}
		if len(c.Claims) > 0 {
			of.file.Assignments = append(of.file.Assignments, c)
		}
	}
	return of
}

// TestNoneOneAndHundredThousandClaimsG4: a file without a claim is not written, one of a hundred thousand is taken and drawn.
func TestNoneOneAndHundredThousandClaimsG4(t *testing.T) {
	if err := (&giro.ClaimFile{Sender: sender, Number: 1}).Write(&bytes.Buffer{}); err == nil {
		t.Error("a file without an assignment is written")
	}
	for _, n := range []int{1, 100_000} {
		b := newBank(t)
		due := day(t, "2027-02-10")
		var claims []giro.Claim
		for i := range n {
			claims = append(claims, claimOf(kidOf("0000000", fmt.Sprintf("%07d", i+1)), due, models.Amount(i+1)))
		}
		receipts := b.Receive("claims", fileOf(t, 1, claims...), on(t, "2027-01-15 09:00"))
		mustBeContent(t, b)
		if len(receipts) != 1 {
			t.Errorf("%d claims have the receipts %s", n, names(receipts))
		}
		if s := readPayments(t, b.Draw(due), due); s.Transactions != n || s.Amount != models.Amount(n*(n+1)/2) {
			t.Errorf("of %d claims are drawn %d, %s", n, s.Transactions, s.Amount)
		}
	}
}
