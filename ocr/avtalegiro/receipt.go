package avtalegiro

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"purr/models"
)

// MaxReceipt is the most bytes of a receipt.
const MaxReceipt = 64 << 20

// transmissionReceipt is the form of the name of a receipt of a transmission (L226, and L200 where it is refused): the answer, the number of
// the transmission, day and hour, and the sender.
var transmissionReceipt = regexp.MustCompile(`^KV\.([A-ZÆØÅ]+)\.F([0-9]{7})\.D[0-9]{6}\.T[0-9]{6}\.K([0-9]{8})(\..*)?$`)

// The answers in such a name.
const (
	answerTaken   = "GODKJENT"
	answerRefused = "AVVIST"
)

// receipt is what the bank answers in a file.
type receipt struct {
	transmission *transmission // of a whole transmission; nil if it is a list
	rows         []row         // of a list of claims
}

// transmission is the bank's answer to a whole file.
type transmission struct {
	sender string
	number int64
	taken  bool
}

// row is one line of a list.
type row struct {
	line       int
	sender     string // as the file's name says, or empty
	number     int64  // of the transmission, or 0
	assignment int64  // or 0
	kid        string
	due        models.Date
	amount     models.Amount // or 0
	warning    bool
	reason     string
}

// readReceipt reads a file by its name and content. The error is models.FileFaults if it has faults.
func readReceipt(name string, content []byte, columns Columns) (receipt, error) {
	name = path.Base(name)
	if parts := transmissionReceipt.FindStringSubmatch(name); parts != nil {
		number, err := strconv.ParseInt(parts[2], 10, 64)
		if err != nil {
			return receipt{}, err
		}
		switch parts[1] {
		case answerTaken, answerRefused:
			return receipt{transmission: &transmission{sender: parts[3], number: number, taken: parts[1] == answerTaken}}, nil
		}
		return receipt{}, fault("unknown_answer", "the receipt's name says %q, which is neither %s nor %s", parts[1], answerTaken, answerRefused)
	}
	if strings.ToLower(path.Ext(name)) == ".csv" {
		rows, err := readList(content, columns, senderIn(name))
		if err != nil {
			return receipt{}, err
		}
		return receipt{rows: rows}, nil
	}
	return receipt{}, fault("unknown_receipt", "is no receipt of AvtaleGiro: a transmission's is named KV.GODKJENT.F0000001.D…, and a list of claims NAME.csv")
}

// senderInName finds the sender in the name of a list.
var senderInName = regexp.MustCompile(`\.K([0-9]{8})(\.|$)`)

func senderIn(name string) string {
	if parts := senderInName.FindStringSubmatch(name); parts != nil {
		return parts[1]
	}
	return ""
}

// fault returns the fault of a whole file.
func fault(code, text string, args ...any) models.FileFaults {
	return models.FileFaults{{Line: 1, Code: code, Text: fmt.Sprintf(text, args...)}}
}

// maxRowFaults is the number of faults after which the reading of a list ends.
const maxRowFaults = 100

// readList reads a list of claims: ISO-8859-1 or UTF-8, with semicolons or commas, and a row of titles.
func readList(content []byte, columns Columns, sender string) ([]row, error) {
	text := string(content)
	if !utf8.ValidString(text) {
		decoded, err := charmap.ISO8859_1.NewDecoder().String(text)
		if err != nil {
			return nil, err
		}
		text = decoded
	}
	text = strings.TrimPrefix(text, "\ufeff")
	r := csv.NewReader(strings.NewReader(text))
	first, _, _ := strings.Cut(text, "\n")
	if r.Comma = ','; strings.Contains(first, ";") {
		r.Comma = ';'
	}
	titles, err := r.Read()
	if err != nil {
		return nil, fault("no_titles", "the list has no row of titles")
	}
	at := map[string]int{}
	var faults models.FileFaults
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		at[name] = slices.IndexFunc(titles, func(t string) bool { return strings.EqualFold(strings.TrimSpace(t), columns[name]) })
		if at[name] < 0 && slices.Contains(needed, name) {
			faults = append(faults, fault("no_column", "the list has no column %q: set avtalegiro-columns to its titles", columns[name])...)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	var rows []row
	for len(faults) < maxRowFaults {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line := 1
			if broken, is := errors.AsType[*csv.ParseError](err); is {
				line = broken.StartLine
			}
			return nil, append(faults, models.FileFinding{Line: line, Code: "bad_row", Text: "the row has another number of columns than the titles, or a quotation mark that does not end"})
		}
		line, _ := r.FieldPos(0)
		one, wrong := readRow(func(name string) string {
			if i, is := at[name]; is && i >= 0 {
				return strings.TrimSpace(cells[i])
			}
			return ""
		})
		for _, w := range wrong {
			w.Line = line
			faults = append(faults, w)
		}
		one.line, one.sender = line, sender
		rows = append(rows, one)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return rows, nil
}

// readRow reads one row of a list.
func readRow(cell func(column string) string) (r row, faults models.FileFaults) {
	fault := func(code, text string, args ...any) {
		faults = append(faults, models.FileFinding{Code: code, Text: fmt.Sprintf(text, args...)})
	}
	number := func(column string) int64 {
		text := cell(column)
		if text == "" {
			return 0
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			fault("bad_number", "%s is %q, which is no number", column, text)
		}
		return n
	}
	r.number, r.assignment = number(columnTransmission), number(columnAssignment)
	if r.kid = cell(columnKID); r.kid == "" {
		fault("no_kid", "the row has no KID")
	}
	due, err := readDay(cell(columnDue))
	if err != nil {
		fault("bad_date", "the due date is %q, which is no day as dd.mm.yyyy or yyyy-mm-dd", cell(columnDue))
	}
	r.due = due
	if text := cell(columnAmount); text != "" {
		if r.amount, err = models.ParseAmount(strings.Replace(strings.NewReplacer(" ", "", "\u00a0", "").Replace(text), ",", ".", 1)); err != nil {
			fault("bad_amount", "the amount is %q, which is no amount", text)
		}
	}
	switch status := strings.ToUpper(cell(columnStatus)); status {
	case answerRefused:
	case "ADVARSEL", answerTaken:
		r.warning = true
	default:
		fault("unknown_status", "the status is %q, which is none of %s, ADVARSEL and %s", status, answerRefused, answerTaken)
	}
	r.reason = cell(columnReason)
	return r, faults
}

func readDay(text string) (models.Date, error) {
	if day, err := models.ParseDate(text); err == nil {
		return day, nil
	}
	for _, form := range []string{"02.01.2006", "020106", "02.01.06"} {
		if t, err := time.Parse(form, text); err == nil {
			return models.DateOf(t), nil
		}
	}
	return 0, errors.New("no day")
}
