package privacy

import (
	"context"

	"purr/models"
	"purr/store"
)

// What is a kind of thing that is known of a customer. Its words stand with whoever shows it.
type What string

// What goes when a customer is forgotten, and what stays.
const (
	GoesName      What = "name"      // names, addresses, e-mail, phone and organisation number, here and on documents
	GoesTexts     What = "texts"     // lines, notes, references and comments
	GoesFiles     What = "files"     // PDFs, EHF documents, letters and bundles
	GoesShipments What = "shipments" // e-mails and letters in outboxes, and what channels have told
	GoesEvents    What = "events"    // the words of the log, and the bodies that webhooks got
	GoesPayments  What = "payments"  // payers' names, texts and accounts of payments

	StaysNumbers  What = "numbers"  // numbers, dates, sums, KIDs and VAT of documents
	StaysEntries  What = "entries"  // the ledger
	StaysCountry  What = "country"  // the country
	StaysEventLog What = "eventlog" // that something happened, when and by whom
	StaysShared   What = "shared"   // files that several customers share, until a day
	StaysOutside  What = "outside"  // what has left purr, and backups of before
)

// Item is one line of what is known of a customer.
type Item struct {
	What  What
	Stays bool
	Count int64       // how many; zero where nothing is counted
	Until models.Date // of what stays until a day: the last one of them
}

// Preview says what would go and what would stay if a customer were forgotten now (rule O14a).
type Preview struct {
	Customer models.Customer
	Affairs  models.Affairs
	Refusal  error // why it cannot be forgotten; nil if it can
	Items    []Item
}

// Look returns the preview of a creditor's customer.
func Look(ctx context.Context, v store.View, c models.Creditor, id int64, of models.Forgetting, today models.Date) (p Preview, err error) {
	if p.Customer, err = v.Customer(ctx, c.ID, id); err != nil {
		return p, err
	}
	if p.Affairs, err = v.Affairs(ctx, c.ID, id, c.DisplayZone()); err != nil {
		return p, err
	}
	p.Refusal = p.Affairs.Refusal(today, of.Despite)
	k, err := v.Knowledge(ctx, c.ID, id)
	if err != nil {
		return p, err
	}
	p.Items = []Item{
		{What: GoesName},
		{What: GoesTexts, Count: k.Texts},
		{What: GoesFiles, Count: k.Files},
		{What: GoesShipments, Count: k.Shipments},
		{What: GoesEvents, Count: k.Events},
		{What: GoesPayments, Count: k.Payments},
		{What: StaysNumbers, Stays: true, Count: k.Documents},
		{What: StaysEntries, Stays: true, Count: k.Entries},
		{What: StaysEventLog, Stays: true, Count: k.Events},
		{What: StaysCountry, Stays: true},
	}
	shared := Item{What: StaysShared, Stays: true}
	for _, day := range k.Shared {
		if goes := of.SharedGoes(day, today); goes > today {
			shared.Count++
			shared.Until = max(shared.Until, goes-1)
		}
	}
	if shared.Count > 0 {
		p.Items = append(p.Items, shared)
	}
	p.Items = append(p.Items, Item{What: StaysOutside, Stays: true})
	return p, nil
}
