package girobank

import (
	"strings"
	"testing"
)

func TestMandateFilesG2(t *testing.T) {
	b := newBank(t)
	today := day(t, "2027-01-15")
	second := kidOf("0000002", "11")
	b.SignUp(account, second, false, today)
	b.End(account, second, today)
	b.SignUp(otherAccount, second, false, today)
	content := b.MandateFile(account, false)
	want := "NY00001000008080000000110101010" + strings.Repeat("0", 49) + "\r\n" +
		"NY212420000000000000000112345678903" + strings.Repeat("0", 45) + "\r\n" +
		"NY21947000000011" + strings.Repeat(" ", 15) + "0000000018J" + strings.Repeat("0", 38) + "\r\n" +
		"NY21947000000021" + strings.Repeat(" ", 15) + second + "N" + strings.Repeat("0", 38) + "\r\n" +
		"NY21947000000032" + strings.Repeat(" ", 15) + second + "N" + strings.Repeat("0", 38) + "\r\n" +
		"NY2124880000000300000005" + strings.Repeat("0", 56) + "\r\n" +
		"NY0000890000000300000007" + strings.Repeat("0", 56) + "\r\n"
	if string(content) != want {
		t.Errorf("the file is\n%s, want\n%s", content, want)
	}
	if s := readPayments(t, content, today); s.Transactions != 3 || s.Ignored != 3 {
		t.Errorf("giro reads %d mandates, %d ignored", s.Transactions, s.Ignored)
	}
	if again := b.MandateFile(account, false); again != nil {
		t.Errorf("nothing has changed, and told is %s", again)
	}
	all := string(b.MandateFile(account, true))
	if strings.Count(all, "NY219470") != 1 || !strings.Contains(all, "NY21947000000010"+strings.Repeat(" ", 15)+sampleKID+"J") {
		t.Errorf("the whole listing is\n%s", all)
	}
	readPayments(t, []byte(all), today)
	if other := b.MandateFile(otherAccount, false); strings.Count(string(other), "NY219470") != 1 {
		t.Errorf("the other account's changes are\n%s", other)
	}
}

// TestMandateIsOfThePayersPartG1: a claim is matched by the digits that name the payer, on the days on which the mandate holds.
func TestMandateIsOfThePayersPartG1(t *testing.T) {
	b := newBank(t)
	from, due := day(t, "2027-01-15"), day(t, "2027-02-10")
	b.SignUp(account, kidOf("0000003", "11"), false, from)
	late := claimOf(kidOf("0000003", "12"), due, 100)
	if rows := rowsOf(t, b.Receive("a day before", fileOf(t, 1, late), on(t, "2027-01-14 09:00"))); len(rows) != 1 {
		t.Errorf("a claim before the mandate: %q", rows)
	}
	if rows := rowsOf(t, b.Receive("on its day", fileOf(t, 2, late), on(t, "2027-01-15 09:00"))); len(rows) != 0 {
		t.Errorf("a claim on the mandate's first day: %q", rows)
	}
	mustBeContent(t, b)
	stranger := claimOf(kidOf("0000004", "12"), due, 100)
	if rows := rowsOf(t, b.Receive("nobody's", fileOf(t, 3, stranger), on(t, "2027-01-15 09:00"))); len(rows) != 1 {
		t.Errorf("a claim without a mandate: %q", rows)
	}
	mustComplain(t, b, "nobody ever gave a mandate")
	defer func() {
		if recover() == nil {
			t.Error("a mandate for an account without agreement")
		}
	}()
	b.SignUp("99991042764", sampleKID, false, from)
}
