package ledger

import (
	"slices"

	"purr/law"
	"purr/models"
)

// NoticeLines returns the lines of a notice in the customer's language (rule D28). Each line is one of the
// invoice's entries: first the posted ones, then the notice's own fee and interest. The original amount comes
// first. The lines add up to what documents may ask for: the invoice's balance without the repayment that is owed (rule D96). Entries of
// credit notes are skipped. notices are the invoice's notices with the new one. They tell which fees are called standard compensation.
func NoticeLines(entries []models.Entry, notices []models.Notice, language string) []models.NoticeLine {
	texts, ok := lineTexts[language]
	if !ok {
		texts = lineTexts["nb"]
	}
	entries = law.OfClaim(entries)
	slices.SortStableFunc(entries, func(a, b models.Entry) int { return originalFirst(a) - originalFirst(b) })
	var lines []models.NoticeLine
	for _, e := range entries {
		kind := e.Type
		if kind == models.EntryOverdueCharge && isCompensation(e, notices) {
			kind = compensationLine
		}
		text := texts[kind].lowers
		if e.Amount > 0 {
			text = texts[kind].raises
		}
		lines = append(lines, models.NoticeLine{
			Position: len(lines) + 1, Text: text + " " + e.TransactionDate.String(), Gross: e.Amount, Type: e.Type, TransactionDate: e.TransactionDate,
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

// isCompensation reports whether a fee is the standard compensation of one of the notices, or its reversal. The
// new notice and its entries have no notice ID yet. A reversal without a notice ID belongs to an earlier notice.
func isCompensation(e models.Entry, notices []models.Notice) bool {
	reversal := e.NoticeID == 0 && e.Amount < 0
	return slices.ContainsFunc(notices, func(n models.Notice) bool {
		return n.Compensation && (reversal && n.ID != 0 || !reversal && n.ID == e.NoticeID)
	})
}

// compensationLine stands for the fees that are standard compensation (forsinkelsesrenteloven § 3a).
const compensationLine models.EntryType = "compensation"

// lineText is the name of an entry on a notice: one if it raises the balance, another if it lowers it.
type lineText struct{ raises, lowers string }

// lineTexts are the texts by language (rule E6e).
var lineTexts = map[string]map[models.EntryType]lineText{
	"nb": {
		models.EntryInvoice:       {"Fakturabeløp", "Fakturabeløp"},
		models.EntryCreditNote:    {"Kreditnota", "Kreditnota"},
		models.EntryPayment:       {"Tilbakebetaling", "Betaling"},
		models.EntryOCR:           {"Tilbakebetaling", "Betaling"},
		models.EntryRepayment:     {"Tilbakebetaling", "Betaling"},
		models.EntryOverdueCharge: {"Purregebyr", "Tilbakeført purregebyr"},
		models.EntryInterest:      {"Forsinkelsesrente", "Tilbakeført forsinkelsesrente"},
		compensationLine:          {"Standardkompensasjon (forsinkelsesrenteloven § 3a)", "Tilbakeført standardkompensasjon"},
	},
	"nn": {
		models.EntryInvoice:       {"Fakturabeløp", "Fakturabeløp"},
		models.EntryCreditNote:    {"Kreditnota", "Kreditnota"},
		models.EntryPayment:       {"Tilbakebetaling", "Betaling"},
		models.EntryOCR:           {"Tilbakebetaling", "Betaling"},
		models.EntryRepayment:     {"Tilbakebetaling", "Betaling"},
		models.EntryOverdueCharge: {"Purregebyr", "Tilbakeført purregebyr"},
		models.EntryInterest:      {"Forseinkingsrente", "Tilbakeført forseinkingsrente"},
		compensationLine:          {"Standardkompensasjon (forseinkingsrentelova § 3a)", "Tilbakeført standardkompensasjon"},
	},
	"en": {
		models.EntryInvoice:       {"Invoice amount", "Invoice amount"},
		models.EntryCreditNote:    {"Credit note", "Credit note"},
		models.EntryPayment:       {"Repayment", "Payment"},
		models.EntryOCR:           {"Repayment", "Payment"},
		models.EntryRepayment:     {"Repayment", "Payment"},
		models.EntryOverdueCharge: {"Reminder fee", "Reminder fee reversed"},
		models.EntryInterest:      {"Late-payment interest", "Late-payment interest reversed"},
		compensationLine:          {"Standard compensation (forsinkelsesrenteloven § 3a)", "Standard compensation reversed"},
	},
}
