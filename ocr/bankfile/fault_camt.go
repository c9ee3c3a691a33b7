package bankfile

import (
	"regexp"
	"strings"

	"purr/models"
	"purr/ocr/camt"
)

// camtFaults are the faults of camt.054. Each changes the first match of its pattern.
func camtFaults() []Fault {
	return append(camtWrong(), camtOdd()...)
}

func camtWrong() []Fault {
	const summary = "</Acct><TxsSummry><TtlNtries>%</TtlNtries></TxsSummry>"
	return []Fault{
		newFault("empty_file", camt.CodeEmptyFile, "nothing of the file is left", emptyFile),
		newFault("cut_off", camt.CodeMalformed, "the end of the file is missing", replace(`</Document>\n`, "")),
		newFault("two_messages", camt.CodeMalformed, "another message follows the first", replace(`</Document>`, "</Document><Document/>")),
		newFault("doctype", camt.CodeDoctype, "there is a document type declaration", replace(`^<Document`, `<!DOCTYPE Document><Document`)),
		newFault("wrong_encoding", camt.CodeEncoding, "the encoding is one that is not read", replace(`encoding="UTF-8"`, `encoding="windows-1252"`)),
		newFault("wrong_message", camt.CodeUnknownMessage, "the message is a statement, camt.053", replace(`camt\.054`, "camt.053")),
		newFault("deep_nesting", camt.CodeTooDeep, "elements are nested 100 deep", replace(`</BkTxCd>`, "</BkTxCd>"+strings.Repeat("<X>", 100)+strings.Repeat("</X>", 100))),
		newFault("long_reference", camt.CodeTooLong, "a reference has 40 characters more than it may have", replace(`<AcctSvcrRef>`, "<AcctSvcrRef>"+strings.Repeat("0", 40))),
		newFault("no_direction", camt.CodeMissingElement, "an entry does not say whether it is money in or out", replace(`(<Ntry>.*?)<CdtDbtInd>\w+</CdtDbtInd>`, "$1")),
		newFault("two_directions", camt.CodeRepeatedElement, "an entry says twice whether it is money in or out", replace(`(<Ntry>.*?)(<CdtDbtInd>\w+</CdtDbtInd>)`, "$1$2$2")),
		newFault("misplaced_status", camt.CodeMisplacedElement, "the flag of a reversal stands behind the status", replace(`</Sts>`, "</Sts><RvslInd>false</RvslInd>")),
		newFault("letter_in_amount", camt.CodeBadAmount, "an amount has a letter", replace(`(<Amt Ccy="NOK">)`, "${1}O")),
		newFault("impossible_date", camt.CodeBadDate, "the message was made on 31 February", replace(`(<GrpHdr>.*<CreDtTm>)[0-9-]+`, "${1}2026-02-31")),
		newFault("unknown_direction", camt.CodeBadCode, "an entry is neither money in nor out", replace(`(<Ntry>.*?<CdtDbtInd>)\w+`, "${1}KRED")),
		newFault("word_for_count", camt.CodeBadNumber, "a summary counts its entries in words", summarised(summary, "<NbOfNtries>two</NbOfNtries>")),
		newFault("wrong_count", camt.CodeCountMismatch, "a summary counts entries that are not there", summarised(summary, "<NbOfNtries>99999999</NbOfNtries>")),
		newFault("wrong_total", camt.CodeSumMismatch, "a summary says another sum than that of the entries", summarised(summary, "<Sum>0.01</Sum>")),
	}
}

func camtOdd() []Fault {
	const other = "<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>1230</Ref></CdtrRefInf></Strd>"
	all := []Fault{
		newFault("wrong_account", camt.CodeBadAccount, "the check digit of an account is wrong", changeMatch(`<Acct><Id>(<Othr><Id>|<IBAN>)\w+`, lastDigit)),
		newFault("copy", camt.CodeCopy, "a notification is a copy", replace(`<Acct>`, "<CpyDplctInd>COPY</CpyDplctInd><Acct>")),
		newFault("first_page", camt.CodeOtherPages, "there are pages in other files", replace(`</GrpHdr>`, "<MsgPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></MsgPgntn></GrpHdr>")),
		newFault("no_booking_date", camt.CodeNoBookingDate, "an entry has no booking date", replace(`<BookgDt>.*?</BookgDt>`, "")),
		newFault("other_currency", camt.CodeOtherCurrency, "an entry is in euro", replace(`(<Ntry>.*?)Ccy="NOK"`, `${1}Ccy="EUR"`)),
		newFault("wrong_batch", camt.CodeDoubtful, "an entry counts transactions that are not there", replace(`<NtryDtls>(<Btch>.*?</Btch>)?`, "<NtryDtls><Btch><NbOfTxs>99999</NbOfTxs></Btch>")),
		newFault("long_text", camt.CodeTextCut, "a payment has a text of 2800 characters", replace(`<RmtInf>`, "<RmtInf>"+strings.Repeat("<Ustrd>"+strings.Repeat("x", 140)+"</Ustrd>", 20))),
		newFault("two_kids", camt.CodeUnclearReference, "a payment has two KIDs and does not say how much of it is for which", replace(`(<Ref>.*?</Strd>)`, "${1}"+other)),
		newFault("wrong_check_digit", CodeKIDCheckDigit, "a KID ends in the check digit of no modulus", changeMatch(`<Ref>[^<]*`, func(tag string) string {
			kid := strings.TrimPrefix(tag, "<Ref>")
			return "<Ref>" + invalidKID(kid)
		})),
		{
			Name: "late_order", Code: CodeBankDate, Sentence: "an order reached the bank after it was booked",
			start: func(date models.Date) damage {
				return replace(`<AccptncDtTm>[0-9-]+`, "<AccptncDtTm>"+(date+5).String())()
			},
		},
		{
			Name: "early_file", Code: CodeCreatedBefore, Sentence: "the message was made a week before its last payment",
			start: func(date models.Date) damage {
				return replace(`(<GrpHdr>.*<CreDtTm>)[0-9-]+`, "${1}"+(date-7).String())()
			},
		},
	}
	for i := range all {
		all[i] = asWarning(all[i])
	}
	return all
}

// changeMatch changes the first match in the first line that has one.
func changeMatch(pattern string, do func(string) string) func() damage {
	return func() damage {
		expression := regexp.MustCompile(pattern)
		return func(line []byte) ([]byte, bool) {
			found := expression.FindIndex(line)
			if found == nil {
				return line, false
			}
			return []byte(string(line[:found[0]]) + do(string(line[found[0]:found[1]])) + string(line[found[1]:])), true
		}
	}
}

// replace replaces the first match in the first line that has one.
func replace(pattern, by string) func() damage {
	return func() damage {
		expression := regexp.MustCompile(pattern)
		return changeMatch(pattern, func(found string) string { return expression.ReplaceAllString(found, by) })()
	}
}

// summarised puts a summary before the entries of the first notification.
func summarised(frame, content string) func() damage {
	return replace(`</Acct>`, strings.Replace(frame, "%", content, 1))
}

// lastDigit changes the last character of a text.
func lastDigit(text string) string {
	last := len(text) - 1
	return text[:last] + string(otherDigit(text[last]))
}
