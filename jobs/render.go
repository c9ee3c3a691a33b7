package jobs

import (
	"context"
	"time"

	"purr/models"
)

const kindRender = "render"

// renderPayload names a document.
type renderPayload struct {
	CreditorID int64
	Kind       models.DocumentKind
	ID         int64
}

func renderTask(creditorID int64, d models.Document) task {
	return task{kind: kindRender, key: d.String(), payload: renderPayload{creditorID, d.Kind, d.ID}, timeout: time.Minute}
}

// render makes a document's PDF (rule D35) and queues its shipments.
//
// queued by: the act that made the document. If the task is lost, ship makes the PDF.
func (w *Worker) render(ctx context.Context, p renderPayload) error {
	d := models.Document{Kind: p.Kind, ID: p.ID}
	if _, err := w.Documents.PDF(ctx, p.CreditorID, d); err != nil {
		return err
	}
	shipments, err := w.DB.ShipmentsOf(ctx, d)
	if err != nil {
		return err
	}
	for _, s := range shipments {
		if s.State == models.ShipmentOwed {
			w.Queue.hint(ctx, shipTask(s))
		}
	}
	return nil
}
