package camt

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"purr/models"
)

func TestNextReturnsNothingAfterAFault(t *testing.T) {
	r := NewReader(strings.NewReader(edited(plain02, ">499.50<", ">x<")))
	for range 2 {
		tx, err := r.Next()
		var faults models.FileFaults
		if tx != nil || !errors.As(err, &faults) || len(faults) != 1 || faults[0].Line != 27 {
			t.Fatalf("got %v, %v", tx, err)
		}
	}
	r = NewReader(strings.NewReader(plain02))
	for range 3 {
		if tx, err := r.Next(); err != nil || tx.Amount == 0 {
			t.Fatalf("got %v, %v", tx, err)
		}
	}
	for range 2 {
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("after the end Next says %v", err)
		}
	}
}

func TestFaultsReachCallersAsErrorsOfTheirLinesE4(t *testing.T) {
	_, err := Check(strings.NewReader(edited(plain02, "1749.50", "much", ">true<", ">yes<")))
	want := "line 11: entry 1: Ntry/Amt: \"much\" is not a decimal number\nline 35: entry 2: Ntry/RvslInd is \"yes\" instead of true or false"
	if err.Error() != want {
		t.Errorf("the error is\n%s\nwant\n%s", err, want)
	}
	var all models.Errors
	if models.KindOf(err) != models.KindInvalid || !errors.As(err, &all) || len(all) != 2 || all[1].Place.String() != "line[35]" || all[1].Code != CodeBadCode {
		t.Errorf("got %v", all)
	}
}

// repeated returns a file of entries, each in a line of its own.
func repeated(entry string, n int) string {
	return until(single, "<Ntry>") + strings.Repeat(entry+"\n", n) + from(single, "</Ntfctn>")
}

func TestNoMoreThanAHundredFaultsAreReported(t *testing.T) {
	if got := faultsOf(t, repeated("<Ntry/>", 100)); len(got) != MaxFaults || got[99].Line != 7+33 {
		t.Errorf("there are %d, the last %v", len(got), got[len(got)-1])
	}
}

func TestNoMoreThanAHundredWarningsOfACodeAreKept(t *testing.T) {
	file := repeated(`<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>`, 150)
	summary, err := Check(strings.NewReader(file))
	if err != nil || len(summary.Warnings) != MaxWarnings || summary.Warnings[99].Line != 7+99 {
		t.Errorf("there are %d, %v", len(summary.Warnings), err)
	}
	if got, want := summary.Warnings[1].String(), "line 8: entry 2: 1.00 EUR are not in NOK: the entry is ignored"; got != want {
		t.Errorf("the second is %q, want %q", got, want)
	}
}

func TestTheSummaryOfAWrongFileIsWhatCouldBeRead(t *testing.T) {
	summary, err := Check(strings.NewReader(plain02[:len(plain02)-30]))
	if err == nil || summary.ID != "MSG-1" || summary.Notifications[0].Account != testAccount {
		t.Errorf("got %+v, %v", summary, err)
	}
}

func TestAnErrorOfTheDiskIsNoFault(t *testing.T) {
	disk := errors.New("the disk is gone")
	for _, begin := range []string{"", plain02[:10], plain02[:400], plain02[:1000], plain02} {
		_, err := Check(io.MultiReader(strings.NewReader(begin), iotest.ErrReader(disk)))
		var faults models.FileFaults
		if !errors.Is(err, disk) || errors.As(err, &faults) {
			t.Errorf("after %d bytes the error is %v", len(begin), err)
		}
	}
}

func TestItDoesNotMatterHowTheBytesCome(t *testing.T) {
	for name, r := range map[string]io.Reader{
		"one at a time": iotest.OneByteReader(strings.NewReader(plain02)),
		"half":          iotest.HalfReader(strings.NewReader(plain02)),
		"with the end":  iotest.DataErrReader(strings.NewReader(plain02)),
	} {
		if summary, err := Check(r); err != nil || summary.Amount != 167950 {
			t.Errorf("%s: %v, %v", name, summary, err)
		}
	}
}

// TestNoOverflowMakesASumRight adds amounts up to exactly 2^64 øre, and has the entry say 0.
func TestNoOverflowMakesASumRight(t *testing.T) {
	tx := func(amount string) string {
		return `<TxDtls><AmtDtls><TxAmt><Amt Ccy="NOK">` + amount + "</Amt></TxAmt></AmtDtls></TxDtls>"
	}
	file := edited(single, "<TxDtls>\n"+singleRmtInf+"\n</TxDtls>", strings.Repeat(tx("999999999999999.99"), 184)+tx("467440737095518.00"), ">100.00<", ">0.00<")
	_, err := Check(strings.NewReader(file))
	if faults, is := errors.AsType[models.FileFaults](err); !is || len(faults) != 1 || faults[0].Code != CodeSumTooLarge {
		t.Errorf("got %v", err)
	}
}

func TestContentHash(t *testing.T) {
	hash := func(file string) [32]byte {
		summary, err := Check(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		return summary.ContentHash
	}
	want := hash(plain02)
	for _, tt := range []struct {
		what, file string
		same       bool
	}{
		{"with CR LF", strings.ReplaceAll(plain02, "\n", "\r\n"), true},
		{"in one line", strings.ReplaceAll(plain02, "\n", ""), true},
		{"in ISO-8859-1", latin1(edited(plain02, "UTF-8", "ISO-8859-1")), true},
		{"with a byte order mark", byteOrderMark + plain02, true},
		{"with a comment", edited(plain02, "<BkTxCd/>", "<!-- x --><BkTxCd></BkTxCd>"), true},
		{"in another message", edited(plain02, "<MsgId>", "<MsgId>COPY-"), true},
		{"made another day", edited(plain02, "<CreDtTm>2026-03-02T", "<CreDtTm>2026-03-09T"), true},
		{"marked as a copy", edited(plain02, "<Acct>", "<CpyDplctInd>COPY</CpyDplctInd>\n<Acct>"), true},
		{"with another notification", edited(plain02, "<Ntfctn>\n<Id>", "<Ntfctn>\n<Id>X-"), false},
		{"with another reference", edited(plain02, "600100001", "600100002"), false},
		{"with an element that is of no use", edited(plain02, "<BkTxCd/>", "<BkTxCd/><Avlbty/>"), false},
		{"with another currency", edited(plain02, `"NOK">70`, `"EUR">70`), false},
		{"another file", single, false},
	} {
		if got := hash(tt.file); (got == want) != tt.same {
			t.Errorf("%s the hash is the same: %v", tt.what, !tt.same)
		}
	}
}

// endless is a file of a lump sum of so many transactions, which is made while it is read.
func endless(transactions int) io.Reader {
	begin, rest, _ := strings.Cut(plain02, "<Btch>")
	begin = strings.Replace(begin, "1749.50", models.Amount(1_00*transactions).String(), 1)
	_, end, _ := strings.Cut(rest, "</TxDtls>\n</NtryDtls>")
	tx := `<TxDtls><Refs><AcctSvcrRef>600100001</AcctSvcrRef></Refs><AmtDtls><TxAmt><Amt Ccy="NOK">1.00</Amt></TxAmt></AmtDtls>` +
		"<RmtInf><Ustrd>Takk for sist</Ustrd></RmtInf></TxDtls>\n"
	parts := []io.Reader{strings.NewReader(begin)}
	for range transactions {
		parts = append(parts, strings.NewReader(tx))
	}
	return io.MultiReader(append(parts, strings.NewReader("</NtryDtls>"+end))...)
}

// TestMemoryDoesNotGrowWithTheTransactions reads a lump sum of many transactions, and looks at the memory now
// and then. What the file itself takes gets less.
func TestMemoryDoesNotGrowWithTheTransactions(t *testing.T) {
	r := NewReader(endless(40_000))
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var first uint64
	for n := 0; ; n++ {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch n {
		case 100:
			first = inUse()
		case 10_000, 20_000, 39_000:
			if now := inUse(); now > first+100_000 {
				t.Errorf("after %d transactions %d bytes are in use, after 100 %d", n, now, first)
			}
		}
	}
	if r.Summary().Transactions != 40_001 || len(r.Summary().Warnings) > 0 {
		t.Errorf("got %+v", r.Summary())
	}
}

// TestAFileThatIsMadeToBeLargeIsRefused repeats what an honest file has a few of.
func TestAFileThatIsMadeToBeLargeIsRefused(t *testing.T) {
	notification := from(until(single, "</BkTo"), "<Ntfctn>")
	for name, file := range map[string]string{
		"notifications":         edited(single, notification, strings.Repeat(notification, maxNotifications+1)),
		"documents of a Strd":   forInvoices(strd(testKID, strings.Repeat(numbered("CINV", "7"), maxReferences+1))),
		"references of payment": forInvoices(strings.Repeat(strd(testKID, ""), maxReferences+1)),
	} {
		if faults := faultsOf(t, file); len(faults) != 1 || faults[0].Code != CodeTooMany {
			t.Errorf("%s: %v", name, faults)
		}
	}
}
