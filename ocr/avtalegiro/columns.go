package avtalegiro

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"purr/internal/config"
	"purr/internal/remote"
)

// Columns are the titles of the columns in the bank's list of refused claims (L00202), by what they hold. The bank has not published them,
// so that they are a setting.
type Columns map[string]string

// what a column holds.
const (
	columnTransmission = "transmission"
	columnAssignment   = "assignment"
	columnKID          = "kid"
	columnDue          = "due_date"
	columnAmount       = "amount"
	columnStatus       = "status"
	columnReason       = "reason"
)

// UsualColumns are the titles where none are set.
const UsualColumns = "transmission=Forsendelse,assignment=Oppdrag,kid=KID,due_date=Forfallsdato,amount=Beløp,status=Status,reason=Melding"

// needed are the columns without which a row says nothing.
var needed = []string{columnKID, columnDue, columnStatus}

var known = []string{columnTransmission, columnAssignment, columnKID, columnDue, columnAmount, columnStatus, columnReason}

// ParseColumns reads columns as the setting has them: NAME=TITLE, between commas.
func ParseColumns(text string) (Columns, error) {
	columns := Columns{}
	for pair := range strings.SplitSeq(text, ",") {
		name, title, is := strings.Cut(pair, "=")
		name, title = strings.TrimSpace(name), strings.TrimSpace(title)
		switch {
		case !is || title == "":
			return nil, fmt.Errorf("must be NAME=TITLE between commas, such as %s", UsualColumns)
		case !slices.Contains(known, name):
			return nil, fmt.Errorf("knows no column %q: it has %s", name, strings.Join(known, ", "))
		case columns[name] != "":
			return nil, fmt.Errorf("names the column %s twice", name)
		}
		columns[name] = title
	}
	for _, name := range needed {
		if columns[name] == "" {
			return nil, fmt.Errorf("must name the column %s", name)
		}
	}
	return columns, nil
}

// Settings say how files of claims leave, and how the bank answers.
type Settings struct {
	remote.Access
	Every   time.Duration // between two looks for the bank's receipts
	Columns Columns
}

// Declare returns the settings.
func (s *Settings) Declare() []config.Setting {
	return append(s.Access.Declare("avtalegiro", "the bank's folder for claims of AvtaleGiro", "files in the data folder"),
		config.Setting{Key: "avtalegiro-every", Default: "15m", Help: "pause between two looks for the bank's receipts, in the folder receipts below that of the claims", Set: remote.PollPause(&s.Every)},
		config.Setting{Key: "avtalegiro-columns", Default: UsualColumns, Help: "titles of the columns in the bank's list of refused claims (L00202), as NAME=TITLE,...", Set: func(value string) (err error) {
			s.Columns, err = ParseColumns(value)
			return err
		}})
}
