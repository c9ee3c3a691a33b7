package operator

import (
	"context"

	"purr/ledger"
	"purr/models"
)

// Verify proves the books of all creditors, and calls found for each thing that does not hold (rule R6).
func (o *Operator) Verify(ctx context.Context, found func(models.Creditor, ledger.Difference)) error {
	creditors, err := o.DB.Creditors(ctx)
	if err != nil {
		return err
	}
	for _, c := range creditors {
		differences, err := ledger.Verify(ctx, o.DB, c)
		if err != nil {
			return err
		}
		for _, d := range differences {
			found(c, d)
		}
	}
	return nil
}

// VerifyFiles proves from the raw bytes of every payment file at its end what the books say of it (rules R6, E4). It
// calls begin before each file, which is the nth of so many, and found for what does not hold: at a line of the
// file, 0 for the whole of it.
func (o *Operator) VerifyFiles(ctx context.Context, begin func(n, of int64, f models.PaymentFile), found func(f models.PaymentFile, line int, text string)) error {
	const page = 100
	all, err := o.DB.CountFinishedFiles(ctx)
	if err != nil {
		return err
	}
	for n, last := int64(0), int64(0); ; {
		files, err := o.DB.FinishedFiles(ctx, last, page)
		if err != nil || len(files) == 0 {
			return err
		}
		for _, f := range files {
			n, last = n+1, f.ID
			begin(n, max(n, all), f)
			if err := o.Importer.Verify(ctx, f, func(line int, text string) { found(f, line, text) }); err != nil {
				return err
			}
		}
	}
}

// RuleWarnings calls warn with each figure of the law that is known for a few weeks more, or no longer, for each
// creditor whose overdue invoices are dunned (rule E6h).
func (o *Operator) RuleWarnings(ctx context.Context, warn func(c models.Creditor, text string)) error {
	creditors, err := o.DB.Creditors(ctx)
	if err != nil {
		return err
	}
	for _, c := range creditors {
		if !c.Policy.Enabled {
			continue
		}
		today, rules, err := o.day(ctx, c)
		if err != nil {
			return err
		}
		for _, w := range rules.Warnings(today, c.Policy) {
			warn(c, w.Text)
		}
	}
	return nil
}
