package openitems

import (
	"context"
	"errors"
	"fmt"
	"io"

	"purr/models"
	"purr/store"
)

// Options say how a list is taken.
type Options struct {
	Sync   bool // also what is owed of known invoices now; those that are not in the list are paid
	Force  bool // also if the list is empty, or more than a fifth of the open items would be closed
	DryRun bool // says what would be done, and does nothing
	Actor  string
}

// Listener is told what happens, as it happens. Each of its functions may be nil.
type Listener struct {
	Fault    func(Fault)
	News     func(News)
	Progress func(rows int, writing bool)
}

// Result is what a list came to, in rows and invoices.
type Result struct {
	Rows    int // of the list
	Adopted int
	Known   int // adopted before, with nothing to change
	Changed int // another balance was told
	Closed  int // no longer in the list: paid
	Differs int // left for a person: more is owed by the list than can be taken back, or it is another invoice
	Open    int // adopted invoices on which something was owed before
	Faults  int
}

// ErrFaults is the error of a list with faults, of which the listener was told. Nothing is done.
var ErrFaults = errors.New("the list has faults: nothing is done")

// What is refused unless it is forced. Nothing is done.
var (
	ErrEmpty  = errors.New("the list has no rows: with --force that is taken as it is")
	ErrCloses = errors.New("more than a fifth of the open items would be closed: with --force they are")
)

// Run takes a list, which open begins to read anew: it is read twice. All or nothing of it is taken, as far as faults are known before.
func Run(ctx context.Context, db *store.DB, c models.Creditor, open func() (io.ReadCloser, error), o Options, to Listener) (Result, error) {
	t := &taking{db: db, creditor: c, open: open, options: o, to: to, numbers: map[int64]int{}, kids: map[string]int{}, accounts: map[string]bool{}, todo: map[int64]bool{}}
	var err error
	if t.today, err = c.Today(db.Now()); err != nil {
		return Result{}, err
	}
	if err := t.plan(ctx); err != nil {
		return t.result, err
	}
	if t.result.Faults > 0 {
		return t.result, ErrFaults
	}
	closing, err := t.closings(ctx)
	if err != nil {
		return t.result, err
	}
	if err := t.refuse(closing); err != nil || o.DryRun {
		return t.result, err
	}
	return t.result, t.write(ctx)
}

// taking is a list that is being taken. It remembers the numbers and the KIDs of the list, a few dozen bytes for each row, and no rows.
type taking struct {
	db       *store.DB
	creditor models.Creditor
	today    models.Date
	open     func() (io.ReadCloser, error)
	options  Options
	to       Listener
	numbers  map[int64]int   // the line of each
	kids     map[string]int  // likewise
	accounts map[string]bool // whether an account is the creditor's
	todo     map[int64]bool  // the numbers of the rows that have something to do
	zeros    int             // known invoices that the list itself says are paid
	result   Result
}

// read reads the list from its beginning, some rows at a time, and tells what is wrong with its columns.
func (t *taking) read(ctx context.Context, writing bool, do func(ctx context.Context, rows []*row) error) (err error) {
	from, err := t.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	l, faults, err := open(from)
	if err != nil {
		return err
	}
	for _, f := range faults {
		t.fault(f)
	}
	if len(faults) > 0 {
		return nil
	}
	done := 0
	return l.each(ctx, func(rows []*row) error {
		if err := do(ctx, rows); err != nil {
			return err
		}
		if done += len(rows); t.to.Progress != nil {
			t.to.Progress(done, writing)
		}
		return nil
	})
}

func (t *taking) fault(f Fault) {
	if t.result.Faults++; t.to.Fault != nil {
		t.to.Fault(f)
	}
}

func (t *taking) news(n News) {
	if t.to.News != nil {
		t.to.News(n)
	}
}

// refuse fails for a list that is empty, or that would close more than a fifth of the open items, unless that is forced.
func (t *taking) refuse(closing int) error {
	closing += t.zeros
	switch {
	case t.options.Force:
	case t.result.Rows == 0:
		return ErrEmpty
	case t.options.Sync && closing*5 > t.result.Open:
		return fmt.Errorf("%w: %d of %d", ErrCloses, closing, t.result.Open)
	}
	return nil
}

// closings tells what is no longer in the list, and returns how many invoices that closes.
func (t *taking) closings(ctx context.Context) (closing int, err error) {
	err = t.eachOpen(ctx, func(i store.AdoptedInvoice) {
		if i.Owed() > 0 {
			t.result.Open++
		}
		if _, listed := t.numbers[i.Number]; listed || !t.options.Sync || i.Owed() == 0 {
			return
		}
		if i.Owed() > 0 {
			closing++
		}
		t.result.Closed++
		t.news(News{Number: i.Number, What: Paid, Was: i.Owed()})
	})
	return closing, err
}

// eachOpen calls do with the adopted invoices whose balance is not zero, in order of number.
func (t *taking) eachOpen(ctx context.Context, do func(store.AdoptedInvoice)) error {
	var after int64
	for {
		found, err := t.db.OpenAdopted(ctx, t.creditor.ID, after, batch)
		if err != nil {
			return err
		}
		for _, i := range found {
			do(i)
			after = i.Number
		}
		if len(found) < batch {
			return nil
		}
	}
}
