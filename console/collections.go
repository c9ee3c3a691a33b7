package console

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"purr/dunning"
	"purr/dunning/collection"
	"purr/models"
	"purr/store"
)

// collectionRoutes are the list of what the debt collector has, and the form by which a person enters what it tells (rules C1, C3).
func (s *Server) collectionRoutes() []route {
	return []route{
		{path: "/c/{creditor}/collections", area: "invoices", get: s.collectionsPage, csv: s.collectionsCSV},
		{path: "/c/{creditor}/invoices/{number}/collection-report", area: "invoices", get: s.collectionReportPage, post: s.collectionReport, scope: models.ScopeWrite},
	}
}

// collectionsPage lists what the debt collector has, the newest hand-over first.
type collectionsPage struct {
	view
	Rows  []collection.Handed
	Pager pager
}

// collectionFilter reads what narrows the list.
func (rq *request) collectionFilter() (f store.CollectionFilter, err error) {
	if status := rq.query("status"); status != "" {
		told := models.CollectionState(status)
		if status == "none" {
			told = ""
		} else if !slices.Contains(models.CollectionStates, told) {
			return f, models.Malformed("unknown_status", "status", "must be none, received, rejected, paid or closed_unpaid")
		}
		f.Reported = []models.CollectionState{told}
	}
	f.Open = rq.query("open") == "1"
	if after := rq.query("after"); after != "" {
		if f.Before, err = strconv.ParseInt(after, 10, 64); err != nil || f.Before < 1 {
			return f, models.Malformed("invalid_id", "after", "is not a place in this list")
		}
	}
	return f, nil
}

func (s *Server) collectionsPage(ctx context.Context, rq *request) (reply, error) {
	f, err := rq.collectionFilter()
	if err != nil {
		return reply{}, err
	}
	p := &collectionsPage{view: rq.view("collections.title")}
	err = s.db.View(ctx, func(v store.View) (err error) {
		p.Rows, _, err = collection.Claims(ctx, v, rq.creditor, rq.today(), f, store.Page{Number: 1, Size: perPage + 1})
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.Lead = rq.words.SayHTML("collections.lead")
	p.Rows = onPage(p.Rows, &p.Pager, func(last collection.Handed) string { return p.With("after", strconv.FormatInt(last.ID, 10)) })
	return show("collections", p)
}

// Told says what the collector told last of a claim.
func (p *collectionsPage) Told(h collection.Handed) string { return p.rq.toldOf(h) }

func (rq *request) toldOf(h collection.Handed) string {
	if !h.Reported {
		return rq.words.Say("collections.none")
	}
	return rq.words.Say("collections." + string(h.Last.State))
}

func (s *Server) collectionsCSV(ctx context.Context, rq *request) (reply, error) {
	f, err := rq.collectionFilter()
	if err != nil {
		return reply{}, err
	}
	header := rq.words.Header("standing.invoice", "invoices.customer", "customers.number", "collections.handed_over", "collections.days", "collections.total", "collections.principal",
		"collections.interest", "collections.fees", "collections.collected", "collections.direct", "collections.left", "collections.told", "collections.at", "collections.reference", "collections.reason")
	return rq.csv("collections", header, func(write func(...any) error) error {
		for {
			var found []collection.Handed
			err := s.db.View(ctx, func(v store.View) (err error) {
				found, _, err = collection.Claims(ctx, v, rq.creditor, rq.today(), f, store.Page{Number: 1, Size: csvBatch})
				return err
			})
			if err != nil || len(found) == 0 {
				return err
			}
			for _, h := range found {
				to := h.Invoice.Recipient
				err := write(h.Invoice.Number, to.Name1, to.CustomerNumber, h.HandedOver, h.Days, h.Total(), h.Claim.Principal, h.Claim.Interest, h.Claim.Fees, h.Collected, h.Direct, h.Left,
					rq.toldOf(h), h.Last.At, h.Last.Reference, h.Last.Reason)
				if err != nil {
					return err
				}
				f.Before = h.ID
			}
		}
	})
}

// collectionReportPage asks what the debt collector tells of an invoice.
type collectionReportPage struct {
	view
	Invoice models.Invoice
	Today   models.Date
	Claim   collection.Handed
	Seen    models.Seen
}

// States returns the field with what the collector may tell.
func (p *collectionReportPage) States() input {
	return p.Select("state", "collections.told", "", string(models.CollectionReceived), "collections.received", string(models.CollectionRejected), "collections.rejected",
		string(models.CollectionPaid), "collections.paid", string(models.CollectionWithdrawn), "collections.withdrawn", string(models.CollectionUnpaid), "collections.closed_unpaid")
}

func (s *Server) collectionReportPage(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	p := &collectionReportPage{view: rq.view("collection_report.title", "number", numberOf(i)), Invoice: i, Today: rq.today()}
	p.Lead = rq.words.SayHTML("act.lead", "customer", i.Recipient.Name1, "owed", i.Balance)
	err = s.db.View(ctx, func(v store.View) (err error) {
		var with bool
		if p.Claim, with, err = collection.ClaimOf(ctx, v, rq.creditor, rq.today(), i); err == nil && !with {
			err = models.Conflict("invoice_not_handed_over", "the invoice is not handed over to debt collection")
		}
		if err == nil {
			p.Seen, err = v.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingCollection, ID: i.ID})
		}
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return show("collection_report", p)
}

// collectionReport takes what a person enters, as if the collector had sent it.
func (s *Server) collectionReport(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	told := models.CollectorTold{State: f.text("state"), Reference: f.text("reference"), Reason: f.text("reason")}
	if at := f.date("at"); at != 0 {
		told.At = at.String()
	}
	for name, to := range map[string]*string{"amount": &told.Amount, "principal": &told.Principal, "interest": &told.Interest, "fees": &told.Fees} {
		if f.has(name) {
			*to = f.amount(name).String()
		}
	}
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
			return done{}, err
		}
		if err := tx.Unchanged(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingCollection, ID: i.ID}, rq.surelySeen()); err != nil {
			return done{}, err
		}
		told.Invoice = strconv.FormatInt(i.Number, 10)
		if _, err := dunning.ReportCollection(ctx, tx, rq.creditor, []models.CollectorTold{told}, rq.actor()); err != nil {
			return done{}, atFields(err)
		}
		return done{to: rq.back(rq.pathOf(i)), message: rq.said("collection_report.done", "number", numberOf(i))}, nil
	})
}

// atFields returns the faults of the only report of a list as those of the fields of a form.
func atFields(err error) error {
	faults, are := errors.AsType[models.Errors](err)
	if !are {
		return err
	}
	moved := make(models.Errors, len(faults))
	for i, one := range faults {
		if moved[i] = one; len(one.Place) > 1 {
			moved[i] = one.At(one.Place[1:])
		}
	}
	return moved
}

// rejectedClaims returns that the debt collector does not take claims (rule C1).
func (rq *request) rejectedClaims(told store.ForToday) []waits {
	if told.Rejected == 0 {
		return nil
	}
	say := rq.words.Say
	return []waits{{
		"triangle-alert", say("today.rejected_claims", "n", told.Rejected), say("today.rejected_claims_hint", "amount", told.RejectedOwed), say("today.see_rejected_claims"),
		rq.base + "/collections?status=rejected&open=1", false,
	}}
}
