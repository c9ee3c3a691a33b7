package camt

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"purr/test/testkit/vectors"
)

// plain02 is what most vectors are made from: a lump sum of two payments, one with a KID, and a payment that
// the bank took back.
const plain02 = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02">
<BkToCstmrDbtCdtNtfctn>
<GrpHdr><MsgId>MSG-1</MsgId><CreDtTm>2026-03-02T12:31:07.5+01:00</CreDtTm></GrpHdr>
<Ntfctn>
<Id>NTF-1</Id>
<CreDtTm>2026-03-02T12:31:07</CreDtTm>
<Acct><Id><Othr><Id>12345678903</Id></Othr></Id><Ccy>NOK</Ccy></Acct>
<Ntry>
<NtryRef>1</NtryRef>
<Amt Ccy="NOK">1749.50</Amt>
<CdtDbtInd>CRDT</CdtDbtInd>
<Sts>BOOK</Sts>
<BookgDt><Dt>2026-03-02</Dt></BookgDt>
<ValDt><Dt>2026-03-03</Dt></ValDt>
<AcctSvcrRef>LUMP-0001</AcctSvcrRef>
<BkTxCd/>
<NtryDtls>
<Btch><NbOfTxs>2</NbOfTxs></Btch>
<TxDtls>
<Refs><AcctSvcrRef>600100001</AcctSvcrRef></Refs>
<AmtDtls><TxAmt><Amt Ccy="NOK">1250.00</Amt></TxAmt></AmtDtls>
<RltdPties><Dbtr><Nm>Ærlig Kunde AS</Nm></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>0000421003179</Ref></CdtrRefInf></Strd></RmtInf>
</TxDtls>
<TxDtls>
<AmtDtls><TxAmt><Amt Ccy="NOK">499.50</Amt></TxAmt></AmtDtls>
<RmtInf><Ustrd>Faktura 100318</Ustrd></RmtInf>
</TxDtls>
</NtryDtls>
</Ntry>
<Ntry>
<Amt Ccy="NOK">70</Amt>
<CdtDbtInd>DBIT</CdtDbtInd>
<RvslInd>true</RvslInd>
<Sts>BOOK</Sts>
<BookgDt><DtTm>2026-03-02T01:00:00Z</DtTm></BookgDt>
<BkTxCd/>
<AddtlNtryInf>Tilbakeføring</AddtlNtryInf>
</Ntry>
</Ntfctn>
</BkToCstmrDbtCdtNtfctn>
</Document>
`

// plain08 is the same in the other version, with the account as its IBAN.
func plain08() string {
	return edited(plain02,
		"camt.054.001.02", "camt.054.001.08",
		"<Othr><Id>12345678903</Id></Othr>", "<IBAN>NO7112345678903</IBAN>",
		"<Sts>BOOK</Sts>", "<Sts><Cd>BOOK</Cd></Sts>",
		"<Nm>Ærlig Kunde AS</Nm>", "<Pty><Nm>Ærlig Kunde AS</Nm></Pty>",
		`<AmtDtls><TxAmt><Amt Ccy="NOK">1250.00</Amt></TxAmt></AmtDtls>`, `<Amt Ccy="NOK">1250.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>`,
	)
}

// edited returns the file with texts replaced: each first one by the one after it, everywhere.
func edited(file string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(file, pairs[i]) {
			panic("there is no " + pairs[i])
		}
		file = strings.ReplaceAll(file, pairs[i], pairs[i+1])
	}
	return file
}

// until returns the file up to a text.
func until(file, end string) string {
	before, _, found := strings.Cut(file, end)
	if !found {
		panic("there is no " + end)
	}
	return before
}

// from returns the file from a text on.
func from(file, begin string) string { return file[len(until(file, begin)):] }

// single is a file with one entry of one transaction, 100 kroner with a KID, and no amount but the entry's.
const single = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02">
<BkToCstmrDbtCdtNtfctn>
<GrpHdr><MsgId>MSG-2</MsgId><CreDtTm>2026-03-02T12:31:07+01:00</CreDtTm></GrpHdr>
<Ntfctn><Id>NTF-2</Id><CreDtTm>2026-03-02T12:31:07+01:00</CreDtTm>
<Acct><Id><Othr><Id>12345678903</Id></Othr></Id></Acct>
<TxsSummry/>
<Ntry><Amt Ccy="NOK">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><BkTxCd/>
<NtryDtls><TxDtls>
<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>0000421003179</Ref></CdtrRefInf></Strd></RmtInf>
</TxDtls></NtryDtls></Ntry>
</Ntfctn>
</BkToCstmrDbtCdtNtfctn>
</Document>
`

const (
	singleAmount = "<TxDtls>\n"
	singleRmtInf = "<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>0000421003179</Ref></CdtrRefInf></Strd></RmtInf>"
)

// ofAmount has the only transaction say an amount, and then what else stands after it.
func ofAmount(amount, then string) string {
	return edited(single, singleAmount, fmt.Sprintf("<TxDtls><AmtDtls><TxAmt><Amt Ccy=%q>%s</Amt></TxAmt></AmtDtls>%s\n", "NOK", amount, then))
}

// forInvoices has the only transaction pay several invoices.
func forInvoices(strds ...string) string {
	return edited(single, singleRmtInf, "<RmtInf>"+strings.Join(strds, "\n")+"</RmtInf>")
}

// strd is one of several invoices, with what stands before its KID.
func strd(kid, before string) string {
	if kid != "" {
		kid = "<CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>" + kid + "</Ref></CdtrRefInf>"
	}
	return "<Strd>" + before + kid + "</Strd>"
}

func remitted(amount string) string {
	return `<RfrdDocAmt><RmtdAmt Ccy="NOK">` + amount + "</RmtdAmt></RfrdDocAmt>"
}

func deducted(amount string) string {
	return `<RfrdDocAmt><CdtNoteAmt Ccy="NOK">` + amount + "</CdtNoteAmt></RfrdDocAmt>"
}

func numbered(code, number string) string {
	return "<RfrdDocInf><Tp><CdOrPrtry><Cd>" + code + "</Cd></CdOrPrtry></Tp><Nb>" + number + "</Nb></RfrdDocInf>"
}

// summed gives the only notification a summary of its entries.
func summed(summary string) string {
	return edited(single, "<TxsSummry/>", "<TxsSummry>"+summary+"</TxsSummry>")
}

func latin1(s string) string {
	var b []byte
	for _, c := range s {
		b = append(b, byte(c))
	}
	return string(b)
}

func rightFiles() []vectors.Vector {
	details := from(until(plain02, "</Ntry>"), "<NtryDtls>")
	return []vectors.Vector{
		{"plain_02", plain02},
		{"plain_08", plain08()},
		{"single", single},
		{"crlf", strings.ReplaceAll(plain02, "\n", "\r\n")},
		{"in_one_line", strings.ReplaceAll(plain02, "\n", "")},
		{"byte_order_mark", byteOrderMark + plain02},
		{"latin1", latin1(edited(plain02, "UTF-8", "iso-8859-1"))},
		{"no_declaration", edited(plain02, `<?xml version="1.0" encoding="UTF-8"?>`+"\n", "")},
		{"prefixed", edited(strings.NewReplacer("</", "</n:", "<", "<n:").Replace(single), "xmlns=", "xmlns:n=")},
		{"comments_and_cdata", edited(plain02, "<Id>NTF-1</Id>", "<!-- <Id>x</Id> --><Id>NTF<!-- -->-<![CDATA[1]]></Id>")},
		{"character_references", edited(plain02, "Faktura", "&#70;akt&amp;&lt;ura")},
		{"blanks_around", edited(plain02, "<Ref>0000421003179</Ref>", "<Ref>\n 0000421003179 </Ref>")},
		{"unknown_elements", edited(plain02, "<BkTxCd/>", "<BkTxCd/><Avlbty><Dt><Amt>x</Amt></Dt></Avlbty><Foo><Amt/><Ntry/></Foo>")},
		{"other_vocabulary", edited(plain02, "<BkTxCd/>", `<x:Amt xmlns:x="urn:other">5</x:Amt><BkTxCd/>`)},
		{"no_entries", until(single, "<Ntry>") + from(single, "</Ntfctn>")},
		{"no_details", edited(plain02, details, "\n")},
		{"batch_without_transactions", edited(single, singleRmtInf, "", "<TxDtls>\n\n</TxDtls>", "<Btch><NbOfTxs>17</NbOfTxs></Btch>")},
		{"several_details", edited(plain02, "</TxDtls>\n<TxDtls>", "</TxDtls>\n</NtryDtls><NtryDtls><TxDtls>", "<NbOfTxs>2", "<NbOfTxs>1")},
		{"two_notifications", edited(single, "</Ntfctn>\n", "</Ntfctn>\n"+from(until(single, "</BkTo"), "<Ntfctn>"))},
		{"amount_without_decimals", edited(plain02, ">1749.50<", ">+1749.5<", ">1250.00<", ">1250<", ">499.50<", ">499.5<")},
		{"amount_with_five_decimals", edited(plain02, ">1250.00<", ">1250.00000<")},
		{"amount_of_nothing", edited(single, ">100.00<", ">0.00<")},
		{"largest_amount", edited(single, ">100.00<", ">999999999999999.99<")},
		{"pending", edited(plain02, "<Sts>BOOK</Sts>", "<Sts>PDNG</Sts>")},
		{"for_information", edited(plain02, "<Sts>BOOK</Sts>", "<Sts>INFO</Sts>")},
		{"status_of_the_banks_own", edited(plain08(), "<Sts><Cd>BOOK</Cd></Sts>", "<Sts><Prtry>BOOK</Prtry></Sts>")},
		{"status_08_of_another_list", edited(plain08(), "<Sts><Cd>BOOK</Cd></Sts>", "<Sts><Cd>FUTR</Cd></Sts>")},
		{"details_08_in_another_currency", edited(plain08(), "<CdtDbtInd>CRDT</CdtDbtInd>\n<RltdPties>", `<CdtDbtInd>CRDT</CdtDbtInd><AmtDtls><InstdAmt><Amt Ccy="EUR">110.00</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">110.00</Amt></TxAmt></AmtDtls>`+"\n<RltdPties>")},
		{"dates_with_zone", edited(plain02, "<Dt>2026-03-02</Dt>", "<Dt>2026-03-02+01:00</Dt>", "<Dt>2026-03-03</Dt>", "<Dt>2026-03-03Z</Dt>")},
		{"charges_were_taken", ofAmount("125.00", `<Chrgs><Amt Ccy="NOK">25.00</Amt></Chrgs>`)},
		{"amount_in_another_currency", edited(ofAmount("9.00", ""), `Ccy="NOK">9`, `Ccy="EUR">9`)},
		{"iso_reference", edited(single, "<Ref>0000421003179", "<Ref>RF18539007547034")},
		{"reference_of_another_code", edited(single, "SCOR", "PUOR")},
		{"two_invoices", forInvoices(strd(testKID, remitted("60.00")), strd("0000431003185", remitted("40.00")))},
		{"invoice_and_credit_note", forInvoices(strd(testKID, remitted("130")), strd("0000431003185", numbered("CREN", "7")+deducted("30.00")))},
		{"invoices_by_number", forInvoices(strd(testKID, remitted("60.00")), strd("", numbered("CINV", "100318")+remitted("40.00")))},
		{"one_kid_twice", forInvoices(strd(testKID, ""), strd(testKID, ""))},
		{"kid_and_words", forInvoices(strd(testKID, ""), "<Strd><AddtlRmtInf>Takk</AddtlRmtInf></Strd>")},
		{"summary", summed(`<TtlNtries><NbOfNtries>1</NbOfNtries><Sum>100</Sum><TtlNetNtryAmt>100.00</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries><TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>100.0</Sum></TtlCdtNtries><TtlDbtNtries><NbOfNtries>0</NbOfNtries></TtlDbtNtries>`)},
		{"summary_08", edited(plain08(), "<Ntry>\n<NtryRef>", "<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries><Sum>1819.5</Sum><TtlNetNtry><Amt>1679.5</Amt><CdtDbtInd>CRDT</CdtDbtInd></TtlNetNtry></TtlNtries></TxsSummry>\n<Ntry>\n<NtryRef>")},
		{"only_page", edited(single, "</CreDtTm></GrpHdr>", "</CreDtTm><MsgPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></MsgPgntn></GrpHdr>")},
		{"foreign_account", edited(single, "<Othr><Id>12345678903</Id></Othr>", "<IBAN>SE4550000000058398257466</IBAN>")},
		{"account_with_points", edited(single, "12345678903", "1234.56.78903")},
	}
}

func oddFiles() []vectors.Vector {
	paged := "<MsgPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></MsgPgntn>"
	return []vectors.Vector{
		{"account_mistyped.bad_account.line5", edited(single, "12345678903", "12345678901")},
		{"iban_mistyped.bad_account.line5", edited(single, "<Othr><Id>12345678903</Id></Othr>", "<IBAN>NO7212345678903</IBAN>")},
		{"copy.copy.line4", edited(single, "<Acct>", "<CpyDplctInd>COPY</CpyDplctInd><Acct>")},
		{"copy_and_duplicate.copy.line4", edited(single, "<Acct>", "<CpyDplctInd>CODU</CpyDplctInd><Acct>")},
		{"duplicate.copy.line4", edited(single, "<Acct>", "<CpyDplctInd>DUPL</CpyDplctInd><Acct>")},
		{"a_page_of_several.other_pages.line4", edited(summed("<TtlNtries><NbOfNtries>9</NbOfNtries></TtlNtries>"), "</CreDtTm></GrpHdr>", "</CreDtTm>"+paged+"</GrpHdr>")},
		{"the_last_page.other_pages.line5", edited(plain08(), "<Id>NTF-1</Id>", "<Id>NTF-1</Id><NtfctnPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></NtfctnPgntn>")},
		{"no_booking_date.no_booking_date.line9", edited(plain02, "<BookgDt><Dt>2026-03-02</Dt></BookgDt>\n", "")},
		{"no_date_at_all.no_booking_date.line7", edited(single, "<BookgDt><Dt>2026-03-02</Dt></BookgDt>", "")},
		{"in_euro.other_currency.line7", edited(single, "NOK", "EUR")},
		{"transactions_do_not_add_up.doubtful_entry.line9", edited(plain02, ">1250.00<", ">1251.00<")},
		{"transaction_is_not_the_entry.doubtful_entry.line7", ofAmount("99.00", "")},
		{"transaction_without_amount.doubtful_entry.line9", edited(plain02, `<AmtDtls><TxAmt><Amt Ccy="NOK">1250.00</Amt></TxAmt></AmtDtls>`, "")},
		{"batch_counts_wrongly.doubtful_entry.line9", edited(plain02, "<NbOfTxs>2", "<NbOfTxs>3")},
		{"batch_adds_wrongly.doubtful_entry.line9", edited(plain02, "</NbOfTxs>", `</NbOfTxs><TtlAmt Ccy="NOK">1749.51</TtlAmt>`)},
		{"direction_is_not_the_entrys.doubtful_entry.line9", edited(plain08(), "1250.00</Amt><CdtDbtInd>CRDT", "1250.00</Amt><CdtDbtInd>DBIT")},
		{"invoices_without_amounts.unclear_reference.line8", forInvoices(strd(testKID, ""), strd("0000431003185", ""))},
		{"invoices_of_which_one_has_no_amount.unclear_reference.line8", forInvoices(strd(testKID, remitted("60")), strd("0000431003185", ""))},
		{"invoices_that_do_not_add_up.unclear_reference.line8", forInvoices(strd(testKID, remitted("60")), strd("0000431003185", remitted("41")))},
		{"invoice_and_credit_note_in_another_currency.unclear_reference.line8", forInvoices(strd(testKID, remitted("60")), strd("0000431003185", `<RfrdDocAmt><CdtNoteAmt Ccy="EUR">10</CdtNoteAmt><RmtdAmt Ccy="NOK">50</RmtdAmt></RfrdDocAmt>`))},
		{"long_text.text_cut.line8", edited(single, singleRmtInf, "<RmtInf>"+strings.Repeat("<Ustrd>"+strings.Repeat("æøå ", 35)+"</Ustrd>", 20)+"</RmtInf>")},
	}
}

func wrongFiles() []vectors.Vector {
	files := []vectors.Vector{
		{"nothing_at_all.empty_file.line1", ""},
		{"blanks_only.empty_file.line3", "\n\n  "},
		{"declaration_only.empty_file.line2", `<?xml version="1.0"?>` + "\n"},
		{"cut_off.malformed_xml.line18", until(plain02, "Dtls>\n<Btch>")},
		{"cut_off_between_elements.malformed_xml.line31", until(plain02, "</Ntry>")},
		{"no_xml.malformed_xml.line2", "NY000010000080800000123000123450000000000000000000000000000000000000000000000000\n"},
		{"wrong_end.malformed_xml.line6", edited(plain02, "</Id>\n<CreDtTm>", "</id>\n<CreDtTm>")},
		{"two_messages.malformed_xml.line14", single + single},
		{"two_messages_with_declarations.malformed_xml.line44", plain02 + plain02},
		{"text_behind.malformed_xml.line15", single + "\n-- end --"},
		{"not_utf8.malformed_xml.line23", latin1(plain02)},
		{"control_character.malformed_xml.line28", edited(plain02, "Faktura", "Fak\x01tura")},
		{"declared_as_1_1.malformed_xml.line1", edited(plain02, `"1.0"`, `"1.1"`)},
		{"unknown_entity.malformed_xml.line28", edited(plain02, "Faktura", "&faktura;")},
		{"doctype.doctype_not_allowed.line2", edited(plain02, "?>\n", "?>\n<!DOCTYPE Document>")},
		{"external_entity.doctype_not_allowed.line2", edited(plain02, "?>\n", `?>`+"\n"+`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>`, "Faktura", "&e;")},
		{"billion_laughs.doctype_not_allowed.line5", edited(plain02, "?>\n", `?><!DOCTYPE lolz [
<!ENTITY lol "lol">
<!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
<!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">
]>`, "Faktura", "&lol3;")},
		{"windows_1252.unsupported_encoding.line1", edited(plain02, "UTF-8", "windows-1252")},
		{"utf16.malformed_xml.line1", inUTF16(plain02)},
		{"camt053.unknown_message.line2", edited(plain02, "camt.054.001.02", "camt.053.001.02")},
		{"camt054_04.unknown_message.line2", edited(plain02, "camt.054.001.02", "camt.054.001.04")},
		{"no_namespace.unknown_message.line2", edited(plain02, ` xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02"`, "")},
		{"bare_namespace.unknown_message.line2", edited(plain02, "urn:iso:std:iso:20022:tech:xsd:", "")},
		{"another_root.unknown_message.line1", "<html><body/></html>"},
		{"another_message.missing_element.line2", edited(plain02, "BkToCstmrDbtCdtNtfctn", "BkToCstmrStmt")},
		{"too_deep.too_deep.line9", edited(plain02, "<Ntry>\n<NtryRef>", "<Ntry>"+strings.Repeat("<x>", 62)+"<NtryRef>")},
		{"text_without_end.too_long.line28", edited(plain02, "Faktura", strings.Repeat("Faktura ", maxToken/8))},
		{"comment_without_end.too_long.line6", edited(plain02, "<Id>NTF-1", "<!-- "+strings.Repeat("x", maxToken)+"--><Id>NTF-1")},
		{"text_in_pieces_without_end.too_long.line28", edited(plain02, "Faktura", strings.Repeat(strings.Repeat("Faktura ", maxToken/32)+"<!-- -->", 5))},
		{"more_invoices_than_are_read.too_many.line9", forInvoices(strings.Repeat(strd(testKID, ""), maxReferences+1))},
	}
	return append(files, wrongElements()...)
}

func inUTF16(s string) string {
	b := []byte{0xff, 0xfe}
	for _, c := range utf16.Encode([]rune(s)) {
		b = append(b, byte(c), byte(c>>8))
	}
	return string(b)
}
