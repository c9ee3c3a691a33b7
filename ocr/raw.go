package ocr

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"purr/models"
)

// Raw opens the bytes of a file as they came, a rejected file's too. The caller closes them. It fails where the archive
// has lost them, or holds others: they are read once before the first is given out.
func (im *Importer) Raw(f models.PaymentFile) (io.ReadSeekCloser, error) {
	raw, err := im.archive.Get(f.SHA256)
	if models.KindOf(err) == models.KindNotFound {
		return nil, fmt.Errorf("the archive has lost payment file %d (SHA-256 %s): restore the archive folder from a backup", f.ID, f.SHA256)
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, raw)
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		err = fmt.Errorf("the archive holds other bytes than those of payment file %d (SHA-256 %s): restore the archive folder from a backup", f.ID, f.SHA256)
	}
	if err == nil {
		_, err = raw.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return raw, nil
}
