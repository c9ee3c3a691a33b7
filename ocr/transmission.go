package ocr

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// The codes of what is wrong with a transmission beside those that came before it (rule E4).
const (
	CodeTransmissionConflict = "transmission_conflict"
	CodeRepeatedTransmission = "repeated_transmission"
)

// mostConflicts is how many faults of these kinds a file is given: as many as a column of the database holds.
const mostConflicts = 50

// transmission is one delivery of the bank in a file: a transmission of OCR giro, a message of camt.054.
type transmission struct {
	sender, recipient, number string
	serial                    int64 // the number where it is one of a series, else zero
	line                      int   // of its start, from 1
	content                   string
	accounts                  map[string]bool // one that is empty stands for a transmission of none
}

// fault says what is wrong with the transmission.
func (t transmission) fault(code, format string, args ...any) models.FileNote {
	text := fmt.Sprintf("transmission %s from %s ", t.number, t.sender) + fmt.Sprintf(format, args...)
	return models.FileNote{Line: t.line, Code: code, Text: text}
}

// repeats returns a fault for each transmission that stands in the file before: what people have joined twice would
// be posted twice, since equal payments in one file are different ones.
func repeats(ts []transmission) models.FileFaults {
	var faults models.FileFaults
	lines := map[string]int{} // by content
	for _, t := range ts {
		if first, twice := lines[t.content]; twice {
			faults = append(faults, t.fault(CodeRepeatedTransmission, "stands in the file twice, first in line %d: take one of the two out", first))
			continue
		}
		lines[t.content] = t.line
	}
	return faults[:min(len(faults), mostConflicts)]
}

// takeTransmissions writes the transmissions of a file that is being claimed, so that each number is used once for
// an account, and returns what is odd about them. It fails with models.FileFaults where one came before with
// other content, unless the file's AcceptConflict is set, and with store.ErrDuplicate where one came meanwhile.
func takeTransmissions(
	ctx context.Context, tx *store.Tx, f models.PaymentFile, c *content, owners map[string]int64,
) (models.FileNotes, error) {
	var conflicts, gaps []models.FileNote
	for _, t := range c.transmissions {
		before, err := tx.Transmissions(ctx, t.sender, t.recipient, t.number)
		if err != nil {
			return nil, err
		}
		fresh, other := versions(f, t, before, owners)
		if len(fresh) == 0 {
			continue
		}
		if other.ID != 0 && len(conflicts) < mostConflicts {
			note, err := conflict(ctx, tx, f, t, other)
			if err != nil {
				return nil, err
			}
			conflicts = append(conflicts, note)
		}
		gap, err := findGap(ctx, tx, t, fresh)
		if err != nil {
			return nil, err
		}
		gaps = append(gaps, gap...)
		if err := tx.CreateTransmissions(ctx, fresh); err != nil {
			return nil, err
		}
	}
	if len(conflicts) > 0 && !f.AcceptConflict {
		return nil, models.FileFaults(conflicts)
	}
	return append(conflicts, gaps...), nil
}

// versions returns the rows that are needed for a transmission beside those that its number has already: one for each
// account that it has not come for with the same content. Where it has come for one with other content only, other is
// the last of that, of the creditor who has the account now.
func versions(
	f models.PaymentFile, t transmission, before []models.Transmission, owners map[string]int64,
) (fresh []models.Transmission, other models.Transmission) {
	type recipient struct {
		creditorID int64
		account    string
	}
	last, known := map[recipient]models.Transmission{}, map[recipient]bool{}
	for _, b := range before {
		b.CreditorID = cmp.Or(b.CreditorID, owners[b.Account]) // who may have got the account since
		r := recipient{b.CreditorID, b.Account}
		b.Version = max(b.Version, last[r].Version)
		last[r] = b
		known[r] = known[r] || b.Content == t.content
	}
	for _, account := range slices.Sorted(maps.Keys(t.accounts)) {
		r := recipient{recipientOf(f, account, owners), account}
		if known[r] {
			continue
		}
		if last[r].Version > 0 {
			other = last[r]
		}
		fresh = append(fresh, models.Transmission{
			PaymentFileID: f.ID, OwnerID: f.OwnerID, CreditorID: r.creditorID, Sender: t.sender, Recipient: t.recipient,
			Number: t.number, Serial: t.serial, Account: account, Content: t.content, Version: last[r].Version + 1,
		})
	}
	return fresh, other
}

// conflict says that a transmission came before with other content, and where.
func conflict(ctx context.Context, tx *store.Tx, f models.PaymentFile, t transmission, other models.Transmission) (models.FileNote, error) {
	where := "in this file itself"
	if other.PaymentFileID != f.ID {
		var err error
		if where, err = fileOfTransmission(ctx, tx, other); err != nil {
			return models.FileNote{}, err
		}
	}
	then := "if both are right, accept_conflict=1 (purr ocr import --accept-conflict) has the new lines of this one posted"
	if f.AcceptConflict {
		then = "that was accepted, and only new lines are posted"
	}
	return t.fault(CodeTransmissionConflict, "came before with other content, %s; %s", where, then), nil
}

// fileOfTransmission says which file brought a transmission, with the day on which its creditor had it.
func fileOfTransmission(ctx context.Context, tx *store.Tx, t models.Transmission) (string, error) {
	file, err := tx.PaymentFile(ctx, t.PaymentFileID)
	if err != nil {
		return "", err
	}
	if t.CreditorID != 0 {
		creditor, err := tx.Creditor(ctx, t.CreditorID)
		if err != nil {
			return "", err
		}
		zone, err := creditor.Location()
		if err != nil {
			return "", err
		}
		file.ReceivedAt = file.ReceivedAt.In(zone)
	}
	return fmt.Sprintf("in payment file %d (%.40s) of %s", file.ID, cmp.Or(file.Filename, "without a name"), models.DateOf(file.ReceivedAt)), nil
}
