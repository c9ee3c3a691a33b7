package api

import (
	"context"
	"encoding/csv"
	"encoding/xml"
	"io"
	"slices"
	"strconv"

	"purr/api/form"
	"purr/dunning"
	"purr/dunning/collection"
	"purr/models"
	"purr/store"
)

// collectionsXML is a page of what the debt collector has (rule C3).
type collectionsXML struct {
	XMLName    xml.Name        `xml:"collections"`
	Page       int             `xml:"page,attr"`
	TotalPages int64           `xml:"total_pages,attr"`
	PerPage    int             `xml:"per_page,attr"`
	Items      []collectionXML `xml:"collection"`
}

// collectionXML is a claim that was handed over, with what came on it since.
type collectionXML struct {
	Number     int64          `xml:"invoice_number"`
	Invoice    link           `xml:"invoice"`
	Customer   link           `xml:"customer"`
	Name1      string         `xml:"name1"`
	Bundle     string         `xml:"bundle"`
	HandedOver models.Date    `xml:"handed_over"`
	Days       int            `xml:"days"`
	Delivered  string         `xml:"delivered_at"`
	Claim      claimedXML     `xml:"claim"`
	Collected  models.Amount  `xml:"collected"`
	Direct     models.Amount  `xml:"direct"`
	Left       models.Amount  `xml:"left"`
	Last       *lastReportXML `xml:"last_report"`
}

type claimedXML struct {
	Total     models.Amount `xml:"total,attr"`
	Principal models.Amount `xml:"principal,attr"`
	Interest  models.Amount `xml:"interest,attr"`
	Fees      models.Amount `xml:"fees,attr"`
}

type lastReportXML struct {
	State     models.CollectionState `xml:"state,attr"`
	At        models.Date            `xml:"at,attr"`
	Reference string                 `xml:"reference,attr,omitempty"`
	Reason    string                 `xml:"reason,attr,omitempty"`
}

// collectionFilter reads what narrows a list of what the collector has.
func (q *query) collectionFilter() store.CollectionFilter {
	var f store.CollectionFilter
	status, sent := q.text("status")
	switch told := models.CollectionState(status); {
	case !sent:
	case status == "none":
		f.Reported = []models.CollectionState{""}
	case slices.Contains(models.CollectionStates, told) && told != models.CollectionWithdrawn:
		f.Reported = []models.CollectionState{told}
	default:
		q.fault("unknown_status", "status", "must be none, received, rejected, paid or closed_unpaid")
	}
	f.Open = q.flag("open")
	return f
}

// listCollections lists what the debt collector has: a page, or all in CSV.
func (s *Server) listCollections(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	f := q.collectionFilter()
	p, all := q.pageOrCSV()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if all {
		return s.collectionsCSV(rq, f), nil
	}
	shown := collectionsXML{Page: p.Number, PerPage: p.Size}
	err := s.db.View(ctx, func(v store.View) error {
		found, total, err := collection.Claims(ctx, v, rq.creditor, rq.today(), f, p)
		if err != nil {
			return err
		}
		shown.TotalPages = p.Pages(total)
		for _, h := range found {
			shown.Items = append(shown.Items, rq.collection(h))
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	return rq.ok(shown)
}

func (rq *request) collection(h collection.Handed) collectionXML {
	shown := collectionXML{
		Number: h.Invoice.Number, Invoice: link{rq.uri("invoice", h.Invoice.ID)}, Customer: link{rq.uri("customer", h.Invoice.CustomerID)}, Name1: h.Invoice.Recipient.Name1,
		Bundle: h.Name, HandedOver: h.HandedOver, Days: h.Days, Claim: claimedXML{h.Total(), h.Claim.Principal, h.Claim.Interest, h.Claim.Fees},
		Collected: h.Collected, Direct: h.Direct, Left: h.Left,
	}
	if h.DeliveredAt != nil {
		shown.Delivered = rq.stamp(*h.DeliveredAt)
	}
	if h.Reported {
		shown.Last = &lastReportXML{h.Last.State, h.Last.At, h.Last.Reference, h.Last.Reason}
	}
	return shown
}

// collectionTitles are the titles of what the collector has in CSV.
var collectionTitles = []string{
	"invoice_number", "invoice", "customer", "customer_number", "name1", "bundle", "handed_over", "days", "delivered_at", "total", "principal", "interest", "fees",
	"collected", "direct", "left", "state", "at", "reference", "reason",
}

// collectionsCSV answers with all of them in CSV.
func (s *Server) collectionsCSV(rq *request, f store.CollectionFilter) answer {
	return s.streamed("collections.csv", func(to io.Writer) error {
		w := csv.NewWriter(to)
		_ = w.Write(collectionTitles) // the writer keeps its first error until the end
		for {
			var part []collection.Handed
			err := s.db.View(rq.r.Context(), func(v store.View) (err error) {
				part, _, err = collection.Claims(rq.r.Context(), v, rq.creditor, rq.today(), f, store.Page{Number: 1, Size: csvPart})
				return err
			})
			if err != nil {
				return err
			}
			for _, h := range part {
				_ = w.Write(rq.collectionRow(h))
				f.Before = h.ID
			}
			if len(part) < csvPart {
				break
			}
		}
		w.Flush()
		return w.Error()
	})
}

func (rq *request) collectionRow(h collection.Handed) []string {
	x := rq.collection(h)
	row := []string{
		strconv.FormatInt(x.Number, 10), strconv.FormatInt(h.Invoice.ID, 10), strconv.FormatInt(h.Invoice.CustomerID, 10),
		models.CSVCell(h.Invoice.Recipient.CustomerNumber), models.CSVCell(x.Name1), x.Bundle, x.HandedOver.String(), strconv.Itoa(x.Days), x.Delivered,
		x.Claim.Total.String(), x.Claim.Principal.String(), x.Claim.Interest.String(), x.Claim.Fees.String(), x.Collected.String(), x.Direct.String(), x.Left.String(),
	}
	if x.Last == nil {
		return append(row, "", "", "", "")
	}
	return append(row, string(x.Last.State), x.Last.At.String(), models.CSVCell(x.Last.Reference), models.CSVCell(x.Last.Reason))
}

// collectionReportsXML are reports of the debt collector's as they were taken (rules C1, C4).
type collectionReportsXML struct {
	XMLName xml.Name              `xml:"collection_reports"`
	Reports []collectionReportXML `xml:"report"`
}

type collectionReportXML struct {
	Number    int64                  `xml:"invoice,attr"`
	Bundle    string                 `xml:"bundle,attr"`
	State     models.CollectionState `xml:"state,attr"`
	At        models.Date            `xml:"at,attr"`
	Amount    models.Amount          `xml:"amount,attr,omitempty"`
	Principal *models.Amount         `xml:"principal,attr,omitempty"`
	Interest  *models.Amount         `xml:"interest,attr,omitempty"`
	Fees      *models.Amount         `xml:"fees,attr,omitempty"`
	Reference string                 `xml:"reference,attr,omitempty"`
	Reason    string                 `xml:"reason,attr,omitempty"`
	Known     int                    `xml:"known,attr,omitempty"` // 1: it had come before
	URI       string                 `xml:"uri,attr"`             // of the invoice
	Entry     string                 `xml:"ar_transaction,attr,omitempty"`
}

// reportCollection takes what the debt collector tells of claims.
func (s *Server) reportCollection(_ context.Context, rq *request, _ int64, body form.Body) (effect, error) {
	f, err := form.Parse(body, "collection_reports")
	if err != nil {
		return nil, err
	}
	var told []models.CollectorTold
	for _, e := range f.Each("report") {
		var t models.CollectorTold
		for _, name := range models.CollectorWords {
			*t.Word(name), _ = e.Attr(name)
		}
		told = append(told, t)
	}
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (answer, error) {
		taken, err := dunning.ReportCollection(ctx, tx, rq.creditor, told, rq.actor())
		if err != nil {
			return answer{}, err
		}
		shown := collectionReportsXML{}
		for _, r := range taken {
			shown.Reports = append(shown.Reports, rq.collectionReport(r))
		}
		return rq.created(rq.base+"/api/v1/collections", shown)
	}, nil
}

func (rq *request) collectionReport(r dunning.CollectorReport) collectionReportXML {
	shown := collectionReportXML{
		Number: r.Number, Bundle: r.Bundle, State: r.State, At: r.At, Amount: r.Amount, Reference: r.Reference, Reason: r.Reason, URI: rq.uri("invoice", r.InvoiceID),
	}
	if r.Divided {
		shown.Principal, shown.Interest, shown.Fees = &r.Principal, &r.Interest, &r.Fees
	}
	if r.Known {
		shown.Known = 1
	}
	if r.EntryID != 0 {
		shown.Entry = rq.uri("ar_transaction", r.EntryID)
	}
	return shown
}
