package ocr

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
)

// posting is the second reading of a file that was found right: what posts it.
type posting struct {
	im      *Importer
	file    models.PaymentFile
	owners  map[string]int64
	checked map[int]*giro.Assignment // by the line of their start record
	repeats map[uint64]bool          // the fingerprints, by their first bytes, that come more than once in this file
	seen    map[[32]byte]uint32      // how often each of these has come
	pending []payment
	done    int // transactions read
}

func (im *Importer) newPosting(file models.PaymentFile, summary *giro.Summary, owners map[string]int64) *posting {
	p := &posting{im: im, file: file, owners: owners, checked: map[int]*giro.Assignment{}, seen: map[[32]byte]uint32{}}
	for _, t := range summary.Transmissions {
		for _, a := range t.Assignments {
			p.checked[a.Line] = a
		}
	}
	return p
}

// each reads the file, which was found right before, transaction by transaction.
func (p *posting) each(raw io.Reader, do func(tx *giro.Transaction) error) error {
	reader := giro.NewReader(bufio.NewReaderSize(raw, 1<<20), models.DateOf(p.file.ReceivedAt))
	for {
		tx, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read payment file %d again: %w", p.file.ID, err)
		}
		if err := do(tx); err != nil {
			return err
		}
	}
}

// postAll posts every transaction that no earlier try has posted.
func (p *posting) postAll(ctx context.Context, raw io.Reader) error {
	err := p.each(raw, func(tx *giro.Transaction) error {
		key := p.lineKey(tx)
		if p.done++; p.done <= p.file.LinesDone {
			return nil
		}
		p.pending = append(p.pending, p.payment(tx, key))
		if len(p.pending) < p.im.batch {
			return nil
		}
		return p.postBatch(ctx)
	})
	if err != nil {
		return err
	}
	return p.postBatch(ctx)
}

// findRepeats notes which lines come more than once in the file. It takes eight bytes for each line, where
// counting them all would take ten times as much.
func (p *posting) findRepeats(raw io.Reader) error {
	var all []uint64
	err := p.each(raw, func(tx *giro.Transaction) error {
		all = append(all, first8(tx.Fingerprint()))
		return nil
	})
	slices.Sort(all)
	p.repeats = map[uint64]bool{}
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			p.repeats[all[i]] = true
		}
	}
	return err
}

func first8(fingerprint [32]byte) uint64 { return binary.BigEndian.Uint64(fingerprint[:8]) }

// lineKey returns the identity of a line: its fingerprint, and how many equal ones came before it in
// this file. So two equal payments stay two, and the same lines in another file are the same.
func (p *posting) lineKey(tx *giro.Transaction) []byte {
	fingerprint := tx.Fingerprint()
	var ordinal uint32
	if p.repeats[first8(fingerprint)] {
		ordinal = p.seen[fingerprint]
		p.seen[fingerprint] = ordinal + 1
	}
	key := sha256.Sum256(binary.BigEndian.AppendUint32(fingerprint[:], ordinal))
	return key[:]
}

// payment copies what the bank says of a transaction.
func (p *posting) payment(tx *giro.Transaction, key []byte) payment {
	account := tx.Assignment.Account
	amount := tx.Amount
	if tx.MoneyOut() {
		amount = -amount
	}
	creditorID := recipientOf(p.file, account, p.owners)
	return payment{
		UnmatchedPayment: models.UnmatchedPayment{
			CreditorID: creditorID, PaymentFileID: p.file.ID, Line: tx.Line, LineKey: key,
			Account: account, TransactionType: int(tx.Type), Amount: amount, TransactionDate: tx.NetsDate, BankDate: tx.BankDate,
			KID: tx.KID(), FromAccountNumber: tx.DebitAccount(), ArchiveReference: tx.ArchiveReference(), Text: tx.Text(), Status: "open",
		},
		counted:      p.checked[tx.Assignment.Line].Counted(tx),
		hasKID:       tx.HasKID(),
		otherAccount: creditorID == 0 || p.owners[account] != creditorID,
	}
}

// postBatch posts what is pending.
func (p *posting) postBatch(ctx context.Context) error {
	if len(p.pending) == 0 {
		return nil
	}
	err := p.postPending(ctx)
	if errors.Is(err, store.ErrDuplicate) {
		// What is nobody's is under no creditor's lock: another file with the same line was faster, and the
		// line is known now.
		err = p.postPending(ctx)
	}
	p.pending = p.pending[:0]
	return err
}

// postPending posts what is pending in one transaction, together with how far the file has come. What
// another worker, going on with the same file, has posted meanwhile is left out.
func (p *posting) postPending(ctx context.Context) error {
	first := p.done - len(p.pending)
	return p.im.db.InTx(ctx, func(tx *store.Tx) error {
		file, err := tx.LockPaymentFile(ctx, p.file.ID)
		if err != nil || file.State != models.FileImporting || file.LinesDone >= p.done {
			return err
		}
		if file.LinesDone < first {
			return fmt.Errorf("payment file %d: %d transactions are posted where %d were", file.ID, file.LinesDone, first)
		}
		groups := byCreditor(p.pending[file.LinesDone-first:])
		for _, creditorID := range slices.Sorted(maps.Keys(groups)) {
			if err := p.postFor(ctx, tx, creditorID, groups[creditorID]); err != nil {
				return err
			}
		}
		file.LinesDone = p.done
		return tx.UpdatePaymentFile(ctx, file)
	})
}

func byCreditor(payments []payment) map[int64][]payment {
	groups := map[int64][]payment{}
	for _, payment := range payments {
		groups[payment.CreditorID] = append(groups[payment.CreditorID], payment)
	}
	return groups
}

// finish closes the file once everything is posted: each assignment is taken into its creditor's part, and
// the creditor's event tells the sums.
func (p *posting) finish(ctx context.Context) (models.PaymentFile, error) {
	err := p.im.db.InTx(ctx, func(tx *store.Tx) error {
		file, err := tx.LockPaymentFile(ctx, p.file.ID)
		if err != nil {
			return err
		}
		p.file = file
		if file.State != models.FileImporting {
			return nil
		}
		for _, line := range slices.Sorted(maps.Keys(p.checked)) {
			if err := p.endAssignment(ctx, tx, p.checked[line]); err != nil {
				return err
			}
		}
		file.State, file.FinishedAt = models.FileImported, &tx.Now
		p.file = file
		if err := tx.UpdatePaymentFile(ctx, file); err != nil {
			return err
		}
		return logImport(ctx, tx, file)
	})
	return p.file, err
}

// endAssignment counts an assignment's transactions of other services as ignored, and notes how far the bank's
// files reach: not before the last of its payments is posted, because dunning waits for that (rule E6b).
func (p *posting) endAssignment(ctx context.Context, tx *store.Tx, a *giro.Assignment) error {
	creditorID := recipientOf(p.file, a.Account, p.owners)
	part, err := partOf(ctx, tx, p.file.ID, creditorID)
	if err != nil {
		return err
	}
	part.Transactions += a.Ignored
	part.Ignored += a.Ignored
	if p.owners[a.Account] == creditorID {
		part.LatestDate = max(part.LatestDate, a.Latest)
	}
	return tx.SaveFilePart(ctx, &part)
}

func logImport(ctx context.Context, tx *store.Tx, file models.PaymentFile) error {
	parts, err := tx.FileParts(ctx, file.ID)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := tx.Log(ctx, models.Event{
			CreditorID: part.CreditorID, Type: models.EventFileImported, SubjectID: file.ID,
			Text: fmt.Sprintf("Payment file %s: %d transactions of %s; %d matched, %d unmatched, %d duplicates, %d ignored",
				file.Filename, part.Transactions, part.Amount, part.Matched, part.Unmatched, part.Duplicates, part.Ignored),
		}); err != nil {
			return err
		}
	}
	return nil
}

// partOf returns a creditor's part of a file, a new one where it has none yet.
func partOf(ctx context.Context, tx *store.Tx, fileID, creditorID int64) (models.PaymentFilePart, error) {
	parts, err := tx.FileParts(ctx, fileID)
	for _, part := range parts {
		if part.CreditorID == creditorID {
			return part, nil
		}
	}
	return models.PaymentFilePart{PaymentFileID: fileID, CreditorID: creditorID}, err
}
