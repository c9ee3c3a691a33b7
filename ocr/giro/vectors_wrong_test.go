package giro

import (
	"slices"
	"strings"

	"purr/test/testkit/vectors"
)

// wrongFiles are plainFile with damage. A record that is lost or doubled shows three times: where it
// is, and in the counts of both ends.
func wrongFiles() []vectors.Vector {
	plain := plainFile()
	files := []vectors.Vector{
		{"nothing_at_all.empty_file.line1", ""},
		{"blank_lines_only.empty_file.line3", "\n\r\n \n"},
		{"end_missing.missing_end.line10", edited(plain, drop(11))},
		{"ends_missing.missing_end.line9.missing_end.line9", edited(plain, drop(11), drop(10))},
		{"end_of_assignment_missing.missing_end.line10.count_mismatch.line10", edited(plain, drop(10))},
		{"cut_off_in_a_transaction.unpaired_item.line3.missing_end.line3.missing_end.line3", plain[:3*81]},
		{"cut_off_in_a_record.bad_length.line9.missing_end.line9.missing_end.line9", plain[:8*81+40]},
		{"start_missing.unexpected_record.line1.count_mismatch.line10", edited(plain, drop(1))},
		{"start_of_assignment_missing.unexpected_record.line2.count_mismatch.line9.count_mismatch.line10", edited(plain, drop(2))},
		{"start_twice.missing_end.line2", edited(plain, insert(2, lineOf(plain, 1)))},
		{"start_of_assignment_twice.missing_end.line3.count_mismatch.line12", edited(plain, insert(3, lineOf(plain, 2)))},
		{"end_of_assignment_twice.unexpected_record.line11.count_mismatch.line12", edited(plain, insert(11, lineOf(plain, 10)))},
		{"end_twice.unexpected_record.line12", plain + lineOf(plain, 11)},
		{"record_after_the_end.unexpected_record.line12.unpaired_item.line12", plain + lineOf(plain, 3)},
		{"mandates_without_end.missing_end.line13.count_mismatch.line13.count_mismatch.line13", edited(plain, insert(11, mandates[:2]...))},
		{"payment_among_mandates.missing_end.line4.unexpected_record.line4.unexpected_record.line6.count_mismatch.line7", amongMandates(lineOf(plain, 3), lineOf(plain, 4))},
		{"mandates_twice_without_end.missing_end.line4.count_mismatch.line5.count_mismatch.line5.count_mismatch.line6.count_mismatch.line6.sum_mismatch.line6", amongMandates(mandates[0])},
		{"unknown_record_type.unexpected_record.line4", edited(plain, set(4, 6, "35"))},
		{"unknown_frame_record.unexpected_record.line10.missing_end.line11", edited(plain, set(10, 6, "87"))},
		{"unknown_type.unknown_type.line3", edited(plain, set(3, 4, "22"), set(4, 4, "22"))},
		{"type_09.unknown_type.line3", edited(plain, set(3, 4, "09"), set(4, 4, "09"))},
		{"item1_missing.unpaired_item.line3.count_mismatch.line9.count_mismatch.line9.sum_mismatch.line9.count_mismatch.line10.count_mismatch.line10.sum_mismatch.line10", edited(plain, drop(3))},
		{"item2_missing.unpaired_item.line4.count_mismatch.line9.count_mismatch.line10", edited(plain, drop(4))},
		{"item3_missing.unpaired_item.line7.count_mismatch.line9.count_mismatch.line10", edited(plain, drop(7))},
		{"item2_missing_at_the_end.unpaired_item.line9.count_mismatch.line9.count_mismatch.line10", edited(plain, drop(9))},
		{"item2_twice.unpaired_item.line5.count_mismatch.line11.count_mismatch.line12", edited(plain, insert(5, lineOf(plain, 4)))},
		{"item3_in_a_giro.unpaired_item.line5.count_mismatch.line11.count_mismatch.line12", edited(plain, insert(5, "NY0913320000001"+strings.Repeat(" ", 40)+strings.Repeat("0", 25)+"\n"))},
		{"item2_of_another_number.unpaired_item.line4", edited(plain, set(4, 8, "0000009"))},
		{"item2_of_another_type.unpaired_item.line4", edited(plain, set(4, 4, "15"))},
		{"item3_of_another_number.unpaired_item.line7", edited(plain, set(7, 8, "0000009"))},
		{"record_short.bad_length.line4", edited(plain, to(4, lineOf(plain, 4)[:79]+"\n"))},
		{"record_short_in_crlf.bad_length.line4", strings.ReplaceAll(edited(plain, to(4, lineOf(plain, 4)[:79]+"\n")), "\n", "\r\n")},
		{"record_short_before_ctrl_z.bad_length.line11", plain[:11*81-2] + "\x1a"},
		{"record_long.bad_length.line3", edited(plain, to(3, lineOf(plain, 3)[:80]+"0\n"))},
		{"record_with_a_blank_after_it.bad_length.line10", edited(plain, to(10, lineOf(plain, 10)[:80]+" \n"))},
		{"start_short.bad_length.line1", plain[1:]},
		{"start_of_assignment_short.bad_length.line2", edited(plain, to(2, lineOf(plain, 2)[1:]))},
		{"text_in_utf8.bad_length.line7", edited(plain, to(7, strings.ReplaceAll(strings.ReplaceAll(lineOf(plain, 7), "\xe5", "å"), "\xe6", "æ")))},
		{"line_without_end.bad_length.line1.missing_end.line1", strings.ReplaceAll(plain, "\n", "")},
		{"last_line_longer_than_any_buffer.bad_length.line12", plain + strings.Repeat("x", 2*bufferSize)},
		{"line_longer_than_any_buffer.bad_length.line5", edited(plain, to(5, lineOf(plain, 5)[:80]+strings.Repeat("0", bufferSize)+"\n"))},
		{"text_before_the_file.bad_length.line1", "Subject: OCR\n" + plain},
		{"text_within.bad_length.line5.count_mismatch.line11.count_mismatch.line12", edited(plain, insert(5, "-- page 2 --\n"))},
		{"gzip.bad_length.line1", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\n" + plain},
		{"zip.bad_length.line1", "PK\x03\x04\x14\x00\n" + plain},
		{"pdf.bad_length.line1", "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"},
		{"utf16.bad_length.line1", "\xff\xfe" + strings.Join(strings.Split(plain, ""), "\x00") + "\x00"},
		{"utf16_without_mark.bad_length.line1", "\x00" + strings.Join(strings.Split(plain, ""), "\x00")},
		{"json.bad_length.line1", "{\n\"payments\": []\n}\n"},
		{"not_ny.not_ny.line3", edited(plain, set(3, 0, "XY"))},
		{"not_ny_in_the_end.not_ny.line11", edited(plain, set(11, 0, "ny"))},
	}
	return append(files, wrongFields(plain)...)
}

// amongMandates returns a file of one mandate, and of other records after it.
func amongMandates(records ...string) string {
	return edited(plainFile(), keepFrame, insert(2, mandates...), insert(4, records...))
}

func wrongFields(plain string) []vectors.Vector {
	return []vectors.Vector{
		{"letter_in_amount.bad_number.line3", edited(plain, set(3, 48, "O"))},
		{"blank_in_amount.bad_number.line3", edited(plain, set(3, 32, " "))},
		{"sign_in_amount.bad_number.line3", edited(plain, set(3, 32, "-"))},
		{"letter_in_item1_numbers.bad_number.line3.bad_number.line3.bad_number.line3.bad_number.line3.bad_number.line3", edited(plain, set(3, 21, "xxxxxxxxxx"), set(3, 74, "xx"))},
		{"letter_in_transaction_number.bad_number.line3", edited(plain, set(3, 8, "000000x"), set(4, 8, "000000x"))},
		{"day_code_32.bad_number.line3", edited(plain, set(3, 23, "32"))},
		{"letter_in_form_number.bad_number.line4", edited(plain, set(4, 15, "x"))},
		{"letter_in_archive_reference.bad_number.line4", edited(plain, set(4, 25, "x"))},
		{"letter_in_debit_account.bad_number.line4", edited(plain, set(4, 47, "x"))},
		{"letters_in_starts.bad_number.line1.bad_number.line1.bad_number.line1.bad_number.line2.bad_number.line2.bad_number.line2", edited(plain, set(1, 8, "x"), set(1, 16, "x"), set(1, 23, "x"), set(2, 8, "x"), set(2, 17, "x"), set(2, 24, "x"))},
		{"letters_in_counts.bad_number.line10.bad_number.line10.bad_number.line10.bad_number.line11.bad_number.line11.bad_number.line11", edited(plain, set(10, 8, "x"), set(10, 16, "x"), set(10, 24, "x"), set(11, 8, "x"), set(11, 16, "x"), set(11, 24, "x"))},
		{"sign_plus.bad_sign.line3", edited(plain, set(3, 31, "+"))},
		{"no_such_day.bad_date.line3", edited(plain, set(3, 15, "310226"))},
		{"no_nets_date.bad_date.line3", edited(plain, set(3, 15, "000000"))},
		{"letter_in_nets_date.bad_date.line3", edited(plain, set(3, 15, "0x0326"))},
		{"letter_in_bank_date.bad_date.line4", edited(plain, set(4, 41, "0x0326"))},
		{"dates_of_ends.bad_date.line10.bad_date.line10.bad_date.line10.bad_date.line11", edited(plain, set(10, 41, "990326990326990326"), set(11, 41, "20260303"))},
		{"letter_in_kid.bad_kid.line3", edited(plain, set(3, 61, "A"))},
		{"blank_in_kid.bad_kid.line3", edited(plain, set(3, 65, " "))},
		{"minus_within_kid.bad_kid.line3", edited(plain, set(3, 65, "-"))},
		{"minus_alone_as_kid.bad_kid.line3", edited(plain, set(3, 49, strings.Repeat(" ", 24)+"-"))},
		{"transactions_of_assignment.count_mismatch.line10", edited(plain, set(10, 8, "00000004"))},
		{"records_of_assignment.count_mismatch.line10", edited(plain, set(10, 16, "00000008"))},
		{"sum_of_assignment.sum_mismatch.line10", edited(plain, set(10, 24, "00000000000108001"))},
		{"sum_of_assignment_is_gross.sum_mismatch.line10", edited(plain, set(10, 24, "00000000000158000"))},
		{"transactions_of_transmission.count_mismatch.line11", edited(plain, set(11, 8, "00000002"))},
		{"records_of_transmission.count_mismatch.line11", edited(plain, set(11, 16, "00000010"))},
		{"sum_beyond_all_counting.sum_too_large.line187", largest(93)},
		{"sum_of_transmission.sum_mismatch.line11", edited(plain, set(11, 24, "00000000000107999"))},
		{"amount_edited.sum_mismatch.line10.sum_mismatch.line11", edited(plain, set(3, 40, "000125001"))},
		{"sign_edited.sum_mismatch.line10.sum_mismatch.line11", edited(plain, set(8, 31, "0"))},
		{"reversal_sum_wrong_either_way.sum_mismatch.line9.sum_mismatch.line10", reversalFile(125000)},
		{"reversal_added_but_in_the_transmission.sum_mismatch.line10", edited(reversalFile(130000), set(10, 24, "00000000000120000"))},
		{"net_below_zero.sum_mismatch.line5.sum_mismatch.line6", edited(written(payment(100)), set(3, 31, "-"))},
		{"mandates_not_counted.count_mismatch.line14.count_mismatch.line14", edited(plain, insert(11, mandates...))},
		{"mandates_miscounted.count_mismatch.line13", edited(plain, insert(11, mandates...), set(13, 8, "00000002"), set(14, 8, "0000000400000014"))},
		{"several_at_once.unknown_type.line3.bad_date.line4.sum_mismatch.line10", edited(plain, set(3, 4, "99"), set(4, 4, "99"), set(4, 41, "320326"), set(10, 24, "9"), set(11, 24, "0"))},
	}
}

// largest returns a file of n payments of the largest amount.
func largest(n int) string {
	lines := strings.SplitAfter(written(slices.Repeat([]Payment{payment(0)}, n)...), "\n")
	for i := range n {
		lines = set(3+2*i, 32, "99999999999999999")(lines)
	}
	return strings.Join(lines, "")
}
