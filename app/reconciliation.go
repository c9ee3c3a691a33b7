package app

import (
	"context"

	"purr/models"
	"purr/store"
)

// Days are a span of days, both inclusive; a zero day leaves that side open.
type Days = store.Dates

// EachStatementLine calls do for each line of the bank's statement that payment files brought a creditor, by date, until
// it fails (rule E4). An empty account is every account.
func (a *App) EachStatementLine(ctx context.Context, c models.Creditor, days Days, account string, do func(models.StatementLine) error) error {
	return a.DB.EachStatementLine(ctx, c.ID, store.StatementFilter{Dates: days, Account: account}, do)
}

// FileProof is told how the proof of the payment files goes.
type FileProof struct {
	Begin func(n, of int64, f models.PaymentFile)           // before each file, counted from 1
	Found func(f models.PaymentFile, line int, text string) // what does not hold, at a line of the file, 0 for it as a whole
}

// VerifyFiles proves from the raw bytes of every payment file at its end what the books say of it (rules R6, E4).
func (a *App) VerifyFiles(ctx context.Context, p FileProof) error {
	const page = 100
	all, err := a.DB.CountFinishedFiles(ctx)
	if err != nil {
		return err
	}
	for n, last := int64(0), int64(0); ; {
		files, err := a.DB.FinishedFiles(ctx, last, page)
		if err != nil || len(files) == 0 {
			return err
		}
		for _, f := range files {
			n, last = n+1, f.ID
			p.Begin(n, max(n, all), f)
			err := a.Importer.Verify(ctx, f, func(line int, text string) { p.Found(f, line, text) })
			if err != nil {
				return err
			}
		}
	}
}

// PostKeptAside posts what payment files brought for accounts that nobody had, and that a creditor has got since
// (rule E4). A server that runs does it too.
func (a *App) PostKeptAside(ctx context.Context) error {
	files, err := a.DB.FilesWithAnOwner(ctx)
	if err != nil {
		return err
	}
	for _, id := range files {
		if _, err := a.Importer.Process(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
