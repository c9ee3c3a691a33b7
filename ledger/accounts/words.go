package accounts

import (
	"fmt"

	"purr/models"
)

// words are what a voucher and SAF-T say in a language.
type words struct {
	kinds          map[string]string // each has room for the number of the document
	deleted, dated string            // has room for the text, and for the entry's own day

	journal, ledgerAlone string
	accounts             map[models.AccountKind]string
	sales                map[models.SalesClass]string
	vat                  string
}

// languages are the words by the creditor's language.
var languages = map[string]words{
	"nb": {map[string]string{
		"invoiced": "Faktura %d", "credited": "Kreditnota %d", "fee": "Purregebyr, faktura %d", "interest": "Forsinkelsesrente, faktura %d",
		"reversal": "Gebyr eller rente tilbakeført, faktura %d", "paid_bank": "Innbetaling, faktura %d", "paid_by_hand": "Registrert betaling, faktura %d",
		"paid_collector": "Betalt av inkassobyrået, faktura %d", "paid_back": "Tilbakebetaling, dokument %d", "moved": "Motregning, dokument %d", "adopted": "Overtatt, faktura %d",
		"told": "Meldt fra et annet system, faktura %d",
	}, "Slettet: %s", " (dato %s)", "Kundereskontro", "Kundereskontroen alene: av de andre kontoene har filen det som perioden har bokført, og ingen inngående saldo", map[models.AccountKind]string{
		models.AccountReceivables: "Kundefordringer",
		models.AccountFee:         "Purregebyrer",
		models.AccountInterest:    "Forsinkelsesrenter",
		models.AccountPaidBank:    "Innbetalinger i bank",
		models.AccountPaidByHand:  "Registrerte betalinger",
		models.AccountPaidBack:    "Tilbakebetalinger",
		models.AccountTransfer:    "Motregning mellom dokumenter",
		models.AccountOpening:     "Overtatte fakturaer",
		models.AccountTold:        "Meldt fra et annet system",
	}, map[models.SalesClass]string{
		models.SalesHigh:   "Salg, avgiftspliktig",
		models.SalesMedium: "Salg, avgiftspliktig",
		models.SalesLow:    "Salg, avgiftspliktig",
		models.SalesZero:   "Salg, fritatt for merverdiavgift",
		models.SalesExempt: "Salg utenfor merverdiavgiftsloven",
	}, "Utgående merverdiavgift"},
	"nn": {map[string]string{
		"invoiced": "Faktura %d", "credited": "Kreditnota %d", "fee": "Purregebyr, faktura %d", "interest": "Forseinkingsrente, faktura %d",
		"reversal": "Gebyr eller rente tilbakeført, faktura %d", "paid_bank": "Innbetaling, faktura %d", "paid_by_hand": "Registrert betaling, faktura %d",
		"paid_collector": "Betalt av inkassobyrået, faktura %d", "paid_back": "Tilbakebetaling, dokument %d", "moved": "Motrekning, dokument %d", "adopted": "Overteken, faktura %d",
		"told": "Meldt frå eit anna system, faktura %d",
	}, "Sletta: %s", " (dato %s)", "Kundereskontro", "Kundereskontroen åleine: av dei andre kontoane har fila det som perioden har bokført, og ingen inngåande saldo", map[models.AccountKind]string{
		models.AccountReceivables: "Kundefordringar",
		models.AccountFee:         "Purregebyr",
		models.AccountInterest:    "Forseinkingsrenter",
		models.AccountPaidBank:    "Innbetalingar i bank",
		models.AccountPaidByHand:  "Registrerte betalingar",
		models.AccountPaidBack:    "Tilbakebetalingar",
		models.AccountTransfer:    "Motrekning mellom dokument",
		models.AccountOpening:     "Overtekne fakturaer",
		models.AccountTold:        "Meldt frå eit anna system",
	}, map[models.SalesClass]string{
		models.SalesHigh:   "Sal, avgiftspliktig",
		models.SalesMedium: "Sal, avgiftspliktig",
		models.SalesLow:    "Sal, avgiftspliktig",
		models.SalesZero:   "Sal, friteke for meirverdiavgift",
		models.SalesExempt: "Sal utanfor meirverdiavgiftslova",
	}, "Utgåande meirverdiavgift"},
	"en": {map[string]string{
		"invoiced": "Invoice %d", "credited": "Credit note %d", "fee": "Reminder fee, invoice %d", "interest": "Interest, invoice %d",
		"reversal": "Fee or interest reversed, invoice %d", "paid_bank": "Payment, invoice %d", "paid_by_hand": "Registered payment, invoice %d",
		"paid_collector": "Paid by the debt collector, invoice %d", "paid_back": "Paid back, document %d", "moved": "Set off, document %d", "adopted": "Taken over, invoice %d",
		"told": "Told by another system, invoice %d",
	}, "Deleted: %s", " (dated %s)", "Customers' ledger", "The customers' ledger alone: of the other accounts the file has what the period booked, and no opening balance", map[models.AccountKind]string{
		models.AccountReceivables: "Receivables",
		models.AccountFee:         "Reminder fees",
		models.AccountInterest:    "Late interest",
		models.AccountPaidBank:    "Payments by bank",
		models.AccountPaidByHand:  "Registered payments",
		models.AccountPaidBack:    "Repayments",
		models.AccountTransfer:    "Set off between documents",
		models.AccountOpening:     "Invoices taken over",
		models.AccountTold:        "Told by another system",
	}, map[models.SalesClass]string{
		models.SalesHigh:   "Sales with VAT",
		models.SalesMedium: "Sales with VAT",
		models.SalesLow:    "Sales with VAT",
		models.SalesZero:   "Sales, zero-rated",
		models.SalesExempt: "Sales outside the VAT act",
	}, "Output VAT"},
}

// wordsOf returns the words of a creditor's language.
func wordsOf(c models.Creditor) words {
	if w, is := languages[c.LanguageOf(models.Customer{})]; is {
		return w
	}
	return languages["nb"]
}

// of returns what a voucher says: what it is, of which document, and the entry's own day where that is not the voucher's.
func (w words) of(v Voucher) string {
	text := fmt.Sprintf(w.kinds[v.Kind], v.Document())
	if v.Entry.DeletionID != 0 {
		text = fmt.Sprintf(w.deleted, text)
	}
	if v.Entry.TransactionDate != v.Date {
		text += fmt.Sprintf(w.dated, v.Entry.TransactionDate)
	}
	return text
}
