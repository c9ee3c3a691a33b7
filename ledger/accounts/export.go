package accounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// Store makes exports and keeps their files. It is safe for concurrent use.
type Store struct {
	db       *store.DB
	archive  *archive.Archive
	software string
}

// New returns what makes exports. SAF-T names the version of the software.
func New(db *store.DB, kept *archive.Archive, software string) *Store {
	return &Store{db, kept, software}
}

// Request asks for the journal of a period in a form.
type Request struct {
	From, To models.Date // both inclusive
	Form     models.AccountForm
}

// Export is an export with its file in one form.
type Export struct {
	Export models.AccountExport
	File   models.AccountExportFile
}

// margin is how long after midnight a day is over for the accounts: by then every transaction that was booked on it has ended.
const margin = time.Minute

// attempts is how often an export is begun again because another one was made meanwhile.
const attempts = 5

// errMeanwhile says that another export was made meanwhile.
var errMeanwhile = errors.New("another export was made meanwhile")

// Validate returns everything that is wrong with a request, or nil: the form, or that the period is not over for the creditor.
func (r Request) Validate(c models.Creditor, now time.Time) error {
	var faults models.Errors
	for _, day := range []struct {
		name string
		day  models.Date
	}{{"from", r.From}, {"to", r.To}} {
		if day.day == 0 {
			faults.Add("required", day.name, "is required: a date of the form yyyy-mm-dd")
		}
	}
	switch {
	case r.From == 0 || r.To == 0:
	case r.To < r.From:
		faults.Add("invalid_period", "to", "must not be before from")
	case r.To >= notOver(c, now):
		faults.Add("period_not_over", "to", "must be over: what is booked on the day is not known yet")
	}
	if _, known := forms[r.Form]; !known {
		faults.Add("unknown_format", "format", "must be one of %s", FormNames())
	}
	if r.Form == models.FormSAFT && c.OrganisationNumber == "" {
		faults.Add("creditor_organisation_number_missing", "format", "SAF-T names the creditor's organisation number: set organisation_number of the creditor first")
	}
	return faults.ErrorOrNil()
}

// notOver returns the creditor's first day that is not over for the accounts.
func notOver(c models.Creditor, now time.Time) models.Date { return c.BookingDay(now.Add(-margin)) }

// LastMonth returns the last month that is over for the accounts of a creditor.
func LastMonth(c models.Creditor, now time.Time) models.Month {
	return models.MonthOf(notOver(c, now)).Plus(-1)
}

// FormNames returns the names of all forms, with commas between them.
func FormNames() string {
	var names []string
	for _, f := range models.AccountForms {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// Make returns the creditor's journal of a period in a form (rule A1a). It is made once: who asks again gets the same file, and in another
// form the same vouchers. It fails with models.Errors if the period is not over, and with the conflict period_exported if a part of it was
// exported with other days. The journal is read and written first; then one transaction notes it, unless another one was made meanwhile.
func (s *Store) Make(ctx context.Context, c models.Creditor, r Request, actor string) (Export, error) {
	if err := r.Validate(c, s.db.Now()); err != nil {
		return Export{}, err
	}
	for range attempts {
		made, err := s.try(ctx, c.ID, r, actor)
		if !errors.Is(err, errMeanwhile) {
			return made, err
		}
	}
	return Export{}, models.Unavailable("the export to the accounts", errMeanwhile)
}

// try makes an export. It fails with errMeanwhile if another one was made while it did.
func (s *Store) try(ctx context.Context, creditorID int64, r Request, actor string) (Export, error) {
	before, made, err := s.begun(ctx, creditorID, r)
	if err != nil || made.File.ID != 0 {
		return made, err
	}
	draft := made
	if draft.File.SHA256, draft.File.Size, err = s.write(ctx, creditorID, before, &draft.Export, r); err != nil {
		return Export{}, err
	}
	draft.File.CreditorID, draft.File.Form = creditorID, r.Form
	err = s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		made, err = note(ctx, tx, before, draft, r, actor)
		return err
	})
	return made, err
}

// begun returns the creditor's exports, and the one of the request's period, if there is one, with its file in the form, if that was made.
func (s *Store) begun(ctx context.Context, creditorID int64, r Request) (before []models.AccountExport, made Export, err error) {
	err = s.db.View(ctx, func(v store.View) error {
		before, made, err = find(ctx, v, creditorID, r)
		return err
	})
	return before, made, err
}

// reader is what knows the exports of a creditor.
type reader interface {
	AllAccountExports(ctx context.Context, creditorID int64) ([]models.AccountExport, error)
	AccountExportFiles(ctx context.Context, creditorID int64, exports []int64) (map[int64][]models.AccountExportFile, error)
}

func find(ctx context.Context, from reader, creditorID int64, r Request) (all []models.AccountExport, made Export, err error) {
	if all, err = from.AllAccountExports(ctx, creditorID); err != nil {
		return nil, Export{}, err
	}
	for _, e := range all {
		switch {
		case e.From == r.From && e.To == r.To:
			made.Export = e
		case e.From <= r.To && r.From <= e.To:
			return nil, Export{}, models.Conflict("period_exported", "%s to %s was exported already, as number %d", e.From, e.To, e.Number)
		}
	}
	if made.Export.ID == 0 {
		return all, made, nil
	}
	files, err := from.AccountExportFiles(ctx, creditorID, []int64{made.Export.ID})
	if err != nil {
		return nil, Export{}, err
	}
	of := files[made.Export.ID]
	if n := slices.IndexFunc(of, func(f models.AccountExportFile) bool { return f.Form == r.Form }); n >= 0 {
		made.File = of[n]
	}
	return all, made, nil
}

// write keeps the journal of a period in a form, and sets what it adds up to. Of an export that was made it proves that it adds up to the
// same.
func (s *Store) write(ctx context.Context, creditorID int64, before []models.AccountExport, e *models.AccountExport, r Request) (sum string, size int64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, to := io.Pipe()
	written := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
			to.CloseWithError(err) // nil ends the file
			written <- err
		}()
		err = s.db.View(ctx, func(v store.View) error { return s.draw(ctx, v, to, creditorID, before, e, r) })
	}()
	sum, size, err = s.archive.Put(ctx, from)
	from.CloseWithError(err)
	if failed := <-written; failed != nil {
		return "", 0, failed
	}
	return sum, size, err
}

// draw writes the journal of a period in a form, as of one moment, and sets what it adds up to.
func (s *Store) draw(ctx context.Context, v store.View, to io.Writer, creditorID int64, before []models.AccountExport, e *models.AccountExport, r Request) error {
	c, err := v.Creditor(ctx, creditorID)
	if err != nil {
		return err
	}
	made, next := *e, nextNumbers(before)
	if made.ID == 0 {
		made = models.AccountExport{CreditorID: c.ID, From: r.From, To: r.To, TimeZone: c.TimeZone, Plan: c.AccountPlan.OrDefault()}
	} else {
		c.TimeZone, next = made.TimeZone, firstNumbers(made)
	}
	days := store.Dates{From: made.From, To: made.To}
	j := journal{view: v, creditor: c, next: next, booking: booking{made.Plan, days, c.DisplayZone(), c.VATExemption, wordsOf(c)}}
	form := forms[r.Form]
	var sum *summary
	if form.summary {
		if sum, err = j.summary(ctx); err != nil {
			return err
		}
	}
	w, err := form.begin(to, head{creditor: c, plan: made.Plan, days: days, today: c.BookingDay(s.db.Now()), software: s.software, draft: s.archive.Draft})
	if err != nil {
		return err
	}
	defer w.close()
	totals, opening, err := j.into(ctx, w, sum, before)
	if err != nil {
		return err
	}
	made.Opening = opening
	made.Closing = made.Opening + totals.Moved
	made.Vouchers, made.Debit, made.Series, made.Sums = totals.Vouchers, totals.Debit, totals.Series, totals.Sums
	if e.ID != 0 && !same(made, *e) {
		return fmt.Errorf("the journal of %s to %s is not what export %d had: %d vouchers of %s in place of %d of %s",
			e.From, e.To, e.Number, made.Vouchers, made.Debit, e.Vouchers, e.Debit)
	}
	*e = made
	return w.end(sum)
}

// same reports whether two exports add up to the same.
func same(a, b models.AccountExport) bool {
	return a.Vouchers == b.Vouchers && a.Debit == b.Debit && a.Opening == b.Opening && a.Closing == b.Closing && slices.Equal(a.Series, b.Series) && slices.Equal(a.Sums, b.Sums)
}

// note writes the rows of an export that was drawn, under the creditor's lock. It returns what another one has made meanwhile of the same,
// and fails with errMeanwhile if the numbers were given to others.
func note(ctx context.Context, tx *store.Tx, before []models.AccountExport, draft Export, r Request, actor string) (Export, error) {
	if _, err := tx.LockCreditor(ctx, draft.Export.CreditorID); err != nil {
		return Export{}, err
	}
	all, made, err := find(ctx, tx, draft.Export.CreditorID, r)
	switch {
	case err != nil || made.File.ID != 0:
		return made, err
	case len(all) != len(before):
		return Export{}, errMeanwhile
	}
	if draft.Export.ID == 0 {
		draft.Export.Number, draft.Export.MadeBy = int64(len(all))+1, actor
		if err := tx.CreateAccountExport(ctx, &draft.Export); err != nil {
			return Export{}, err
		}
	}
	draft.File.ExportID = draft.Export.ID
	if err := tx.CreateAccountExportFile(ctx, &draft.File); err != nil {
		return Export{}, err
	}
	e := draft.Export
	return draft, tx.Log(ctx, models.Event{
		CreditorID: e.CreditorID, Type: models.EventAccountsExported, Actor: actor, SubjectID: e.ID,
		Text: fmt.Sprintf("Journal of %s to %s exported as %s by %s: %d vouchers", e.From, e.To, r.Form, actor, e.Vouchers),
		Facts: models.Facts{
			"export_number": e.Number, "from": e.From.String(), "to": e.To.String(), "format": string(r.Form), "vouchers": e.Vouchers,
			"amount": e.Debit.String(), "closing": e.Closing.String(),
		},
	})
}

// Open opens the file of an export. The caller closes it. It fails with models.ErrBytesRemoved if it named customers who were forgotten.
func (s *Store) Open(f models.AccountExportFile) (io.ReadSeekCloser, error) {
	if f.RemovedAt != nil {
		return nil, models.ErrBytesRemoved
	}
	return s.archive.Get(f.SHA256)
}
