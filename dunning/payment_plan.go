package dunning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// MakePaymentPlan lets a customer pay an invoice by instalments, which are together what is claimed (rule L15). It replaces the plan that runs,
// and withdraws its letter if that has not left. A letter confirms the plan: by the way that the invoice went, or the one for which the customer
// has an address. It changes nothing if the same plan runs. It fails with the conflicts closed, handed_over and invoice_paid, and with the
// faults of the instalments. seen is the invoice's hold as the person saw it, if he looked (see HoldInvoice).
func MakePaymentPlan(
	ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, r models.PaymentPlanRequest, actor string, seen ...models.Seen,
) (models.Invoice, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingHold, ID: invoiceID}, seen...); err != nil {
		return models.Invoice{}, err
	}
	if err := CanHavePlan(invoice); err != nil {
		return models.Invoice{}, err
	}
	instalments := r.Instalments
	if same, err := runsAlready(ctx, tx, invoice, instalments); err != nil || same {
		return invoice, err
	}
	if err := r.Validate(invoice.Claimed(), today); err != nil {
		return models.Invoice{}, err
	}
	customer, err := tx.LockCustomer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return models.Invoice{}, err
	}
	replaced, a := invoice.PlanID != 0, act{Actor: actor, Until: instalments[len(instalments)-1].DueDate.String()}
	if a.LetterWithdrawn, err = endPlan(ctx, tx, &invoice, models.PlanEnded, today, actor); err != nil {
		return models.Invoice{}, err
	}
	plan, err := startPlan(ctx, tx, c, &invoice, customer, instalments, today, actor)
	if err != nil {
		return models.Invoice{}, err
	}
	if a.Method, err = tellOfPlan(ctx, tx, plan, invoice, customer, r.Method); err != nil {
		return models.Invoice{}, err
	}
	return invoice, a.onPlan(ctx, tx, models.EventPlanMade, invoice, plan, planText(invoice, plan, a, replaced), models.Facts{"instalments": len(instalments)}, replaced)
}

// planText says that a plan was made.
func planText(i models.Invoice, p models.PaymentPlan, a act, replaced bool) string {
	text := fmt.Sprintf("Payment plan for invoice %d: %s in %d instalments, until %s", i.Number, p.Sum, len(p.Instalments), a.Until)
	if replaced {
		text += ", in the place of the one before"
	}
	if a.Method != "" {
		text += ", with a letter " + a.Method.InWords()
	}
	if a.LetterWithdrawn {
		text += ", the letter of the plan before withdrawn before it left"
	}
	return text
}

// onPlan writes a locked invoice after an act on its plan, and the act's event, with further facts.
func (a act) onPlan(ctx context.Context, tx *store.Tx, t models.EventType, i models.Invoice, p models.PaymentPlan, text string, facts models.Facts, replaced bool) error {
	if err := tx.UpdateInvoice(ctx, i); err != nil {
		return err
	}
	if facts == nil {
		facts = models.Facts{}
	}
	facts["invoice_number"], facts["balance"] = i.Number, i.Balance
	if replaced {
		facts["replaced"] = true
	}
	return a.log(ctx, tx, models.Event{CreditorID: i.CreditorID, Type: t, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: p.ID, Text: text, Facts: facts})
}

// CanHavePlan returns nil if an invoice can be paid by a plan. Otherwise it returns the conflict closed, handed_over or invoice_paid.
func CanHavePlan(invoice models.Invoice) error {
	switch {
	case invoice.Closed != models.NotClosed:
		return models.Conflict("closed", "the invoice is closed")
	case invoice.HandedOver != 0:
		return models.Conflict("handed_over", "the invoice went to debt collection on %s", invoice.HandedOver)
	case invoice.Claimed() <= 0:
		return errPaid()
	}
	return nil
}

// runsAlready reports whether a plan with the instalments runs for a locked invoice.
func runsAlready(ctx context.Context, tx *store.Tx, invoice models.Invoice, instalments models.Instalments) (bool, error) {
	if invoice.PlanID == 0 {
		return false, nil
	}
	plan, err := tx.PaymentPlan(ctx, invoice.CreditorID, invoice.PlanID)
	return err == nil && slices.Equal(plan.Instalments, instalments), err
}

// startPlan writes a new plan of a locked invoice, and that it stands still. It does not write the invoice.
func startPlan(
	ctx context.Context, tx *store.Tx, c models.Creditor, invoice *models.Invoice, customer models.Customer, instalments models.Instalments, today models.Date, actor string,
) (models.PaymentPlan, error) {
	last, err := lastEntry(ctx, tx, *invoice)
	if err != nil {
		return models.PaymentPlan{}, err
	}
	seller, err := keepSeller(ctx, tx, c.ID)
	if err != nil {
		return models.PaymentPlan{}, err
	}
	p := models.PaymentPlan{
		CreditorID: c.ID, CustomerID: customer.ID, InvoiceID: invoice.ID, Since: today, Sum: instalments.Sum(), LastEntryID: last, Instalments: instalments,
		State: models.PlanRunning, Language: c.LanguageOf(customer), SellerID: seller, Recipient: customer.Recipient,
	}
	if err := tx.CreatePlan(ctx, &p); err != nil {
		return models.PaymentPlan{}, err
	}
	invoice.PlanID = p.ID
	if err := tx.RefreshLapses(ctx, invoice.ID); err != nil { // agreeing to a plan acknowledges the claim (rule L26)
		return models.PaymentPlan{}, err
	}
	return p, tx.StandStill(ctx, &models.Standstill{
		CreditorID: c.ID, CustomerID: customer.ID, InvoiceID: invoice.ID, Kind: models.StandsOnPlan,
		Until: WaitUntil(instalments[len(instalments)-1].DueDate), StartedBy: actor,
	})
}

// tellOfPlan owes the letter that confirms a plan, and returns the way by which it goes: empty if the customer has no address at all.
func tellOfPlan(ctx context.Context, tx *store.Tx, p models.PaymentPlan, invoice models.Invoice, customer models.Customer, by models.ShipmentMethod) (models.ShipmentMethod, error) {
	if lacks := by.LacksAddress(customer.Recipient, "shipment_method"); lacks != nil {
		return "", lacks
	}
	sent, err := tx.ShipmentsOf(ctx, invoice.Document())
	if err != nil {
		return "", err
	}
	by = cmp.Or(by, wayOfPlan(customer.Recipient, slices.ContainsFunc(sent, func(s models.Shipment) bool { return s.Role() == models.Original && s.Method == models.ByPaper })))
	if by == "" {
		return "", nil
	}
	letter := models.NewShipment(p.CreditorID, p.Document(), models.Original, by, customer.Recipient)
	return by, tx.CreateShipments(ctx, []models.Shipment{letter})
}

// wayOfPlan returns the way of a plan's letter to a recipient whose invoice went on paper, or not.
func wayOfPlan(to models.Recipient, onPaper bool) models.ShipmentMethod {
	switch {
	case to.Email != "" && (!onPaper || !to.Addressed()):
		return models.ByEmail
	case to.Addressed():
		return models.ByPaper
	}
	return ""
}

// EndPaymentPlan ends the payment plan that runs for an invoice, as it was seen (see HoldInvoice): the ladder goes on where it was. A letter of
// it that has not left is withdrawn. It does nothing if no plan runs.
func EndPaymentPlan(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string, seen ...models.Seen) error {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return err
	}
	if err := tx.Unchanged(ctx, c.ID, models.Thing{Kind: models.ThingHold, ID: invoiceID}, seen...); err != nil || invoice.PlanID == 0 {
		return err
	}
	return endPlanFor(ctx, tx, &invoice, today, actor)
}

// endPlanFor ends the plan of a locked invoice, for a person or with what becomes of the invoice, writes the invoice and logs it.
func endPlanFor(ctx context.Context, tx *store.Tx, invoice *models.Invoice, today models.Date, actor string) error {
	plan, a := models.PaymentPlan{ID: invoice.PlanID}, act{Actor: actor}
	var err error
	if a.LetterWithdrawn, err = endPlan(ctx, tx, invoice, models.PlanEnded, today, actor); err != nil {
		return err
	}
	text := fmt.Sprintf("The payment plan for invoice %d ended", invoice.Number)
	if a.LetterWithdrawn {
		text += ", its letter withdrawn before it left"
	}
	return a.onPlan(ctx, tx, models.EventPlanEnded, *invoice, plan, text, nil, false)
}

// endPlan notes what became of the plan that runs for a locked invoice, if one does, and that the invoice stands still no more. It does not
// write the invoice. It withdraws a letter that has not left, and reports whether there was one.
func endPlan(ctx context.Context, tx *store.Tx, invoice *models.Invoice, state models.PlanState, today models.Date, actor string) (bool, error) {
	if invoice.PlanID == 0 {
		return false, nil
	}
	plan, err := tx.PaymentPlan(ctx, invoice.CreditorID, invoice.PlanID)
	if err != nil {
		return false, err
	}
	plan.State, plan.EndedOn, invoice.PlanID = state, today, 0
	if err := tx.UpdatePlan(ctx, plan); err != nil {
		return false, err
	}
	if plan.Since == today { // it was made by mistake, and acknowledges nothing
		if err := tx.RefreshLapses(ctx, invoice.ID); err != nil {
			return false, err
		}
	}
	if err := tx.EndStandstill(ctx, invoice.CreditorID, invoice.CustomerID, invoice.ID, today, actor, models.StandsOnPlan); err != nil {
		return false, err
	}
	return tx.WithdrawPlanLetters(ctx, plan.ID)
}

// PlanLetterHolds reports whether a letter that confirms a plan, and has not left, may leave: the plan still runs, and its invoice is claimed.
func PlanLetterHolds(p models.PaymentPlan, i models.Invoice) bool {
	return p.State == models.PlanRunning && i.PlanID == p.ID && CanHavePlan(i) == nil
}
