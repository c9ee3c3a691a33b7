package api

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"mime"
	"net/http"

	"purr/api/guard"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

// maxPaymentFile is the most bytes that a payment file may have (rule E4).
const maxPaymentFile = ocr.MaxFile

// paymentFileXML is a file from the bank with the results of the creditor's part of it (rule E4).
type paymentFileXML struct {
	XMLName            xml.Name         `xml:"payment_file"`
	URI                string           `xml:"uri,attr"`
	Filename           string           `xml:"filename"`
	Format             string           `xml:"format"`
	Sender             string           `xml:"sender"`
	TransmissionNumber string           `xml:"transmission_number"`
	ReceivedAt         string           `xml:"received_at"`
	Status             models.FileState `xml:"status"`
	DuplicateOf        *link            `xml:"duplicate_of"`
	Transactions       int              `xml:"transactions"`
	Amount             models.Amount    `xml:"amount"`
	Matched            fileSum          `xml:"matched"`
	Unmatched          fileSum          `xml:"unmatched"`
	Duplicates         fileSum          `xml:"duplicates"`
	Ignored            fileSum          `xml:"ignored"`
	Warnings           []fileNote       `xml:"warning"`
	Faults             []fileNote       `xml:"fault"`
}

type fileSum struct {
	Transactions int           `xml:"transactions,attr"`
	Amount       models.Amount `xml:"amount,attr"`
}

type fileNote struct {
	Code string `xml:"code,attr"`
	Line int    `xml:"line,attr,omitempty"`
	Text string `xml:",chardata"`
}

func (rq *request) paymentFile(f models.PaymentFile, part models.PaymentFilePart) paymentFileXML {
	x := paymentFileXML{
		URI: rq.uri("payment_file", f.ID), Filename: f.Filename, Format: f.Format, Sender: f.Sender, TransmissionNumber: f.TransmissionNumber,
		ReceivedAt: rq.stamp(f.ReceivedAt), Status: f.State, Transactions: part.Transactions, Amount: part.Amount,
		Matched: fileSum{part.Matched, part.MatchedAmount}, Unmatched: fileSum{part.Unmatched, part.UnmatchedAmount},
		Duplicates: fileSum{part.Duplicates, part.DuplicatesAmount}, Ignored: fileSum{part.Ignored, part.IgnoredAmount},
		Warnings: notesOf(f.Warnings), Faults: notesOf(f.Faults),
	}
	if f.DuplicateOf != 0 {
		x.DuplicateOf = &link{rq.uri("payment_file", f.DuplicateOf)}
	}
	return x
}

func notesOf(notes models.FileFindings) []fileNote {
	var shown []fileNote
	for _, n := range notes {
		shown = append(shown, fileNote{n.Code, n.Line, n.Text})
	}
	return shown
}

// listPaymentFiles lists the payment files with the creditor's part of each.
func (s *Server) listPaymentFiles(ctx context.Context, rq *request) (answer, error) {
	var parts map[int64]models.PaymentFilePart
	show := func(f models.PaymentFile) paymentFileXML { return rq.paymentFile(f, parts[f.ID]) }
	return listed("payment_files", rq.query(), show, func(p store.Page) (found []models.PaymentFile, total int64, err error) {
		if found, total, err = s.db.PaymentFiles(ctx, rq.creditor.ID, p); err != nil {
			return nil, 0, err
		}
		parts, err = s.db.FilePartsOf(ctx, rq.creditor.ID, found)
		return found, total, err
	})
}

// showPaymentFile shows a payment file with the creditor's part of it.
func showPaymentFile(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	file, err := v.PaymentFileOf(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	if file.UnderWay() { // its totals do not add up yet (rule E4)
		return nil, models.NotFound("payment file")
	}
	parts, err := v.FilePartsOf(ctx, rq.creditor.ID, []models.PaymentFile{file})
	if err != nil {
		return nil, err
	}
	return rq.paymentFile(file, parts[id]), nil
}

// importPaymentFile imports the OCR giro or camt.054 file that is the body. It keeps the body as it
// arrives, and imports it from the archive.
func (s *Server) importPaymentFile(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	filename, _ := q.text("filename")
	acceptConflict := q.flag("accept_conflict")
	if err := q.done(); err != nil {
		return answer{}, err
	}
	body, err := guard.Body(rq.w, rq.r, maxPaymentFile, "text/plain", "application/octet-stream", "application/xml", "text/xml")
	if err != nil {
		return answer{}, err
	}
	key, release, err := s.reserve(rq)
	if err != nil {
		return answer{}, err
	}
	defer release()
	sent, sum := &sentBytes{r: body}, rq.hash()
	kept, err := s.cfg.Importer.Keep(ctx, io.TeeReader(sent, sum))
	if sent.broken != nil {
		return answer{}, guard.BrokenBody(sent.broken)
	}
	if err != nil {
		return answer{}, err
	}
	if key != nil {
		key.Request, key.Sent = hexOf(sum, nil), kept.Size
	}
	return s.leased(ctx, rq, key, func(work string) (answer, error) {
		file, err := s.cfg.Importer.By(rq.actor()).ImportKept(ctx, kept, ocr.Source{
			OwnerID: rq.creditor.ID, Filename: filename, Kind: ocr.FromAPI, Arrival: work, AcceptConflict: acceptConflict,
		})
		if err != nil {
			return answer{}, err
		}
		return s.imported(ctx, rq, file)
	})
}

// imported answers with the result of an import.
func (s *Server) imported(ctx context.Context, rq *request, file models.PaymentFile) (answer, error) {
	switch file.State {
	case models.FileRejected:
		return answer{}, models.FileFaults(file.Faults).Errors()
	case models.FileDuplicate:
		a := problem(rq, models.Conflict("duplicate_file", "the file has been imported before"))
		a.location = rq.uri("payment_file", file.DuplicateOf)
		return a, nil
	case models.FileReceived, models.FileImporting, models.FileImported:
	}
	parts, err := s.db.FilePartsOf(ctx, rq.creditor.ID, []models.PaymentFile{file})
	if err != nil {
		return answer{}, err
	}
	shown := rq.paymentFile(file, parts[file.ID])
	return rq.created(shown.URI, shown)
}

// sentBytes reads a body and keeps the error that broke it off.
type sentBytes struct {
	r      io.Reader
	broken error
}

func (b *sentBytes) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.broken = err
	}
	return n, err
}

// rawPaymentFile shows the bytes of a payment file as they came. It also shows the bytes of a rejected file (rule E4).
// It does not find a file in which other creditors have a part (rule D2).
func (s *Server) rawPaymentFile(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	file, err := s.db.PaymentFileOf(ctx, rq.creditor.ID, id)
	if err != nil {
		return answer{}, err
	}
	whole, err := ocr.SeesWhole(ctx, s.db, rq.creditor.ID, file)
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
	media := "application/octet-stream" // also for XML from the bank, which is not the interface's XML
	if file.Format == "ocr_giro" {
		media = "text/plain; charset=ISO-8859-1"
	}
	header := http.Header{
		"Content-Disposition": {mime.FormatMediaType("attachment", map[string]string{"filename": ocr.RawName(file)})},
		"Etag":                {`"` + file.SHA256 + `"`},
	}
	return answer{status: http.StatusOK, contentType: media, header: header, file: raw, size: file.Size}, nil
}
