package ocr

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"purr/models"
)

// mostFileDifferences is how many differences of one file are told.
const mostFileDifferences = 100

// Verify proves from a file's raw bytes what the books say of it (rules E4, E5): the bytes are those that came; each
// line of an imported file is in exactly one place, which is the ledger, the queue, the twins, or what another file
// brought before; and the sums of the file, of each creditor's part and of each line of the bank's statement are those
// that the lines come to. It calls found for what does not hold, with the line in the file, from 1, or 0 where it is
// the file as a whole. It reads the file as a stream.
func (im *Importer) Verify(ctx context.Context, file models.PaymentFile, found func(line int, text string)) error {
	told := 0
	wrong := func(line int, text string) {
		if told++; told <= mostFileDifferences {
			found(line, text)
		}
	}
	err := im.verify(ctx, file, wrong)
	if more := told - mostFileDifferences; more > 0 {
		found(0, fmt.Sprintf("and %d more differences", more))
	}
	return err
}

func (im *Importer) verify(ctx context.Context, file models.PaymentFile, wrong func(line int, text string)) error {
	switch sum, err := im.sumOf(file); {
	case models.KindOf(err) == models.KindNotFound:
		wrong(0, "its raw bytes are not in the archive")
		return nil
	case err != nil:
		return err
	case sum != file.SHA256:
		wrong(0, "its raw bytes are not those that came: their SHA-256 is "+sum)
		return nil
	}
	if looked, err := im.hasLines(ctx, file); err != nil || !looked {
		return err
	}
	t, err := im.traceFile(ctx, file, wrong)
	var faults models.FileFaults
	if errors.As(err, &faults) {
		wrong(faults[0].Line, "it was imported, and could not be now: "+faults[0].Text)
		return nil
	}
	if err != nil {
		return err
	}
	parts, err := im.db.FileParts(ctx, file.ID)
	if err != nil {
		return err
	}
	t.compareParts(parts)
	if !file.HasStatement {
		return nil // the sweep makes it
	}
	lines, err := im.db.StatementLinesOfFile(ctx, file.ID)
	if err != nil {
		return err
	}
	t.compareStatement(lines)
	return nil
}

// hasLines reports whether the lines of a file at its end are in the books: nothing is posted of one that was
// rejected, and not yet all of one whose first copy is still being imported.
func (im *Importer) hasLines(ctx context.Context, file models.PaymentFile) (bool, error) {
	if file.State != models.FileDuplicate {
		return file.State == models.FileImported, nil
	}
	first, err := im.db.PaymentFile(ctx, file.DuplicateOf)
	return !first.UnderWay(), err
}

// sumOf returns the SHA-256 of a file's raw bytes.
func (im *Importer) sumOf(file models.PaymentFile) (string, error) {
	raw, err := im.archive.Get(file.SHA256)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, raw); err != nil {
		return "", errors.Join(fmt.Errorf("read payment file %d: %w", file.ID, err), raw.Close())
	}
	return hex.EncodeToString(hash.Sum(nil)), raw.Close()
}

// compareParts holds what is kept of the creditors' parts against the file. Duplicates and ignored transactions of an
// account that a creditor has got since are still nobody's: only their sum is compared.
func (t *trace) compareParts(parts []models.PaymentFilePart) {
	var kept, computed models.PaymentFilePart
	for _, s := range t.content.sections {
		computed.Transactions += s.transactions
		computed.Amount += s.amount
		computed.Ignored += s.ignored
		computed.IgnoredAmount += s.ignoredAmount
	}
	for _, p := range parts {
		if n := p.Matched + p.Unmatched + p.Duplicates + p.Ignored; n != p.Transactions {
			t.wrong(0, fmt.Sprintf("%s: %d transactions, but %d of them somewhere", partName(p.CreditorID), p.Transactions, n))
		}
		if a := p.MatchedAmount + p.UnmatchedAmount + p.DuplicatesAmount + p.IgnoredAmount; a != p.Amount {
			t.wrong(0, fmt.Sprintf("%s: %s in all, but %s of it somewhere", partName(p.CreditorID), p.Amount, a))
		}
		found := models.PaymentFilePart{}
		if t.parts[p.CreditorID] != nil {
			found = *t.parts[p.CreditorID]
		}
		t.compareSum(partName(p.CreditorID)+": matched", p.Matched, found.Matched, p.MatchedAmount, found.MatchedAmount)
		t.compareSum(partName(p.CreditorID)+": unmatched", p.Unmatched, found.Unmatched, p.UnmatchedAmount, found.UnmatchedAmount)
		addPart(&kept, p)
	}
	for _, creditorID := range slices.Sorted(maps.Keys(t.parts)) {
		p := *t.parts[creditorID]
		known := slices.ContainsFunc(parts, func(part models.PaymentFilePart) bool { return part.CreditorID == creditorID })
		if !known && p.Transactions > p.Duplicates {
			t.wrong(0, fmt.Sprintf("%s is missing: %d transactions of %s", partName(creditorID), p.Transactions, p.Amount))
		}
		p.Transactions, p.Amount = 0, 0 // they are the sections'
		addPart(&computed, p)
	}
	t.compareSum("transactions", kept.Transactions, computed.Transactions, kept.Amount, computed.Amount)
	t.compareSum("duplicates", kept.Duplicates, computed.Duplicates, kept.DuplicatesAmount, computed.DuplicatesAmount)
	t.compareSum("ignored", kept.Ignored, computed.Ignored, kept.IgnoredAmount, computed.IgnoredAmount)
}

func (t *trace) compareSum(what string, kept, computed int, keptAmount, computedAmount models.Amount) {
	if kept != computed || keptAmount != computedAmount {
		t.wrong(0, fmt.Sprintf("%s: kept are %d of %s, its lines come to %d of %s", what, kept, keptAmount, computed, computedAmount))
	}
}

func partName(creditorID int64) string {
	if creditorID == 0 {
		return "the part of accounts that nobody has"
	}
	return fmt.Sprintf("the part of creditor %d", creditorID)
}

func addPart(sum *models.PaymentFilePart, p models.PaymentFilePart) {
	sum.Transactions += p.Transactions
	sum.Amount += p.Amount
	sum.Duplicates += p.Duplicates
	sum.DuplicatesAmount += p.DuplicatesAmount
	sum.Ignored += p.Ignored
	sum.IgnoredAmount += p.IgnoredAmount
}

// compareStatement holds the lines of the bank's statement that are kept of the file against those that its lines come
// to.
func (t *trace) compareStatement(kept []models.StatementLine) {
	computed := map[lumpSum]models.StatementLine{}
	for _, l := range t.statement.lines {
		computed[lumpOf(l)] = l
	}
	for _, l := range kept {
		is := computed[lumpOf(l)]
		delete(computed, lumpOf(l))
		if l != is {
			t.wrong(0, fmt.Sprintf("%s: kept are %s, its lines come to %s", lineName(l), sumsOf(l), sumsOf(is)))
		}
	}
	for _, l := range t.statement.lines {
		if _, missing := computed[lumpOf(l)]; missing {
			t.wrong(0, fmt.Sprintf("%s is missing: %s", lineName(l), sumsOf(l)))
		}
	}
}

func lumpOf(l models.StatementLine) lumpSum {
	return lumpSum{l.CreditorID, l.Account, l.TransactionDate, l.Reference, l.Entry}
}

func lineName(l models.StatementLine) string {
	return fmt.Sprintf("line %q of the statement of account %s on %s", l.Reference, l.Account, l.TransactionDate)
}

func sumsOf(l models.StatementLine) string {
	return fmt.Sprintf("%d transactions of %s, %d matched, %d unmatched, %d duplicates", l.Transactions, l.Amount, l.Matched, l.Unmatched, l.Duplicates)
}
