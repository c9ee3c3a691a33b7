package ocr

import (
	"context"
	"fmt"
	"io"

	"purr/models"
)

// reread reads a file that was imported again from its raw bytes, and has do look at its payments in batches, each
// valid until the next. Who has an account goes by now.
func (im *Importer) reread(ctx context.Context, file models.PaymentFile, do func(p *posting, payments []payment) error) (*posting, error) {
	raw, err := im.archive.Get(file.SHA256)
	if err != nil {
		return nil, err
	}
	defer func() { _ = raw.Close() }() // it was only read
	content, err := check(raw, models.DateOf(file.ReceivedAt))
	if err != nil {
		return nil, fmt.Errorf("read payment file %d: %w", file.ID, err)
	}
	owners, err := im.db.AccountOwners(ctx)
	if err != nil {
		return nil, err
	}
	p := im.newPosting(file, content, owners)
	if err := rewound(raw, p.findRepeats); err != nil {
		return nil, err
	}
	return p, rewound(raw, func(r io.Reader) error {
		err := content.lines(r, func(l line) error {
			p.pending = append(p.pending, p.payment(l, p.lineKey(l)))
			if len(p.pending) < im.batch {
				return nil
			}
			return p.flush(do)
		})
		if err != nil {
			return err
		}
		return p.flush(do)
	})
}

// flush has do look at what is pending.
func (p *posting) flush(do func(p *posting, payments []payment) error) error {
	if len(p.pending) == 0 {
		return nil
	}
	err := do(p, p.pending)
	p.pending = p.pending[:0]
	return err
}
