package operator

import (
	"context"
	"os"
	"path/filepath"

	"purr/models"
	"purr/ocr/avtalegiro"
	"purr/store"
)

// claimsPage is how many claims are read at once.
const claimsPage = 500

// EachClaim calls do for each claim of AvtaleGiro of the creditor, in order of ID, with its invoice and the number of its file, or 0.
func (o *Operator) EachClaim(ctx context.Context, c models.Creditor, do func(claim models.BankClaim, i models.Invoice, file int64) error) error {
	numbers := map[int64]int64{}
	if err := o.EachClaimFile(ctx, c, func(f models.ClaimFile) error { numbers[f.ID] = f.Number; return nil }); err != nil {
		return err
	}
	for page := 1; ; page++ {
		claims, _, err := o.DB.BankClaims(ctx, c.ID, nil, store.Page{Number: page, Size: claimsPage})
		if err != nil || len(claims) == 0 {
			return err
		}
		ids := make([]int64, len(claims))
		for n, claim := range claims {
			ids[n] = claim.InvoiceID
		}
		found, err := o.DB.InvoicesByID(ctx, c.ID, ids)
		if err != nil {
			return err
		}
		invoices := make(map[int64]models.Invoice, len(found))
		for _, i := range found {
			invoices[i.ID] = i
		}
		for _, claim := range claims {
			if err := do(claim, invoices[claim.InvoiceID], numbers[claim.FileID]); err != nil {
				return err
			}
		}
	}
}

// EachClaimFile calls do for each file of claims of the creditor, in order of ID.
func (o *Operator) EachClaimFile(ctx context.Context, c models.Creditor, do func(models.ClaimFile) error) error {
	for page := 1; ; page++ {
		files, _, err := o.DB.ClaimFiles(ctx, c.ID, store.Page{Number: page, Size: claimsPage})
		if err != nil || len(files) == 0 {
			return err
		}
		for _, f := range files {
			if err := do(f); err != nil {
				return err
			}
		}
	}
}

// TakeReceipt takes a receipt of the bank's (rule G3a), by the name and the content of a file.
func (o *Operator) TakeReceipt(ctx context.Context, path string, columns avtalegiro.Columns) (avtalegiro.Taken, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return avtalegiro.Taken{}, err
	}
	return o.ClaimFiles.Take(ctx, filepath.Base(path), content, columns, o.Actor)
}
