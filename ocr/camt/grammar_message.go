package camt

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"purr/models"
)

// grammars are the elements that are read, by version.
var grammars = map[Version]*element{
	Version02: compile(Version02, messageRules()),
	Version08: compile(Version08, messageRules()),
}

// messageRules are the elements of a message in their order (ISO 20022 message definition report). Elements that both
// versions have stand in the same order in both.
func messageRules() []rule {
	message := func(r *Reader) *MessageHeader { return &r.summary.MessageHeader }
	notification := func(r *Reader) *NotificationHeader { return &r.notification.NotificationHeader }
	rules := []rule{
		needed(group("GrpHdr")),
		needed(text("GrpHdr/MsgId", 35, func(r *Reader) *string { return &message(r).ID })),
		needed(moment("GrpHdr/CreDtTm", func(r *Reader) *models.Date { return &message(r).Created })),
		many(group("GrpHdr/MsgRcpt/Id/OrgId/Othr")),
		text("GrpHdr/MsgRcpt/Id/OrgId/Othr/Id", 35, func(r *Reader) *string { return &message(r).Recipient }),
		number("GrpHdr/MsgPgntn/PgNb", func(r *Reader) *int { return &message(r).Page.Number }),
		yesNo("GrpHdr/MsgPgntn/LastPgInd", func(r *Reader) *bool { return &message(r).Page.Last }),

		needed(many(parts("Ntfctn", (*Reader).startNotification, (*Reader).endNotification))),
		needed(text("Ntfctn/Id", 35, func(r *Reader) *string { return &notification(r).ID })),
		in08(number("Ntfctn/NtfctnPgntn/PgNb", func(r *Reader) *int { return &notification(r).Page.Number })),
		in08(yesNo("Ntfctn/NtfctnPgntn/LastPgInd", func(r *Reader) *bool { return &notification(r).Page.Last })),
		moment("Ntfctn/CreDtTm", func(r *Reader) *models.Date { return &notification(r).Created }),
		code("Ntfctn/CpyDplctInd", func(r *Reader) *string { return &notification(r).Copy }, "COPY", "CODU", "DUPL"),
		needed(parts("Ntfctn/Acct", nil, (*Reader).endAccount)),
		needed(group("Ntfctn/Acct/Id")),
		account("Ntfctn/Acct/Id/IBAN", func(r *Reader) *string { return &notification(r).Account }),
		account("Ntfctn/Acct/Id/Othr/Id", func(r *Reader) *string { return &notification(r).Account }),
		in02(text("Ntfctn/Acct/Svcr/FinInstnId/BIC", 11, func(r *Reader) *string { return &notification(r).Servicer })),
		in08(text("Ntfctn/Acct/Svcr/FinInstnId/BICFI", 11, func(r *Reader) *string { return &notification(r).Servicer })),
		anyText("Ntfctn/Acct/Svcr/FinInstnId/Nm", (*Reader).servicerName),
		parts("Ntfctn/TxsSummry", (*Reader).startTotals, nil),
	}
	rules = append(rules, totalsRules()...)
	rules = append(rules, entryRules()...)
	rules = append(rules, transactionRules()...)
	for i := range rules {
		rules[i].path = "BkToCstmrDbtCdtNtfctn/" + rules[i].path
	}
	return append([]rule{needed(group("BkToCstmrDbtCdtNtfctn"))}, rules...)
}

// totalsRules are the elements of a notification's summary.
func totalsRules() []rule {
	declared := func(r *Reader) *declared { return &r.notification.declared }
	return []rule{
		number("Ntfctn/TxsSummry/TtlNtries/NbOfNtries", func(r *Reader) *int { return &declared(r).all.number }),
		sum("Ntfctn/TxsSummry/TtlNtries/Sum", func(r *Reader) *money { return &declared(r).all.sum }),
		in02(sum("Ntfctn/TxsSummry/TtlNtries/TtlNetNtryAmt", func(r *Reader) *money { return &declared(r).net })),
		in02(code("Ntfctn/TxsSummry/TtlNtries/CdtDbtInd", func(r *Reader) *string { return &declared(r).netDirection }, Credit, Debit)),
		in08(sum("Ntfctn/TxsSummry/TtlNtries/TtlNetNtry/Amt", func(r *Reader) *money { return &declared(r).net })),
		in08(code("Ntfctn/TxsSummry/TtlNtries/TtlNetNtry/CdtDbtInd", func(r *Reader) *string { return &declared(r).netDirection }, Credit, Debit)),
		number("Ntfctn/TxsSummry/TtlCdtNtries/NbOfNtries", func(r *Reader) *int { return &declared(r).credits.number }),
		sum("Ntfctn/TxsSummry/TtlCdtNtries/Sum", func(r *Reader) *money { return &declared(r).credits.sum }),
		number("Ntfctn/TxsSummry/TtlDbtNtries/NbOfNtries", func(r *Reader) *int { return &declared(r).debits.number }),
		sum("Ntfctn/TxsSummry/TtlDbtNtries/Sum", func(r *Reader) *money { return &declared(r).debits.sum }),
	}
}

// money is an amount that may be absent.
type money struct {
	amount   models.Amount
	currency string
	given    bool
}

// in reports whether the amount is given, and in the currency.
func (m money) in(currency string) bool { return m.given && m.currency == currency }

// group is an element of other elements.
func group(path string) rule { return rule{path: path} }

// parts is an element of other elements. start and end are called at its tags, unless they are nil.
func parts(path string, start, end func(*Reader)) rule {
	return rule{path: path, element: element{start: start, end: end}}
}

// anyText is an element of text.
func anyText(path string, take func(*Reader, string)) rule {
	return rule{path: path, element: element{value: func(r *Reader, v value) { take(r, v.text) }}}
}

// text is an element of text with at most so many characters.
func text(path string, most int, at func(*Reader) *string) rule {
	return anyText(path, func(r *Reader, s string) {
		if n := utf8.RuneCountInString(s); n > most {
			r.fault(CodeTooLong, "%s has %d characters instead of at most %d", r.name(), n, most)
			return
		}
		if field := at(r); *field == "" { // if the element is repeated, the first one counts
			*field = s
		}
	})
}

// code is an element that holds one of the words.
func code(path string, at func(*Reader) *string, words ...string) rule {
	return anyText(path, func(r *Reader, s string) {
		if !slices.Contains(words, s) {
			r.fault(CodeBadCode, "%s is %q instead of one of %v", r.name(), clip(s), words)
		}
		*at(r) = s
	})
}

// yesNo is an element that holds true or false.
func yesNo(path string, at func(*Reader) *bool) rule {
	return anyText(path, func(r *Reader, s string) {
		switch s {
		case "true", "1":
			*at(r) = true
		case "false", "0":
			*at(r) = false
		default:
			r.fault(CodeBadCode, "%s is %q instead of true or false", r.name(), clip(s))
		}
	})
}

// number is an element that holds a count.
func number(path string, at func(*Reader) *int) rule {
	return anyText(path, func(r *Reader, s string) {
		n, err := strconv.ParseUint(s, 10, 31)
		if err != nil {
			r.fault(CodeBadNumber, "%s is %q, which is no count", r.name(), clip(s))
			return
		}
		*at(r) = int(n)
	})
}

// sum is an element of a sum, which has no currency.
func sum(path string, at func(*Reader) *money) rule {
	return rule{path: path, element: element{value: func(r *Reader, v value) {
		a, err := parseAmount(v.text)
		if err != nil {
			r.fault(CodeBadAmount, "%s: %s", r.name(), clip(err.Error()))
			r.unsure = true
		}
		*at(r) = money{a, v.currency, true}
	}}}
}

// amount is an element of money.
func amount(path string, at func(*Reader) *money) rule {
	rule := sum(path, at)
	read := rule.value
	rule.value = func(r *Reader, v value) {
		if v.currency == "" {
			r.fault(CodeBadAmount, "%s has no currency", r.name())
		}
		read(r, v)
	}
	return rule
}

// date and moment are elements of a day, and of a day with a time. Only the day is used.
func date(path string, at func(*Reader) *models.Date) rule { return dated(path, parseDate, at) }

func moment(path string, at func(*Reader) *models.Date) rule { return dated(path, parseMoment, at) }

func dated(path string, parse func(string) (models.Date, error), at func(*Reader) *models.Date) rule {
	return anyText(path, func(r *Reader, s string) {
		d, err := parse(s)
		if err != nil {
			r.fault(CodeBadDate, "%s: %s", r.name(), clip(err.Error()))
		}
		*at(r) = d
	})
}

// account is an IBAN or another identification of an account, of at most 34 characters.
func account(path string, at func(*Reader) *string) rule {
	return anyText(path, func(r *Reader, s string) {
		if n := utf8.RuneCountInString(s); n > 34 {
			r.fault(CodeTooLong, "%s has %d characters instead of at most 34", r.name(), n)
		}
		if *at(r) != "" {
			r.fault(CodeRepeatedElement, "%s is a second number of the account: it has an IBAN or another one", r.name())
		}
		account, ok := accountOf(s)
		if !ok {
			r.warn(CodeBadAccount, "the check digits of the account %s are wrong", s)
		}
		*at(r) = account
	})
}
