package camt

import (
	"fmt"
	"strings"
	"testing"

	"purr/models"
)

// given describes the transactions of a file as "amount KID text", joined by "; ", with "doubtful " before those
// of an entry that does not add up and "reversal " before those that are.
func given(t *testing.T, file string) string {
	t.Helper()
	summary, err := Check(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, tx := range parsed(t, file).Transactions {
		said := strings.TrimSpace(fmt.Sprintf("%s %s %s", tx.Amount, tx.KID, tx.Text))
		if tx.Reversal() {
			said = "reversal " + said
		}
		if summary.Doubtful(&tx) {
			said = "doubtful " + said
		}
		all = append(all, said)
	}
	return strings.Join(all, "; ")
}

func TestE4WhatAnEntryBecomes(t *testing.T) {
	const kid, kid2 = testKID, "0000431003185"
	tests := []struct {
		name, file, want string
	}{
		{"a lump sum is its transactions, an entry without any is one", plain02, "1250.00 " + kid + "; 499.50  Faktura 100318; reversal -70.00  Tilbakeføring"},
		{"it is the same in the other version", plain08(), "1250.00 " + kid + "; 499.50  Faktura 100318; reversal -70.00  Tilbakeføring"},
		{"it is the same in one line", strings.ReplaceAll(plain02, "\n", ""), "1250.00 " + kid + "; 499.50  Faktura 100318; reversal -70.00  Tilbakeføring"},
		{"what is not booked is ignored", edited(plain02, "<Sts>BOOK</Sts>", "<Sts>PDNG</Sts>"), ""},
		{"what is not in kroner is ignored", edited(single, "NOK", "EUR"), ""},
		{"a status BOOK of the bank's own is not booked", edited(plain08(), "<Sts><Cd>BOOK</Cd></Sts>", "<Sts><Prtry>BOOK</Prtry></Sts>"), ""},
		{"a credit that reverses keeps its sign", edited(single, "<Sts>", "<RvslInd>true</RvslInd><Sts>"), "reversal 100.00 " + kid},

		{"the only transaction has the entry's amount", single, "100.00 " + kid},
		{"its own amount is the same", ofAmount("100", ""), "100.00 " + kid},
		{"charges were taken: what was credited counts", ofAmount("125", `<Chrgs><Amt Ccy="NOK">25</Amt></Chrgs>`), "100.00 " + kid},
		{"the payer's amount was in another currency", edited(ofAmount("9", ""), `Ccy="NOK">9`, `Ccy="EUR">9`), "100.00 " + kid},
		{"what is less than the entry is made up for", ofAmount("90", ""), "doubtful 90.00 " + kid + "; doubtful 10.00  the transactions add up to 90.00, the entry says 100.00"},
		{"what is more than the entry is taken back", ofAmount("110", ""), "doubtful 110.00 " + kid + "; doubtful reversal -10.00  the transactions add up to 110.00, the entry says 100.00"},
		{
			"a transaction without an amount among others",
			edited(plain02, `<AmtDtls><TxAmt><Amt Ccy="NOK">1250.00</Amt></TxAmt></AmtDtls>`, "", "AddtlNtryInf", "X"),
			"doubtful 0.00 " + kid + "; doubtful 499.50  Faktura 100318; doubtful 1250.00  a transaction does not say its amount, and the entry has others; reversal -70.00",
		},
		{"a batch that counts others", edited(plain02, "<NbOfTxs>2", "<NbOfTxs>1"), "doubtful 1250.00 " + kid + "; doubtful 499.50  Faktura 100318; reversal -70.00  Tilbakeføring"},

		{"an ISO reference is no KID", edited(single, "<Ref>"+kid, "<Ref>RF18539007547034"), "100.00  RF18539007547034"},
		{"nor is one whose issuer is ISO", edited(single, "</CdOrPrtry></Tp>", "</CdOrPrtry><Issr>ISO</Issr></Tp>"), "100.00  " + kid},
		{"nor is one of another code", edited(single, "SCOR", "PUOR"), "100.00  PUOR " + kid},
		{"a KID is kept as it came", edited(single, kid, "42-"), "100.00 42-"},

		{"invoices with amounts are parts", forInvoices(strd(kid, remitted("60")), strd(kid2, remitted("40"))), "60.00 " + kid + "; 40.00 " + kid2},
		{"a credit note is deducted", forInvoices(strd(kid, remitted("130")), strd(kid2, deducted("30"))), "130.00 " + kid + "; -30.00 " + kid2},
		{"a part may have a number for a KID", forInvoices(strd(kid, remitted("60")), strd("", numbered("CINV", "7")+remitted("40"))), "60.00 " + kid + "; 40.00  CINV 7"},
		{"without amounts it is one payment", forInvoices(strd(kid, ""), strd(kid2, "")), "100.00  KID " + kid + " KID " + kid2},
		{"so it is where one has none", forInvoices(strd(kid, remitted("60")), strd(kid2, "")), "100.00  KID " + kid + " 60.00 KID " + kid2},
		{"and where they do not add up", forInvoices(strd(kid, remitted("60")), strd(kid2, remitted("41"))), "100.00  KID " + kid + " 60.00 KID " + kid2 + " 41.00"},
		{"the same KID twice is one", forInvoices(strd(kid, ""), strd(kid, numbered("CINV", "7"))), "100.00 " + kid + " CINV 7"},
		{"words beside a KID are words", forInvoices(strd(kid, ""), "<Strd><AddtlRmtInf>Takk</AddtlRmtInf></Strd>"), "100.00 " + kid + " Takk"},
		{
			"a debit is not taken apart",
			edited(forInvoices(strd(kid, remitted("60")), strd(kid2, remitted("40"))), "CRDT", "DBIT"), "reversal -100.00  KID " + kid + " 60.00 KID " + kid2 + " 40.00",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := given(t, tt.file); got != tt.want {
				t.Errorf("got\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

func TestWhatIsSaidOfATransaction(t *testing.T) {
	file := parsed(t, edited(
		plain08(),
		"<Refs><AcctSvcrRef>600100001</AcctSvcrRef></Refs>", "<Refs><EndToEndId>E2E</EndToEndId><TxId>TX-9</TxId></Refs>",
		"</Dbtr>", "</Dbtr><DbtrAcct><Id><IBAN>NO24 9876 5432 103</IBAN></Id></DbtrAcct>",
		"</RmtInf>\n</TxDtls>\n<TxDtls>", "</RmtInf><RltdDts><AccptncDtTm>2026-02-27T23:59:59+01:00</AccptncDtTm></RltdDts>\n</TxDtls>\n<TxDtls>",
		"<Ccy>NOK</Ccy>", "<Ccy>NOK</Ccy><Svcr><FinInstnId><BICFI>DNBANOKK</BICFI></FinInstnId></Svcr>",
		"<BkTxCd/>\n<NtryDtls>", "<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>VCOM</SubFmlyCd></Fmly></Domn><Prtry><Cd>230</Cd></Prtry></BkTxCd>\n<NtryDtls>",
	))
	tx := &file.Transactions[0]
	e, n := tx.Entry, tx.Entry.Notification
	for what, pair := range map[string][2]string{
		"message":         {string(file.Version) + " " + file.ID + " " + file.Created.String(), "camt.054.001.08 MSG-1 2026-03-02"},
		"notification":    {n.ID + " " + n.Created.String() + " " + n.Servicer + " " + file.Sender(), "NTF-1 2026-03-02 DNBANOKK DNBANOKK"},
		"account":         {n.Account, testAccount},
		"entry":           {e.Reference + " " + e.BankReference + " " + e.Code + " " + e.Status, "1 LUMP-0001 PMNT/RCDT/VCOM BOOK"},
		"dates":           {e.Booked.String() + " " + e.Value.String(), "2026-03-02 2026-03-03"},
		"payer":           {tx.Name + " " + tx.DebitAccount, "Ærlig Kunde AS 98765432103"},
		"references":      {tx.BankReference + "/" + tx.TransactionID + "/" + tx.EndToEndID + "/" + tx.Reference(), "/TX-9/E2E/TX-9"},
		"bank date":       {tx.BankDate.String(), "2026-02-27"},
		"lines":           {fmt.Sprint(n.Line, e.Line, tx.Line), "5 9 20"},
		"first and last":  {n.Earliest.String() + " " + n.Latest.String(), "2026-03-02 2026-03-02"},
		"number of entry": {fmt.Sprint(e.Number, file.Transactions[2].Entry.Number), "1 2"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", what, pair[0], pair[1])
		}
	}
}

func TestTotals(t *testing.T) {
	kroner := func(n models.Amount) models.Amount { return n * 100 }
	tests := []struct {
		name, file string
		want       Totals
	}{
		{"debits are below zero", plain02, Totals{Transactions: 3, Amount: 167950}},
		{"what is pending counts, and is ignored", edited(plain02, "<Sts>BOOK</Sts>\n<BookgDt><Dt>", "<Sts>PDNG</Sts>\n<BookgDt><Dt>"), Totals{3, 2, 167950, 174950}},
		{"another currency has no amount", edited(single, "NOK", "EUR"), Totals{Transactions: 1, Ignored: 1}},
		{"parts count each", forInvoices(strd(testKID, remitted("60")), strd("1", remitted("40"))), Totals{Transactions: 2, Amount: kroner(100)}},
		{"what does not add up is what was booked", ofAmount("90", ""), Totals{Transactions: 2, Amount: kroner(100)}},
	}
	for _, tt := range tests {
		if got := parsed(t, tt.file).Totals; got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestFingerprint(t *testing.T) {
	fingerprint := func(file string) [32]byte { return parsed(t, file).Transactions[0].Fingerprint() }
	first := fingerprint(plain02)
	for _, tt := range []struct {
		what, file string
		same       bool
	}{
		{"in another message", edited(plain02, "MSG-1", "MSG-2", "NTF-1", "NTF-2"), true},
		{"in a copy", edited(plain02, "<Acct>", "<CpyDplctInd>COPY</CpyDplctInd><Acct>"), true},
		{"with blanks in the references", edited(plain02, "<AcctSvcrRef>", "<AcctSvcrRef> "), true},
		{"in the other version", plain08(), true},
		{"in another lump sum", edited(plain02, "LUMP-0001", "LUMP-0002"), false},
		{"with another reference", edited(plain02, "600100001", "600100002"), false},
		{"on another day", edited(plain02, "<BookgDt><Dt>2026-03-02", "<BookgDt><Dt>2026-03-01"), false},
		{"with another KID", edited(plain02, testKID, "0000431003185"), false},
		{"to another account", edited(plain02, testAccount, otherAccount), false},
		{"taken back", edited(plain02, "CRDT", "DBIT"), false},
		{"another payment", edited(plain02, ">1250.00<", ">1250.01<"), false},
	} {
		if got := fingerprint(tt.file); (got == first) != tt.same {
			t.Errorf("%s it is the same: %v", tt.what, !tt.same)
		}
	}
	// Without a KID the text tells payments apart.
	none := edited(plain02, testKID, "", "<NtryRef>", "<NtryRef>")
	if fingerprint(none) == fingerprint(edited(none, "<RmtInf><Strd>", "<RmtInf><Ustrd>Takk</Ustrd><Strd>")) {
		t.Error("a payment with another text is the same")
	}
}
