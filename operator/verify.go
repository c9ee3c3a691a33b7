package operator

import (
	"context"
	"fmt"

	"purr/ledger"
	"purr/models"
)

// Verify proves the books of all creditors. It calls found for each difference (rule R6). Runs that are dated in the
// future are one too (rule O12).
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
		today, err := c.Today(o.Clock.Now())
		if err != nil {
			return err
		}
		future, err := o.DB.FutureRuns(ctx, c.ID, today)
		if err != nil {
			return err
		}
		if future > 0 {
			found(c, ledger.Difference(fmt.Sprintf("%d runs are dated in the future: a clock was wrong; each is made when its day comes", future)))
		}
	}
	return nil
}

// VerifyFiles proves from the raw bytes of every finished payment file what the books say of it (rules R6, E4). It
// calls begin before each file, with the file's position and the number of files. It calls found for each difference,
// with the line of the file, or 0 for the whole file.
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

// RuleWarnings calls warn with each figure of the law whose rate expiry is past or a few weeks away. It does so for
// each creditor with dunning switched on (rule E6h).
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
