package shipments

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"purr/models"
	"purr/store"
)

// The limits of a file of reports.
const (
	MaxReportFile = 16 << 20 // bytes
	maxReports    = 50_000
	maxFaults     = 50 // that are told of one file
)

// Told is a report as somebody else writes it.
type Told struct {
	Line     int    // in its file; zero if it is of none
	Shipment string // an ID or a name
	State    string
	At       time.Time
	Reason   string
	Method   models.ShipmentMethod // by which the shipment must go; empty if it may go by any
	// CreditorID is whose it must be: the report lay in that creditor's own folder (rule Q7). 0 lets it be anybody's.
	CreditorID int64
}

// Tell keeps one report, in a transaction of its own, and returns the shipment. If the report cannot be kept, it returns the shipment
// as it was, or none if there is no such.
func Tell(ctx context.Context, db *store.DB, t Told, actor string) (models.Shipment, error) {
	r, err := newReport(t.State, t.Reason, t.At)
	if err != nil {
		return models.Shipment{}, err
	}
	s, err := Find(ctx, db, t.Shipment)
	if err != nil {
		return models.Shipment{}, err
	}
	if t.Method != "" && t.Method != s.Method || t.CreditorID != 0 && t.CreditorID != s.CreditorID {
		return models.Shipment{}, models.NotFound("shipment")
	}
	r.ShipmentID = s.ID
	told := s
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		told, err = Report(ctx, tx, r, actor)
		return err
	})
	if err != nil {
		return s, err
	}
	return told, nil
}

// Failure is a report that could not be kept for what its creditor has, such as an unknown time zone (rule D102).
type Failure struct {
	CreditorID int64
	Line       int // in the file
	Err        error
}

// Failures are the reports of a file, or of several, that could not be kept. The others were.
type Failures []Failure

// Error names each report with its line, as far as there is room.
func (fs Failures) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = fmt.Sprintf("line %d: creditor %d: %v", f.Line, f.CreditorID, f.Err)
	}
	return faultsOf(lines).Error()
}

// Unwrap gives the causes.
func (fs Failures) Unwrap() []error {
	errs := make([]error, len(fs))
	for i, f := range fs {
		errs[i] = f.Err
	}
	return errs
}

// ofItsCreditor reports whether a report failed for what its creditor has, so that the next one may be kept.
func ofItsCreditor(ctx context.Context, err error) bool {
	return models.KindOf(err) != models.KindUnavailable && !errors.Is(err, store.ErrHeld) && ctx.Err() == nil
}

// ReportFile keeps what a file of reports tells, and returns how many reports it has kept, or had kept before. A file with
// a fault is refused as a whole; the error names each fault with its line. A report of an unknown shipment keeps no other
// one out; unknown names each with its line.
func ReportFile(ctx context.Context, db *store.DB, file io.Reader, actor string) (kept int, unknown []string, err error) {
	reports, err := ReadReports(file)
	if err != nil {
		return 0, nil, err
	}
	return TellAll(ctx, db, reports, actor)
}

// TellAll keeps reports, each in a transaction of its own, and returns what ReportFile returns. A report that fails for what its
// creditor has keeps no other one out: the error is then Failures, and what was kept may be told again without harm (rule D102).
func TellAll(ctx context.Context, db *store.DB, reports []Told, actor string) (kept int, unknown []string, err error) {
	var failures Failures
	for _, t := range reports {
		s, err := Tell(ctx, db, t, actor)
		if models.KindOf(err) == models.KindNotFound {
			unknown = append(unknown, fmt.Sprintf("line %d: there is no shipment %s", t.Line, t.Shipment))
			continue
		}
		switch {
		case err != nil && s.CreditorID != 0 && ofItsCreditor(ctx, err):
			failures = append(failures, Failure{s.CreditorID, t.Line, err})
		case err != nil:
			return kept, unknown, fmt.Errorf("line %d: %w", t.Line, err)
		default:
			kept++
		}
	}
	if len(failures) > 0 {
		return kept, unknown, failures
	}
	return kept, unknown, nil
}

// ReadReports reads a file of reports, <reports><report shipment="" state="" at="" reason=""/></reports> in UTF-8, as a
// stream. Its error names every fault with its line.
func ReadReports(file io.Reader) ([]Told, error) {
	bounded := &io.LimitedReader{R: file, N: MaxReportFile + 1}
	dec := xml.NewDecoder(bounded)
	dec.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("the file must be in UTF-8, and not in %s", models.Foreign(charset, 40))
	}
	var reports []Told
	var faults []string
	var open []string
	ended := false
	for {
		line, _ := dec.InputPos()
		token, err := dec.Token()
		if bounded.N <= 0 {
			return nil, fmt.Errorf("the file is larger than %d MiB", MaxReportFile>>20)
		}
		if errors.Is(err, io.EOF) && ended {
			if err := faultsOf(faults); err != nil {
				return nil, err
			}
			return reports, nil
		}
		if err != nil {
			return nil, badXML(dec, err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, fmt.Errorf("line %d: the file must have no document type", line)
		case xml.CharData:
			if strings.Trim(string(t), " \t\r\n\ufeff") != "" { // a byte order mark may begin the file
				return nil, fmt.Errorf("line %d: there must be no text", line)
			}
		case xml.StartElement:
			line, _ = dec.InputPos()
			place := strings.Join(append(open, t.Name.Local), "/")
			switch {
			case place == "reports" && !ended:
			case place == "reports/report" && len(reports) == maxReports:
				return nil, fmt.Errorf("line %d: the file has more than %d reports", line, maxReports)
			case place == "reports/report":
				told, wrong := toldBy(t)
				told.Line = line
				for _, fault := range wrong {
					faults = append(faults, fmt.Sprintf("line %d: %s", line, fault))
				}
				reports = append(reports, told)
			default:
				return nil, fmt.Errorf("line %d: the element %s must not be here; the file is <reports><report/>…</reports>", line, models.Shorten(t.Name.Local, 40))
			}
			open = append(open, t.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
			ended = len(open) == 0
		}
	}
}

// toldBy reads the attributes of a report, and returns what is wrong with them.
func toldBy(e xml.StartElement) (t Told, faults []string) {
	seen := map[string]bool{}
	for _, a := range e.Attr {
		name := a.Name.Local
		if seen[name] {
			faults = append(faults, fmt.Sprintf("the attribute %s occurs twice", models.Shorten(name, 40)))
		}
		seen[name] = true
		switch name {
		case "shipment":
			t.Shipment = a.Value
		case "state":
			t.State = a.Value
		case "reason":
			t.Reason = a.Value
		case "at":
			at, err := time.Parse(time.RFC3339, a.Value)
			if err != nil {
				faults = append(faults, fmt.Sprintf("at must be like 2026-11-22T09:30:00+01:00, and not %q", models.Shorten(a.Value, 40)))
			}
			t.At = at
		default:
			faults = append(faults, fmt.Sprintf("there is no attribute %s", models.Shorten(name, 40)))
		}
	}
	for _, name := range []string{"shipment", "state", "at"} {
		if !seen[name] {
			faults = append(faults, "the attribute "+name+" is missing")
		}
	}
	if len(faults) > 0 {
		return t, faults
	}
	if _, err := idOf(t.Shipment); err != nil {
		faults = append(faults, err.Error())
	}
	if _, err := newReport(t.State, t.Reason, t.At); err != nil {
		faults = append(faults, err.Error())
	}
	return t, faults
}

// badXML names the place of an error of the XML.
func badXML(dec *xml.Decoder, err error) error {
	line, _ := dec.InputPos()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: the file ends too early, or is empty", line)
	}
	if syntax, is := errors.AsType[*xml.SyntaxError](err); is {
		return fmt.Errorf("line %d: the file is no XML: %s", syntax.Line, models.Foreign(syntax.Msg, 200))
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// faultsOf returns faults as one error, a line each, or nil if there are none.
func faultsOf(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	if more := len(faults) - maxFaults; more > 0 {
		faults = append(slices.Clone(faults[:maxFaults]), fmt.Sprintf("and %d more", more))
	}
	return errors.New(strings.Join(faults, "\n"))
}
