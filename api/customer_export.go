package api

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"purr/models"
	"purr/store"
)

// exportCustomer gives all that is known of the customer in the path as a zip (rule O14a).
func (s *Server) exportCustomer(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	if _, err := s.db.Customer(ctx, rq.creditor.ID, id); err != nil {
		return answer{}, err
	}
	a := s.streamed(ExportName(id), func(to io.Writer) error {
		return s.writeExport(rq.r.Context(), to, rq.creditor, id, rq.base)
	})
	a.contentType = "application/zip"
	return a, nil
}

// ExportName is the name of the zip with all that is known of a customer.
func ExportName(customerID int64) string { return fmt.Sprintf("customer-%d.zip", customerID) }

// ExportCustomer writes all that is known of a creditor's customer as a zip: what the interface shows, in XML and in JSON, the PDFs, EHF
// documents, letters and bundles, and an index in the customer's language (rule O14a). It draws PDFs that are not made yet. Of a customer who was
// forgotten it is what is left.
func (s *Server) ExportCustomer(ctx context.Context, to io.Writer, c models.Creditor, id int64) error {
	return s.writeExport(ctx, to, c, id, s.cfg.BaseURL)
}

func (s *Server) writeExport(ctx context.Context, to io.Writer, c models.Creditor, id int64, base string) error {
	customer, err := s.db.Customer(ctx, c.ID, id)
	if err != nil {
		return err
	}
	x := &exporting{
		s: s, zip: zip.NewWriter(to), ctx: ctx, creditor: c, customer: customer, base: base, now: s.cfg.Clock.Now(), handlers: map[string]handler{},
		words: exportWords[c.LanguageOf(customer)],
	}
	for _, r := range s.routes() {
		if r.method == get {
			x.handlers[r.path] = r.handle
		}
	}
	for _, step := range []func() error{x.ofCustomer, x.documents, x.shipments, x.events, x.index} {
		if err := step(); err != nil {
			return fmt.Errorf("export customer %d: %w", id, err)
		}
	}
	return x.zip.Close()
}

// exporting is a zip that is being written. Its files are what the routes of the interface answer.
type exporting struct {
	s        *Server
	zip      *zip.Writer
	ctx      context.Context //nolint:containedctx // it lives as long as one call
	creditor models.Creditor
	customer models.Customer
	base     string
	now      time.Time
	handlers map[string]handler
	words    exportText
	files    []exportedFile
}

// exportedFile is a line of the index.
type exportedFile struct{ Name, What string }

// ask returns what a route answers for an ID.
func (x *exporting) ask(route string, id int64, query url.Values, json bool) (answer, error) {
	path := strings.ReplaceAll(route, "{id}", strconv.FormatInt(id, 10))
	r, err := http.NewRequestWithContext(x.ctx, http.MethodGet, "http://localhost"+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return answer{}, err
	}
	r.SetPathValue("id", strconv.FormatInt(id, 10))
	zone := x.creditor.DisplayZone()
	rq := &request{r: r, route: route, base: x.base, now: x.now, creditor: x.creditor, zone: zone, json: json, release: func() {}}
	return x.handlers[route](x.ctx, rq)
}

// file writes a file of the zip.
func (x *exporting) file(name, what string, content []byte) error {
	w, err := x.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: x.now})
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	x.files = append(x.files, exportedFile{name, what})
	return nil
}

// both writes what a route answers in XML and in JSON.
func (x *exporting) both(route string, id int64, query url.Values, name, what string) (asXML []byte, err error) {
	for _, json := range []bool{false, true} {
		a, err := x.ask(route, id, query, json)
		if err != nil {
			return nil, err
		}
		suffix := ".xml"
		if json {
			suffix = ".json"
		} else {
			asXML = a.body
		}
		if err := x.file(name+suffix, what, a.body); err != nil {
			return nil, err
		}
	}
	return asXML, nil
}

// pages writes a list, page by page.
func (x *exporting) pages(route string, name, what string) error {
	for page := 1; ; page++ {
		query := url.Values{"per_page": {"1000"}, "page": {strconv.Itoa(page)}}
		written, err := x.both(route, x.customer.ID, query, fmt.Sprintf("%s-%d", name, page), what)
		if err != nil {
			return err
		}
		var list struct {
			Pages int `xml:"total_pages,attr"`
		}
		if err := xml.Unmarshal(written, &list); err != nil {
			return err
		}
		if page >= list.Pages {
			return nil
		}
	}
}

// bytes writes a document in a form of its own. What is not there is left out: a document that has no such form, and one whose bytes are
// gone since the customer was forgotten.
func (x *exporting) bytes(route string, id int64, name, what string) error {
	a, err := x.ask(route, id, nil, false)
	switch kind := models.KindOf(err); {
	case err == nil && a.file == nil:
		return x.file(name, what, a.body)
	case err == nil:
		content, err := io.ReadAll(a.file)
		if err := errors.Join(err, a.file.Close()); err != nil {
			return err
		}
		return x.file(name, what, content)
	case kind == models.KindNotFound, kind == models.KindConflict, kind == models.KindInvalid:
		return nil
	}
	return err
}

// ofCustomer writes what there is of the customer himself.
func (x *exporting) ofCustomer() error {
	w := x.words
	if _, err := x.both("/api/v1/customer/{id}", x.customer.ID, nil, "customer", w.Customer); err != nil {
		return err
	}
	if _, err := x.both("/api/v1/customer/{id}/statement", x.customer.ID, nil, "statement", w.Statement); err != nil && models.KindOf(err) != models.KindConflict {
		return err
	}
	if err := x.bytes("/api/v1/customer/{id}/statement/pdf", x.customer.ID, "statement.pdf", w.Statement); err != nil {
		return err
	}
	for _, list := range []struct{ route, name, what string }{
		{"/api/v1/customer/{id}/ar_transactions/", "entries", w.Entries},
		{"/api/v1/customer/{id}/unmatched_payments/", "unmatched-payments", w.Payments},
		{"/api/v1/customer/{id}/repayments/", "repayments", w.Repayments},
	} {
		if err := x.pages(list.route, list.name, list.what); err != nil {
			return err
		}
	}
	return nil
}

// exportedKinds says by which routes documents of a kind are shown, and where they lie in the zip.
var exportedKinds = []struct {
	kind   models.DocumentKind
	shown  string // empty if the kind is shown by its PDF alone
	pdf    string
	folder string
}{
	{models.InvoiceDocument, "/api/v1/invoice/{id}", "/api/v1/invoice/{id}/pdf", "invoices"},
	{models.CreditNoteDocument, "/api/v1/credit_note/{id}", "/api/v1/credit_note/{id}/pdf", "credit-notes"},
	{models.NoticeDocument, "/api/v1/overdue_notice/{id}", "/api/v1/overdue_notice/{id}/pdf", "notices"},
	{models.LetterDocument, "/api/v1/letter/{id}", "/api/v1/letter/{id}/pdf", "letters"},
	{models.PlanDocument, "", "", "payment-plans"},
	{models.StatementDocument, "", "", "statements"},
}

// documents writes the documents, each as the interface shows it, and its PDF.
func (x *exporting) documents() error {
	for _, of := range exportedKinds {
		found, err := x.s.db.NumberedDocumentsOf(x.ctx, x.creditor.ID, x.customer.ID, of.kind)
		if err != nil {
			return err
		}
		for _, d := range found {
			name, what := fmt.Sprintf("%s/%d-%d", of.folder, d.Number, d.ID), fmt.Sprintf("%s %d", x.words.Kinds[of.kind], d.Number)
			if of.shown == "" {
				if err := x.drawn(models.Document{Kind: of.kind, ID: d.ID}, name+".pdf", what); err != nil {
					return err
				}
				continue
			}
			if _, err := x.both(of.shown, d.ID, nil, name, what); err != nil {
				return err
			}
			if err := x.bytes(of.pdf, d.ID, name+".pdf", what); err != nil {
				return err
			}
			if of.kind == models.InvoiceDocument {
				if err := x.bytes("/api/v1/invoice/{id}/collection_bundle", d.ID, "collection/"+strconv.FormatInt(d.Number, 10)+".zip", x.words.Bundle+" "+strconv.FormatInt(d.Number, 10)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// drawn writes the PDF of a document that the interface shows in no other form.
func (x *exporting) drawn(d models.Document, name, what string) error {
	pdf, err := x.s.cfg.Documents.PDF(x.ctx, x.creditor.ID, d)
	if err != nil {
		if models.KindOf(err) == models.KindNotFound {
			return nil
		}
		return err
	}
	return x.file(name, what, pdf)
}

// shipments writes what was sent to the customer, and what became of it.
func (x *exporting) shipments() error {
	ids, err := x.s.db.ShipmentsOfCustomer(x.ctx, x.customer.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		n := strconv.FormatInt(id, 10)
		if _, err := x.both("/api/v1/shipment/{id}", id, nil, "shipments/"+n, x.words.Shipment+" "+n); err != nil {
			return err
		}
	}
	return nil
}

// events writes what the log tells of the customer.
func (x *exporting) events() error {
	if err := x.s.db.NumberEvents(x.ctx); err != nil {
		return err
	}
	found, err := x.s.db.EventsOfCustomer(x.ctx, x.creditor.ID, x.customer.ID)
	if err != nil {
		return err
	}
	rq := &request{base: x.base, now: x.now, creditor: x.creditor, zone: x.creditor.DisplayZone()}
	for part := 0; part == 0 || part*eventsOfAFile < len(found); part++ {
		rest := found[part*eventsOfAFile:]
		some := rest[:min(len(rest), eventsOfAFile)]
		l := list[any]{XMLName: xml.Name{Local: "events"}, Page: part + 1, TotalPages: store.Page{Size: eventsOfAFile}.Pages(int64(len(found))), PerPage: eventsOfAFile}
		for _, e := range some {
			l.Items = append(l.Items, rq.event(e))
		}
		for _, json := range []bool{false, true} {
			rq.json = json
			a, err := rq.ok(l)
			if err != nil {
				return err
			}
			suffix := ".xml"
			if json {
				suffix = ".json"
			}
			if err := x.file(fmt.Sprintf("events-%d%s", part+1, suffix), x.words.Events, a.body); err != nil {
				return err
			}
		}
	}
	return nil
}

// eventsOfAFile is how many events one file of the zip has.
const eventsOfAFile = 1000

// index writes what the zip holds, in the customer's language.
func (x *exporting) index() error {
	var page strings.Builder
	err := exportIndex.Execute(&page, map[string]any{
		"Words": x.words, "Files": x.files, "Creditor": x.creditor.Name, "Customer": x.customer, "Day": models.DateOf(x.now.In(x.creditor.DisplayZone())),
	})
	if err != nil {
		return err
	}
	return x.file("index.html", x.words.Title, []byte(page.String()))
}

var exportIndex = template.Must(template.New("index").Parse(`<!DOCTYPE html>
<html lang="{{.Words.Language}}"><head><meta charset="utf-8"><title>{{.Words.Title}}</title></head>
<body>
<h1>{{.Words.Title}}</h1>
<p>{{.Creditor}}, {{.Words.CustomerWord}} {{.Customer.ID}} {{.Customer.Recipient.Name1}}, {{.Day}}</p>
<p>{{.Words.About}}</p>
<table>
<tr><th>{{.Words.File}}</th><th>{{.Words.What}}</th></tr>
{{range .Files}}<tr><td><a href="{{.Name}}">{{.Name}}</a></td><td>{{.What}}</td></tr>
{{end}}</table>
</body></html>
`))
