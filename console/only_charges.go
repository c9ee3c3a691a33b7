package console

import (
	"context"
	"strconv"
	"strings"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

func (s *Server) chargesRoutes() []route {
	return []route{
		{path: "/c/{creditor}/money/charges", area: "money", get: s.chargesPage, csv: s.chargesCSV, post: s.waiveCharges, scope: models.ScopeWrite},
		{path: "/c/{creditor}/money/charges/restore", area: "money", post: s.restoreCharges, again: s.chargesPage, scope: models.ScopeWrite},
	}
}

// chargesPage lists the invoices on which only fees and interest are left (rule N9).
type chargesPage struct {
	view
	Total   int64
	SeenAll models.Seen
	Rows    []chargesRow
	Pager   pager
}

// chargesRow is such an invoice. Value is what its box sends.
type chargesRow struct {
	store.OnlyCharges
	Fees, Rest models.Amount
	Value      string
}

func (s *Server) chargesPage(ctx context.Context, rq *request) (reply, error) {
	p := &chargesPage{view: rq.view("charges.title")}
	page := store.Page{Number: rq.pageNumber(), Size: perPage}
	err := s.db.View(ctx, func(v store.View) error {
		found, total, sum, err := v.InvoicesOnlyCharges(ctx, rq.creditor.ID, page)
		if err != nil {
			return err
		}
		invoices := make([]models.Invoice, len(found))
		for n, o := range found {
			invoices[n] = o.Invoice
		}
		seen, err := v.LookAtInvoices(ctx, rq.creditor.ID, invoices)
		if err != nil {
			return err
		}
		for _, o := range found {
			fees, interest := o.Left()
			p.Rows = append(p.Rows, chargesRow{o, fees, interest, numberOf(o.Invoice) + ":" + string(seen[o.ID])})
		}
		p.Pager, p.Total, p.SeenAll = p.pages(page, total), total, allSeen(total, sum)
		p.Lead = rq.words.SayHTML("charges.lead", "n", total, "sum", sum)
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	return show("money_charges", p)
}

func (s *Server) chargesCSV(_ context.Context, rq *request) (reply, error) {
	header := rq.words.Header("invoices.number", "customers.id", "customers.name", "invoices.due", "charges.fees", "charges.interest")
	return rq.csv("only-charges", header, func(write func(values ...any) error) error {
		for page := (store.Page{Number: 1, Size: csvBatch}); ; page.Number++ {
			found, total, _, err := s.db.InvoicesOnlyCharges(rq.r.Context(), rq.creditor.ID, page)
			if err != nil {
				return err
			}
			for _, o := range found {
				fees, interest := o.Left()
				if err := write(o.Number, o.CustomerID, o.Name1, o.DueDate, fees, interest); err != nil {
					return err
				}
			}
			if int64(page.Number) >= page.Pages(total) {
				return nil
			}
		}
	})
}

// seenInvoice is an invoice that a form names, with what its reader has seen of it.
type seenInvoice struct {
	number int64
	seen   models.Seen
}

// seenInvoices reads texts of the form "number:seen".
func seenInvoices(texts []string) (all []seenInvoice, err error) {
	for _, text := range texts {
		number, seen, _ := strings.Cut(text, ":")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, errBadForm()
		}
		all = append(all, seenInvoice{n, models.Seen(seen)})
	}
	switch n := len(all); {
	case n == 0:
		return nil, models.Invalid("nothing_chosen", "", "choose the invoices")
	case n > allWaived:
		return nil, errBadForm()
	}
	return all, nil
}

// waiveCharges waives what is left on the checked invoices, in one transaction. It leaves out those on which somebody has acted since,
// and says so. Its undo takes it back.
func (s *Server) waiveCharges(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	w := ledger.Waiver{Comment: f.text("comment"), Actor: rq.actor()}
	if err := f.done(w.Validate()); err != nil {
		return reply{}, err
	}
	if f.has("all") {
		return s.waiveAllCharges(ctx, rq, w)
	}
	chosen, err := seenInvoices(f.all("invoice"))
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		waived, left, err := rq.onSeenInvoices(ctx, tx, chosen, func(id int64, seen models.Seen) error {
			w.Seen = seen
			_, err := ledger.WaiveChargesByHand(ctx, tx, rq.creditor.ID, id, w, rq.today())
			return err
		})
		if err != nil {
			return done{}, err
		}
		m := rq.said("charges.done", "n", len(waived))
		if m, err = rq.restorable(ctx, tx, m, waived); err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/money/charges", message: rq.sayLeftOut(m, left)}, nil
	})
}

// allWaived is on how many invoices charges are waived at once.
const allWaived = 500

// waiveAllCharges waives what is left on all invoices of the list, up to allWaived of them, if their number and their sum are as the reader
// saw them.
func (s *Server) waiveAllCharges(ctx context.Context, rq *request, w ledger.Waiver) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		found, total, sum, err := tx.InvoicesOnlyCharges(ctx, rq.creditor.ID, store.Page{Number: 1, Size: allWaived})
		if err != nil {
			return done{}, err
		}
		if !rq.surelySeen().Holds(allSeen(total, sum)) {
			return done{}, models.ChangedMeanwhile(nil)
		}
		var waived []models.Invoice
		for _, o := range found {
			if _, err := ledger.WaiveChargesByHand(ctx, tx, rq.creditor.ID, o.ID, w, rq.today()); err != nil {
				return done{}, err
			}
			waived = append(waived, o.Invoice)
		}
		m, err := rq.restorable(ctx, tx, rq.said("charges.done", "n", len(waived)), waived)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/money/charges", message: m}, nil
	})
}

// allSeen is what a reader sees of the whole list.
func allSeen(total int64, sum models.Amount) models.Seen {
	return models.Seen(strconv.FormatInt(total, 10) + " " + sum.String())
}

// onSeenInvoices does an act on each of the invoices, in order of ID. It leaves out those that somebody has changed since; if these are
// all of them, it fails as the act does.
func (rq *request) onSeenInvoices(
	ctx context.Context, tx *store.Tx, chosen []seenInvoice, do func(id int64, seen models.Seen) error,
) (acted []models.Invoice, left []leftOut, err error) {
	numbers, seen := make([]int64, len(chosen)), map[int64]models.Seen{}
	for n, c := range chosen {
		numbers[n], seen[c.number] = c.number, c.seen
	}
	invoices, err := tx.InvoicesByNumber(ctx, rq.creditor.ID, numbers)
	if err != nil {
		return nil, nil, err
	}
	if len(invoices) == 0 {
		return nil, nil, models.NotFound("invoice")
	}
	for _, i := range invoices {
		switch err = do(i.ID, seen[i.Number]); {
		case err == nil:
			acted = append(acted, i)
		case changedMeanwhile(err) != nil:
			left = append(left, leftOut{numberOf(i), changedMeanwhile(err).Change})
		default:
			return nil, nil, err
		}
	}
	if len(acted) == 0 {
		return nil, nil, err
	}
	return acted, left, nil
}

// restorable adds to a message that a waiver may be taken back.
func (rq *request) restorable(ctx context.Context, tx *store.Tx, m message, waived []models.Invoice) (message, error) {
	things := make([]models.Thing, len(waived))
	for n, i := range waived {
		things[n] = models.Thing{Kind: models.ThingCharges, ID: i.ID}
	}
	acts, err := tx.LastActs(ctx, rq.creditor.ID, things...)
	if err != nil {
		return m, err
	}
	texts := make([]string, len(waived))
	for n, i := range waived {
		texts[n] = numberOf(i) + ":" + string(acts[things[n]].Look())
	}
	m.Undo = rq.base + "/money/charges/restore"
	return m.carrying("seen", strings.Join(texts, ",")), nil
}

// restoreCharges takes a waiver of charges back: the form says of which invoices, with what was seen of each.
func (s *Server) restoreCharges(ctx context.Context, rq *request) (reply, error) {
	chosen, err := seenInvoices(strings.FieldsFunc(string(rq.surelySeen()), func(r rune) bool { return r == ',' }))
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		restored, left, err := rq.onSeenInvoices(ctx, tx, chosen, func(id int64, seen models.Seen) error {
			_, err := ledger.RestoreCharges(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor(), seen)
			return err
		})
		if err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/money/charges", message: rq.sayLeftOut(rq.said("charges.restored", "n", len(restored)), left)}, nil
	})
}
