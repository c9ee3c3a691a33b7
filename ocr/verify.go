package ocr

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"purr/models"
	"purr/store/archive"
)

// mostFileDifferences is the most differences reported of one file.
const mostFileDifferences = 100

// FileDifference is what does not agree in a payment file.
type FileDifference struct {
	Line int // in the file, from 1; 0 for the whole file
	Text string
}

// Verify proves from the raw bytes of files what the books say of each (rules E4, E5). It
// says nothing of a file whose bytes are lost or damaged: that is told with all other kept files. Each line of an imported file
// must be in exactly one place: the ledger, the queue, the twins, or the duplicates of another file. The totals of the file, of
// each creditor's part and of each statement line must follow from the file's lines. It asks for the lines of several small files
// at once. The files must be finished. In the end, also if it fails, it calls found for each difference, with the place of the file
// among those given, in their order.
func (im *Importer) Verify(ctx context.Context, files []models.PaymentFile, found func(file int, d FileDifference)) error {
	proofs := make([]fileProof, len(files))
	for i, f := range files {
		proofs[i].file = f
	}
	err := im.prove(ctx, proofs)
	for i, p := range proofs {
		for _, d := range p.found {
			found(i, d)
		}
		if p.more > 0 {
			found(i, FileDifference{0, fmt.Sprintf("and %d more differences", p.more)})
		}
	}
	return err
}

// fileProof is the proof of one file.
type fileProof struct {
	file  models.PaymentFile
	audit *audit // nil if the file has no lines in the books, or cannot be read
	found []FileDifference
	more  int // differences that are not kept
}

func (p *fileProof) report(line int, text string) {
	if len(p.found) == mostFileDifferences {
		p.more++
		return
	}
	p.found = append(p.found, FileDifference{line, text})
}

// prove proves files. It reads whose the accounts are after the files were finished: so it knows all that their imports did.
func (im *Importer) prove(ctx context.Context, proofs []fileProof) error {
	owners, err := im.db.AccountOwners(ctx)
	if err != nil {
		return err
	}
	all := newAuditor(im, owners)
	ids := make([]int64, len(proofs))
	for i := range proofs {
		ids[i] = proofs[i].file.ID
		if err := all.prove(ctx, &proofs[i]); err != nil {
			return err
		}
	}
	if err := all.locate(ctx); err != nil {
		return err
	}
	parts, err := im.db.PartsOfFiles(ctx, ids)
	if err != nil {
		return err
	}
	lines, err := im.db.StatementLinesOfFiles(ctx, ids)
	if err != nil {
		return err
	}
	for i := range proofs {
		p := &proofs[i]
		if err := p.compareDates(parts[p.file.ID]); err != nil {
			return err
		}
		if p.audit == nil {
			continue
		}
		p.audit.compareParts(parts[p.file.ID])
		if p.file.HasStatement { // else the sweep makes the statement lines
			p.audit.compareStatement(lines[p.file.ID])
		}
	}
	return nil
}

// prove reads a file, if its lines are in the books.
func (all *auditor) prove(ctx context.Context, p *fileProof) error {
	if posted, err := all.im.isPosted(ctx, p.file); err != nil || !posted {
		return err
	}
	a, err := all.read(ctx, p.file, p.report)
	if _, is := errors.AsType[*archive.Fault](err); is {
		return nil // whoever looks for the kept files tells of it
	}
	if errors.Is(err, models.ErrBytesRemoved) {
		return nil // customers whom it names were forgotten: what it posted is proved by the ledger alone
	}
	var faults models.FileFaults
	if errors.As(err, &faults) {
		p.report(faults[0].Line, "it was imported, and could not be now: "+faults[0].Text)
		return nil
	}
	p.audit = a
	return err
}

// compareDates tells of parts that are dated after the day on which the file came, as releases before rule D110 have kept them.
func (p *fileProof) compareDates(parts []models.PaymentFilePart) error {
	day, err := models.BankDay(p.file.ReceivedAt)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if part.LatestDate > day {
			p.report(0, fmt.Sprintf("creditor %d has payments in it dated up to %s, after %s, when it came: it counts as reaching %s", part.CreditorID, part.LatestDate, day, day))
		}
	}
	return nil
}

// isPosted reports whether all lines of a finished file are in the books. The lines of a rejected file are not. The
// lines of a duplicate are not while the first file is still being imported.
func (im *Importer) isPosted(ctx context.Context, file models.PaymentFile) (bool, error) {
	if file.State != models.FileDuplicate {
		return file.State == models.FileImported, nil
	}
	first, err := im.db.PaymentFile(ctx, file.DuplicateOf)
	if err != nil {
		return false, err
	}
	return !first.UnderWay(), nil
}

// compareParts compares the creditors' parts with the file. Duplicates and ignored transactions stay in the part
// without a creditor, even if a creditor has got their account since. So these are compared by their total only.
func (a *audit) compareParts(parts []models.PaymentFilePart) {
	var kept, computed models.PaymentFilePart
	for _, s := range a.content.sections {
		s.addIgnored(&computed)
		computed.Transactions += s.transactions - s.ignored
		computed.Amount += s.amount - s.ignoredAmount
	}
	for _, p := range parts {
		name := partName(p.CreditorID)
		if n := p.Matched + p.Unmatched + p.Duplicates + p.Ignored; n != p.Transactions {
			a.report(0, fmt.Sprintf("%s: %d transactions, but %d of them somewhere", name, p.Transactions, n))
		}
		if amount := p.MatchedAmount + p.UnmatchedAmount + p.DuplicatesAmount + p.IgnoredAmount; amount != p.Amount {
			a.report(0, fmt.Sprintf("%s: %s in all, but %s of it somewhere", name, p.Amount, amount))
		}
		found := a.parts[p.CreditorID]
		a.compare(name+": matched", p.Matched, found.Matched, p.MatchedAmount, found.MatchedAmount)
		a.compare(name+": unmatched", p.Unmatched, found.Unmatched, p.UnmatchedAmount, found.UnmatchedAmount)
		kept.Transactions += p.Transactions
		kept.Amount += p.Amount
		kept.Duplicates += p.Duplicates
		kept.DuplicatesAmount += p.DuplicatesAmount
		kept.Ignored += p.Ignored
		kept.IgnoredAmount += p.IgnoredAmount
	}
	for _, creditorID := range slices.Sorted(maps.Keys(a.parts)) {
		p := a.parts[creditorID]
		known := slices.ContainsFunc(parts, func(part models.PaymentFilePart) bool { return part.CreditorID == creditorID })
		if !known && p.Transactions > p.Duplicates {
			a.report(0, fmt.Sprintf("%s is missing: %d transactions of %s", partName(creditorID), p.Transactions, p.Amount))
		}
		computed.Duplicates += p.Duplicates
		computed.DuplicatesAmount += p.DuplicatesAmount
	}
	a.compare("transactions", kept.Transactions, computed.Transactions, kept.Amount, computed.Amount)
	a.compare("duplicates", kept.Duplicates, computed.Duplicates, kept.DuplicatesAmount, computed.DuplicatesAmount)
	a.compare("ignored", kept.Ignored, computed.Ignored, kept.IgnoredAmount, computed.IgnoredAmount)
}

func (a *audit) compare(what string, kept, computed int, keptAmount, computedAmount models.Amount) {
	if kept != computed || keptAmount != computedAmount {
		a.report(0, fmt.Sprintf("%s: kept are %d of %s, its lines come to %d of %s", what, kept, keptAmount, computed, computedAmount))
	}
}

func partName(creditorID int64) string {
	if creditorID == 0 {
		return "the part of accounts that nobody has"
	}
	return fmt.Sprintf("the part of creditor %d", creditorID)
}

// compareStatement compares the stored statement lines with those that follow from the file's lines.
func (a *audit) compareStatement(kept []models.StatementLine) {
	computed := map[statementKey]models.StatementLine{}
	for _, l := range a.statement.lines {
		computed[keyOf(l)] = l
	}
	for _, l := range kept {
		is := computed[keyOf(l)]
		delete(computed, keyOf(l))
		if l != is {
			a.report(0, fmt.Sprintf("%s: kept are %s, its lines come to %s", lineName(l), totalsOf(l), totalsOf(is)))
		}
	}
	for _, l := range a.statement.lines {
		if _, missing := computed[keyOf(l)]; missing {
			a.report(0, fmt.Sprintf("%s is missing: %s", lineName(l), totalsOf(l)))
		}
	}
}

func keyOf(l models.StatementLine) statementKey {
	return statementKey{l.CreditorID, l.Account, l.TransactionDate, l.Reference, l.Entry}
}

func lineName(l models.StatementLine) string {
	return fmt.Sprintf("line %q of the statement of account %s on %s", l.Reference, l.Account, l.TransactionDate)
}

func totalsOf(l models.StatementLine) string {
	return fmt.Sprintf("%d transactions of %s, %d matched, %d unmatched, %d duplicates", l.Transactions, l.Amount, l.Matched, l.Unmatched, l.Duplicates)
}
