package operator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/store/archive"
)

// Finding is what Prove and RepairArchive tell of: a difference, a lost or damaged file, or a warning.
type Finding struct {
	CreditorID    int64  `json:"creditor,omitempty"`
	PaymentFileID int64  `json:"payment_file,omitempty"`
	Line          int    `json:"line,omitempty"` // of the payment file, from 1; 0 for the whole file
	Name          string `json:"name"`           // of the creditor or the file
	Text          string `json:"text"`
}

// String returns the finding as one line.
func (f Finding) String() string {
	text := fmt.Sprintf("creditor %d, %s: %s", f.CreditorID, f.Name, f.Text)
	if f.PaymentFileID != 0 {
		text = fmt.Sprintf("payment file %d, %s: %s", f.PaymentFileID, f.Name, f.Text)
		if f.Line != 0 {
			text = fmt.Sprintf("payment file %d, %s, line %d: %s", f.PaymentFileID, f.Name, f.Line, f.Text)
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

// Seen is what Prove has seen.
type Seen = store.Census

// Proof says how much Prove looks at.
type Proof struct {
	NoFiles bool                                    // leave out the raw bytes of the payment files
	Deep    bool                                    // compare every kept file with its SHA-256, not only its presence
	Begin   func(f models.PaymentFile, n, of int64) // called before the raw bytes of each payment file are read; may be nil
}

// Prove proves an installation, and calls found for each difference. It proves the books of all creditors (rule R6),
// looks for runs in the future (rule O12) and for every kept file (rule O2). Then it proves from the raw bytes of every
// finished payment file what the books say of it (rule E4). It changes nothing. It returns what it has seen.
func (o *Operator) Prove(ctx context.Context, p Proof, found func(Finding)) (Seen, error) {
	var calling sync.Mutex // so that neither function of the caller is called twice at the same time
	tell := func(f Finding) {
		calling.Lock()
		defer calling.Unlock()
		found(f)
	}
	told := make(chan struct{}) // closed when all was told that comes before the files
	proofs, proving := errgroup.WithContext(ctx)
	proofs.Go(func() error { return o.proveFiles(proving, p, &calling, told, tell) })
	proofs.Go(func() error {
		if err := o.proveBooks(proving, p, tell); err != nil {
			return err
		}
		close(told)
		return nil
	})
	if err := proofs.Wait(); err != nil {
		return Seen{}, err
	}
	return o.DB.Census(ctx)
}

// proveBooks proves the books, and looks for runs in the future and for every kept file.
func (o *Operator) proveBooks(ctx context.Context, p Proof, found func(Finding)) error {
	err := o.Verify(ctx, func(c models.Creditor, d ledger.Difference) {
		found(Finding{CreditorID: c.ID, Name: c.Name, Text: string(d)})
	})
	if err != nil {
		return err
	}
	if err := o.verifyRuns(ctx, found); err != nil {
		return err
	}
	return o.verifyKept(ctx, p, found)
}

// proveFiles proves the payment files from their raw bytes, while the books are proved: the files take this program's time, and
// the books the database's. What it finds first waits until the rest was told.
func (o *Operator) proveFiles(ctx context.Context, p Proof, calling sync.Locker, told <-chan struct{}, found func(Finding)) error {
	if p.NoFiles {
		return nil
	}
	begin := func(f models.PaymentFile, n, of int64) {
		calling.Lock()
		defer calling.Unlock()
		if p.Begin != nil {
			p.Begin(f, n, of)
		}
	}
	return o.VerifyFiles(ctx, begin, func(f models.PaymentFile, line int, text string) {
		select {
		case <-told:
			found(Finding{PaymentFileID: f.ID, Name: f.Filename, Line: line, Text: text})
		case <-ctx.Done():
		}
	})
}

// Verify proves the books of all creditors. It calls found for each difference (rule R6). What of one creditor cannot be read is a
// difference too, and the others are proved (rule D102).
func (o *Operator) Verify(ctx context.Context, found func(models.Creditor, ledger.Difference)) error {
	db := o.DB.Patient()
	return eachPage(ctx, db, func(page []creditorRow) error {
		booked, err := db.WithBooks(ctx, idsOf(page))
		if err != nil {
			return err
		}
		for _, c := range page {
			if c.unreadable != nil {
				found(c.Creditor, ledger.Difference("its row cannot be read: "+c.unreadable.Error()))
				continue
			}
			if !slices.Contains(booked, c.ID) {
				continue // there is nothing to prove
			}
			differences, err := proofs(ctx, db, c.Creditor)
			if err != nil && store.IsOfRows(ctx, err) {
				differences, err = append(differences, ledger.Difference("its books cannot be read: "+err.Error())), nil
			}
			for _, d := range differences {
				found(c.Creditor, d)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// proofs proves the books of one creditor, and when its payment plans are looked at.
func proofs(ctx context.Context, db *store.DB, c models.Creditor) ([]ledger.Difference, error) {
	differences, err := ledger.Verify(ctx, db, c)
	if err != nil {
		return differences, err
	}
	late, err := dunning.VerifyPlans(ctx, db, c)
	if err != nil {
		return differences, err
	}
	return append(differences, late...), nil
}

// creditorRow is a creditor, or why its row cannot be read: then only its ID is known.
type creditorRow struct {
	models.Creditor
	unreadable error
}

// eachPage calls do for some hundred creditors at a time, until do fails (rule D113).
func eachPage(ctx context.Context, db *store.DB, do func(page []creditorRow) error) error {
	const together = 500
	var page []creditorRow
	err := db.EachCreditor(ctx, func(c models.Creditor, unreadable error) error {
		if page = append(page, creditorRow{c, unreadable}); len(page) < together {
			return nil
		}
		full := page
		page = nil
		return do(full)
	})
	if err != nil || len(page) == 0 {
		return err
	}
	return do(page)
}

func idsOf(page []creditorRow) (ids []int64) {
	for _, c := range page {
		ids = append(ids, c.ID)
	}
	return ids
}

// verifyRuns looks for runs whose date is after the creditor's today. It asks for those of some creditors after the earliest of their days.
func (o *Operator) verifyRuns(ctx context.Context, found func(Finding)) error {
	return eachPage(ctx, o.DB, func(page []creditorRow) error {
		names, todays := map[int64]string{}, map[int64]models.Date{}
		for _, c := range page {
			if c.unreadable != nil {
				continue // Verify tells of it
			}
			today, err := o.Today(c.Creditor)
			if err != nil {
				found(Finding{CreditorID: c.ID, Name: c.Name, Text: "its days cannot be reckoned: " + err.Error()})
				continue
			}
			names[c.ID], todays[c.ID] = c.Name, today
		}
		if len(todays) == 0 {
			return nil
		}
		later, err := o.DB.RunsAfterOf(ctx, slices.Sorted(maps.Keys(todays)), slices.Min(slices.Collect(maps.Values(todays))))
		if err != nil {
			return err
		}
		for _, r := range later {
			if r.BusinessDate > todays[r.CreditorID] {
				found(Finding{CreditorID: r.CreditorID, Name: names[r.CreditorID], Text: fmt.Sprintf("the %s run of %s is in the future: a clock was wrong", r.Kind, r.BusinessDate)})
			}
		}
		return nil
	})
}

// verifyKept looks for every kept file.
func (o *Operator) verifyKept(ctx context.Context, p Proof, found func(Finding)) error {
	names, err := o.DB.CreditorNames(ctx)
	if err != nil {
		return err
	}
	return o.DB.EachKeptFile(ctx, func(f store.KeptFile) error {
		deep := p.Deep || f.Kind == store.KeptPaymentFile && !p.NoFiles
		err := o.Archive.Check(f.SHA256, f.Size, deep)
		if fault, is := errors.AsType[*archive.Fault](err); is {
			found(of(f, names, fault.Word))
			return nil
		}
		return err
	})
}

// VerifyFiles proves from the raw bytes of every finished payment file what the books say of it (rules R6, E4). It calls
// begin before each file, with the file's position and the number of files. It calls found for each difference, in the order of
// the files and their lines, with the line of the file, or 0 for the whole file. It calls neither twice at the same time. It
// leaves out files whose bytes are lost or damaged: Prove tells of them.
func (o *Operator) VerifyFiles(ctx context.Context, begin func(f models.PaymentFile, n, of int64), found func(f models.PaymentFile, line int, text string)) error {
	const page = 200
	all, err := o.DB.CountFinishedFiles(ctx)
	if err != nil {
		return err
	}
	for n, last := int64(0), int64(0); ; {
		files, err := o.DB.FinishedFiles(ctx, last, page)
		if err != nil || len(files) == 0 {
			return err
		}
		last = files[len(files)-1].ID
		differences := make([][]ocr.FileDifference, len(files))
		failed := o.proveRaw(ctx, files, differences, func(f models.PaymentFile) {
			if n++; begin != nil {
				begin(f, n, max(n, all))
			}
		})
		for i, f := range files {
			for _, d := range differences[i] {
				found(f, d.Line, d.Text)
			}
		}
		if failed != nil {
			return failed
		}
	}
}

// proveRaw notes the differences between each file and the books. It calls begin before each.
func (o *Operator) proveRaw(ctx context.Context, files []models.PaymentFile, differences [][]ocr.FileDifference, begin func(models.PaymentFile)) error {
	const (
		together = 8 // files that are asked about at once
		groups   = 2 // while one is asked about, another is read
	)
	proofs, ctx := errgroup.WithContext(ctx)
	proofs.SetLimit(groups)
	for from := 0; from < len(files); from += together {
		group := files[from:min(from+together, len(files))]
		for _, f := range group {
			begin(f)
		}
		proofs.Go(func() error {
			return o.Importer.Verify(ctx, group, func(i int, d ocr.FileDifference) { differences[from+i] = append(differences[from+i], d) })
		})
	}
	return proofs.Wait()
}

// of returns what is to be told of a kept file, such as "the PDF of invoice 10001 is lost".
func of(f store.KeptFile, creditors map[int64]string, is string) Finding {
	what := "the PDF of "
	if f.EHF {
		what = "the EHF of "
	}
	switch f.Kind {
	case store.KeptPaymentFile:
		return Finding{PaymentFileID: f.ID, Name: f.Name, Text: "its raw bytes are " + is}
	case store.KeptLogo:
		what = "the logo of documents"
	case store.KeptAccounts:
		what = fmt.Sprintf("export %d to the accounts as %s", f.Number, f.Name)
	case store.KeptClaims:
		what = fmt.Sprintf("file %d of AvtaleGiro", f.Number)
	case store.KeptReceipt:
		what = "the bank's receipt " + f.Name
	case store.KeptBundle:
		what = fmt.Sprintf("the collection bundle of invoice %d", f.Number)
	default:
		what += namesOfDocuments[models.DocumentKind(f.Kind)](f)
	}
	return Finding{CreditorID: f.CreditorID, Name: creditors[f.CreditorID], Text: what + " is " + is}
}

// namesOfDocuments name a document, by its kind.
var namesOfDocuments = map[models.DocumentKind]func(store.KeptFile) string{
	models.InvoiceDocument:    func(f store.KeptFile) string { return fmt.Sprintf("invoice %d", f.Number) },
	models.CreditNoteDocument: func(f store.KeptFile) string { return fmt.Sprintf("credit note %d", f.Number) },
	models.NoticeDocument: func(f store.KeptFile) string {
		return fmt.Sprintf("overdue notice %d on invoice %d", f.Sequence, f.Number)
	},
	models.LetterDocument:    func(f store.KeptFile) string { return fmt.Sprintf("letter %d", f.Number) },
	models.StatementDocument: func(f store.KeptFile) string { return fmt.Sprintf("statement %d, of customer %d,", f.ID, f.Number) },
	models.PlanDocument:      func(f store.KeptFile) string { return fmt.Sprintf("payment plan %d for invoice %d", f.ID, f.Number) },
}
