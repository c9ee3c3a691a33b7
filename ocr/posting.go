package ocr

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// posting is the second reading of a file that was found right: what posts it.
type posting struct {
	im      *Importer
	file    models.PaymentFile
	content *content
	owners  map[string]int64
	repeats map[uint64]bool     // the fingerprints, by their first bytes, that come more than once in this file
	seen    map[[32]byte]uint32 // how often each of these has come
	pending []payment
	done    int // lines read

	cautious bool // a line of this file is in the ledger already, and others may be
}

func (im *Importer) newPosting(file models.PaymentFile, c *content, owners map[string]int64) *posting {
	return &posting{im: im, file: file, content: c, owners: owners, seen: map[[32]byte]uint32{}}
}

// postAll posts every transaction that no earlier try has posted.
func (p *posting) postAll(ctx context.Context, raw io.Reader) error {
	err := p.content.lines(raw, func(l line) error {
		key := p.lineKey(l)
		if p.done++; p.done <= p.file.LinesDone {
			return nil
		}
		p.pending = append(p.pending, p.payment(l, key))
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
	err := p.content.lines(raw, func(l line) error {
		all = append(all, first8(l.Fingerprint()))
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
func (p *posting) lineKey(l line) []byte {
	fingerprint := l.Fingerprint()
	var ordinal uint32
	if p.repeats[first8(fingerprint)] {
		ordinal = p.seen[fingerprint]
		p.seen[fingerprint] = ordinal + 1
	}
	key := sha256.Sum256(binary.BigEndian.AppendUint32(fingerprint[:], ordinal))
	return key[:]
}

// payment takes what the bank says of a line, and adds whose it is.
func (p *posting) payment(l line, key []byte) payment {
	pay := l.payment()
	pay.CreditorID = recipientOf(p.file, pay.Account, p.owners)
	pay.PaymentFileID, pay.LineKey, pay.Status = p.file.ID, key, "open"
	pay.otherAccount = pay.CreditorID == 0 || p.owners[pay.Account] != pay.CreditorID
	return pay
}

// postBatch posts what is pending.
func (p *posting) postBatch(ctx context.Context) error {
	if len(p.pending) == 0 {
		return nil
	}
	err := p.postPending(ctx)
	if errors.Is(err, store.ErrDuplicate) {
		// A line came before, in another file. What is nobody's is under no creditor's lock: there another file with
		// the same line was faster, and it is known now.
		p.cautious = true
		err = p.postPending(ctx)
	}
	p.pending = p.pending[:0]
	if err == nil && p.im.tell != nil {
		p.im.tell(p.done, p.content.lineCount())
	}
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

// finish closes the file once everything is posted: each section is taken into its creditor's part, and
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
		for _, s := range p.content.sections {
			if err := p.endSection(ctx, tx, s); err != nil {
				return err
			}
		}
		file.State, file.FinishedAt = models.FileImported, &tx.Now
		p.file = file
		if err := tx.UpdatePaymentFile(ctx, file); err != nil {
			return err
		}
		return p.logImport(ctx, tx, file)
	})
	if err == nil {
		p.im.log.Info("a payment file was imported", "file", p.file.ID, "source", p.file.Source, "transactions", p.file.LinesDone)
	}
	return p.file, err
}

// endSection counts a section's ignored transactions, and notes how far the bank's files reach: not before the
// last of its payments is posted, because dunning waits for that (rule E6b).
func (p *posting) endSection(ctx context.Context, tx *store.Tx, s section) error {
	creditorID := recipientOf(p.file, s.account, p.owners)
	part, err := partOf(ctx, tx, p.file.ID, creditorID)
	if err != nil {
		return err
	}
	part.Transactions += s.ignored
	part.Ignored += s.ignored
	part.Amount += s.ignoredAmount
	part.IgnoredAmount += s.ignoredAmount
	if p.owners[s.account] == creditorID {
		part.LatestDate = max(part.LatestDate, s.latest)
	}
	return tx.SaveFilePart(ctx, &part)
}

func (p *posting) logImport(ctx context.Context, tx *store.Tx, file models.PaymentFile) error {
	parts, err := tx.FileParts(ctx, file.ID)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := p.logPart(ctx, tx, file, part); err != nil {
			return err
		}
	}
	return nil
}

// logPart tells a creditor what it has in a file.
func (p *posting) logPart(ctx context.Context, tx *store.Tx, file models.PaymentFile, part models.PaymentFilePart) error {
	return tx.Log(ctx, models.Event{
		CreditorID: part.CreditorID, Type: models.EventFileImported, Actor: p.im.actor, SubjectID: file.ID,
		Text: fmt.Sprintf("Payment file %s: %d transactions of %s; %d matched, %d unmatched, %d duplicates, %d ignored",
			file.Filename, part.Transactions, part.Amount, part.Matched, part.Unmatched, part.Duplicates, part.Ignored),
	})
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
