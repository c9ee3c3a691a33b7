package dunning

import (
	"slices"

	"purr/models"
)

// NoticeLines returns the lines of a notice in the customer's language (rule D28), one for each of the invoice's entries,
// in order: those it has, then the notice's own fee and interest. The original amount comes first. The
// lines add up to the invoice's balance. Entries of credit notes are skipped. compensations are the IDs of the notices
// that charged standard compensation, 0 for the new one: their fees are called that.
func NoticeLines(entries []models.Entry, language string, compensations ...int64) []models.NoticeLine {
	texts, ok := lineTexts[language]
	if !ok {
		texts = lineTexts["nb"]
	}
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b models.Entry) int { return originalFirst(a) - originalFirst(b) })
	var lines []models.NoticeLine
	for _, e := range entries {
		if e.CreditNoteID != 0 {
			continue
		}
		text := texts.of(e, isCompensation(e, compensations)) + " " + e.TransactionDate.String()
		lines = append(lines, models.NoticeLine{
			Position: len(lines) + 1, Text: text, Gross: e.Amount, Type: e.Type, TransactionDate: e.TransactionDate,
		})
	}
	return lines
}

func originalFirst(e models.Entry) int {
	if e.Type == models.EntryInvoice {
		return 0
	}
	return 1
}

// lineText is what an entry is called on a notice.
type lineText struct {
	invoice, credit, payment, repayment          string
	fee, feeReversed, interest, interestReversed string
	compensation, compensationReversed           string
}

// lineTexts are the texts by language (rule E6e).
var lineTexts = map[string]lineText{
	"nb": {
		invoice: "Fakturabeløp", credit: "Kreditnota", payment: "Betaling", repayment: "Tilbakebetaling",
		fee: "Purregebyr", feeReversed: "Tilbakeført purregebyr",
		interest: "Forsinkelsesrente", interestReversed: "Tilbakeført forsinkelsesrente",
		compensation:         "Standardkompensasjon (forsinkelsesrenteloven § 3a)",
		compensationReversed: "Tilbakeført standardkompensasjon",
	},
	"nn": {
		invoice: "Fakturabeløp", credit: "Kreditnota", payment: "Betaling", repayment: "Tilbakebetaling",
		fee: "Purregebyr", feeReversed: "Tilbakeført purregebyr",
		interest: "Forseinkingsrente", interestReversed: "Tilbakeført forseinkingsrente",
		compensation:         "Standardkompensasjon (forseinkingsrentelova § 3a)",
		compensationReversed: "Tilbakeført standardkompensasjon",
	},
	"en": {
		invoice: "Invoice amount", credit: "Credit note", payment: "Payment", repayment: "Repayment",
		fee: "Reminder fee", feeReversed: "Reminder fee reversed",
		interest: "Late-payment interest", interestReversed: "Late-payment interest reversed",
		compensation:         "Standard compensation (forsinkelsesrenteloven § 3a)",
		compensationReversed: "Standard compensation reversed",
	},
}

func (t lineText) of(e models.Entry, compensation bool) string {
	charged := e.Amount > 0
	switch {
	case e.Type == models.EntryInvoice:
		return t.invoice
	case e.Type == models.EntryCreditNote:
		return t.credit
	case e.Type == models.EntryOverdueCharge && compensation && charged:
		return t.compensation
	case e.Type == models.EntryOverdueCharge && compensation:
		return t.compensationReversed
	case e.Type == models.EntryOverdueCharge && charged:
		return t.fee
	case e.Type == models.EntryOverdueCharge:
		return t.feeReversed
	case e.Type == models.EntryInterest && charged:
		return t.interest
	case e.Type == models.EntryInterest:
		return t.interestReversed
	case charged:
		return t.repayment
	}
	return t.payment
}

// isCompensation reports whether a fee is compensation, or the reversal of it, given the IDs of the notices that charged
// some. 0 is the notice whose entries are not posted yet. A reversal without a notice is of what was posted.
func isCompensation(e models.Entry, compensations []int64) bool {
	if e.NoticeID == 0 && e.Amount < 0 {
		return slices.ContainsFunc(compensations, func(id int64) bool { return id != 0 })
	}
	return slices.Contains(compensations, e.NoticeID)
}
