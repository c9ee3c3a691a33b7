package avtalegiro

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/store/archive"
)

// Files makes files of claims, and keeps them.
type Files struct {
	db      *store.DB
	archive *archive.Archive
}

// New returns what makes files of claims, and keeps them in an archive.
func New(db *store.DB, kept *archive.Archive) *Files { return &Files{db, kept} }

// Name returns the name of a file of claims, which never changes.
func Name(f models.ClaimFile) string {
	return fmt.Sprintf("avtalegiro-%s-%07d.txt", f.SenderID, f.Number)
}

// Content returns the bytes of a file of claims. It makes them the first time; then they stay the same, until customers whom
// they name are forgotten: then it fails with models.ErrBytesRemoved (rule O14).
func (s *Files) Content(ctx context.Context, f models.ClaimFile) ([]byte, error) {
	if f.RemovedAt != nil {
		return nil, models.ErrBytesRemoved
	}
	made := archive.File{Sum: f.SHA256, Render: func(ctx context.Context, _ string) ([]byte, error) { return s.render(ctx, f) }}
	content, err := s.archive.Once(ctx, made, func(ctx context.Context, sum string) (kept string, err error) {
		err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			kept, err = tx.SetClaimFileSum(ctx, f.CreditorID, f.ID, sum)
			return err
		})
		return kept, err
	})
	if err != nil {
		return nil, fmt.Errorf("file %d of AvtaleGiro: %w", f.Number, err)
	}
	return content, nil
}

// invoicesAtOnce is how many invoices are read with one statement.
const invoicesAtOnce = 500

// render makes the bytes.
func (s *Files) render(ctx context.Context, f models.ClaimFile) ([]byte, error) {
	var file giro.ClaimFile
	err := s.db.View(ctx, func(v store.View) error {
		claims, cancels, err := v.ClaimsInFile(ctx, f.CreditorID, f.ID)
		if err != nil {
			return err
		}
		first, second := f.Assignments()
		file = giro.ClaimFile{Sender: f.SenderID, Number: int(f.Number)}
		for _, part := range []struct {
			number  int64
			cancels bool
			claims  []models.BankClaim
		}{{first, false, claims}, {second, true, cancels}} {
			assignments, err := assign(ctx, v, f.CreditorID, int(part.number), part.cancels, part.claims)
			if err != nil {
				return err
			}
			file.Assignments = append(file.Assignments, assignments...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// assign returns claims, or cancellations, as an assignment for each account. The number is given once for each account.
func assign(ctx context.Context, v store.View, creditorID int64, number int, cancels bool, claims []models.BankClaim) ([]giro.ClaimAssignment, error) {
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b models.BankClaim) int { return cmp.Compare(a.Account, b.Account) })
	var all []giro.ClaimAssignment
	for some := range slices.Chunk(claims, invoicesAtOnce) {
		invoices, lines, err := specified(ctx, v, creditorID, some)
		if err != nil {
			return nil, err
		}
		for _, claim := range some {
			if len(all) == 0 || all[len(all)-1].Account != claim.Account {
				all = append(all, giro.ClaimAssignment{Number: number, Account: claim.Account, Cancellations: cancels})
			}
			to := &all[len(all)-1]
			to.Claims = append(to.Claims, claimOf(claim, cancels, invoices[claim.InvoiceID], lines[claim.InvoiceID]))
		}
	}
	return all, nil
}

// specified reads the invoices of claims, and the lines of those of which the bank tells the payer.
func specified(ctx context.Context, v store.View, creditorID int64, claims []models.BankClaim) (map[int64]models.Invoice, map[int64][]models.Line, error) {
	var ids, told []int64
	for _, claim := range claims {
		ids = append(ids, claim.InvoiceID)
		if claim.ByBank {
			told = append(told, claim.InvoiceID)
		}
	}
	found, err := v.InvoicesByID(ctx, creditorID, ids)
	if err != nil {
		return nil, nil, err
	}
	invoices := make(map[int64]models.Invoice, len(found))
	for _, i := range found {
		invoices[i.ID] = i
	}
	if len(told) == 0 {
		return invoices, nil, nil
	}
	lines, err := v.LinesOfInvoices(ctx, told)
	return invoices, lines, err
}

// claimOf returns a claim as it stands in a file. A cancellation differs in its type alone (AvtaleGiro, section 2.3.2).
func claimOf(claim models.BankClaim, cancels bool, i models.Invoice, lines []models.Line) giro.Claim {
	c := giro.Claim{
		Type: giro.ClaimOwnNotice, Due: claim.DueDate, Amount: claim.Amount, KID: claim.KID,
		ShortName: giro.ClaimText(i.Recipient.Name1, giro.MaxShortName), Reference: fmt.Sprintf("%s %d", invoiceWord(i.Language), i.Number),
	}
	switch {
	case cancels:
		c.Type = giro.ClaimCancellation
	case claim.ByBank:
		c.Type, c.Specification = giro.ClaimBankNotice, specification(i, lines)
	}
	return c
}

func invoiceWord(language string) string {
	if language == "en" {
		return "Invoice"
	}
	return "Faktura"
}

// specification returns what the bank's notice tells of an invoice: its lines with their amounts, and the sum.
func specification(i models.Invoice, lines []models.Line) []string {
	const room = giro.MaxSpecificationLines - 2
	all := []string{fmt.Sprintf("%s %d", invoiceWord(i.Language), i.Number)}
	for n, l := range lines {
		if n == room-1 && len(lines) > room {
			all = append(all, "...")
			break
		}
		all = append(all, amountLine(l.Text, l.Gross))
	}
	return append(all, amountLine("Sum", i.Gross))
}

// amountLine returns a text with an amount at the right edge, as the two columns of a line take it.
func amountLine(text string, amount models.Amount) string {
	figure := strings.Replace(amount.String(), ".", ",", 1)
	text = giro.ClaimText(text, giro.MaxSpecificationLine-len(figure)-1)
	return text + strings.Repeat(" ", giro.MaxSpecificationLine-len([]rune(text))-len(figure)) + figure
}
