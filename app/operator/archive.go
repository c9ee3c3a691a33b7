package operator

import (
	"context"
	"errors"
	"sync"

	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// RepairArchive compares every kept file with its SHA-256 (rule O7). It makes lost and damaged PDFs, EHF documents and
// collection bundles again, and puts back those that are the same bytes. It calls mended for each of these, and gone for each file
// that nobody can make again. It returns how many files it has looked at. It changes nothing in the database.
func (o *Operator) RepairArchive(ctx context.Context, mended, gone func(Finding)) (files int, err error) {
	names, err := o.DB.CreditorNames(ctx)
	if err != nil {
		return 0, err
	}
	return files, o.DB.EachKeptFile(ctx, func(f store.KeptFile) error {
		files++
		err := o.Archive.Check(f.SHA256, f.Size, true)
		fault, broken := errors.AsType[*archive.Fault](err)
		if !broken {
			return err
		}
		switch err := o.mend(ctx, f, fault); {
		case err == nil:
			mended(of(f, names, fault.Word+"; it is made again, byte for byte"))
		case models.KindOf(err) != models.KindInternal || ctx.Err() != nil:
			return err
		default:
			gone(of(f, names, fault.Word+" and cannot be made again: "+err.Error()))
		}
		return nil
	})
}

// mend makes a lost or damaged file again. The raw bytes of a payment file and of a receipt are the bank's, a logo is the creditor's, and
// an export to the accounts names customers as they were: it fails with the fault.
func (o *Operator) mend(ctx context.Context, f store.KeptFile, fault *archive.Fault) error {
	switch f.Kind {
	case store.KeptPaymentFile, store.KeptLogo, store.KeptAccounts, store.KeptReceipt:
		return fault
	case store.KeptClaims:
		c, err := o.DB.ClaimFile(ctx, f.CreditorID, f.ID)
		if err != nil {
			return err
		}
		_, err = o.ClaimFiles.Content(ctx, c)
		return err
	case store.KeptBundle:
		h, err := o.DB.HandOver(ctx, f.CreditorID, f.ID)
		if err != nil {
			return err
		}
		_, err = o.Collection.Bundle(ctx, h)
		return err
	case store.KeptDirectXML, store.KeptDirectCSV:
		c, err := o.DB.CollectorFile(ctx, f.CreditorID, f.ID)
		if err != nil {
			return err
		}
		_, err = o.Collection.DirectFiles(ctx, c)
		return err
	}
	made := o.Documents.PDF
	if f.EHF {
		made = o.Documents.EHF
	}
	_, err := made(ctx, f.CreditorID, models.Document{Kind: models.DocumentKind(f.Kind), ID: f.ID})
	return err
}

// checkAtOnce is how many kept files are read at the same time.
const checkAtOnce = 8

// CheckArchive reads every kept file that the database names, and calls wrong for each that is lost or damaged (rule K2b). The raw bytes of
// a rejected payment file may be gone. It returns how many files it has looked at, and changes nothing.
func (o *Operator) CheckArchive(ctx context.Context, wrong func(Finding)) (files int, err error) {
	names, err := o.DB.CreditorNames(ctx)
	if err != nil {
		return 0, err
	}
	some := make([]store.KeptFile, 0, checkAtOnce)
	look := func() error {
		errs := make([]error, len(some))
		var all sync.WaitGroup
		for i, f := range some {
			all.Go(func() { errs[i] = o.Archive.Check(f.SHA256, f.Size, true) })
		}
		all.Wait()
		for i, f := range some {
			fault, is := errors.AsType[*archive.Fault](errs[i])
			switch {
			case is && f.Rejected && fault.Word == archive.Lost:
			case is:
				wrong(of(f, names, fault.Word))
			case errs[i] != nil:
				return errs[i]
			}
		}
		files += len(some)
		some = some[:0]
		return ctx.Err()
	}
	if err := o.DB.EachKeptFile(ctx, func(f store.KeptFile) error {
		if some = append(some, f); len(some) < checkAtOnce {
			return nil
		}
		return look()
	}); err != nil {
		return files, err
	}
	return files, look()
}
