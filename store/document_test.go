package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func TestADocumentsPDFIsMadeOnceD35(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		h := hold(t, db)
		for _, d := range []models.Document{h.invoice.Document(), h.note.Document(), h.notice.Document()} {
			if sum, err := db.PDF(ctx, h.owner.ID, d); sum != "" || err != nil {
				t.Errorf("%s has the PDF %q, %v", d, sum, err)
			}
			for _, made := range []string{"first", "second"} {
				rows.Write(t, db, func(tx *store.Tx) error {
					none := models.Document{Kind: d.Kind, ID: d.ID + 1000}
					holds, err := tx.SetPDFs(ctx, h.owner.ID, map[models.Document]string{d: made, none: made})
					if _, there := holds[none]; there || holds[d] != "first" || err != nil {
						t.Errorf("%s: after the %s the PDFs are %q, %v", d, made, holds, err)
					}
					return nil
				})
			}
			if sum, err := db.PDF(ctx, h.owner.ID, d); sum != "first" || err != nil {
				t.Errorf("%s has the PDF %q, %v", d, sum, err)
			}
		}
	})
}

func TestH2ADocumentsEHFIsMadeOnce(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		h := hold(t, db)
		for _, d := range []models.Document{h.invoice.Document(), h.note.Document(), h.notice.Document()} {
			for _, made := range []string{"first", "second"} {
				rows.Write(t, db, func(tx *store.Tx) error {
					if holds, fresh, err := tx.SetEHF(ctx, h.owner.ID, d, made); holds != "first" || fresh != (made == "first") || err != nil {
						t.Errorf("%s: after the %s the EHF is %q, %t, %v", d, made, holds, fresh, err)
					}
					return nil
				})
			}
			if sum, err := db.EHF(ctx, h.owner.ID, d); sum != "first" || err != nil {
				t.Errorf("%s has the EHF %q, %v", d, sum, err)
			}
		}
	})
}

func TestNotices(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		invoice := rows.Invoice(t, db, rows.Creditor(t, db))
		add := func(sequence int) (models.Notice, error) {
			notices := []models.Notice{{
				CreditorID: invoice.CreditorID, InvoiceID: invoice.ID, Sequence: sequence, IssueDate: rows.Today, DueDate: rows.Today + 14,
				Sheet: `{"fee":"35.00"}`,
			}}
			lines := []models.NoticeLine{{Position: 2, Text: "Fee", Gross: 35_00}, {Position: 1, Text: "Invoice", Gross: 1000_00}}
			err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.CreateNotices(ctx, notices, [][]models.NoticeLine{lines})
			})
			return notices[0], err
		}
		first, err := add(1)
		must(t, err)
		if _, err := add(1); !errors.Is(err, store.ErrDuplicate) {
			t.Errorf("the first notice again: %v", err) // D27
		}
		second, err := add(2)
		must(t, err)
		inForce := func() (ids []int64) {
			ns, err := db.NoticesOf(ctx, invoice.ID)
			must(t, err)
			for _, n := range ns {
				ids = append(ids, n.ID)
			}
			return ids
		}
		if got := inForce(); !slices.Equal(got, []int64{first.ID, second.ID}) {
			t.Errorf("in force are %v", got)
		}
		if ls, err := db.NoticeLines(ctx, first.ID); err != nil || len(ls) != 2 || ls[0].Text != "Invoice" || ls[1].Gross != 35_00 {
			t.Errorf("the lines are %+v, %v", ls, err)
		}

		// A withdrawn notice withdraws the shipments that were not sent, and makes room for another notice (E6f).
		shipments := []models.Shipment{
			{DocumentKind: models.NoticeDocument, DocumentID: second.ID},
			{DocumentKind: models.NoticeDocument, DocumentID: second.ID},
			{DocumentKind: models.NoticeDocument, DocumentID: first.ID},
			{DocumentKind: models.InvoiceDocument, DocumentID: second.ID},
		}
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.CreateShipments(ctx, shipments))
			shipments[1].State = models.ShipmentSent
			must(t, tx.UpdateShipment(ctx, shipments[1]))
			must(t, tx.WithdrawLetters(ctx, second.ID))
			return tx.WithdrawNotice(ctx, second, rows.Today+1)
		})
		for n, want := range []models.ShipmentState{models.ShipmentWithdrawn, models.ShipmentSent, models.ShipmentOwed, models.ShipmentOwed} {
			if s, err := db.Shipment(ctx, shipments[n].ID); err != nil || s.State != want {
				t.Errorf("shipment %d is %s, %v, want %s", n, s.State, err, want)
			}
		}
		if n, err := db.Notice(ctx, invoice.CreditorID, second.ID); err != nil || n.Withdrawn != rows.Today+1 || n.Sheet != `{"fee":"35.00"}` {
			t.Errorf("the withdrawn notice is %+v, %v", n, err)
		}
		again, err := add(2)
		if got := inForce(); err != nil || !slices.Equal(got, []int64{first.ID, again.ID}) {
			t.Errorf("in force are %v, %v", got, err)
		}
	})
}

// TestEveryKindOfDocumentHasItsTable reads, of each kind, what is asked of all documents.
func TestEveryKindOfDocumentHasItsTable(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		h := hold(t, db)
		of := map[models.DocumentKind]int64{
			models.InvoiceDocument: h.invoice.ID, models.CreditNoteDocument: h.note.ID, models.NoticeDocument: h.notice.ID, models.StatementDocument: h.statement.ID, models.PlanDocument: h.plan.ID, models.LetterDocument: h.letter.ID,
		}
		numbers := map[models.DocumentKind]int64{
			models.InvoiceDocument: h.invoice.Number, models.CreditNoteDocument: h.note.Number, models.NoticeDocument: h.invoice.Number, models.StatementDocument: h.statement.CustomerID, models.PlanDocument: h.invoice.Number, models.LetterDocument: h.letter.Number,
		}
		want := map[string]int64{}
		for _, kind := range models.DocumentKinds() {
			d := models.Document{Kind: kind, ID: of[kind]}
			rows.Write(t, db, func(tx *store.Tx) error {
				if _, err := tx.SetPDFs(ctx, h.owner.ID, map[models.Document]string{d: "the PDF of " + string(kind)}); err != nil || !kind.HasEHF() {
					return err
				}
				_, _, err := tx.SetEHF(ctx, h.owner.ID, d, "the EHF of "+string(kind))
				return err
			})
			want["the PDF of "+string(kind)] = numbers[kind]
			if kind.HasEHF() {
				want["the EHF of "+string(kind)] = numbers[kind]
			}
			if c, err := db.CustomerOf(ctx, d); err != nil || c.CreditorID != h.owner.ID {
				t.Errorf("%s is of customer %d, %v", d, c.ID, err)
			}
			s := models.Shipment{DocumentKind: kind, DocumentID: d.ID}
			if found, err := db.NumbersOf(ctx, s); err != nil || found[d] != numbers[kind] || numbers[kind] == 0 {
				t.Errorf("the number of %s is %d, want %d: %v", d, found[d], numbers[kind], err)
			}
			if _, err := db.WithLettersHeld(ctx, []models.Document{d}); err != nil {
				t.Error(err)
			}
		}
		var files []models.PaymentFile
		if err := db.EachKeptFile(ctx, func(f store.KeptFile) error {
			if number, is := want[f.SHA256]; is && (number != f.Number || f.CreditorID != h.owner.ID) {
				t.Errorf("%s is kept as %+v, want the number %d", f.SHA256, f, number)
			} else if is {
				files = append(files, models.PaymentFile{SHA256: f.SHA256})
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if besides, err := db.KeptBesides(ctx, files); err != nil || len(files) != len(want) || len(besides) != len(want) {
			t.Errorf("of %d files %d are kept, and %d are not to be removed: %v", len(want), len(files), len(besides), err)
		}
		none := models.Document{Kind: "fifth", ID: h.notice.ID}
		if sum, err := db.PDF(ctx, h.owner.ID, none); err == nil {
			t.Errorf("a document of no kind has the PDF %q", sum)
		}
		must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			if _, _, err := tx.SetEHF(ctx, h.owner.ID, none, "sum"); err == nil {
				t.Error("a document of no kind gets an EHF")
			}
			return nil
		}))
	})
}
