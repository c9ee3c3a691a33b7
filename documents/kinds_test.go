package documents

import (
	"context"
	"testing"

	"purr/models"
)

// TestEveryKindOfDocumentIsComplete holds that a new kind is not forgotten where documents are read, drawn and expressed.
func TestEveryKindOfDocumentIsComplete(t *testing.T) {
	t.Parallel()
	if len(kinds) != len(models.DocumentKinds()) {
		t.Errorf("there are %d kinds, and models has %d", len(kinds), len(models.DocumentKinds()))
	}
	for _, name := range models.DocumentKinds() {
		k := kinds[name]
		if k.read == nil || k.head == nil || k.draw == nil || k.texts == nil || k.named == nil {
			t.Errorf("%s is not complete: %+v", name, k)
			continue
		}
		if (k.ehf != nil) != name.HasEHF() || k.ehf != nil && (k.ehf.express == nil || k.ehf.named == "") {
			t.Errorf("the EHF of %s is not complete: %+v", name, k.ehf)
		}
		rows := Rows{
			Invoice:    models.Invoice{ID: 1, Number: 7, SellerID: 7, CustomerID: 7, PDF: "sum"},
			CreditNote: models.CreditNote{ID: 1, Number: 7, SellerID: 7, PDF: "sum"},
			Notice:     models.Notice{ID: 1, SellerID: 7, PDF: "sum"}, Statement: models.SentStatement{ID: 1, CustomerID: 7, SellerID: 7, PDF: "sum"},
			Plan:   models.PaymentPlan{ID: 1, CustomerID: 7, SellerID: 7, PDF: "sum"},
			Letter: models.Letter{ID: 1, Number: 7, CustomerID: 7, SellerID: 7, PDF: "sum"},
		}
		if head := k.head(rows); head.Number != 7 || head.CustomerID != 7 || head.SellerID != 7 || head.PDF != "sum" {
			t.Errorf("the head of %s is %+v", name, head)
		}
		if found, err := Read(t.Context(), nobody{}, 1, models.Document{Kind: name, ID: 1}); models.KindOf(err) != models.KindNotFound {
			t.Errorf("%s is not there, and read as %+v, %v", name, found, err)
		}
	}
	if found, err := ReadAll(t.Context(), nobody{}, 1, []models.Document{{Kind: "fifth", ID: 1}}); len(found) != 0 || err != nil {
		t.Errorf("a kind that nobody knows is read as %+v, %v", found, err)
	}
}

// nobody is a database without documents.
type nobody struct{}

func (nobody) LettersByID(context.Context, int64, []int64) (map[int64]models.Letter, error) {
	return nil, nil //nolint:nilnil // a nil map has none
}

func (nobody) NoticesOfLetters(context.Context, int64, []int64) (map[int64][]models.Notice, error) {
	return nil, nil //nolint:nilnil // a nil map has none
}

func (nobody) InvoicesByID(context.Context, int64, []int64) ([]models.Invoice, error) {
	return nil, nil
}

func (nobody) CreditNotesByID(context.Context, int64, []int64) (map[int64]models.CreditNote, error) {
	return nil, nil
}

func (nobody) NoticesByID(context.Context, int64, []int64) (map[int64]models.Notice, error) {
	return nil, nil
}

func (nobody) SentStatementsByID(context.Context, int64, []int64) ([]models.SentStatement, error) {
	return nil, nil
}

func (nobody) PaymentPlansByID(context.Context, int64, []int64) ([]models.PaymentPlan, error) {
	return nil, nil
}
