package models

import "testing"

// TestEveryKindOfDocumentIsInTheTable holds what the table says of each kind. A kind that is none goes by any
// method, and nobody receives it.
func TestEveryKindOfDocumentIsInTheTable(t *testing.T) {
	t.Parallel()
	told := Reception{Invoice: ReceivesYes, CreditNote: ReceivesYes, Reminder: ReceivesYes}
	want := map[DocumentKind]struct {
		ehf, account, joint bool
		onlyBy              ShipmentMethod
		says                string
	}{
		InvoiceDocument: {ehf: true}, CreditNoteDocument: {ehf: true},
		NoticeDocument:    {ehf: true, onlyBy: ByPaper, says: "a notice goes on PAPER"},
		PlanDocument:      {},
		StatementDocument: {account: true, onlyBy: ByEmail, says: "a statement is sent by EMAIL"},
		LetterDocument:    {joint: true, onlyBy: ByPaper, says: "a letter for several invoices goes on PAPER"},
	}
	if len(DocumentKinds()) != len(want) {
		t.Errorf("the kinds are %q", DocumentKinds())
	}
	for _, kind := range append(DocumentKinds(), "fifth") {
		w := want[kind]
		if kind.HasEHF() != w.ehf || kind.OfAccount() != w.account || kind.Joint() != w.joint || kind.OnlyBy() != w.onlyBy || (told.Of(kind) == ReceivesYes) != w.ehf {
			t.Errorf("%s: EHF %t, of an account %t, only by %q, received %q", kind, kind.HasEHF(), kind.OfAccount(), kind.OnlyBy(), told.Of(kind))
		}
		for _, m := range ShipmentMethods {
			wrong := kind.WrongBy(m)
			if (wrong == nil) != (w.onlyBy == "" || w.onlyBy == m) || wrong != nil && (wrong.Msg != w.says || wrong.Code != "invalid_shipment_method") {
				t.Errorf("%s by %s: %v", kind, m, wrong)
			}
		}
	}
}

func TestTheResourceOfAStatementStandsBelowItsCustomer(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]Document{
		"invoice/7": {InvoiceDocument, 7}, "credit_note/7": {CreditNoteDocument, 7}, "overdue_notice/7": {NoticeDocument, 7}, "customer/3/statement": {StatementDocument, 7}, "payment_plan/7": {PlanDocument, 7},
	} {
		if got := d.Resource(3); got != want {
			t.Errorf("%s is at %s, want %s", d, got, want)
		}
	}
}
