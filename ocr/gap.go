package ocr

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"purr/models"
	"purr/store"
)

// CodeTransmissionGap is the warning that earlier transmissions are missing (rule E4).
const CodeTransmissionGap = "transmission_gap"

// widestGap is the largest number of missing transmissions. If more numbers are missing, the series started again, or
// another sender gave the number.
const widestGap = 1000

// serialOf returns the number of an OCR giro transmission in its series, or zero if it is in no series. Some senders
// other than Nets make the number from the date (DDMMYY) and a count within the day. A missing number then means
// nothing, so serialOf returns zero. made is the day of the transmission.
func serialOf(number string, made models.Date) int64 {
	const (
		dateDigits = 6
		near       = 31 // days
	)
	serial, err := strconv.ParseInt(number, 10, 64)
	if err != nil || len(number) <= dateDigits {
		return 0
	}
	if day, err := time.Parse("020106", number[:dateDigits]); err == nil {
		if apart := models.DateOf(day) - made; -near <= apart && apart <= near {
			return 0
		}
	}
	return serial
}

// findGap writes each number that is missing before a transmission, once. It writes an event for the creditors of the
// transmission's accounts. The caller writes the given rows of the transmission itself afterwards. findGap skips a
// series with more missing numbers than present ones: some banks use one recipient number for all their customers.
func findGap(ctx context.Context, tx *store.Tx, t transmission, rows []models.Transmission) (models.FileFindings, error) {
	if t.serial == 0 {
		return nil, nil
	}
	f := rows[0] // all rows are of one file
	series := store.TransmissionSeries{OwnerID: f.OwnerID, Sender: t.sender, Recipient: t.recipient}
	last, err := tx.SerialBefore(ctx, series, t.serial)
	if err != nil {
		return nil, err
	}
	if missing := t.serial - last - 1; last == 0 || missing == 0 || missing > widestGap {
		return nil, nil
	}
	came, missing, err := tx.CountSerials(ctx, series)
	if err != nil || missing > came {
		return nil, err
	}
	known, err := tx.SkippedBetween(ctx, series, last+1, t.serial-1)
	if err != nil {
		return nil, err
	}
	var skipped []models.SkippedTransmission
	for serial := last + 1; serial < t.serial; serial++ {
		if !known[serial] {
			skipped = append(skipped, models.SkippedTransmission{
				PaymentFileID: f.PaymentFileID, OwnerID: f.OwnerID, Sender: t.sender, Recipient: t.recipient, Serial: serial,
			})
		}
	}
	if len(skipped) == 0 {
		return nil, nil
	}
	if err := tx.CreateSkipped(ctx, skipped); err != nil {
		return nil, err
	}
	note := models.FileFinding{Line: t.line, Code: CodeTransmissionGap, Text: gapText(t, last)}
	return models.FileFindings{note}, tellOfGap(ctx, tx, t, last, rows)
}

// tellOfGap logs to the creditors of a transmission's accounts what is missing between the last number and its own.
func tellOfGap(ctx context.Context, tx *store.Tx, t transmission, last int64, rows []models.Transmission) error {
	creditors := map[int64]bool{}
	for _, row := range rows {
		creditors[row.CreditorID] = true
	}
	for _, creditorID := range slices.Sorted(maps.Keys(creditors)) {
		if err := tx.Log(ctx, models.Event{
			CreditorID: creditorID, Type: models.EventTransmissionsMissing, SubjectID: rows[0].PaymentFileID, Text: gapText(t, last),
			Facts: models.Facts{
				"sender": t.sender, "recipient": t.recipient, "before": t.number, "first": last + 1, "last": t.serial - 1, "files": t.serial - last - 1,
			},
		}); err != nil {
			return err
		}
	}
	return nil
}

// gapText names the numbers that are missing between the last transmission and this one.
func gapText(t transmission, last int64) string {
	first, end := fmt.Sprintf("%0*d", len(t.number), last+1), fmt.Sprintf("%0*d", len(t.number), t.serial-1)
	if first == end {
		return fmt.Sprintf("transmission %s from %s to %s is missing before transmission %s", first, t.sender, t.recipient, t.number)
	}
	return fmt.Sprintf("transmissions %s to %s from %s to %s are missing before transmission %s: %d files",
		first, end, t.sender, t.recipient, t.number, t.serial-last-1)
}

// DismissTransmission records that a missing transmission will not come. It writes an event for the creditors who were
// told of the gap. A second call changes nothing. It fails with models.KindNotFound if no missing transmission has the
// ID.
func DismissTransmission(ctx context.Context, tx *store.Tx, id int64, actor string) error {
	s, err := tx.LockSkippedTransmission(ctx, id)
	if err != nil || s.Dismissed {
		return err
	}
	if err := tx.DismissSkipped(ctx, id); err != nil {
		return err
	}
	creditors, err := tx.CreditorsOfSkipped(ctx, s)
	if err != nil {
		return err
	}
	for _, creditorID := range creditors {
		if err := tx.Log(ctx, models.Event{
			CreditorID: creditorID, Type: models.EventTransmissionDismissed, Actor: actor, SubjectID: s.ID,
			Text:  fmt.Sprintf("Transmission %d from %s to %s will not come, says %s", s.Serial, s.Sender, s.Recipient, actor),
			Facts: models.Facts{"sender": s.Sender, "recipient": s.Recipient, "number": s.Serial},
		}); err != nil {
			return err
		}
	}
	return nil
}
