package dunning

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"purr/models"
)

// reportList is a list of the debt collector's reports that is being taken.
type reportList struct {
	creditor models.Creditor
	today    models.Date
	reports  []*reported
	faults   models.Errors
}

// reported is one report of a list, with what it is of.
type reported struct {
	place      models.Place
	report     models.CollectionReport
	number     int64 // of the invoice that it names, or zero
	handOverID int64 // of the hand-over that it names, or zero
	named      bool  // it says what it is of
	sound      bool  // its own words have no fault
	invoice    models.Invoice
	handOver   models.HandOver
	known      bool
}

// readReports reads the words of a list.
func readReports(c models.Creditor, now time.Time, told []models.CollectorTold) (*reportList, error) {
	today, err := c.Today(now)
	if err != nil {
		return nil, err
	}
	l := &reportList{creditor: c, today: today}
	return l, l.read(told)
}

func (l *reportList) read(told []models.CollectorTold) error {
	switch {
	case len(told) == 0:
		return models.Errors{models.Invalid("required", "report", "is required: at least one")}
	case len(told) > MaxCollectorReports:
		return models.Errors{models.Invalid("out_of_range", "report", "are more than %d: divide the list", MaxCollectorReports)}
	}
	for n, t := range told {
		r := &reported{place: models.Place{}.Item("report", n+1)}
		var faults models.Errors
		r.number, r.handOverID = t.Named(&faults)
		r.named = len(faults) == 0
		r.report = t.Report(l.today, &faults)
		r.sound = len(faults) == 0
		l.faults = append(l.faults, faults.Under(r.place)...)
		l.reports = append(l.reports, r)
	}
	return nil
}

// fault adds a fault of a report.
func (l *reportList) fault(r *reported, code, field, format string, args ...any) {
	l.faults = append(l.faults, models.Invalid(code, field, format, args...).Under(r.place))
	r.sound = false
}

// namedBy is the word by which a report says what it is of.
func (r *reported) namedBy() string {
	if r.handOverID != 0 {
		return "bundle"
	}
	return "invoice"
}

// reportReader is a transaction, or a view.
type reportReader interface {
	InvoicesNumbered(ctx context.Context, creditorID int64, numbers []int64) (map[int64]models.Invoice, error)
	InvoicesByID(ctx context.Context, creditorID int64, ids []int64) ([]models.Invoice, error)
	HandOversByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.HandOver, error)
	LastHandOvers(ctx context.Context, creditorID int64, invoiceIDs []int64) (map[int64]models.HandOver, error)
	CollectionReports(ctx context.Context, creditorID int64, handOverIDs []int64) (map[int64][]models.CollectionReport, error)
}

// find finds the invoices that the reports are of. Which one it is never changes.
func (l *reportList) find(ctx context.Context, from reportReader) error {
	numbers, ids := map[int64]bool{}, map[int64]bool{}
	for _, r := range l.reports {
		if r.number != 0 {
			numbers[r.number] = true
		}
		if r.handOverID != 0 {
			ids[r.handOverID] = true
		}
	}
	byNumber, err := from.InvoicesNumbered(ctx, l.creditor.ID, slices.Sorted(maps.Keys(numbers)))
	if err != nil {
		return err
	}
	handOvers, err := from.HandOversByID(ctx, l.creditor.ID, slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return err
	}
	for _, r := range l.reports {
		if !r.named {
			continue
		}
		if r.invoice, r.named = byNumber[r.number]; !r.named && r.number != 0 {
			l.fault(r, "not_found", r.namedBy(), "no such invoice was handed over to debt collection")
			continue
		}
		if r.handOverID == 0 {
			continue
		}
		h, is := handOvers[r.handOverID]
		switch r.named = is; {
		case !is:
			l.fault(r, "not_found", "bundle", "there is no such bundle")
		case r.number != 0 && h.InvoiceID != r.invoice.ID:
			r.named = false
			l.fault(r, "other_invoice", "bundle", "is another invoice's bundle")
		default:
			r.handOver, r.invoice.ID = h, h.InvoiceID
		}
	}
	return nil
}

// invoiceIDs returns the IDs of the invoices, ascending.
func (l *reportList) invoiceIDs() []int64 {
	ids := map[int64]bool{}
	for _, r := range l.reports {
		if r.named {
			ids[r.invoice.ID] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// decide decides on each report by the rows as they are, and finds what is wrong with it.
func (l *reportList) decide(ctx context.Context, from reportReader) error {
	invoices, err := from.InvoicesByID(ctx, l.creditor.ID, l.invoiceIDs())
	if err != nil {
		return err
	}
	last, err := from.LastHandOvers(ctx, l.creditor.ID, l.invoiceIDs())
	if err != nil {
		return err
	}
	var ids []int64
	for _, r := range l.reports {
		if i := slices.IndexFunc(invoices, func(i models.Invoice) bool { return i.ID == r.invoice.ID }); r.named && i >= 0 {
			r.invoice = invoices[i]
		}
		if r.named && r.handOverID == 0 {
			r.handOver = last[r.invoice.ID]
		} else if h := last[r.invoice.ID]; r.named && h.ID == r.handOverID {
			r.handOver = h // as it is now
		}
		ids = append(ids, r.handOver.ID)
	}
	before, err := from.CollectionReports(ctx, l.creditor.ID, ids)
	if err != nil {
		return err
	}
	seen := map[string]bool{} // reports of this list
	ended := map[int64]bool{} // hand-overs that this list ends
	for _, r := range l.reports {
		if r.named {
			l.judge(r, before[r.handOver.ID], seen, ended)
		}
	}
	slices.SortStableFunc(l.faults, func(a, b *models.Error) int { return cmp.Compare(a.Place[0].Nth, b.Place[0].Nth) })
	return nil
}

// judge finds what is wrong with one report, and whether it is known.
func (l *reportList) judge(r *reported, before []models.CollectionReport, seen map[string]bool, ended map[int64]bool) {
	h := r.handOver
	if h.ID == 0 {
		l.fault(r, "not_found", r.namedBy(), "no such invoice was handed over to debt collection")
		return
	}
	r.report.CreditorID, r.report.HandOverID, r.report.InvoiceID = l.creditor.ID, h.ID, r.invoice.ID
	if r.sound && !l.once(r, before, seen) || r.known {
		return
	}
	if h.State == models.WithdrawalOwed || h.State == models.HandOverEnded || ended[h.ID] {
		l.fault(r, "withdrawn", r.namedBy(), "the hand-over was withdrawn: there is nothing to collect by it")
	}
	if r.report.At != 0 && r.report.At < h.HandedOver {
		l.fault(r, "before_hand_over", "at", "must not be before the hand-over, %s", h.HandedOver)
	}
	ended[h.ID] = ended[h.ID] || r.report.State == models.CollectionWithdrawn
}

// once finds whether a report has come before, and reports false if it has come otherwise, or stands in the list twice.
func (l *reportList) once(r *reported, before []models.CollectionReport, seen map[string]bool) bool {
	field := "reference"
	if r.report.Reference == "" {
		field = "state"
	}
	key := models.HandOver{ID: r.handOver.ID}.Name(0) + " " + string(r.report.State) + " " + r.report.Identity
	if seen[key] {
		l.fault(r, "repeated", field, "stands in the list twice")
		return false
	}
	seen[key] = true
	for _, b := range before {
		if b.State != r.report.State || b.Identity != r.report.Identity {
			continue
		}
		if b.Same(r.report) {
			r.report, r.known = b, true
			continue
		}
		l.fault(r, "differs", differsIn(b, r.report), "has come before, on %s, and said something else", b.At)
		return false
	}
	return true
}

// differsIn returns the first word in which two reports of the same identity differ.
func differsIn(a, b models.CollectionReport) string {
	switch {
	case a.At != b.At:
		return "at"
	case a.Amount != b.Amount:
		return "amount"
	case a.Principal != b.Principal:
		return "principal"
	case a.Interest != b.Interest:
		return "interest"
	case a.Fees != b.Fees || a.Divided != b.Divided:
		return "fees"
	}
	return "reason"
}

// taken returns the reports of the list as they were taken, in its order.
func (l *reportList) taken() []CollectorReport {
	all := make([]CollectorReport, len(l.reports))
	for i, r := range l.reports {
		all[i] = CollectorReport{r.report, r.invoice.Number, r.handOver.Name(r.invoice.Number), r.known}
	}
	return all
}
