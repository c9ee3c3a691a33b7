package dunning

import (
	"context"

	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Request is a person's request for a notice.
type Request struct {
	AddFee      bool
	AddInterest bool
	Warning     bool                  // a debt-collection warning
	Method      models.ShipmentMethod // by which a reminder goes: ByPaper, ByEmail or Auto; empty is the policy's way (rule L22)
	Again       bool                  // it is issued anew: an e-mail address that is gone by now makes it go on paper
	Comment     string
	Actor       string      // who asks for it, for the event log
	Seen        models.Seen // the invoice, as the person saw it (rule D115); may be empty
}

// Validate returns the faults of the request that can be found without the invoice (rule D16).
func (req Request) Validate() models.Errors {
	var faults models.Errors
	faults.Prose("comment", req.Comment, models.MaxComment)
	switch req.Method {
	case "", models.ByPaper:
	case models.ByEmail, models.Auto:
		if req.Warning {
			faults.Add("warning_on_paper", "shipment_method", "a debt-collection warning goes on PAPER")
		}
	default:
		faults.Add("invalid_shipment_method", "shipment_method", "a reminder goes by PAPER, EMAIL or AUTO")
	}
	return faults
}

// IssueNotice sends the requested notice on an invoice if the four conditions of rule D27 hold. Otherwise it fails
// with a conflict for each condition that does not hold. It fails with the conflict not_sent if the invoice or the letter
// of its last notice has not left, and will not leave by itself at once (rule L1). It fails with the conflict changed_meanwhile
// if the invoice is not as it was seen.
func IssueNotice(ctx context.Context, tx *store.Tx, r *law.Rules, c models.Creditor, invoiceID int64, req Request) (models.Notice, error) {
	if faults := req.Validate(); len(faults) > 0 {
		return models.Notice{}, faults
	}
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Notice{}, err
	}
	if err := tx.SameInvoice(ctx, invoice, req.Seen); err != nil {
		return models.Notice{}, err
	}
	return issueAsked(ctx, tx, r, c, invoice, today, req)
}

// PreviewNotice returns the requested notice on the customer's invoice as it would be issued today, without its lines. It does not ask whether it
// may be: Conditions, WarningAllowed and FeeAllowed say that. It writes nothing.
func PreviewNotice(
	ctx context.Context, v store.View, r *law.Rules, c models.Creditor, customer models.Customer, invoice models.Invoice, today models.Date, req Request,
) (models.Notice, error) {
	b, sent, err := readBasis(ctx, v, c, customer, invoice, today)
	if err != nil {
		return models.Notice{}, err
	}
	if late, is := b.tooLate(sent); is {
		b.takeBack(late)
	}
	return b.draft(r, b.requested(r, req, today), today).notice, nil
}

// issueAsked issues the requested notice on a locked invoice.
func issueAsked(ctx context.Context, tx *store.Tx, r *law.Rules, c models.Creditor, invoice models.Invoice, today models.Date, req Request) (models.Notice, error) {
	customer, err := tx.Customer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return models.Notice{}, err
	}
	b, sent, err := readBasis(ctx, tx.View(), c, customer, invoice, today)
	if err != nil {
		return models.Notice{}, err
	}
	if late, is := b.tooLate(sent); is {
		if invoice, err = withdrawTooLate(ctx, tx, invoice, late, sent, today); err != nil {
			return models.Notice{}, err
		}
		if b, sent, err = readBasis(ctx, tx.View(), c, customer, invoice, today); err != nil {
			return models.Notice{}, err
		}
	}
	if err := b.allows(r, req, sent, today); err != nil {
		return models.Notice{}, err
	}
	notices, err := issue(ctx, tx, []draft{b.draft(r, b.requested(r, req, today), today)})
	if err != nil {
		return models.Notice{}, err
	}
	if sent.waits != 0 { // this notice takes the withdrawn one's place
		err = tx.WithdrawLetters(ctx, sent.waits)
	}
	return notices[0], err
}

// allows returns nil if a person may have the requested notice sent, and why not otherwise.
func (b basis) allows(r *law.Rules, req Request, sent post, today models.Date) error {
	if err := Conditions(b.invoice, req.AddFee, today); err != nil {
		return err
	}
	var faults models.Errors
	faults.NotPrintable(models.At("recipient"), b.customer.Recipient.Unprintable())
	if err := faults.ErrorOrNil(); err != nil {
		return err
	}
	if req.Method == models.ByEmail && !req.Again {
		if lacks := req.Method.LacksAddress(b.customer.Recipient, "shipment_method"); lacks != nil {
			return lacks
		}
	}
	if req.Warning {
		if err := WarningAllowed(r, today); err != nil {
			return err
		}
	}
	if sent.refuses && !sent.onItsWay {
		return errNotSent()
	}
	if !req.AddFee {
		return nil
	}
	return FeeAllowed(b.invoice, b.customer, today)
}

// issue writes the notices of the drafts, whose invoices are locked: the sheets, the lines, the entries and the
// consequences (rules D28 to D30). There is one at least. Many notices take hardly more statements than one.
func issue(ctx context.Context, tx *store.Tx, drafts []draft) ([]models.Notice, error) {
	seller, err := keepSeller(ctx, tx, drafts[0].invoice.CreditorID)
	if err != nil {
		return nil, err
	}
	notices, lines := make([]models.Notice, len(drafts)), make([][]models.NoticeLine, len(drafts))
	for i, d := range drafts {
		if notices[i], lines[i], err = d.complete(); err != nil {
			return nil, err
		}
		notices[i].SellerID = seller
	}
	if err := createLetters(ctx, tx, drafts, notices); err != nil {
		return nil, err
	}
	if err := tx.CreateNotices(ctx, notices, lines); err != nil {
		return nil, err
	}
	var charges []models.Entry
	for _, n := range notices {
		charges = append(charges, chargesOf(n)...)
	}
	if err := ledger.Post(ctx, tx, charges, ""); err != nil {
		return nil, err
	}
	return notices, postConsequences(ctx, tx, drafts, notices)
}

// keepSeller keeps what documents of the creditor show of it now (rule D112). What a run has read at its beginning may have changed.
func keepSeller(ctx context.Context, tx *store.Tx, creditorID int64) (int64, error) {
	c, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return 0, err
	}
	return tx.KeepSeller(ctx, creditorID, c.Seller())
}

// postConsequences updates the invoices of new notices, writes an owed letter to each recipient, and logs the
// notices (rule D30). Notices that share a letter have one shipment together (rule L23).
func postConsequences(ctx context.Context, tx *store.Tx, drafts []draft, notices []models.Notice) error {
	if err := tx.ApplyNotices(ctx, notices); err != nil {
		return err
	}
	letters, events := make([]models.Shipment, 0, len(notices)), make([]models.Event, 0, len(notices))
	var of []draft // of the shipments
	numbers := map[*joint][]int64{}
	for i, n := range notices {
		events = append(events, created(n, drafts[i].invoice, drafts[i].joint))
		if j := drafts[i].joint; j != nil {
			if numbers[j] = append(numbers[j], drafts[i].invoice.Number); len(numbers[j]) > 1 {
				continue
			}
		}
		letter := models.NewShipment(n.CreditorID, n.SentAs(), models.Original, drafts[i].method, n.Recipient)
		if drafts[i].insteadOfMail() {
			letter.FallbackOf = drafts[i].letters.Bounced
		}
		letters, of = append(letters, letter), append(of, drafts[i])
	}
	if err := tx.CreateShipments(ctx, letters); err != nil {
		return err
	}
	for i, s := range letters {
		if j := of[i].joint; j != nil {
			events = append(events, j.event(numbers[j]))
		}
		if s.FallbackOf != 0 {
			events = append(events, of[i].fellBack(s))
		}
	}
	return tx.Log(ctx, events...)
}
