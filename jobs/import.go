package jobs

import (
	"context"
	"strconv"
	"time"

	"purr/jobs/tasks"
	"purr/models"
)

const kindImport = "import"

// importPayload names a payment file.
type importPayload struct{ FileID int64 }

func importTask(f models.PaymentFile) tasks.Task {
	return tasks.Task{Queue: queueName, Kind: kindImport, Key: strconv.FormatInt(f.ID, 10), Payload: importPayload{f.ID}, Timeout: time.Hour}
}

// importFile finishes the import of a payment file that was broken off. For an imported file it posts what has become
// possible since.
//
// queued by: the sweep.
func (w *Worker) importFile(ctx context.Context, p importPayload) error {
	_, err := w.Importer.Process(ctx, p.FileID)
	return err
}
