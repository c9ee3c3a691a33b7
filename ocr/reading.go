package ocr

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"purr/models"
)

// reading is a file that is read again after its check: to post it, to catch up, or to prove it.
type reading struct {
	im      *Importer
	file    models.PaymentFile
	day     models.Date // on which the file came
	raw     io.ReadSeekCloser
	content *content
	owners  map[string]int64    // creditors, by account
	seen    map[[32]byte]uint32 // how often each repeated fingerprint has occurred

	cautious bool // a line of this file is in the ledger already, so others may be
}

// open opens and checks a file. The error is models.FileFaults if the file has faults. Then the reading holds the
// content that could be read, and is closed.
func (im *Importer) open(ctx context.Context, file models.PaymentFile) (*reading, error) {
	r, err := im.openAlone(file)
	if err != nil {
		return r, err
	}
	if r.owners, err = im.db.AccountOwners(ctx); err != nil {
		r.close()
		return nil, fmt.Errorf("read payment file %d: %w", file.ID, err)
	}
	return r, nil
}

// openAlone does what open does, but does not ask whose the accounts are.
func (im *Importer) openAlone(file models.PaymentFile) (*reading, error) {
	raw, err := im.Raw(file)
	if err != nil {
		return nil, err
	}
	r := &reading{im: im, file: file, raw: raw, seen: map[[32]byte]uint32{}}
	if r.day, err = models.BankDay(file.ReceivedAt); err != nil {
		r.close()
		return nil, err
	}
	r.content, err = check(raw, &models.FileDates{Received: r.day})
	if faults, is := errors.AsType[models.FileFaults](err); is && file.State != models.FileReceived {
		err = faults.Without(models.CodeFileDate) // an earlier release took files with any date
	}
	if err != nil {
		r.close()
		return r, fmt.Errorf("read payment file %d: %w", file.ID, err)
	}
	return r, nil
}

// close closes the raw bytes. An error is harmless, because they were only read.
func (r *reading) close() { _ = r.raw.Close() }

// eachBatch calls do for the file's payments, a batch at a time. It skips the first lines. done is the number of lines
// that have been read. The payments are valid until do returns.
func (r *reading) eachBatch(skip int, do func(payments []payment, done int) error) error {
	var batch []payment
	done := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := do(batch, done)
		batch = batch[:0]
		return err
	}
	err := r.eachLine(func(l line) error {
		key := r.lineKey(l)
		if done++; done <= skip {
			return nil
		}
		batch = append(batch, r.payment(l, key))
		if len(batch) < r.im.batch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// eachLine reads the file from its beginning.
func (r *reading) eachLine(do func(line) error) error {
	if _, err := r.raw.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read a payment file again: %w", err)
	}
	return r.content.lines(r.raw, do)
}

// lineKey returns the identity of a line. It is a hash of the line's fingerprint and of the number of equal lines
// before it in the file. So two equal payments in a file stay two, and the same lines in another file have the same
// keys.
func (r *reading) lineKey(l line) []byte {
	fingerprint := l.Fingerprint()
	var ordinal uint32
	if r.content.repeats[first8(fingerprint)] {
		ordinal = r.seen[fingerprint]
		r.seen[fingerprint] = ordinal + 1
	}
	key := sha256.Sum256(binary.BigEndian.AppendUint32(fingerprint[:], ordinal))
	return key[:]
}

// payment returns the data of the bank on a line, and the creditor of the payment.
func (r *reading) payment(l line, key []byte) payment {
	p := l.payment()
	p.CreditorID = r.recipient(p.Account)
	p.PaymentFileID, p.LineKey, p.Status = r.file.ID, key, models.PaymentOpen
	p.otherAccount = p.CreditorID == 0 || r.owners[p.Account] != p.CreditorID
	return p
}

// recipient returns the creditor whose part of the file an account belongs to. It is the creditor who posted the file,
// else the one who has the account, else zero.
func (r *reading) recipient(account string) int64 { return cmp.Or(r.file.OwnerID, r.owners[account]) }
