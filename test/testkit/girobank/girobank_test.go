package girobank

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/models/zone"
	"purr/ocr/giro"
)

const (
	sender       = "10101010"
	account      = "12345678903"
	otherAccount = "86011117947"
	sampleKID    = "0000000018"
)

// on returns a moment in Oslo.
func on(t testing.TB, moment string) time.Time {
	t.Helper()
	oslo, err := zone.Load("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", moment, oslo)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func day(t testing.TB, s string) models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sample is the file that python-netsgiro reads: one claim, due on 10 February 2027, of which the bank tells.
func sample(t testing.TB) string {
	t.Helper()
	content, err := os.ReadFile("../../../ocr/giro/testdata/claims/sample.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// inTime is a moment at which the sample comes in time.
const inTime = "2026-12-31 13:59"

// newBank returns a bank with two accounts. The payer of the sample has given a mandate, with seven digits of the KID.
func newBank(t testing.TB) *Bank {
	t.Helper()
	b := New(Settings{Sender: sender, FixedDigits: 7})
	b.Agreement(account)
	b.Agreement(otherAccount)
	b.SignUp(account, sampleKID, true, day(t, "2026-01-01"))
	return b
}

// kidOf returns a KID of a payer's 7 digits and a number of a document.
func kidOf(payer, document string) string { return models.NewKID(payer+document, models.Modulus10) }

// claimOf returns a claim of which the creditor tells.
func claimOf(kid string, due models.Date, amount models.Amount) giro.Claim {
	return giro.Claim{Type: giro.ClaimOwnNotice, Due: due, Amount: amount, KID: kid, ShortName: "OLA", Reference: "Faktura 2"}
}

// fileOf writes a file of the account's claims, or of cancellations of them; its number is that of the assignment too.
func fileOf(t testing.TB, number int, claims ...giro.Claim) []byte {
	t.Helper()
	return written(t, &giro.ClaimFile{Sender: sender, Number: number, Assignments: []giro.ClaimAssignment{{
		Number: number, Account: account, Claims: claims, Cancellations: claims[0].Type == giro.ClaimCancellation,
	}}})
}

func written(t testing.TB, f *giro.ClaimFile) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// back returns the cancellation of a claim.
func back(c giro.Claim) giro.Claim {
	c.Type, c.Specification = giro.ClaimCancellation, nil
	return c
}

func names(receipts []Receipt) string {
	var all []string
	for _, r := range receipts {
		all = append(all, r.Name)
	}
	return strings.Join(all, " ")
}

// mustBeContent fails if the bank complains.
func mustBeContent(t testing.TB, b *Bank) {
	t.Helper()
	if c := b.Complaints(); len(c) > 0 {
		t.Errorf("the bank complains: %s", strings.Join(c, "\n"))
	}
}

// mustComplain wants one complaint with the words.
func mustComplain(t testing.TB, b *Bank, words string) {
	t.Helper()
	if c := b.Complaints(); len(c) != 1 || !strings.Contains(c[0], words) {
		t.Errorf("want one complaint of %q, got %q", words, c)
	}
}

// rowsOf returns the rows of L00202 among the receipts, in UTF-8, without the header.
func rowsOf(t testing.TB, receipts []Receipt) []string {
	t.Helper()
	var rows []string
	for _, r := range receipts {
		if strings.HasPrefix(r.Name, "L00202.") {
			lines := strings.Split(strings.TrimSuffix(decoded(string(r.Content)), "\r\n"), "\r\n")
			if lines[0] != rejectedHeader {
				t.Errorf("the header is %q", lines[0])
			}
			rows = append(rows, lines[1:]...)
		}
	}
	return rows
}

// readPayments reads a payments file by giro's reader, which must find nothing wrong with it.
func readPayments(t testing.TB, content []byte, today models.Date) *giro.Summary {
	t.Helper()
	summary, err := giro.Check(bytes.NewReader(content), today)
	if err != nil {
		t.Fatalf("giro does not read the file: %v\n%s", err, content)
	}
	if len(summary.Warnings) > 0 {
		t.Errorf("giro warns of the file: %v", summary.Warnings)
	}
	return summary
}

func TestSampleIsTakenAndDrawnG4(t *testing.T) {
	b := newBank(t)
	receipts := b.Receive("claims-1", []byte(sample(t)), on(t, inTime))
	if got := names(receipts); got != "KV.GODKJENT.F0000001.D261231.T135900.K10101010.html" {
		t.Errorf("the receipts are %s", got)
	}
	if !strings.Contains(string(receipts[0].Content), "3004,36") {
		t.Errorf("the receipt is %s", receipts[0].Content)
	}
	mustBeContent(t, b)
	if c := b.Claims()[0]; c.ShortName != "BRYGGEDRIF" || c.Reference != "Faktura 1" || c.State != Waiting {
		t.Errorf("the claim is %+v", c)
	}
	due := day(t, "2027-02-10")
	if early := b.Draw(due - 1); early != nil {
		t.Errorf("drawn a day early: %s", early)
	}
	content := b.Draw(due)
	if s := readPayments(t, content, due); s.Transactions != 1 || s.Amount != 300436 {
		t.Errorf("the file tells of %d payments, %s", s.Transactions, s.Amount)
	}
	want := Drawn{account, sampleKID, 300436, due, due}
	if got := b.Drawn(); len(got) != 1 || got[0] != want {
		t.Errorf("drawn is %v, want %v", got, want)
	}
	if again := b.Draw(due + 1); again != nil {
		t.Errorf("drawn twice: %s", again)
	}
}

func TestDrawnOnTheNextBankDayG4(t *testing.T) {
	b := newBank(t)
	kid, saturday := kidOf("0000000", "77"), day(t, "2027-03-27") // of Easter: Monday 29 March is a holiday
	rows := rowsOf(t, b.Receive("claims", fileOf(t, 1, claimOf(kid, saturday, 5000)), on(t, "2027-03-01 09:00")))
	if len(rows) != 1 || !strings.Contains(rows[0], ";ADVARSEL;33;") {
		t.Errorf("the warning is %q", rows)
	}
	for d := saturday; d < day(t, "2027-03-30"); d++ {
		if b.Draw(d) != nil {
			t.Errorf("drawn on %s", d)
		}
	}
	if b.Draw(day(t, "2027-03-30")) == nil {
		t.Error("not drawn on Tuesday")
	}
	mustBeContent(t, b)
}

// TestRejectedClaimsG4 shows L00202, byte for byte but for its encoding.
func TestRejectedClaimsG4(t *testing.T) {
	b := newBank(t)
	due := day(t, "2027-02-10")
	b.End(account, sampleKID, day(t, "2027-01-02"))
	b.SignUp(account, kidOf("0000001", "11"), false, day(t, "2026-06-01"))
	b.Limit("0000001", 10000)
	receipts := b.Receive("claims", fileOf(t, 7, claimOf(sampleKID, due, 123450), claimOf(kidOf("0000001", "12"), due, 10001),
		claimOf(kidOf("0000001", "13"), due, 10000)), on(t, "2027-01-15 09:30"))
	if got := names(receipts); got != "KV.GODKJENT.F0000007.D270115.T093000.K10101010.html L00202.D270115.T093000.K10101010.csv" {
		t.Errorf("the receipts are %s", got)
	}
	want := []string{
		"0000007;0000007;12345678903;0000000018;10.02.2027;1234,50;AVVIST;20;FBO finnes ikke",
		"0000007;0000007;12345678903;0000001123;10.02.2027;100,01;AVVIST;21;Beløp over beløpsgrense",
	}
	if got := rowsOf(t, receipts); !slices.Equal(got, want) {
		t.Errorf("the rows are %q, want %q", got, want)
	}
	if !bytes.Contains(receipts[1].Content, []byte("Bel\xf8p;Status")) {
		t.Error("the table is not in ISO-8859-1")
	}
	mustBeContent(t, b)
	b.Draw(due)
	if drawn := b.Drawn(); len(drawn) != 1 || drawn[0].Amount != 10000 {
		t.Errorf("drawn is %v", drawn)
	}
}

// TestUnpaidInSilenceG4: what is not drawn is told to nobody.
func TestUnpaidInSilenceG4(t *testing.T) {
	due := day(t, "2027-02-10")
	for want, knob := range map[string]func(*Bank, string){
		"no cover":              func(b *Bank, kid string) { b.NoCover(kid) },
		"stopped by the payer":  func(b *Bank, kid string) { b.StopByPayer(kid, due) },
		"the mandate has ended": func(b *Bank, kid string) { b.End(account, kid, due-3) },
	} {
		b := newBank(t)
		kid := kidOf("0000000", "55")
		receipts := b.Receive("claims", fileOf(t, 1, claimOf(kid, due, 5000)), on(t, "2027-01-15 09:30"))
		knob(b, kid)
		if b.Draw(due) != nil || len(receipts) != 1 || len(b.Receipts(on(t, "2027-12-01 09:00"))) != 0 {
			t.Errorf("%s: it is drawn or told of", want)
		}
		if c := b.Claims(); c[0].State != Unpaid || c[0].Why != want {
			t.Errorf("the claim is %+v, want %s", c[0], want)
		}
		mustBeContent(t, b)
	}
}

func TestLatePaymentsG4(t *testing.T) {
	b := newBank(t)
	first, second := kidOf("0000000", "55"), kidOf("0000000", "66")
	due := day(t, "2027-02-11") // a Thursday
	b.Late(first, 2)            // that claim alone
	b.Receive("claims", fileOf(t, 1, claimOf(first, due, 100), claimOf(second, due, 200)), on(t, "2027-01-15 09:30"))
	for d := due; d <= due+5; d++ {
		b.Draw(d)
	}
	want := []Drawn{{account, second, 200, due, due}, {account, first, 100, due, due + 4}}
	if got := b.Drawn(); !slices.Equal(got, want) {
		t.Errorf("drawn is %v, want %v", got, want)
	}
}

func TestReceiptsRepeatedDelayedAndLostG4(t *testing.T) {
	b := newBank(t)
	b.RepeatReceipts = true
	b.DelayReceipts(2 * time.Hour)
	at := on(t, "2027-01-15 09:30")
	claim := claimOf(sampleKID, day(t, "2027-02-10"), 5000)
	if early := b.Receive("claims", fileOf(t, 1, claim), at); len(early) != 0 {
		t.Errorf("the receipt is there at once: %v", names(early))
	}
	first, again := b.Receipts(at.Add(2*time.Hour)), b.Receipts(at.Add(3*time.Hour))
	if want := "KV.GODKJENT.F0000001.D270115.T113000.K10101010.html"; names(first) != want || names(again) != want {
		t.Errorf("the receipts are %s, then %s", names(first), names(again))
	}
	b.LoseNextFile()
	claim.KID = kidOf("0000000", "99")
	lost := fileOf(t, 2, claim)
	b.Receive("lost", lost, at.AddDate(0, 0, 3))
	if got := b.Receipts(at.AddDate(0, 0, 9)); len(got) != 0 {
		t.Errorf("a lost file has the receipts %s", names(got))
	}
	b.Receive("a cancellation that crosses", fileOf(t, 3, back(claim)), at.AddDate(0, 0, 4))
	b.Receive("the lost one again", lost, at.AddDate(0, 0, 5))
	mustBeContent(t, b)
	if due := b.Due(); len(due) != 2 || due[1].KID != claim.KID {
		t.Errorf("waiting are %v", due)
	}
}
