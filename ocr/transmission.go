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

// The codes of faults between a transmission and other transmissions (rule E4).
const (
	CodeTransmissionConflict = "transmission_conflict"
	CodeRepeatedTransmission = "repeated_transmission"
)

// mostConflicts is the most faults with these codes that a file gets: the database's column holds no more.
const mostConflicts = 50

// transmission is what the bank numbers in a file: a transmission of OCR giro, a message of camt.054.
type transmission struct {
	sender, recipient, number string
	serial                    int64 // the number in its series; zero if it is in no series
	line                      int   // where it starts, from 1
	content                   string
	accounts                  map[string]bool // with "" for a transmission without assignments
}

// fault returns a fault of the transmission.
func (t transmission) fault(code, format string, args ...any) models.FileFinding {
	text := fmt.Sprintf("transmission %s from %s ", t.number, t.sender) + fmt.Sprintf(format, args...)
	return models.FileFinding{Line: t.line, Code: code, Text: text}
}

// repeats returns a fault for each transmission that is in the file twice, for example because a person joined files.
// Its payments would be posted twice, because equal payments in one file count as different ones.
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

// takeTransmissions writes the file's transmissions, so that each number is used once for an account. It returns
// warnings. It fails with models.FileFaults if a transmission came before with other content, unless the file's
// AcceptConflict is set. It fails with store.ErrDuplicate if another process has just written one of them.
func (r *reading) takeTransmissions(ctx context.Context, tx *store.Tx) (models.FileFindings, error) {
	var conflicts, gaps []models.FileFinding
	for _, t := range r.content.transmissions {
		before, err := tx.Transmissions(ctx, t.sender, t.recipient, t.number)
		if err != nil {
			return nil, err
		}
		fresh, other := r.versions(t, before)
		if len(fresh) == 0 {
			continue
		}
		if other.ID != 0 && len(conflicts) < mostConflicts {
			note, err := r.conflict(ctx, tx, t, other)
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
	if len(conflicts) > 0 && !r.file.AcceptConflict {
		return nil, models.FileFaults(conflicts)
	}
	return append(conflicts, gaps...), nil
}

// versions returns the rows that a transmission adds to the rows before, which have the same number. It returns one
// row for each account without this content. If such an account has other content, other is the last row with it.
func (r *reading) versions(t transmission, before []models.Transmission) (fresh []models.Transmission, other models.Transmission) {
	type recipient struct {
		creditorID int64
		account    string
	}
	last, known := map[recipient]models.Transmission{}, map[recipient]bool{}
	for _, b := range before {
		b.CreditorID = cmp.Or(b.CreditorID, r.owners[b.Account]) // a creditor may have got the account since
		to := recipient{b.CreditorID, b.Account}
		b.Version = max(b.Version, last[to].Version)
		last[to] = b
		known[to] = known[to] || b.Content == t.content
	}
	for _, account := range slices.Sorted(maps.Keys(t.accounts)) {
		to := recipient{r.recipient(account), account}
		if known[to] {
			continue
		}
		if last[to].Version > 0 {
			other = last[to]
		}
		fresh = append(fresh, models.Transmission{
			PaymentFileID: r.file.ID, OwnerID: r.file.OwnerID, CreditorID: to.creditorID, Sender: t.sender, Recipient: t.recipient,
			Number: t.number, Serial: t.serial, Account: account, Content: t.content, Version: last[to].Version + 1,
		})
	}
	return fresh, other
}

// conflict returns the fault or the warning that a transmission came before with other content.
func (r *reading) conflict(ctx context.Context, tx *store.Tx, t transmission, other models.Transmission) (models.FileFinding, error) {
	where := "in this file itself"
	if other.PaymentFileID != r.file.ID {
		var err error
		if where, err = fileOfTransmission(ctx, tx, other); err != nil {
			return models.FileFinding{}, err
		}
	}
	then := "if both are right, accept_conflict=1 (purr ocr import --accept-conflict) has the new lines of this one posted"
	if r.file.AcceptConflict {
		then = "that was accepted, and only new lines are posted"
	}
	return t.fault(CodeTransmissionConflict, "came before with other content, %s; %s", where, then), nil
}

// fileOfTransmission names the file that brought a transmission, with the file's day in the creditor's time zone.
func fileOfTransmission(ctx context.Context, tx *store.Tx, t models.Transmission) (string, error) {
	file, err := tx.PaymentFile(ctx, t.PaymentFileID)
	if err != nil {
		return "", err
	}
	day := models.DateOf(file.ReceivedAt)
	if t.CreditorID != 0 {
		creditor, err := tx.Creditor(ctx, t.CreditorID)
		if err != nil {
			return "", err
		}
		day = creditor.BookingDay(file.ReceivedAt)
	}
	return fmt.Sprintf("in payment file %d (%.40s) of %s", file.ID, cmp.Or(file.Filename, "without a name"), day), nil
}
