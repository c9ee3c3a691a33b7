package jobs

import (
	"context"
	"strconv"
	"time"

	"purr/jobs/tasks"
	"purr/models"
	"purr/store"
)

const kindImport = "import"

func importKind() kind {
	return kind{
		name: kindImport, queue: queueName, within: time.Hour, sendsNone: true, owes: store.FilesToFinish, oldest: &store.FileAge,
		do: func(w *Worker) handler { return handle(known(w, w.importFile)) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindImport), each(s.DB.UnfinishedFiles, importTask))
		},
	}
}

// importPayload names a payment file.
type importPayload struct{ FileID int64 }

func importTask(f models.PaymentFile) tasks.Task {
	return importKind().task(strconv.FormatInt(f.ID, 10), importPayload{f.ID})
}

// importFile finishes the import of a payment file that was broken off. For an imported file it posts what has become
// possible since.
//
// queued by: the sweep.
func (w *Worker) importFile(ctx context.Context, p importPayload) error {
	_, err := w.Importer.Process(ctx, p.FileID)
	return err
}
