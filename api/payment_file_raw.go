package api

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"purr/models"
)

// rawPaymentFile answers with a file's bytes as they came, a rejected file's too (rule E4). One that others have a part
// in is not found (rule D2).
func (s *Server) rawPaymentFile(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	file, err := s.db.PaymentFileOf(ctx, rq.creditor.ID, id)
	if err != nil {
		return answer{}, err
	}
	whole, err := s.isWholly(ctx, rq.creditor.ID, file)
	if err != nil {
		return answer{}, err
	}
	if !whole {
		return answer{}, models.NotFound("payment file of this creditor alone")
	}
	raw, err := s.cfg.Importer.Raw(file)
	if err != nil {
		return answer{}, err
	}
	media := "application/octet-stream" // also for the bank's XML, which is not of the interface
	if file.Format == "ocr_giro" {
		media = "text/plain; charset=ISO-8859-1"
	}
	header := http.Header{
		"Content-Disposition": {mime.FormatMediaType("attachment", map[string]string{"filename": rawName(file)})},
		"Etag":                {`"` + file.SHA256 + `"`},
	}
	return answer{status: http.StatusOK, contentType: media, header: header, file: raw, size: file.Size}, nil
}

// isWholly reports whether everything in a file is the creditor's to see: it posted the file, or nobody else
// has a part in it. Whose parts there are is known at the file's end only.
func (s *Server) isWholly(ctx context.Context, creditorID int64, file models.PaymentFile) (bool, error) {
	if file.OwnerID == creditorID || file.UnderWay() {
		return file.OwnerID == creditorID, nil
	}
	parts, err := s.db.FileParts(ctx, file.ID)
	others := slices.ContainsFunc(parts, func(p models.PaymentFilePart) bool {
		return p.CreditorID != creditorID && (p.CreditorID != 0 || p.Transactions > 0) // nobody's part is left empty where the creditor got the account
	})
	return !others, err
}

// rawName is what the file is to be kept as: its own name without folders.
func rawName(file models.PaymentFile) string {
	if file.Filename == "" {
		return fmt.Sprintf("payment_file-%d", file.ID)
	}
	return strings.NewReplacer("/", "_", `\`, "_").Replace(file.Filename)
}
