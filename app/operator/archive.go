package operator

import (
	"context"
	"errors"

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
