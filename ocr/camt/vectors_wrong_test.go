package camt

import (
	"strings"

	"purr/test/testkit/vectors"
)

func wrongElements() []vectors.Vector {
	const bookingDay = "<BookgDt><Dt>2026-03-02</Dt></BookgDt>"
	return []vectors.Vector{
		{"only_the_namespace_changed.missing_element.line13.missing_element.line36", edited(plain02, "camt.054.001.02", "camt.054.001.08")},
		{"header_missing.missing_element.line2", edited(single, from(until(single, "<Ntfctn>"), "<GrpHdr>"), "")},
		{"message_id_missing.missing_element.line4", edited(plain02, "<MsgId>MSG-1</MsgId>", "")},
		{"message_id_empty.missing_element.line4", edited(plain02, "MSG-1", " ")},
		{"notification_missing.missing_element.line2", until(single, "<Ntfctn>") + from(single, "</BkTo")},
		{"account_missing.missing_element.line4", edited(single, "<Acct><Id><Othr><Id>12345678903</Id></Othr></Id></Acct>", "")},
		{"account_empty.missing_element.line5", edited(single, "<Othr><Id>12345678903</Id></Othr>", "")},
		{"amount_missing.missing_element.line9", edited(plain02, `<Amt Ccy="NOK">1749.50</Amt>`+"\n", "")},
		{"amount_empty.missing_element.line11", edited(plain02, "1749.50", "")},
		{"direction_missing.missing_element.line7", edited(single, "<CdtDbtInd>CRDT</CdtDbtInd>", "")},
		{"direction_behind.missing_element.line7.misplaced_element.line7", edited(single, "<CdtDbtInd>CRDT</CdtDbtInd>", "", bookingDay, bookingDay+"<CdtDbtInd>CRDT</CdtDbtInd>")},
		{"status_missing.missing_element.line7", edited(single, "<Sts>BOOK</Sts>", "")},
		{"status_empty.missing_element.line13", edited(plain08(), "<Sts><Cd>BOOK</Cd></Sts>\n<BookgDt><Dt>", "<Sts/>\n<BookgDt><Dt>")},
		{"reversal_behind_the_transactions.misplaced_element.line10", edited(single, "</NtryDtls>", "</NtryDtls><RvslInd>true</RvslInd>")},
		{"account_behind_the_entries.missing_element.line4.misplaced_element.line10", edited(single, "<Acct><Id><Othr><Id>12345678903</Id></Othr></Id></Acct>", "", "</Ntry>", "</Ntry><Acct><Id><Othr><Id>12345678903</Id></Othr></Id></Acct>")},
		{"two_amounts.repeated_element.line7", edited(single, "<CdtDbtInd>", `<Amt Ccy="NOK">1.00</Amt><CdtDbtInd>`)},
		{"two_accounts.repeated_element.line5.misplaced_element.line5", edited(single, "<Othr>", "<IBAN>NO7112345678903</IBAN><Othr>", "</Othr>", "</Othr><IBAN>NO7112345678903</IBAN>")},
		{"iban_and_another_number.repeated_element.line5", edited(single, "<Othr>", "<IBAN>NO9386011117947</IBAN><Othr>")},
		{"two_kids_in_one_reference.repeated_element.line9", edited(single, "</Ref>", "</Ref><Ref>0000431003185</Ref>")},
		{"amount_below_zero.bad_amount.line11", edited(plain02, "1749.50", "-1749.50")},
		{"amount_with_comma.bad_amount.line11", edited(plain02, "1749.50", "1749,50")},
		{"amount_in_parts.bad_amount.line11", edited(plain02, "1749.50", "1749.505")},
		{"amount_is_a_point.bad_amount.line11", edited(plain02, "1749.50", ".")},
		{"amount_too_large.bad_amount.line11", edited(plain02, "1749.50", "1000000000000000.00")},
		{"amount_with_exponent.bad_amount.line22", edited(plain02, "1250.00", "1.25e3")},
		{"amount_without_currency.bad_amount.line11", edited(plain02, `<Amt Ccy="NOK">1749.50`, "<Amt>1749.50")},
		{"no_such_day.bad_date.line14", edited(plain02, "<Dt>2026-03-02", "<Dt>2026-02-29")},
		{"date_by_points.bad_date.line14", edited(plain02, "<Dt>2026-03-02", "<Dt>02.03.2026")},
		{"time_for_a_date.bad_date.line14", edited(plain02, "<Dt>2026-03-02", "<Dt>2026-03-02T12:00:00")},
		{"date_for_a_time.bad_date.line4", edited(plain02, "2026-03-02T12:31:07.5+01:00", "2026-03-02")},
		{"direction_unknown.bad_code.line12", edited(plain02, ">CRDT<", ">CREDIT<")},
		{"reversal_unknown.bad_code.line35", edited(plain02, ">true<", ">yes<")},
		{"status_unknown.bad_code.line13.bad_code.line36", edited(plain02, ">BOOK<", ">book<")},
		{"copy_unknown.bad_code.line5", edited(single, "<Acct>", "<CpyDplctInd>YES</CpyDplctInd><Acct>")},
		{"count_of_words.bad_number.line19", edited(plain02, "<NbOfTxs>2", "<NbOfTxs>two")},
		{"message_id_too_long.too_long.line4", edited(plain02, "MSG-1", strings.Repeat("M", 36))},
		{"reference_too_long.too_long.line24", edited(plain02, testKID, strings.Repeat("1", 36))},
		{"account_too_long.too_long.line5", edited(single, "12345678903", strings.Repeat("1", 35))},
		{"summary_counts_wrongly.count_mismatch.line6.count_mismatch.line6.count_mismatch.line6", summed("<TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries><TtlCdtNtries><NbOfNtries>2</NbOfNtries></TtlCdtNtries><TtlDbtNtries><NbOfNtries>1</NbOfNtries></TtlDbtNtries>")},
		{"summary_adds_wrongly.sum_mismatch.line6.sum_mismatch.line6.sum_mismatch.line6", summed("<TtlNtries><Sum>101</Sum></TtlNtries><TtlCdtNtries><Sum>99</Sum></TtlCdtNtries><TtlDbtNtries><Sum>0.01</Sum></TtlDbtNtries>")},
		{"summary_nets_wrongly.sum_mismatch.line6", summed("<TtlNtries><TtlNetNtryAmt>100</TtlNetNtryAmt><CdtDbtInd>DBIT</CdtDbtInd></TtlNtries>")},
		{"sum_beyond_all_counting.sum_too_large.line99", repeated(`<Ntry><Amt Ccy="NOK">999999999999999.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt></Ntry>`, 93)},
		{"several_at_once.bad_date.line4.bad_amount.line11.bad_code.line12.missing_element.line32", edited(plain02, "2026-03-02T12:31:07.5+01:00", "today", "1749.50", "much", "CRDT", "in", "<Amt Ccy=\"NOK\">70</Amt>\n", "")},
	}
}
