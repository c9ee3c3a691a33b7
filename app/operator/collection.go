package operator

import (
	"context"
	"fmt"
	"io"
	"os"

	"purr/dunning"
	"purr/dunning/collection"
	"purr/models"
	"purr/store"
)

// ReportCollection takes the debt collector's file at a path for a creditor (rule C1), or says what would be taken. It returns the file, so
// that faults can be told with their lines.
func (o *Operator) ReportCollection(ctx context.Context, c models.Creditor, path string, dryRun bool) (list collection.ReportFile, taken []dunning.CollectorReport, err error) {
	file, err := os.Open(path)
	if err != nil {
		return list, nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	content, err := io.ReadAll(io.LimitReader(file, collection.MaxReportFile+1))
	if err != nil {
		return list, nil, fmt.Errorf("read the reports: %w", err)
	}
	if list, err = collection.ReadReportFile(content); err != nil {
		return list, nil, err
	}
	if dryRun {
		err = o.DB.View(ctx, func(v store.View) (err error) {
			taken, err = dunning.CheckReports(ctx, v, c, list.Reports, o.DB.Now())
			return err
		})
		return list, taken, err
	}
	taken, err = inTx(ctx, o, func(ctx context.Context, tx *store.Tx) ([]dunning.CollectorReport, error) {
		return dunning.ReportCollection(ctx, tx, c, list.Reports, o.Actor)
	})
	return list, taken, err
}
