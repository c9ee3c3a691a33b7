package jobs

import (
	"context"
	"strconv"
	"time"
)

const kindImport = "import"

// importPayload names a payment file.
type importPayload struct{ FileID int64 }

func importTask(id int64) task {
	return task{kind: kindImport, key: strconv.FormatInt(id, 10), payload: importPayload{id}, timeout: time.Hour}
}

// imports goes on with a payment file whose import was broken off, or owes something since.
//
// queued by: the sweep.
func (w *Worker) imports(ctx context.Context, p importPayload) error {
	_, err := w.Importer.Process(ctx, p.FileID)
	return err
}
